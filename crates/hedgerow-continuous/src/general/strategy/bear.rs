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
        1000,
        1,
        1_000_000,
        "most gradient steps on the bonus per iteration; fewer once what lies ahead has settled",
    ),
    whole(
        "ahead",
        8,
        1,
        1000,
        "actions of which the one that gathers most at once follows",
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

/// Gradient steps between two looks ahead.
const BLOCK: usize = 50;

/// The least looks ahead of an iteration: the running mean lags behind the network by about one block.
const LEAST: usize = 5;

/// What lies ahead has settled when one more look changes it by less than this share.
const SETTLED: f64 = 0.002;

/// Most samples that one iteration is trained on, so that it takes the same time however many there are.
const MOST: usize = 4096;

/// What an action gathers at once is known everywhere, from the counts; a network learns only what lies
/// ahead of it if what gathers most at once is taken from then on, off-policy from all samples:
///
/// ```text
/// B(s, a) = (1 - gamma) / sqrt(max(N^(s,a), 1)) + gamma W(s, a),      W(s, a) = B(s', b*),      b* = argmin_b N^(s', b),
/// ```
///
/// in units of one bonus, and the policy takes the largest `B`: one improvement on taking what gathers most at
/// once. The maximum of `B` in place of `b*` would be the best policy, but it picks errors upwards, look after
/// look, and errors of `W` count `gamma / (1 - gamma)` times as much as a bonus: that policy gathered less. No
/// bonus is larger than 1, so neither are discounted means of them: `W` is read between 0 and 1. The
/// objective is the discounted bonus over one episode after another: where an episode ended, what
/// follows is the value at a start, not 0. With 0 a positive bonus would teach to avoid every end.
#[derive(Debug)]
pub struct Bear {
    trainer: PlainTrainer,
    /// The running mean of the network, which is read.
    averaged: Mlp,
    scratch: Scratch,
    batch: BatchScratch,
    stream: Stream,
    training: usize,
    ahead: usize,
    discount: f64,
    lessons: Lessons,
    room: Vec<f32>,
}

/// What one iteration is trained on.
#[derive(Debug, Default)]
struct Lessons {
    /// Inputs of the samples.
    rows: Vec<f32>,
    /// Inputs of some pairs after each of them, and the bonuses of those.
    ahead: Vec<f32>,
    bonuses: Vec<f64>,
    /// What follows the one that gathers most at once: what the network is to say.
    wanted: Vec<f32>,
    /// Inputs of a batch and what is wanted there.
    batch: Vec<f32>,
    batch_wanted: Vec<f32>,
}

impl Bear {
    /// Untrained: it takes what gathers most at once.
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
            averaged: net.clone(),
            scratch: Scratch::new(&net),
            trainer: PlainTrainer::new(net, adam),
            batch: BatchScratch::default(),
            stream: Stream::new(seed, "general.bear.batches"),
            training,
            ahead,
            discount,
            lessons: Lessons::default(),
            room: Vec::new(),
        })
    }

    /// Trains until what lies ahead has settled. Gives the gradient steps that were made.
    pub fn train(&mut self, learner: &mut GeneralLearner) -> Result<usize> {
        self.prepare(learner);
        let mut made = 0;
        while made < self.training {
            let change = self.look_ahead()?;
            if change < SETTLED && made >= LEAST * BLOCK {
                break;
            }
            for _ in 0..BLOCK.min(self.training - made) {
                self.step(learner.settings().batch)?;
                made += 1;
            }
        }
        Ok(made)
    }

    /// Chooses the samples of this iteration and the pairs that may follow each of them. Counts do not change
    /// while it is trained, so every bonus is found once.
    fn prepare(&mut self, learner: &mut GeneralLearner) {
        let lessons = &mut self.lessons;
        lessons.rows.clear();
        lessons.ahead.clear();
        lessons.bonuses.clear();
        lessons.wanted.clear();
        let all = learner.samples().len();
        let (mut action, mut next) = (vec![0.0; learner.spec().action.len()], Vec::new());
        for k in 0..all.min(MOST) {
            let i = match all <= MOST {
                true => k,
                false => self.stream.random_range(0..all),
            };
            let samples = learner.samples();
            let (o, a) = (samples.observation(i), samples.action(i));
            learner.encoder().push(o, a, &mut lessons.rows);
            let starts = samples.starts();
            next.clear();
            next.extend_from_slice(match samples.ended(i) {
                true => samples.observation(starts[self.stream.random_range(0..starts.len())]),
                false => samples.next(i),
            });
            for _ in 0..self.ahead {
                learner.spec().action.sample(&mut self.stream, &mut action);
                learner.encoder().push(&next, &action, &mut lessons.ahead);
                lessons.bonuses.push(bonus(learner, &next, &action));
            }
        }
    }

    /// What is wanted of the network, from the network as it is; gives the mean change, as a share.
    fn look_ahead(&mut self) -> Result<f64> {
        let lessons = &mut self.lessons;
        let values = (self.averaged).forward_rows(&lessons.ahead, &mut self.batch)?;
        let (mut change, mut sum) = (0.0, 0.0);
        let pairs = (values.chunks_exact(self.ahead)).zip(lessons.bonuses.chunks_exact(self.ahead));
        for (i, (values, bonuses)) in pairs.enumerate() {
            let mut most = (f64::NEG_INFINITY, 0.0);
            for (later, bonus) in values.iter().zip(bonuses) {
                if *bonus > most.0 {
                    most = (*bonus, total(*bonus, *later, self.discount));
                }
            }
            let top = most.1;
            match lessons.wanted.get_mut(i) {
                Some(wanted) => {
                    change += (top - f64::from(*wanted)).abs();
                    *wanted = top as f32;
                }
                None => lessons.wanted.push(top as f32),
            }
            sum += top.abs();
        }
        Ok(change / sum.max(1e-300))
    }

    fn step(&mut self, batch: usize) -> Result<()> {
        let lessons = &mut self.lessons;
        let inputs = self.averaged.inputs();
        lessons.batch.clear();
        lessons.batch_wanted.clear();
        for _ in 0..batch {
            let i = self.stream.random_range(0..lessons.wanted.len());
            let row = &lessons.rows[i * inputs..(i + 1) * inputs];
            lessons.batch.extend_from_slice(row);
            lessons.batch_wanted.push(lessons.wanted[i]);
        }
        let (wanted, share) = (&lessons.batch_wanted, 1.0 / batch as f32);
        self.trainer.step(&lessons.batch, |outputs, gradient| {
            let mut loss = 0.0;
            for (i, wanted) in wanted.iter().enumerate() {
                let error = outputs[i] - wanted;
                gradient[i] = share * error;
                loss += 0.5 * share * error * error;
            }
            loss
        })?;
        self.averaged.soft_update(self.trainer.net(), 0.02);
        Ok(())
    }

    /// What a pair and the best decisions after it gather.
    fn value(&mut self, learner: &mut GeneralLearner, observation: &[f64], action: &[f64]) -> f64 {
        self.room.clear();
        (learner.encoder()).push(observation, action, &mut self.room);
        let later = self.averaged.forward(&self.room, &mut self.scratch)[0];
        total(bonus(learner, observation, action), later, self.discount)
    }
}

/// The bonus of a pair.
fn bonus(learner: &mut GeneralLearner, observation: &[f64], action: &[f64]) -> f64 {
    1.0 / learner.count(observation, action).max(1.0).sqrt()
}

/// A bonus and what the network says lies ahead.
fn total(bonus: f64, later: f32, discount: f64) -> f64 {
    (1.0 - discount) * bonus + discount * f64::from(later.clamp(0.0, 1.0))
}

impl GeneralStrategy for Bear {
    fn plan(&mut self, learner: &mut GeneralLearner, _: usize) -> Result<()> {
        if !learner.samples().is_empty() {
            self.train(learner)?;
        }
        Ok(())
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

    fn gathers(&self, learner: &mut GeneralLearner, o: &[f64], a: &[f64]) -> Option<(f64, f64)> {
        Some((bonus(learner, o, a), self.discount))
    }
}
