//! BEAR: a policy that seeks observations and actions where the bound on the cost's error is large.

use super::{GeneralEntry, GeneralLearner, GeneralStrategy, best};
use crate::Result;
use crate::net::{Adam, BatchScratch, Mlp, PlainTrainer, Scratch};
use hedgerow::explore::StrategyInfo;
use hedgerow::param::{Parameter, number, whole};
use hedgerow::seed::Stream;
use rand::RngExt;

const PARAMETERS: &[Parameter] = &[
    whole(
        "training",
        400,
        1,
        1_000_000,
        "most gradient steps on the bonus per iteration; fewer once they stop helping",
    ),
    whole(
        "ahead",
        8,
        1,
        1000,
        "actions over which the value of the next observation is maximised",
    ),
    number(
        "discount",
        0.9,
        0.0,
        0.9999,
        "discount of the bonus, across the ends of episodes",
    ),
];

pub const ENTRY: GeneralEntry = GeneralEntry {
    info: StrategyInfo {
        name: "bear",
        summary: "the policy with the largest discounted bonus 1/sqrt(N^), trained on all samples",
        parameters: PARAMETERS,
    },
    build: |p, learner, seed| {
        let bear = Bear::new(
            learner,
            p.whole("training") as usize,
            p.whole("ahead") as usize,
            p.number("discount"),
            seed,
        )?;
        Ok(Box::new(bear))
    },
};

/// Gradient steps after which it is asked whether they still help.
const BLOCK: usize = 50;

/// The action values of the bonus, off-policy from all samples:
///
/// ```text
/// B(s, a) = 1/sqrt(max(N^(s,a), 1)) + gamma max_b B(s', b).
/// ```
///
/// The objective is the discounted bonus over one episode after another: where an episode ended, what
/// follows is the value at a start, not 0. With 0 a positive bonus would teach to avoid every end.
#[derive(Debug)]
pub struct Bear {
    trainer: PlainTrainer,
    target: Mlp,
    scratch: Scratch,
    batch: BatchScratch,
    stream: Stream,
    training: usize,
    ahead: usize,
    discount: f64,
    objective: Option<(f64, f64)>,
    /// Bonuses of the samples as far as they were asked for; else not a number.
    bonuses: Vec<f64>,
    room: Vec<f32>,
}

impl Bear {
    /// With nearly equal values of all actions.
    pub fn new(
        learner: &GeneralLearner,
        training: usize,
        ahead: usize,
        discount: f64,
        seed: u64,
    ) -> Result<Self> {
        let settings = learner.settings();
        let sizes = [
            learner.encoder().inputs(),
            settings.units,
            settings.units,
            1,
        ];
        let net = Mlp::random(&sizes, 0.01, &mut Stream::new(seed, "general.bear"))?;
        let adam = Adam::new(net.values().len(), settings.learning_rate as f32, 10.0);
        Ok(Self {
            target: net.clone(),
            scratch: Scratch::new(&net),
            trainer: PlainTrainer::new(net, adam),
            batch: BatchScratch::default(),
            stream: Stream::new(seed, "general.bear.batches"),
            training,
            ahead,
            discount,
            objective: None,
            bonuses: Vec::new(),
            room: Vec::new(),
        })
    }

    /// The bonus of a sample; counts do not change while it is trained, so each is found once.
    fn bonus(&mut self, learner: &mut GeneralLearner, i: usize) -> f64 {
        if self.bonuses[i].is_nan() {
            let samples = learner.samples();
            let (o, a) = (samples.observation(i).to_vec(), samples.action(i).to_vec());
            self.bonuses[i] = 1.0 / learner.count(&o, &a).max(1.0).sqrt();
        }
        self.bonuses[i]
    }

    /// One gradient step; gives the loss.
    fn step(&mut self, learner: &mut GeneralLearner) -> Result<f32> {
        let batch = learner.settings().batch;
        let (mut rows, mut ahead, mut bonuses) = (Vec::new(), Vec::new(), Vec::new());
        let mut action = vec![0.0; learner.spec().action.len()];
        for _ in 0..batch {
            let i = self.stream.random_range(0..learner.samples().len());
            let samples = learner.samples();
            let start = samples.starts()[self.stream.random_range(0..samples.starts().len())];
            let next = match samples.ended(i) {
                true => samples.observation(start),
                false => samples.next(i),
            };
            for _ in 0..self.ahead {
                learner.spec().action.sample(&mut self.stream, &mut action);
                learner.encoder().push(next, &action, &mut ahead);
            }
            let (o, a) = (samples.observation(i), samples.action(i));
            learner.encoder().push(o, a, &mut rows);
            bonuses.push(self.bonus(learner, i));
        }
        let values = self.target.forward_rows(&ahead, &mut self.batch)?;
        // Scaled by 1 - gamma: values are of the order of one bonus.
        let (discount, each) = (self.discount, self.ahead);
        let share = 1.0 / batch as f32;
        let loss = self.trainer.step(&rows, |outputs, gradient| {
            let mut loss = 0.0;
            for (i, bonus) in bonuses.iter().enumerate() {
                let next = values[i * each..(i + 1) * each].iter();
                let next = next.copied().fold(f32::NEG_INFINITY, f32::max);
                let wanted = (1.0 - discount) * bonus + discount * f64::from(next);
                let error = outputs[i] - wanted as f32;
                gradient[i] = share * error;
                loss += 0.5 * share * error * error;
            }
            loss
        })?;
        self.target.soft_update(self.trainer.net(), 0.02);
        Ok(loss)
    }

    /// Trains until the loss stops falling.
    pub fn train(&mut self, learner: &mut GeneralLearner) -> Result<()> {
        self.bonuses.clear();
        self.bonuses.resize(learner.samples().len(), f64::NAN);
        let before = self.value_at_starts(learner);
        let (mut last, mut block) = (f32::INFINITY, 0.0);
        for made in 1..=self.training {
            block += self.step(learner)?;
            if made % BLOCK == 0 {
                if made > 2 * BLOCK && block > 0.98 * last {
                    break;
                }
                last = std::mem::take(&mut block);
            }
        }
        self.objective = Some((before, self.value_at_starts(learner)));
        Ok(())
    }

    /// The estimated discounted bonus from the starts on, per decision.
    fn value_at_starts(&mut self, learner: &GeneralLearner) -> f64 {
        let samples = learner.samples();
        let starts: Vec<usize> = samples.starts().iter().rev().take(32).copied().collect();
        let mut action = vec![0.0; learner.spec().action.len()];
        let mut total = 0.0;
        for &start in &starts {
            let mut top = f64::NEG_INFINITY;
            for _ in 0..self.ahead {
                learner.spec().action.sample(&mut self.stream, &mut action);
                top = top.max(self.value(learner, samples.observation(start), &action));
            }
            total += top;
        }
        total / starts.len().max(1) as f64
    }

    fn value(&mut self, learner: &GeneralLearner, observation: &[f64], action: &[f64]) -> f64 {
        self.room.clear();
        (learner.encoder()).push(observation, action, &mut self.room);
        f64::from(self.trainer.net().forward(&self.room, &mut self.scratch)[0])
    }
}

impl GeneralStrategy for Bear {
    fn plan(&mut self, learner: &mut GeneralLearner, _: usize) -> Result<()> {
        match learner.samples().is_empty() {
            true => Ok(()),
            false => self.train(learner),
        }
    }

    fn act(
        &mut self,
        learner: &mut GeneralLearner,
        observation: &[f64],
        candidates: &[f64],
        _: &mut Stream,
    ) -> Result<usize> {
        let each = learner.spec().action.len();
        Ok(best(candidates, each, |a| {
            self.value(learner, observation, a)
        }))
    }

    fn objective(&self) -> Option<(f64, f64)> {
        self.objective
    }
}
