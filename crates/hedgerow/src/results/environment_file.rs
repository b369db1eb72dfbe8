//! What a picture of the truth needs, so that results can be drawn without solving anything.

use crate::env::{Cell, Environment, Graph, Layout, Positions};
use crate::fingerprint::Fingerprint;
use crate::index::{Pair, State};
use crate::metrics::{Evaluator, PlanIn, exact_inference};
use crate::model::Dynamics;
use crate::model::{ModelBuilder, Task};
use crate::run::Payload;
use crate::solve::{Mdp, occupancy};
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// More than any model that fits into memory has; a damaged file may say anything.
const MOST_STATES: usize = 100_000_000;

/// `environments/ENV.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentFile {
    /// `hedgerow-environment/2`.
    pub format: String,
    /// The domain it belongs to.
    pub domain: String,
    /// The environment's name.
    pub name: String,
    /// Fingerprint of its definition, as in the files of its runs.
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
    /// What transitions earn besides: pair, next state, reward; all outcomes of such a pair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transition_rewards: Vec<(u32, u32, f64)>,
    /// The range of returns, if it was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_range: Option<(f64, f64)>,
    /// The range of a step's reward, where rewards are seen and not known beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_rewards: Option<(f64, f64)>,
    /// Positive entries of the true cost on cells: state, cost.
    pub true_cells: Vec<(u32, f64)>,
    /// Where the expert spends its time: state, share of the discounted time (the shares sum to
    /// 1 less what comes after the end of the episode).
    pub expert_cells: Vec<(u32, f64)>,
    /// What the expert does: pair, probability, positive ones only.
    pub expert: Vec<(u32, f64)>,
    /// The drawing of a model that lies on no grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphFile>,
    /// Samples with which runs began, see `run --warm`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub warm_samples: u64,
    /// What else the domain needs to draw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub geometry: Option<Payload>,
    /// What exact inference with known dynamics would find; none where that cannot be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactFile>,
}

/// What exact inference with known dynamics finds, and what it scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactFile {
    /// Intersection over union with the true cells.
    pub iou: f64,
    /// The same, weighted and generalised.
    pub wgiou: f64,
    /// Positive entries of the inferred cost on cells: state, cost.
    pub cells: Vec<(u32, f64)>,
}

/// The drawing of a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayoutFile {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The map, top row first, one symbol a cell: `.` open, `#` wall, `S` start, `x` constraint,
    /// `^`, `v`, `<`, `>` one-way, anything else a goal.
    pub map: Vec<String>,
    /// Row (0 at the bottom) and column of every state; none for one that lies nowhere.
    pub cells: Vec<Option<(usize, usize)>>,
    /// Cells of the world along a side of each cell here: more than 1 only in a coarser copy that
    /// pictures of a large map are made from, which is never written.
    #[serde(skip, default = "one")]
    pub per_square: usize,
}

/// The drawing of a model as circles and arrows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphFile {
    /// Whether the program chose the positions, rather than the model's file.
    pub automatic: bool,
    /// x (to the right) and y (upwards) of every state; none for one that is not drawn.
    pub positions: Vec<Option<(f64, f64)>>,
    /// What leads where: pair, next state, probability. Empty where the dynamics are not known or
    /// there are too many to be drawn.
    pub edges: Vec<(u32, u32, f64)>,
}

impl EnvironmentFile {
    /// The tag of this format.
    pub const FORMAT: &'static str = "hedgerow-environment/2";

    /// How the tags of all versions of this format begin.
    pub(super) const FAMILY: &'static str = "hedgerow-environment/";

    /// What there is to draw of `environment`, in the domain called `domain`.
    pub fn new(domain: &str, environment: &Environment) -> Result<Self> {
        let (task, truth) = (environment.task(), environment.truth());
        let evaluator = Evaluator::new(environment, PlanIn::Truth)?;
        let time = occupancy(&Mdp::of(truth.model()), truth.expert())?;
        let by_state: Vec<f64> = task
            .all_states()
            .map(|s| time[task.pairs_of(s)].iter().sum())
            .collect();
        let mut file = Self::of_task(domain, environment.name(), task, environment.layout());
        file.fingerprint = environment_fingerprint(environment).to_string();
        file.horizon = environment.horizon();
        file.budget = truth.budget();
        file.expert_reward = evaluator.expert_reward();
        file.expert_cost = evaluator.expert_cost();
        file.set_true_cells(evaluator.true_cells());
        file.expert_cells = positive(&by_state);
        file.expert = positive(truth.expert().probs());
        file.graph = Graph::of(environment).map(|graph| GraphFile::new(&graph));
        file.exact = exact_inference(environment)?.map(|found| ExactFile {
            iou: found.overlap.iou,
            wgiou: found.overlap.wgiou,
            cells: positive(&found.cells),
        });
        Ok(file)
    }

    /// What the task tells; the truth, the fingerprint and the horizon are left blank.
    pub fn of_task(domain: &str, name: &str, task: &Task, layout: Option<&Layout>) -> Self {
        Self {
            format: Self::FORMAT.to_owned(),
            domain: domain.to_owned(),
            name: name.to_owned(),
            fingerprint: String::new(),
            states: task.states(),
            gamma: task.gamma(),
            horizon: 0,
            budget: 0.0,
            expert_reward: 0.0,
            expert_cost: 0.0,
            layout: layout.map(LayoutFile::new),
            actions: (0..task.actions())
                .map(|a| task.action_name(crate::index::Action::new(a)).to_owned())
                .collect(),
            pairs: task
                .all_pairs()
                .map(|p| (task.state_of(p).0, task.action_of(p).0))
                .collect(),
            state_names: task.state_names().to_vec(),
            start: task.start().iter().map(|&(s, p)| (s.0, p)).collect(),
            rewards: match task.observed_rewards() {
                None => nonzero(task.reward()),
                Some(_) => Vec::new(),
            },
            transition_rewards: task
                .all_pairs()
                .flat_map(|p| {
                    let (next, rewards) = task.transition_rewards(p);
                    next.iter().zip(rewards).map(move |(&s, &r)| (p.0, s, r))
                })
                .collect(),
            value_range: task.declared_range(),
            observed_rewards: task.observed_rewards(),
            true_cells: Vec::new(),
            expert_cells: Vec::new(),
            expert: Vec::new(),
            graph: None,
            warm_samples: 0,
            geometry: None,
            exact: None,
        }
    }

    /// Notes the positive entries of the true cost on cells.
    pub fn set_true_cells(&mut self, cells: &[f64]) {
        self.true_cells = positive(cells);
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
        for &(pair, next, r) in &self.transition_rewards {
            let Some(&(s, a)) = self.pairs.get(pair as usize) else {
                return Err(self.strange(format!("there is no pair {pair}")));
            };
            b.transition_reward(s as usize, a as usize, next as usize, r);
        }
        b.all_outcomes_listed();
        if let Some((low, high)) = self.value_range {
            b.value_range(low, high);
        }
        if let Some((least, most)) = self.observed_rewards {
            b.observed_rewards(least, most);
        }
        b.build_task()
    }

    /// The drawing of a grid.
    pub fn grid(&self) -> Result<Option<Layout>> {
        let Some(layout) = &self.layout else {
            return Ok(None);
        };
        let made = layout.layout();
        let layout = made.ok_or_else(|| self.strange("the map and its cells do not fit"))?;
        if layout.states() != self.states {
            return Err(self.strange("the map has another number of states"));
        }
        Ok(Some(layout))
    }

    /// The drawing of a model that lies on no grid.
    pub fn graph(&self) -> Result<Option<Graph>> {
        let Some(graph) = &self.graph else {
            return Ok(None);
        };
        let positions = Positions::new(graph.positions.clone())?;
        let fits = |&(pair, next, _): &(u32, u32, f64)| {
            (pair as usize) < self.pairs.len() && (next as usize) < self.states
        };
        if positions.states() != self.states || !graph.edges.iter().all(fits) {
            return Err(self.strange("the graph has other states or pairs"));
        }
        let edges = graph.edges.iter();
        let edges = edges.map(|&(pair, next, p)| (Pair(pair), State(next), p));
        Ok(Some(Graph::from_parts(
            positions,
            graph.automatic,
            edges.collect(),
        )))
    }

    /// The symbols of goals on the map in order, each with the largest reward that acting in a cell
    /// drawn with it pays; none where there are only ends, in which nobody acts.
    pub fn goals(&self) -> Vec<(char, Option<f64>)> {
        let Some(layout) = &self.layout else {
            return Vec::new();
        };
        let mut symbols: BTreeMap<(usize, usize), char> = BTreeMap::new();
        for (i, line) in layout.map.iter().enumerate() {
            let row = layout.rows.saturating_sub(i + 1);
            let goals = line.chars().enumerate().filter(|(_, c)| is_goal(*c));
            symbols.extend(goals.map(|(column, symbol)| ((row, column), symbol)));
        }
        let mut paid = vec![0.0; self.pairs.len()];
        let mut of_transitions = vec![f64::NEG_INFINITY; self.pairs.len()];
        for &(pair, reward) in &self.rewards {
            if let Some(paid) = paid.get_mut(pair as usize) {
                *paid = reward;
            }
        }
        for &(pair, _, reward) in &self.transition_rewards {
            if let Some(most) = of_transitions.get_mut(pair as usize) {
                *most = most.max(reward);
            }
        }
        let ends = symbols.values().map(|&symbol| (symbol, None));
        let mut found: BTreeMap<char, Option<f64>> = ends.collect();
        for ((&(state, _), reward), more) in self.pairs.iter().zip(paid).zip(of_transitions) {
            let cell = layout.cells.get(state as usize).copied().flatten();
            if let Some(&symbol) = cell.and_then(|cell| symbols.get(&cell)) {
                let more = if more.is_finite() { more } else { 0.0 };
                let best = found.entry(symbol).or_default();
                *best = Some(best.map_or(reward + more, |b| b.max(reward + more)));
            }
        }
        found.into_iter().collect()
    }

    /// Whether all indices lie within the task and the map.
    pub(super) fn check(&self) -> Result<()> {
        if self.states > MOST_STATES {
            return Err(self.strange(format!("{} states are too many", self.states)));
        }
        let task = self.task()?;
        self.grid()?;
        self.graph()?;
        let exact = self.exact.iter().flat_map(|e| &e.cells);
        let states = self
            .true_cells
            .iter()
            .chain(&self.expert_cells)
            .chain(exact);
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

/// Whether a symbol of a map stands for a goal.
fn is_goal(symbol: char) -> bool {
    !".#Sx^v<>".contains(symbol)
}

/// In a file every cell stands for itself.
fn one() -> usize {
    1
}

impl LayoutFile {
    /// The drawing as a file has it.
    pub fn new(layout: &Layout) -> Self {
        let drawing = layout.draw(|cell: Cell| layout.symbol(cell));
        let place = |cell: Cell| (cell.row, cell.column);
        Self {
            rows: layout.rows(),
            columns: layout.columns(),
            map: drawing.lines().map(|line| line.replace(' ', "")).collect(),
            cells: (0..layout.states())
                .map(|s| layout.cell_of(crate::index::State::new(s)).map(place))
                .collect(),
            per_square: one(),
        }
    }

    /// The drawing; `None` if the map and its cells do not fit.
    pub fn layout(&self) -> Option<Layout> {
        let cells = self.cells.iter();
        let cells = cells.map(|c| c.map(|(row, column)| Cell { row, column }));
        Layout::from_parts(self.rows, self.columns, &self.map, cells.collect())
    }
}

impl GraphFile {
    fn new(graph: &Graph) -> Self {
        let edges = graph.edges().iter();
        Self {
            automatic: graph.automatic(),
            positions: graph.positions().all().to_vec(),
            edges: edges.map(|&(pair, next, p)| (pair.0, next.0, p)).collect(),
        }
    }
}

// Serde asks for a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(n: &u64) -> bool {
    *n == 0
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

/// The fingerprint of all that defines an environment, its expert included.
pub fn environment_fingerprint(environment: &Environment) -> Fingerprint {
    let (task, truth) = (environment.task(), environment.truth());
    let mut f = Fingerprint::new();
    f.text(environment.name()).whole(environment.horizon());
    f.numbers(&[task.gamma(), truth.budget()]);
    f.whole(task.states()).whole(task.actions());
    for state in task.all_states() {
        f.whole(task.pairs_of(state).start);
    }
    let rows = truth.model().rows();
    for pair in task.all_pairs() {
        let (next, prob) = rows.row(pair);
        f.whole(task.action_of(pair).at()).numbers(prob);
        for &state in next {
            f.whole(state as usize);
        }
    }
    for &(state, p) in task.start() {
        f.whole(state.at()).numbers(&[p]);
    }
    f.numbers(task.reward()).numbers(truth.cost().values());
    f.numbers(truth.expert().probs());
    transition_rewards(&mut f, task);
    if let Some(layout) = environment.layout() {
        f.text(&layout.draw(|cell: Cell| layout.symbol(cell)));
    }
    for &position in environment.positions().iter().flat_map(|p| p.all()) {
        match position {
            Some((x, y)) => f.whole(1).numbers(&[x, y]),
            None => f.whole(0),
        };
    }
    f
}

/// What transitions earn and the declared range of returns; nothing where there is none.
pub(crate) fn transition_rewards(f: &mut Fingerprint, task: &Task) {
    for pair in task.all_pairs().filter(|_| task.has_transition_rewards()) {
        let (next, rewards) = task.transition_rewards(pair);
        f.whole(next.len()).numbers(rewards);
        for &state in next {
            f.whole(state as usize);
        }
    }
    if let Some((low, high)) = task.declared_range() {
        f.numbers(&[low, high]);
    }
    if let Some((least, most)) = task.observed_rewards() {
        f.text("observed").numbers(&[least, most]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::builtin;

    #[test]
    fn a_gridworld_can_be_drawn_from_its_file() {
        let env = builtin::environment("gridworld-3").unwrap();
        let file = EnvironmentFile::new("finite", &env).unwrap();
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
        let exact = file.exact.as_ref().unwrap();
        assert_eq!((exact.iou, exact.cells.len()), (1.0, 5));
        assert_eq!(file.goals(), [('G', Some(1.0))]);
        assert_eq!(&file.task().unwrap(), &**env.task());
        assert_eq!(file.grid().unwrap().as_ref(), env.layout());
        file.check().unwrap();
        let text = serde_json::to_string(&file).unwrap();
        assert_eq!(
            serde_json::from_str::<EnvironmentFile>(&text).unwrap(),
            file
        );
    }

    #[test]
    fn goals_are_told_apart_by_symbol_and_reward() {
        let mut grid = builtin::grid("gridworld-3").unwrap();
        grid.goals.insert('A', 0.25);
        grid.symbols[0][6] = 'A';
        let file = EnvironmentFile::new("finite", &grid.environment().unwrap()).unwrap();
        assert_eq!(file.goals(), [('A', Some(0.25)), ('G', Some(1.0))]);
        let without = EnvironmentFile {
            layout: None,
            ..file
        };
        assert_eq!(without.goals(), []);
    }

    #[test]
    fn the_fingerprint_follows_the_definition() {
        let of =
            |grid: &crate::env::grid::Grid| environment_fingerprint(&grid.environment().unwrap());
        let grid = builtin::grid("gridworld-1").unwrap();
        assert_eq!(of(&grid), of(&grid.clone()));
        let mut other = grid.clone();
        other.slip = 0.051;
        assert_ne!(of(&grid), of(&other));
        other = grid.clone();
        other.horizon = 49;
        assert_ne!(of(&grid), of(&other));
    }
}
