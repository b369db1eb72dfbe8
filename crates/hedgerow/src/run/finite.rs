//! The course of a run in a finite world.

use crate::Result;
use crate::explore::{Situation, Strategy};
use crate::learn::Learner;
use crate::metrics::Evaluator;
use crate::run::course::score;
use crate::run::{Course, Gather, Observer, Row, Settings, Snapshot};
use crate::seed::Stream;

/// A strategy, the learner it feeds and the evaluator that judges them.
pub(super) struct Finite<'a> {
    pub(super) gather: Gather<'a>,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) strategy: &'a mut dyn Strategy,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) rollouts: Stream,
    pub(super) settings: &'a Settings,
}

impl Course for Finite<'_> {
    fn judge(&mut self, iteration: usize, before: Option<&Row>) -> Result<Row> {
        let learner = &self.gather.learner;
        let at = situation(learner, &self.evaluator, self.settings, iteration + 1);
        let judged = self.evaluator.evaluate(learner)?;
        let (reward, cost) = self.evaluator.rollout(&mut self.rollouts);
        Ok(Row {
            iteration,
            samples: learner.samples(),
            reward: judged.reward,
            cost: judged.cost,
            wgiou: judged.wgiou,
            accuracy: self.strategy.accuracy(&at)?,
            giou: judged.giou,
            iou: judged.iou,
            rollout_reward: score(before.map(|b| b.rollout_reward), reward),
            rollout_cost: score(before.map(|b| b.rollout_cost), cost),
            constrained: learner.constrained().iter().filter(|&&c| c).count(),
            unseen: learner.estimate().unseen(),
        })
    }

    fn tell(&mut self, row: &Row) -> Result<bool> {
        self.observer.state(row, &self.gather.learner)
    }

    fn snapshot(&mut self, row: &Row) -> Result<Snapshot> {
        let learner = &self.gather.learner;
        Ok(Snapshot {
            iteration: row.iteration,
            samples: row.samples,
            pairs: positive(learner.cost()),
            cells: positive(crate::model::significant_cells(learner.cost_on_cells())),
            points: Vec::new(),
        })
    }

    fn advance(&mut self, iteration: usize) -> Result<()> {
        let learner = &self.gather.learner;
        let at = situation(learner, &self.evaluator, self.settings, iteration);
        let plan = self.strategy.plan(&at)?;
        self.observer.plan(&plan)?;
        for _ in 0..self.settings.episodes {
            self.gather.episode(&plan);
        }
        self.gather.learner.refresh();
        Ok(())
    }

    fn at_expert(&self, row: &Row) -> bool {
        self.evaluator.at_expert(row.reward, row.cost)
    }
}

fn situation<'a>(
    learner: &'a Learner,
    evaluator: &Evaluator,
    settings: &Settings,
    iteration: usize,
) -> Situation<'a> {
    Situation {
        learner,
        iteration,
        oracle: settings.oracle.then(|| evaluator.oracle(learner)),
    }
}

fn positive(values: Vec<f64>) -> Vec<(u32, f64)> {
    let entries = values.into_iter().enumerate();
    entries
        .filter(|(_, v)| *v > 0.0)
        .map(|(i, v)| (i as u32, v))
        .collect()
}
