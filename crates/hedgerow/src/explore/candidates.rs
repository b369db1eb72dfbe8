//! The candidate policies of PCSE: those that could still turn out to be best.

use crate::Result;
use crate::explore::OracleErrors;
use crate::explore::active::{Known, Scene, SeenRows, Warm, WarmSearch};
use crate::explore::plan::{Following, Method, PLANNING, planning};
use crate::model::Policy;
use crate::solve::{
    Choice, Followed, LinearRow, Mdp, Mixture, Outcome, Roughly, Start, better_again,
    constrained_best, constrained_roughly,
};
use std::sync::Arc;

mod rule;
mod slack;

pub use rule::{BUDGET, Rule, SCALE, SET, SHARE};
use slack::reward_slack;

/// How exact a value is at first that is only compared with a bound, as a share of the largest.
const ROUGHEST: f64 = 0.1;

/// What the last set leaves for the next.
#[derive(Clone, Debug, Default)]
pub struct WarmSet {
    best: Warm,
    expert: Warm,
    hopeful: Warm,
    search: WarmSearch,
    /// Of what is played and what balances it, row by row.
    excess: [Vec<Warm>; 2],
}

impl WarmSet {
    /// Values of the `which`-th policy in row `i`.
    pub fn excess(&mut self, which: usize, i: usize) -> &mut Warm {
        let rows = &mut self.excess[which];
        if rows.len() <= i {
            rows.resize(i + 1, Warm::default());
        }
        &mut rows[i]
    }

    /// The best policy at the last prices of the search, and its values.
    pub fn priced(&mut self, known: &Arc<Known>) -> &Start {
        self.search.on(known).priced()
    }
}

/// The candidate set at one moment, with one discount.
///
/// A policy is in it if `V^{weights_i}(mu0) <= bound_i` for every row, in the estimated dynamics,
/// using allowed pairs only. The estimated expert always is: it uses no pair with an inferred cost,
/// and no row asks for more than it earns. So what holds for all candidates holds for the expert.
pub struct Candidates<'a> {
    scene: Scene<'a>,
    method: Method,
    gamma: f64,
    /// Pairs a candidate may use.
    pub allowed: Vec<bool>,
    /// The constraints: weights and bound.
    pub rows: Vec<(Vec<f64>, f64)>,
    /// What the known reward of a pair counts in the weights of each row, where it was never tried.
    slopes: Vec<f64>,
    /// The policy that keeps to the first of them best, in a large world.
    safest: Option<Choice>,
    /// The estimated expert.
    expert: Following<'a>,
}

impl<'a> Candidates<'a> {
    /// The set, when values are discounted by `gamma`; `eps` is the last accuracy. The less exact `method` is,
    /// the more policies are in.
    pub(super) fn new(
        rule: Rule,
        (scene, method): (Scene<'a>, Method),
        oracle: Option<OracleErrors>,
        (gamma, eps): (f64, f64),
        warm: &mut WarmSet,
    ) -> Self {
        let learner = scene.learner;
        let mut set = Self {
            scene,
            method,
            gamma,
            allowed: vec![true; scene.known.part.task().pairs()],
            rows: Vec::new(),
            slopes: Vec::new(),
            safest: None,
            expert: method.following(scene.expert),
        };
        let known = scene.each(|p| learner.reward()[p.at()]);
        let expert = set.expert_value(&known, &mut warm.expert);
        // What planning may be off: the expert is in, whatever the rounding.
        let tolerance = PLANNING * learner.task().reward_scale();
        match rule {
            Rule::Local { share } => {
                set.allowed = scene.unconstrained();
                let reward = set.optimistic_reward();
                let hopeful = set.expert_value(&reward, &mut warm.hopeful);
                let part = set.share_of_best(&reward, share, hopeful, warm);
                let need = expert.max(part).min(hopeful) - tolerance;
                set.at_least(&reward, need, 0.0);
            }
            Rule::Global { scale, budget } => {
                // The estimated expert has no inferred cost, so the least cost V^{c,*} is 0.
                let mut cost = vec![0.0; set.allowed.len()];
                let positive = learner.positive_cost();
                for (c, pair) in cost.iter_mut().zip(scene.known.part.pairs()) {
                    if let Ok(i) = positive.binary_search_by_key(&pair, |&(p, _)| p) {
                        *c = positive[i].1;
                    }
                }
                set.rows.push((cost, scale * (4.0 * eps + 2.0 * budget)));
                set.slopes.push(0.0);
                let slack = scale * reward_slack(scene, oracle);
                set.at_least(&known, expert - slack - tolerance, -1.0);
            }
        }
        set
    }

    /// `share` of the best that can be had of `reward`. More than the expert hopes for is never asked, so in a
    /// large world a good policy tells enough, and it becomes the safest.
    fn share_of_best(
        &mut self,
        reward: &[f64],
        share: f64,
        hopeful: f64,
        warm: &mut WarmSet,
    ) -> f64 {
        let part = |best: f64| match best < 0.0 {
            true => best / share,
            false => share * best,
        };
        let start = warm.best.on(self.scene.known);
        let problem = self.problem(reward);
        let known = self.is_large().then(|| {
            let limits = self.method.limits(&problem, &start.values);
            better_again(&problem, &limits, start, |v| part(v) >= hopeful)
        });
        let best = known.flatten();
        let best = best.unwrap_or_else(|| self.method.solve(&problem, start));
        self.safest = self.is_large().then(|| start.choice.clone());
        part(best)
    }

    fn at_least(&mut self, reward: &[f64], need: f64, slope: f64) {
        let negative = reward.iter().map(|r| -r).collect();
        self.rows.push((negative, -need));
        self.slopes.push(slope);
    }

    /// The estimated problem restricted to allowed pairs.
    pub fn problem<'b>(&'b self, reward: &'b [f64]) -> Mdp<'b, SeenRows> {
        let scene: Scene<'b> = self.scene;
        scene
            .problem(reward, self.gamma)
            .with_allowed(&self.allowed)
    }

    fn optimistic_reward(&self) -> Vec<f64> {
        let learner = self.scene.learner;
        let task = learner.task();
        let (largest, span) = (task.reward_max(), task.reward_span());
        self.scene.each(|pair| {
            let width = learner.width(pair);
            if width.is_finite() {
                learner.reward()[pair.at()] + task.gamma() * width.min(span)
            } else {
                largest
            }
        })
    }

    /// The mixture of candidates with the largest `reward`, whose size is `unit` and which sums up to `most`
    /// at most; `None` if there is no candidate.
    pub fn best(
        &self,
        reward: &[f64],
        (unit, most): (f64, f64),
        warm: &mut WarmSet,
    ) -> Result<Option<Mixture>> {
        let rows: Vec<LinearRow> = self
            .rows
            .iter()
            .map(|(weights, bound)| LinearRow {
                weights,
                bound: *bound,
            })
            .collect();
        let mdp = self.problem(reward).with_unit(unit);
        let outcome = {
            let search = warm.search.on(self.scene.known);
            match self.method.share() {
                None => constrained_best(&mdp, &rows, &planning(&mdp), search)?,
                Some(share) => {
                    if let Some(choice) = &self.safest {
                        search.suggest(choice.clone());
                    }
                    constrained_roughly(
                        &mdp,
                        &rows,
                        &planning(&mdp),
                        Roughly { share, most },
                        search,
                    )?
                }
            }
        };
        Ok(match outcome {
            Outcome::Optimal(m) | Outcome::LimitReached(m) => Some(m),
            Outcome::Infeasible { .. } => None,
        })
    }

    /// `reward - sum_i prices_i weights_i`: the reward of the Lagrangian.
    pub fn priced(&self, mut reward: Vec<f64>, prices: &[f64]) -> Vec<f64> {
        for ((weights, _), &price) in self.rows.iter().zip(prices) {
            for (r, w) in reward.iter_mut().zip(weights) {
                *r -= price * w;
            }
        }
        reward
    }

    /// What the known reward of a pair counts in [`Self::priced`] where it was never tried.
    pub fn slope(&self, prices: &[f64]) -> f64 {
        let rows = self.slopes.iter().zip(prices);
        rows.map(|(slope, price)| -price * slope).sum()
    }

    /// What it counts in the weights of row `i`.
    pub fn slope_of(&self, i: usize) -> f64 {
        self.slopes[i]
    }

    /// By how much `policy` exceeds the bound of row `i`; at most 0 if it keeps to it. `warm` has the values
    /// of a similar policy. In a large world the number is rough unless it is asked for `closely`, its
    /// sign is not.
    pub fn excess(&self, i: usize, policy: &Policy, closely: bool, warm: &mut Warm) -> f64 {
        let (weights, bound) = &self.rows[i];
        let mdp = self.problem(weights);
        let values = &mut warm.on(self.scene.known).values;
        let Some(finest) = self.method.share() else {
            let found = self.method.evaluate(&mdp, policy, None);
            *values = found.map_or_else(Vec::new, |v| v.values);
            return mdp.task().at_start(values) - bound;
        };
        let mut share = if closely { finest } else { ROUGHEST };
        let followed = Followed::new(&mdp, policy);
        loop {
            let start = Some(&values[..]).filter(|v| v.len() == mdp.task().states());
            let limits = planning(&mdp).or_share(share, start.unwrap_or_default());
            let Some(found) = followed.values(&mdp, &limits, start).solution() else {
                return 0.0;
            };
            *values = found.values;
            let excess = mdp.task().at_start(values) - bound;
            if found.error < excess.abs() || share <= finest {
                return excess;
            }
            share *= 0.1;
        }
    }

    /// Whether the problem is large: then what one solve found is where the next begins.
    pub fn is_large(&self) -> bool {
        self.method.share().is_some()
    }

    /// What the estimated expert earns of `reward` at least; `warm` has its values of last time.
    fn expert_value(&self, reward: &[f64], warm: &mut Warm) -> f64 {
        let scene = self.scene;
        let mdp = scene.problem(reward, self.gamma);
        let warm = &mut warm.on(scene.known).values;
        let start = Some(&warm[..]).filter(|w| w.len() == mdp.task().states());
        if let Some(v) = self.expert.values(&mdp, start) {
            *warm = v.values;
            return mdp.task().at_start(warm) - v.error;
        }
        mdp.task().at_start(warm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::active::Active;
    use crate::explore::plan::planning_gamma;
    use crate::index::Pair;
    use crate::index::State;
    use crate::learn::Inference;
    use crate::learn::Learner;
    use crate::model::{ModelBuilder, Task};
    use crate::seed::Stream;
    use crate::solve::evaluate_exact;
    use rand::RngExt;

    /// Rows of a random world with `states` states, and the expert's pair in each: the first or any.
    struct Drawn {
        task: Arc<Task>,
        next: Vec<[u32; 2]>,
        expert: Vec<[usize; 2]>,
    }

    fn drawn(rng: &mut Stream) -> Drawn {
        let states = 2 + rng.random_range(0..7);
        let gamma = [0.0, 0.5, 0.7, 0.95][rng.random_range(0..4)];
        let mut b = ModelBuilder::new(states, ["a", "b", "c"], gamma);
        b.start(0, 1.0);
        for s in 0..states {
            for a in 0..3 {
                // Rewards of both signs, and none.
                b.reward(s, a, [-1.0, 0.0, 0.0, 0.5, 1.0][rng.random_range(0..5)]);
            }
        }
        let task = Arc::new(b.build_task().unwrap());
        let pairs = 0..task.pairs();
        let next = pairs.map(|_| [0, 1].map(|_| rng.random_range(0..states) as u32));
        Drawn {
            next: next.collect(),
            expert: (0..states)
                .map(|_| [rng.random_range(0..3), rng.random_range(0..3)])
                .collect(),
            task,
        }
    }

    impl Drawn {
        /// One more sample from `state`; where it leads.
        fn step(&self, learner: &mut Learner, state: State, rng: &mut Stream) -> State {
            let first = self.task.pairs_of(state).start;
            let asked = self.expert[state.at()][rng.random_range(0..2)];
            learner.see_expert(Pair::new(first + asked));
            let pair = Pair::new(first + rng.random_range(0..3));
            let next = State(self.next[pair.at()][rng.random_range(0..2)]);
            learner.see_transition(pair, next);
            next
        }
    }

    /// Panics unless the estimated expert is a candidate, by an exact solve.
    fn check_expert_is_in(set: &Candidates) {
        let (task, expert) = (set.scene.known.part.task(), set.scene.expert);
        for pair in task.all_pairs() {
            assert!(set.allowed[pair.at()] || expert.prob(pair) == 0.0, "{pair}");
        }
        for (weights, bound) in &set.rows {
            let values = evaluate_exact(&set.problem(weights), expert).unwrap();
            let value = task.at_start(&values.values);
            assert!(value <= *bound, "{value} exceeds {bound}");
        }
    }

    #[test]
    fn the_estimated_expert_is_always_a_candidate() {
        let rules = |share, scale| {
            let global = Rule::Global { scale, budget: 0.0 };
            [Rule::Local { share }, global]
        };
        let rules: Vec<Rule> = [(0.0, 0.0), (0.9, 0.001), (1.0, 1.0)]
            .into_iter()
            .flat_map(|(share, scale)| rules(share, scale))
            .collect();
        // Whether the old rule, a share of the best whatever the expert earns, would have failed.
        let mut below_share = 0;
        for seed in 0..40 {
            let mut rng = Stream::new(seed, "candidates");
            let world = drawn(&mut rng);
            let mut learner = Learner::new(world.task.clone(), Inference::default());
            let mut warm = vec![WarmSet::default(); rules.len()];
            let mut active = Active::default();
            for _ in 1..=12 {
                let scene = active.of(&learner);
                let own = world.task.gamma();
                for gamma in [own, planning_gamma(own, 3.0)] {
                    for (rule, warm) in rules.iter().zip(&mut warm) {
                        let set = Candidates::new(
                            *rule,
                            (scene, scene.method()),
                            None,
                            (gamma, 0.1),
                            warm,
                        );
                        check_expert_is_in(&set);
                        if let Rule::Local { share: 0.9 } = rule {
                            let task = scene.known.part.task();
                            let best = task.at_start(&warm.best.on(scene.known).values);
                            let hopeful = task.at_start(&warm.hopeful.on(scene.known).values);
                            below_share += usize::from(hopeful < 0.9 * best);
                        }
                    }
                }
                let mut state = State(0);
                for _ in 0..5 {
                    state = world.step(&mut learner, state, &mut rng);
                }
                learner.refresh();
            }
        }
        assert!(
            below_share > 50,
            "only {below_share} cases tell the rules apart"
        );
    }
}
