//! What a picture of the truth needs, so that results can be drawn without solving anything.

use crate::env::{Cell, Environment, Layout};
use crate::metrics::{Evaluator, PlanIn};
use crate::model::{ModelBuilder, Task};
use crate::solve::{Mdp, occupancy};
use crate::sweep::{Plane, environment_fingerprint};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// `environments/ENV.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentFile {
    /// `hedgerow-environment/1`.
    pub format: String,
    /// The environment's name.
    pub name: String,
    /// Fingerprint of its definition, as in the markers of its runs.
    pub fingerprint: String,
    /// Number of states, terminals included.
    pub states: usize,
    /// The discount.
    pub gamma: f64,
    /// Longest episode in steps.
    pub horizon: usize,
    /// The expert's budget; 0 for a hard constraint.
    pub budget: f64,
    /// The expert's discounted reward.
    pub expert_reward: f64,
    /// The expert's discounted cost.
    pub expert_cost: f64,
    /// The drawing, for a grid.
    pub layout: Option<LayoutFile>,
    /// Names of the actions.
    pub actions: Vec<String>,
    /// State and action of every pair: pair `i` of a snapshot is entry `i` here.
    pub pairs: Vec<(u32, u32)>,
    /// Names of the states; empty where the model gives none.
    #[serde(default)]
    pub state_names: Vec<String>,
    /// Where episodes start: state, probability.
    #[serde(default)]
    pub start: Vec<(u32, f64)>,
    /// Rewards other than 0: pair, reward.
    #[serde(default)]
    pub rewards: Vec<(u32, f64)>,
    /// Positive entries of the true cost on cells: state, cost.
    pub true_cells: Vec<(u32, f64)>,
    /// Where the expert spends its time: state, share of the discounted time (the shares sum to
    /// 1 less what comes after the end of the episode).
    pub expert_cells: Vec<(u32, f64)>,
    /// What the expert does: pair, probability, positive ones only.
    pub expert: Vec<(u32, f64)>,
    /// The maze in the plane whose cells the states are, for a continuous world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<Plane>,
}

/// The drawing of a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayoutFile {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The map, top row first, one symbol a cell: `.` free, `#` wall, `S` start, `x` constraint,
    /// anything else a goal.
    pub map: Vec<String>,
    /// Row (0 at the bottom) and column of every state; none for one that lies nowhere.
    pub cells: Vec<Option<(usize, usize)>>,
}

impl EnvironmentFile {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-environment/1";

    /// What there is to draw of `environment`.
    pub fn new(environment: &Environment) -> Result<Self> {
        let (task, truth) = (environment.task(), environment.truth());
        let evaluator = Evaluator::new(environment, PlanIn::Truth)?;
        let time = occupancy(&Mdp::of(truth.model()), truth.expert())?;
        let by_state: Vec<f64> = task
            .all_states()
            .map(|s| time[task.pairs_of(s)].iter().sum())
            .collect();
        Ok(Self {
            format: Self::FORMAT.to_owned(),
            name: environment.name().to_owned(),
            fingerprint: environment_fingerprint(environment).to_string(),
            states: task.states(),
            gamma: task.gamma(),
            horizon: environment.horizon(),
            budget: truth.budget(),
            expert_reward: evaluator.expert_reward(),
            expert_cost: evaluator.expert_cost(),
            layout: environment.layout().map(LayoutFile::new),
            actions: (0..task.actions())
                .map(|a| task.action_name(crate::index::Action::new(a)).to_owned())
                .collect(),
            pairs: task
                .all_pairs()
                .map(|p| (task.state_of(p).0, task.action_of(p).0))
                .collect(),
            state_names: task.state_names().to_vec(),
            start: task.start().iter().map(|&(s, p)| (s.0, p)).collect(),
            rewards: nonzero(task.reward()),
            true_cells: positive(evaluator.true_cells()),
            expert_cells: positive(&by_state),
            expert: positive(truth.expert().probs()),
            plane: None,
        })
    }
}

impl EnvironmentFile {
    /// What everybody may know of the environment: the task without its dynamics.
    pub fn task(&self) -> Result<Task> {
        let mut b = ModelBuilder::new(self.states, self.actions.iter().cloned(), self.gamma);
        b.state_names(self.state_names.clone());
        let mut ends = vec![true; self.states];
        for &(s, a) in &self.pairs {
            b.available(s as usize, a as usize);
            if let Some(ends) = ends.get_mut(s as usize) {
                *ends = false;
            }
        }
        for (state, _) in ends.iter().enumerate().filter(|(_, ends)| **ends) {
            b.terminal(state);
        }
        for &(state, p) in &self.start {
            b.start(state as usize, p);
        }
        for &(pair, r) in &self.rewards {
            let Some(&(s, a)) = self.pairs.get(pair as usize) else {
                return Err(self.strange(format!("there is no pair {pair}")));
            };
            b.reward(s as usize, a as usize, r);
        }
        b.build_task()
    }

    /// The drawing of a grid.
    pub fn grid(&self) -> Result<Option<Layout>> {
        let Some(layout) = &self.layout else {
            return Ok(None);
        };
        let cells = layout.cells.iter();
        let cells = cells.map(|c| c.map(|(row, column)| Cell { row, column }));
        let made = Layout::from_parts(layout.rows, layout.columns, &layout.map, cells.collect());
        let layout = made.ok_or_else(|| self.strange("the map and its cells do not fit"))?;
        if layout.states() != self.states {
            return Err(self.strange("the map has another number of states"));
        }
        Ok(Some(layout))
    }

    /// Whether all indices lie within the task and the map.
    pub(super) fn check(&self) -> Result<()> {
        let task = self.task()?;
        self.grid()?;
        let states = self.true_cells.iter().chain(&self.expert_cells);
        let state_fits = |&(s, _): &(u32, f64)| (s as usize) < task.states();
        let pair_fits = |&(p, _): &(u32, f64)| (p as usize) < task.pairs();
        match states.clone().all(state_fits) && self.expert.iter().all(pair_fits) {
            true => Ok(()),
            false => Err(self.strange("a state or pair is out of range")),
        }
    }

    fn strange(&self, problem: impl Into<String>) -> Error {
        Error::invalid(
            format!("environment {}", self.name),
            problem,
            "run the sweep again to write it anew",
        )
    }
}

impl LayoutFile {
    fn new(layout: &Layout) -> Self {
        let drawing = layout.draw(|cell: Cell| layout.symbol(cell));
        let place = |cell: Cell| (cell.row, cell.column);
        Self {
            rows: layout.rows(),
            columns: layout.columns(),
            map: drawing.lines().map(|line| line.replace(' ', "")).collect(),
            cells: (0..layout.states())
                .map(|s| layout.cell_of(crate::index::State::new(s)).map(place))
                .collect(),
        }
    }
}

fn positive(values: &[f64]) -> Vec<(u32, f64)> {
    let mut entries = nonzero(values);
    entries.retain(|(_, v)| *v > 0.0);
    entries
}

fn nonzero(values: &[f64]) -> Vec<(u32, f64)> {
    let entries = values.iter().enumerate();
    entries
        .filter(|(_, v)| **v != 0.0)
        .map(|(i, v)| (i as u32, *v))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::builtin;

    #[test]
    fn a_gridworld_can_be_drawn_from_its_file() {
        let env = builtin::environment("gridworld-3").unwrap();
        let file = EnvironmentFile::new(&env).unwrap();
        let layout = file.layout.as_ref().unwrap();
        assert_eq!(layout.map.len(), 7);
        assert_eq!(layout.map[0], "G......");
        assert_eq!(layout.map[3], "xxxxx..");
        let cells: Vec<_> = file
            .true_cells
            .iter()
            .map(|&(s, _)| layout.cells[s as usize].unwrap())
            .collect();
        assert_eq!(cells, [(3, 0), (3, 1), (3, 2), (3, 3), (3, 4)]);
        let reward: f64 = file.expert_reward;
        assert!(reward > 0.0 && file.expert_cost > 0.0);
        let time: f64 = file.expert_cells.iter().map(|(_, x)| x).sum();
        assert!(time > 0.9 && time < 1.0, "{time}");
        assert_eq!(&file.task().unwrap(), &**env.task());
        assert_eq!(file.grid().unwrap().as_ref(), env.layout());
        file.check().unwrap();
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(
            serde_json::from_str::<EnvironmentFile>(&text).unwrap(),
            file
        );
    }
}
