//! The evaluator: the only reader of the truth during a run.

use crate::Result;
use crate::env::{Environment, Layout};
use crate::explore::OracleErrors;
use crate::index::{Pair, State};
use crate::learn::Learner;
use crate::metrics::exact::exact_inference;
use crate::metrics::iou::{iou_of, overlap_of, positive};
use crate::metrics::judged::Judged;
use crate::model::{Dynamics, Policy};
use crate::run::Row;
use crate::seed::Stream;
use crate::solve::{LARGE, Mdp, Sum, sharing_ties, value_at_start};

/// Where the best policy under the inferred cost is planned. It is always evaluated in the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlanIn {
    /// True dynamics, inferred cost: evaluates the cost alone.
    #[default]
    Truth,
    /// Estimated dynamics, inferred cost: what the learner itself would do.
    Estimate,
}

/// Compares learners with the truth of one environment.
#[derive(Debug)]
pub struct Evaluator<'a> {
    environment: &'a Environment,
    plan_in: PlanIn,
    expert: [Sum; 2],
    true_cells: Vec<f64>,
    charged: Vec<(State, f64)>,
    /// The cells that exact inference finds, if there is a true cost.
    exact_cells: Option<Vec<(State, f64)>>,
    planned: Option<Planned>,
    /// In a large world, what the last evaluation leaves for the next.
    judged: Option<Box<Judged>>,
}

/// The policy that was evaluated last, kept while the set of forbidden pairs stays the same.
#[derive(Debug)]
struct Planned {
    forbidden: Vec<Pair>,
    policy: Policy,
    reward: f64,
    cost: f64,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for `environment`.
    pub fn new(environment: &'a Environment, plan_in: PlanIn) -> Result<Self> {
        let truth = environment.truth();
        let true_cells = truth.cost().by_state(environment.task());
        let is_large = environment.task().states() >= LARGE;
        Ok(Self {
            environment,
            plan_in,
            expert: sums(environment, truth.expert())?,
            charged: positive(&true_cells),
            true_cells,
            exact_cells: exact_inference(environment)?.map(|found| positive(&found.cells)),
            planned: None,
            judged: is_large.then(Box::default),
        })
    }

    /// Forgets all that only makes the next evaluation faster.
    pub fn renew(&mut self) {
        self.planned = None;
        self.judged = self.judged.as_ref().map(|_| Box::default());
    }

    /// The expert's discounted reward.
    pub fn expert_reward(&self) -> f64 {
        self.expert[0].value
    }

    /// The expert's discounted cost.
    pub fn expert_cost(&self) -> f64 {
        self.expert[1].value
    }

    /// The expert's discounted reward and cost with their certified errors.
    pub fn expert(&self) -> [Sum; 2] {
        self.expert
    }

    /// Discounted reward and cost of a policy, each certified; an error if one cannot be.
    pub fn values(&self, policy: &Policy) -> Result<[Sum; 2]> {
        sums(self.environment, policy)
    }

    /// Evaluates what `learner` has inferred so far: the columns of a row that compare it with the
    /// truth, the others blank.
    pub fn evaluate(&mut self, learner: &Learner) -> Result<Row> {
        let values = self.best_under(learner)?;
        let found = learner.significant_cells();
        let row = compared(values, &found, &self.charged, self.environment.layout());
        let exact = self.exact_cells.as_ref();
        Ok(Row {
            map_iou: exact.map(|exact| iou_of(&found, exact)),
            ..row
        })
    }

    fn best_under(&mut self, learner: &Learner) -> Result<(f64, f64)> {
        let forbidden = learner.constrained_pairs();
        let again = self.plan_in == PlanIn::Truth;
        if let Some(same) = self
            .planned
            .as_ref()
            .filter(|p| again && p.forbidden == forbidden)
        {
            return Ok((same.reward, same.cost));
        }
        let (policy, (reward, cost)) = match (&mut self.judged, self.plan_in) {
            (Some(judged), PlanIn::Truth) => judged.best(self.environment.truth(), &forbidden),
            _ => {
                let policy = self.exactly(learner)?;
                let [reward, cost] = self.values(&policy)?.map(|sum| sum.value);
                (policy, (reward, cost))
            }
        };
        self.planned = Some(Planned {
            forbidden,
            policy,
            reward,
            cost,
        });
        Ok((reward, cost))
    }

    /// The best policy under the inferred cost, solved for from the start.
    fn exactly(&self, learner: &Learner) -> Result<Policy> {
        let allowed: Vec<bool> = learner.constrained().iter().map(|f| !f).collect();
        match self.plan_in {
            PlanIn::Truth => {
                let mdp = Mdp::of(self.environment.truth().model());
                sharing_ties(&mdp.with_allowed(&allowed))
            }
            PlanIn::Estimate => {
                let mdp = Mdp::new(self.environment.task(), learner.estimate());
                sharing_ties(&mdp.with_allowed(&allowed))
            }
        }
    }

    /// Discounted reward and cost of one sampled episode of the policy evaluated last.
    pub fn rollout(&self, rng: &mut Stream) -> (f64, f64) {
        let truth = self.environment.truth();
        let task = self.environment.task();
        let (mut reward, mut cost, mut discount) = (0.0, 0.0, 1.0);
        let Some(planned) = &self.planned else {
            return (0.0, 0.0);
        };
        let mut state = crate::env::draw_start(task, rng);
        for step in 0..self.environment.horizon() {
            if is_spent(step, discount, task.gamma()) {
                break;
            }
            if task.is_terminal(state) {
                break;
            }
            let pair: Pair = planned.policy.sample(task, state, rng);
            state = crate::env::draw_next(truth.model().rows(), pair, rng);
            reward += discount * task.reward_of(pair, state);
            cost += discount * truth.cost().at(pair);
            discount *= task.gamma();
        }
        (reward, cost)
    }

    /// The true errors of the learner's estimates.
    pub fn oracle(&self, learner: &Learner) -> OracleErrors {
        let truth = self.environment.truth();
        let task = self.environment.task();
        let mut dense = vec![0.0; task.states()];
        let mut dynamics = 0.0_f64;
        for pair in task.all_pairs() {
            let (next, prob) = truth.model().rows().row(pair);
            let (seen, frequency) = learner.estimate().row(pair);
            for (&s, &p) in next.iter().zip(prob) {
                dense[s as usize] = p;
            }
            for (&s, &p) in seen.iter().zip(frequency) {
                dense[s as usize] -= p;
            }
            let distance = next.iter().map(|&s| dense[s as usize].abs()).sum();
            dynamics = dynamics.max(distance);
            for &s in next {
                dense[s as usize] = 0.0;
            }
        }
        let estimated = learner.expert_policy();
        let expert = |s: State| {
            let range = task.pairs_of(s);
            let pairs = truth.expert().probs()[range.clone()].iter();
            let distance = pairs
                .zip(&estimated.probs()[range])
                .map(|(a, b)| (a - b).abs());
            distance.sum::<f64>()
        };
        OracleErrors {
            dynamics,
            expert: task.all_states().map(expert).fold(0.0, f64::max),
        }
    }

    /// The true cost on cells.
    pub fn true_cells(&self) -> &[f64] {
        &self.true_cells
    }

    /// Whether a reward and a cost are within 10 % of the expert's reward and 1.25 times its cost.
    pub fn at_expert(&self, reward: f64, cost: f64) -> bool {
        let expert = (self.expert_reward(), self.expert_cost());
        is_at_expert((reward, cost), expert, &self.true_cells)
    }
}

/// Steps that every sampled episode may have.
const LONG: usize = 10_000;

/// Whether all that can follow in a sampled episode is below the last digit of what it earned; a
/// horizon may be so long that it is never reached.
pub(super) fn is_spent(step: usize, discount: f64, gamma: f64) -> bool {
    step >= LONG && discount < 1e-17 * (1.0 - gamma)
}

/// Discounted reward and cost of a policy.
fn sums(environment: &Environment, policy: &Policy) -> Result<[Sum; 2]> {
    let truth = environment.truth();
    let mdp = Mdp::of(truth.model());
    let at = |e: crate::Error| e.within(environment.name());
    let reward = value_at_start(&mdp, policy).map_err(at)?;
    let cost = value_at_start(&mdp.with_reward(truth.cost().values()), policy).map_err(at)?;
    Ok([reward, cost])
}

/// The columns that compare the inferred cells with the truth, given reward and cost of the best
/// policy under them and the true cost on cells, which may be 0 everywhere.
pub(super) fn compared(
    (reward, cost): (f64, f64),
    found: &[(State, f64)],
    charged: &[(State, f64)],
    layout: Option<&Layout>,
) -> Row {
    let comparable = !charged.is_empty();
    let overlap = comparable.then(|| overlap_of(found, charged, layout));
    Row {
        reward,
        cost,
        iou: overlap.map(|o| o.iou),
        giou: overlap.map(|o| o.giou),
        wgiou: overlap.map(|o| o.wgiou),
        ..Row::default()
    }
}

/// Whether a reward is within 10 % of the expert's and a cost at most 1.25 times the expert's, up to
/// rounding of the largest true cost.
pub(super) fn is_at_expert(
    (reward, cost): (f64, f64),
    expert: (f64, f64),
    true_cells: &[f64],
) -> bool {
    let rounding = 1e-9 * true_cells.iter().copied().fold(0.0, f64::max);
    (reward - expert.0).abs() <= 0.1 * expert.0.abs() && cost <= 1.25 * expert.1 + rounding
}
