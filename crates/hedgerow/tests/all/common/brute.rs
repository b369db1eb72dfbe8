//! Whether a cost explains an expert, by counting through all deterministic policies.
//!
//! Nothing here uses a solver: visits are summed step by step until the discount has made the rest
//! vanish, and values are their products with rewards and costs.

use super::{Case, Kind, all_policies, best_mixture, draw};
use hedgerow::index::{Pair, State};
use hedgerow::model::{Dynamics, Model, Policy, Task};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Two to four states of two or three actions each.
pub const SET: Kind = Kind {
    states: 2..=4,
    actions: 3,
    gammas: &[0.5, 0.9],
    holes: false,
};

/// The answer to a yes-or-no question about numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    Yes,
    No,
    /// Some number is neither clearly zero nor clearly not.
    Close,
}

/// Rounding is below `ZERO`; what is between the two is too close to call.
const ZERO: f64 = 1e-11;
const CLEAR: f64 = 1e-7;

fn positive(x: f64) -> Answer {
    match x {
        x if x > CLEAR => Answer::Yes,
        x if x > ZERO => Answer::Close,
        _ => Answer::No,
    }
}

fn not(answer: Answer) -> Answer {
    match answer {
        Answer::Yes => Answer::No,
        Answer::No => Answer::Yes,
        Answer::Close => Answer::Close,
    }
}

/// A clear no decides; then anything close leaves it open.
fn all(answers: impl IntoIterator<Item = Answer>) -> Answer {
    let mut all = Answer::Yes;
    for answer in answers {
        match answer {
            Answer::No => return Answer::No,
            Answer::Close => all = Answer::Close,
            Answer::Yes => {}
        }
    }
    all
}

/// Discounted visits of every pair, from every state.
pub type Visits = Vec<Vec<f64>>;

/// Sums steps until `gamma^t < 1e-20`.
pub fn visits(model: &Model, probs: &[f64]) -> Visits {
    let task = model.task();
    let from = |first: State| {
        let mut x = vec![0.0; task.pairs()];
        let mut now = vec![0.0; task.states()];
        now[first.at()] = 1.0;
        let mut weight = 1.0;
        while weight > 1e-20 {
            let mut next = vec![0.0; task.states()];
            for pair in task.all_pairs() {
                let here = now[task.state_of(pair).at()] * probs[pair.at()];
                if here > 0.0 {
                    x[pair.at()] += weight * here;
                    let (to, p) = model.rows().row(pair);
                    to.iter()
                        .zip(p)
                        .for_each(|(&s, &p)| next[s as usize] += here * p);
                }
            }
            now = next;
            weight *= task.gamma();
        }
        x
    };
    task.all_states().map(from).collect()
}

pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// A model with the visits of all its deterministic policies.
pub struct Brute {
    pub case: Case,
    pub policies: Vec<Vec<f64>>,
    every: Vec<Visits>,
}

impl Brute {
    pub fn task(&self) -> &Task {
        self.case.model.task()
    }

    /// Models in which every state offers a choice.
    pub fn draw(seed: u64) -> Option<Self> {
        let live = 2 + (seed % 3) as usize;
        let gamma = SET.gammas[(seed / 3 % 2) as usize];
        let case = draw(&SET, live, (seed / 6 % 2) as usize, gamma, seed);
        let task = case.model.task();
        let choices = |s: State| task.is_terminal(s) || task.pairs_of(s).len() >= 2;
        if !task.all_states().all(choices) {
            return None;
        }
        let policies = all_policies(task);
        let every = policies.iter().map(|p| visits(&case.model, p)).collect();
        Some(Self {
            policies,
            every,
            case,
        })
    }

    fn at_start(&self, x: &Visits, f: &[f64]) -> f64 {
        let start = self.task().start().iter();
        start.map(|&(s, p)| p * dot(&x[s.at()], f)).sum()
    }

    /// What `probs` earns or pays from the start.
    pub fn worth(&self, probs: &[f64], f: &[f64]) -> f64 {
        self.at_start(&visits(&self.case.model, probs), f)
    }

    /// `(V^r, V^c)` from the start of every deterministic policy.
    pub fn points(&self, cost: &[f64]) -> Vec<Vec<f64>> {
        let reward = self.task().reward();
        let point = |x| vec![self.at_start(x, reward), self.at_start(x, cost)];
        self.every.iter().map(point).collect()
    }

    /// Best from the start among policies that never pay, the expert being one of them.
    pub fn optimal_hard(&self, expert: &Policy, cost: &[f64]) -> Answer {
        let x = visits(&self.case.model, expert.probs());
        if self.at_start(&x, cost) > 0.0 {
            return Answer::No;
        }
        let free = self.points(cost).into_iter().filter(|p| p[1] == 0.0);
        let best = free.map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
        not(positive(best - self.at_start(&x, self.task().reward())))
    }

    /// Best among mixtures of two policies within the budget.
    pub fn optimal_soft(&self, expert: &Policy, cost: &[f64], budget: f64) -> Answer {
        let x = visits(&self.case.model, expert.probs());
        let (earned, spent) = (
            self.at_start(&x, self.task().reward()),
            self.at_start(&x, cost),
        );
        match positive(spent - budget) {
            Answer::Yes => return Answer::No,
            Answer::Close => return Answer::Close,
            Answer::No => {}
        }
        let budget = budget.max(spent) + 1e-14;
        let best = best_mixture(&self.points(cost), budget).expect("the expert is a mixture");
        not(positive(best - earned))
    }

    /// How much a cost lacks of making the expert optimal: overspent, and earned by others.
    pub fn lacks(&self, expert: &Policy, cost: &[f64], budget: f64) -> (f64, f64) {
        let x = visits(&self.case.model, expert.probs());
        let (earned, spent) = (
            self.at_start(&x, self.task().reward()),
            self.at_start(&x, cost),
        );
        let best = best_mixture(&self.points(cost), budget.max(spent) + 1e-14);
        (spent - budget, best.expect("the expert") - earned)
    }

    /// The three conditions, with "take it once, then follow the expert" summed step by step.
    pub fn conditions(&self, expert: &Policy, cost: &[f64], hard: bool) -> Answer {
        let (model, task) = (&self.case.model, self.task());
        let x = visits(model, expert.probs());
        let departs = |pair: Pair, f: &[f64]| {
            let (to, p) = model.rows().row(pair);
            let later = to.iter().zip(p).map(|(&s, &p)| p * dot(&x[s as usize], f));
            let once = f[pair.at()] + task.gamma() * later.sum::<f64>();
            once - dot(&x[task.state_of(pair).at()], f)
        };
        let free = task
            .all_states()
            .map(|s| not(positive(dot(&x[s.at()], cost))));
        let judged = task.all_pairs().map(|pair| {
            let (a, c) = (departs(pair, task.reward()), departs(pair, cost));
            match positive(a) {
                _ if expert.prob(pair) > 0.0 => not(positive(c.abs())),
                Answer::Yes => positive(c),
                Answer::No => not(positive(c)),
                Answer::Close => Answer::Close,
            }
        });
        all(judged.chain(free.filter(|_| hard)))
    }

    /// Best from every state with the charged pairs removed.
    fn optimal_everywhere(&self, expert: &Visits, cost: &[f64]) -> Answer {
        let reward = self.task().reward();
        let at = |s: State| {
            let own = &expert[s.at()];
            if dot(own, cost) > 0.0 {
                return Answer::No;
            }
            let others = self.every.iter().map(|x| &x[s.at()]);
            let free = others.filter(|x| dot(x, cost) == 0.0);
            let best = free
                .map(|x| dot(x, reward))
                .fold(f64::NEG_INFINITY, f64::max);
            not(positive(best - dot(own, reward)))
        };
        all(self.task().all_states().map(at))
    }

    /// What the conditions mean for a hard constraint and a deterministic expert: it is optimal
    /// from every state without the charged pairs, and no longer if any one of them is freed.
    pub fn minimal_hard(&self, expert: &Policy, cost: &[f64]) -> Answer {
        let x = visits(&self.case.model, expert.probs());
        let charged = (0..cost.len()).filter(|&i| cost[i] > 0.0);
        let needed = charged.map(|i| {
            let mut less = cost.to_vec();
            less[i] = 0.0;
            not(self.optimal_everywhere(&x, &less))
        });
        all([self.optimal_everywhere(&x, cost)]
            .into_iter()
            .chain(needed))
    }

    /// A random cost with entries 0, 1/2 and 1.
    pub fn lattice(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        (0..self.task().pairs())
            .map(|_| 0.5 * f64::from(rng.random_range(0..3_u8)))
            .collect()
    }

    /// The deterministic policy that is best in `r - price c`, and what it spends.
    pub fn best_at(&self, cost: &[f64], price: f64) -> (Policy, f64) {
        let points = self.points(cost);
        let worth = |i: usize| points[i][0] - price * points[i][1];
        let best = (0..points.len()).max_by(|&i, &j| worth(i).total_cmp(&worth(j)));
        let best = best.expect("a policy");
        (self.policy(best), points[best][1])
    }

    /// The best deterministic policy that never pays from the start, if there is one.
    pub fn best_free(&self, cost: &[f64]) -> Option<Policy> {
        let points = self.points(cost);
        let free = (0..points.len()).filter(|&i| points[i][1] == 0.0);
        let best = free.max_by(|&i, &j| points[i][0].total_cmp(&points[j][0]))?;
        Some(self.policy(best))
    }

    fn policy(&self, i: usize) -> Policy {
        Policy::new(self.task(), self.policies[i].clone()).expect("a policy")
    }
}
