//! One run in a continuous world.

use super::calibration::reliability;
use super::evaluator::Played;
use super::learner::GeneralLearner;
use super::payload::{GeneralSummary, KEPT, Moment};
use super::samples::Sample;
use super::settings::GeneralSettings;
use super::strategy::{self, GeneralStrategy};
use super::world::OpenWorld;
use crate::Result;
use crate::world::{Episodes, Expert};
use hedgerow::run::{
    Exploration, Payload, Row, RunResult, RunSettings, RunSpec, Snapshot, Stop, Trace,
    running_score,
};
use hedgerow::seed::Stream;
use rand::RngExt;

/// A strategy, the learner it feeds and the evaluator of both.
pub(super) struct GeneralExploration<'a> {
    world: &'a OpenWorld,
    run: RunSettings,
    settings: GeneralSettings,
    env: Box<dyn Episodes>,
    learner: GeneralLearner,
    strategy: Box<dyn GeneralStrategy>,
    acting: Stream,
    trace: Trace,
    objectives: Vec<(f64, f64)>,
    at_once: Vec<f64>,
    agent: Played,
    room: Room,
}

/// Observations and actions of one decision.
#[derive(Clone, Debug, Default)]
struct Room {
    observation: Vec<f64>,
    next: Vec<f64>,
    action: Vec<f64>,
    expert: Vec<f64>,
    next_expert: Vec<f64>,
    candidates: Vec<f64>,
}

impl<'a> GeneralExploration<'a> {
    pub(super) fn new(world: &'a OpenWorld, spec: &RunSpec, run: RunSettings) -> Result<Self> {
        let settings = GeneralSettings::new(&spec.settings);
        let seed = spec.id.seed;
        let known = world.world().spec();
        let learner = GeneralLearner::new(known, &settings, seed)?;
        let entry = strategy::find(spec.strategy())?;
        let (width, each) = (known.observation.len(), known.action.len());
        Ok(Self {
            strategy: (entry.build)(&spec.strategy_settings, &learner, seed)?,
            env: world.world().episodes(seed, "general.world")?,
            acting: Stream::new(seed, "general.acting"),
            trace: Trace::default(),
            objectives: Vec::new(),
            at_once: Vec::new(),
            agent: Played::default(),
            room: Room {
                observation: vec![0.0; width],
                next: vec![0.0; width],
                action: vec![0.0; each],
                expert: vec![0.0; each],
                next_expert: vec![0.0; each],
                candidates: Vec::new(),
            },
            world,
            run,
            settings,
            learner,
        })
    }

    /// The result of a run that ended here, and the learner.
    pub(super) fn finish(mut self, stop: Stop) -> Result<(RunResult, GeneralLearner)> {
        let expert = (self.world.evaluator()).expert_in(self.settings.agent_episodes)?;
        let level = |row: &Row| {
            let least = expert.reward - 0.1 * expert.reward.abs();
            let most = expert.reward + 0.1 * expert.reward.abs();
            (least..=most).contains(&row.reward)
                && row.cost <= 1.25 * expert.cost + 0.05
                && row.iou.is_none_or(|iou| iou >= 0.5)
        };
        let summary = Payload::new(&self.summary()?)?;
        let mut result = (self.trace).finish(stop, (expert.reward, expert.cost), level, summary);
        if self.settings.keep_samples {
            result.samples = Some(self.learner.samples().file(self.learner.spec()).bytes()?);
        }
        Ok((result, self.learner))
    }

    fn summary(&mut self) -> Result<GeneralSummary> {
        let held: Vec<u32> = self.learner.held_out().to_vec();
        let labels = self.learner.labels(&held)?;
        let mut pairs = Vec::new();
        for (&i, (_, label)) in held.iter().zip(&labels) {
            let samples = self.learner.samples();
            let (o, a) = (
                samples.observation(i as usize).to_vec(),
                samples.action(i as usize).to_vec(),
            );
            if let Some(label) = label {
                pairs.push((self.learner.probability(&o, &a), *label > 0.5));
            }
        }
        let open = 1.0 - pairs.len() as f64 / held.len().max(1) as f64;
        Ok(GeneralSummary {
            comparison: self.world.evaluator().compared(&mut self.learner),
            held_out: reliability(&pairs),
            open,
            value_at_start: self.value_at_start()?,
            threshold: self.learner.constraint().threshold(),
            objectives: self.objectives.clone(),
            at_once: self.at_once.clone(),
        })
    }

    /// The expert's fitted value and its true one, means over the same starts: they differ more from start to
    /// start than a good fit is off.
    fn value_at_start(&mut self) -> Result<(f64, f64)> {
        let evaluator = self.world.evaluator();
        let mut sum = 0.0;
        for o in evaluator.starts() {
            sum += self.learner.value(o).value;
        }
        let fitted = sum / evaluator.starts().len().max(1) as f64;
        Ok((fitted, evaluator.expert().endless))
    }

    /// The expert's episodes that every run begins with: its own, or those that were recorded.
    fn demonstrate(&mut self) -> Result<()> {
        if let Expert::Data(data) = self.world.expert() {
            let data = data.clone();
            let (width, each) = (self.room.observation.len(), self.room.action.len());
            for t in data.all() {
                let n = t.rewards.len();
                for i in 0..n {
                    let next = &t.observations[(i + 1) * width..(i + 2) * width];
                    self.world.policy().act(next, &mut self.room.next_expert)?;
                    let action = &t.actions[i * each..(i + 1) * each];
                    self.learner.observe(&Sample {
                        observation: &t.observations[i * width..(i + 1) * width],
                        action,
                        expert: action,
                        next,
                        next_expert: &self.room.next_expert,
                        reward: t.rewards[i],
                        ended: t.ended && i + 1 == n,
                        last: i + 1 == n,
                    });
                }
            }
            return Ok(());
        }
        for _ in 0..self.settings.demonstrations {
            self.episode(0, 0)?;
        }
        Ok(())
    }

    /// One episode, with own decisions from number `first` on and the expert's otherwise, `own` of
    /// them.
    fn episode(&mut self, first: usize, own: usize) -> Result<()> {
        let horizon = self.world.world().spec().horizon;
        let horizon = self.run.horizon.map_or(horizon, |h| h.get().min(horizon));
        let expert = self.world.policy().clone();
        let mut room = std::mem::take(&mut self.room);
        self.env.reset(&mut room.observation)?;
        expert.act(&room.observation, &mut room.expert)?;
        for decision in 0..horizon {
            if decision < first || decision - first >= own {
                room.action.copy_from_slice(&room.expert);
            } else {
                let learner = &mut self.learner;
                learner.candidates(&room.expert, &mut self.acting, &mut room.candidates);
                let (o, c) = (&room.observation, &room.candidates);
                let i = (self.strategy).act(learner, o, c, &mut self.acting)?;
                let each = room.action.len();
                room.action.copy_from_slice(&c[i * each..(i + 1) * each]);
            }
            let step = self.env.step(&room.action, &mut room.next)?;
            expert.act(&room.next, &mut room.next_expert)?;
            let spent = self.run.samples == Some(self.learner.samples().len() as u64 + 1);
            let last = step.done() || decision + 1 == horizon || spent;
            self.learner.observe(&Sample {
                observation: &room.observation,
                action: &room.action,
                expert: &room.expert,
                next: &room.next,
                next_expert: &room.next_expert,
                reward: step.reward,
                ended: step.ended,
                last,
            });
            if last {
                break;
            }
            std::mem::swap(&mut room.observation, &mut room.next);
            std::mem::swap(&mut room.expert, &mut room.next_expert);
        }
        self.room = room;
        Ok(())
    }

    /// Lets the strategy plan; on request it is played before and after.
    fn plan(&mut self, iteration: usize) -> Result<()> {
        if self.settings.objective_episodes == 0 {
            return self.strategy.plan(&mut self.learner, iteration);
        }
        let before = self.gathered(false)?;
        self.strategy.plan(&mut self.learner, iteration)?;
        if let (Some(before), Some(after)) = (before, self.gathered(false)?) {
            self.objectives.push((before, after));
            let at_once = self.gathered(true)?;
            self.at_once.extend(at_once);
        }
        Ok(())
    }

    /// What the strategy would gather in the true world as it is, or, `at_once`, by taking what gathers most at
    /// every decision without looking ahead: the discounted mean, with counts as they are, over episodes that
    /// are all its own. They begin alike every time, so that answers can be compared, and nothing is
    /// learned from them.
    fn gathered(&mut self, at_once: bool) -> Result<Option<f64>> {
        let spec = self.world.world().spec();
        let mut env = self.world.world().episodes(0, "general.objective")?;
        let mut stream = Stream::new(0, "general.objective.actions");
        let mut room = self.room.clone();
        let each = room.action.len();
        let (mut sum, mut weights) = (0.0, 0.0);
        for _ in 0..self.settings.objective_episodes {
            env.reset(&mut room.observation)?;
            let mut weight = 1.0;
            for _ in 0..spec.horizon {
                let (o, learner) = (&room.observation, &mut self.learner);
                self.world.policy().act(o, &mut room.expert)?;
                learner.candidates(&room.expert, &mut stream, &mut room.candidates);
                let strategy = &mut self.strategy;
                let chosen = match at_once {
                    true => strategy::best(&room.candidates, each, |a| {
                        strategy.gathers(learner, o, a).map_or(0.0, |g| g.0)
                    }),
                    false => strategy.act(learner, o, &room.candidates, &mut stream)?,
                };
                let action = &room.candidates[chosen * each..(chosen + 1) * each];
                room.action.copy_from_slice(action);
                let Some((bonus, discount)) = strategy.gathers(learner, o, action) else {
                    return Ok(None);
                };
                sum += weight * bonus;
                weights += weight;
                weight *= discount;
                if env.step(&room.action, &mut room.observation)?.done() {
                    break;
                }
            }
        }
        Ok(Some(sum / weights))
    }

    fn moment(&mut self) -> Result<Moment> {
        let comparison = self.world.evaluator().compared(&mut self.learner);
        let mut pairs = Vec::new();
        let short = |x: &f64| (x * 1e3).round() / 1e3;
        for p in self.world.evaluator().pairs().iter().take(KEPT) {
            let probability = self.learner.probability(&p.observation, &p.action);
            pairs.push((
                p.observation.iter().map(short).collect(),
                p.action.iter().map(short).collect(),
                short(&probability),
                p.constrained,
            ));
        }
        Ok(Moment {
            comparison,
            agent: self.agent,
            pairs,
            objective: self.objectives.last().copied(),
        })
    }
}

impl Exploration for GeneralExploration<'_> {
    type Row = Row;

    fn evaluate(&mut self, iteration: usize) -> Result<Row> {
        let evaluator = self.world.evaluator();
        let episodes = self.settings.agent_episodes;
        self.agent = evaluator.agent(&mut self.learner, episodes)?;
        let compared = evaluator.compared(&mut self.learner);
        let before = self.trace.rows.last();
        let agent = self.agent;
        Ok(Row {
            iteration,
            samples: self.samples(),
            reward: agent.reward,
            cost: agent.cost,
            iou: compared.as_ref().map(|c| c.iou),
            giou: compared.as_ref().map(|c| c.iou),
            wgiou: compared.as_ref().map(|c| c.iou),
            // No bound is known for fitted values: the cap, as for pairs never tried.
            accuracy: 1.0 / (1.0 - self.world.world().spec().gamma),
            rollout_reward: running_score(before.map(|b| b.rollout_reward), agent.reward),
            rollout_cost: running_score(before.map(|b| b.rollout_cost), agent.cost),
            ..Row::default()
        })
    }

    fn samples(&self) -> u64 {
        self.learner.samples().len() as u64
    }

    fn is_done(&self, _: &Row) -> Option<Stop> {
        None
    }

    fn record(&mut self, row: &Row, stop: Option<Stop>) -> Result<()> {
        self.trace.rows.push(*row);
        if Trace::wants_snapshot(row.iteration, stop) {
            let moment = self.moment()?;
            self.trace.snapshots.push(Snapshot {
                iteration: row.iteration,
                samples: row.samples,
                pairs: Vec::new(),
                cells: Vec::new(),
                payload: Some(Payload::new(&moment)?),
            });
        }
        Ok(())
    }

    fn advance(&mut self, iteration: usize) -> Result<()> {
        if iteration == 1 {
            self.demonstrate()?;
            self.learner.refresh()?;
        }
        self.plan(iteration)?;
        let horizon = self.world.world().spec().horizon as f64;
        for _ in 0..self.run.episodes {
            if self.run.samples.is_some_and(|most| self.samples() >= most) {
                break;
            }
            match self.settings.follow {
                true => {
                    let longest = self.settings.deviate * horizon;
                    let own = 1 + (self.acting.random::<f64>() * longest) as usize;
                    let first =
                        (self.acting.random::<f64>() * (horizon - own as f64).max(1.0)) as usize;
                    self.episode(first, own)?;
                }
                false => self.episode(0, usize::MAX)?,
            }
        }
        self.learner.refresh()
    }
}
