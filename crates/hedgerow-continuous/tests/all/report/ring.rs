//! Results of a maze, made up: what reports need, without physics and networks.

use hedgerow::Result;
use hedgerow::domain::{Domain, Domains, RowObserver, World};
use hedgerow::explore::StrategyInfo;
use hedgerow::param::Parameter;
use hedgerow::results::{EnvironmentFile, LayoutFile, Results};
use hedgerow::run::{Payload, Row, RunResult, RunSpec, RunSummary, Snapshot, Stop};
use hedgerow::sweep::{Experiment, Shard, Silent, Sweep};
use hedgerow::verdict::Verdict;
use hedgerow_continuous::payload::{CellEstimate, DOMAIN, MazeGeometry, MazeSummary, Points};
use std::path::Path;
use std::sync::Arc;

/// A ring of eight cells, the first one above the start forbidden, and the state `end`.
const MAP: [&str; 5] = ["#####", "#G..#", "#x#.#", "#S..#", "#####"];
const ACTIONS: [&str; 4] = ["up", "down", "left", "right"];

/// The open cells from the bottom up: row, column.
const CELLS: [(usize, usize); 8] = [
    (1, 1),
    (1, 2),
    (1, 3),
    (2, 1),
    (2, 3),
    (3, 1),
    (3, 2),
    (3, 3),
];
/// The state of the constraint cell.
pub const CONSTRAINT: u32 = 3;
/// Iterations at which snapshots are kept.
pub const MOMENTS: [usize; 9] = [0, 1, 2, 5, 10, 20, 50, 100, 150];

/// The middle of a cell in metres.
fn middle((row, column): (usize, usize)) -> [f64; 2] {
    [column as f64 - 2.0, row as f64 - 2.0]
}

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }
}

/// The environment's file.
pub fn file() -> EnvironmentFile {
    let cells = CELLS.map(Some).into_iter().chain([None]).collect();
    let pairs = (0..8).flat_map(|s| (0..4).map(move |a| (s, a)));
    let named = |&(r, c): &(usize, usize)| format!("cell {r},{c}");
    EnvironmentFile {
        format: EnvironmentFile::FORMAT.to_owned(),
        domain: DOMAIN.to_owned(),
        name: "ring".to_owned(),
        fingerprint: "0123456789abcdef".to_owned(),
        states: 9,
        gamma: 0.99,
        horizon: 60,
        budget: 0.0,
        expert_reward: 0.75,
        expert_cost: 0.0,
        layout: Some(LayoutFile {
            rows: 5,
            columns: 5,
            map: MAP.map(str::to_owned).to_vec(),
            cells,
            per_square: 1,
        }),
        actions: ACTIONS.map(str::to_owned).to_vec(),
        pairs: pairs.collect(),
        state_names: CELLS.iter().map(named).chain(["end".to_owned()]).collect(),
        start: vec![(0, 1.0)],
        rewards: (20..24).map(|pair| (pair, 1.0)).collect(),
        transition_rewards: Vec::new(),
        value_range: None,
        observed_rewards: None,
        warm_samples: 0,
        exact: None,
        true_cells: vec![(CONSTRAINT, 1.0)],
        expert_cells: vec![(0, 0.1), (1, 0.1), (2, 0.1), (4, 0.1), (7, 0.1), (6, 0.1)],
        expert: Vec::new(),
        graph: None,
        geometry: Some(Payload::new(&geometry()).unwrap()),
    }
}

/// The same in metres.
pub fn geometry() -> MazeGeometry {
    let path = |shift: f64| {
        let round = [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3), (3, 2), (3, 1)];
        round
            .map(middle)
            .map(|[x, y]| [x + shift, y - shift])
            .to_vec()
    };
    MazeGeometry {
        cell: 1.0,
        corner: [-2.5, -2.5],
        radius: 0.1,
        starts: vec![middle((1, 1))],
        start_noise: 0.25,
        goals: vec![middle((3, 1))],
        goal_radius: 0.45,
        constraints: vec![middle((2, 1))],
        paths: vec![path(0.0), path(0.1), path(-0.12)],
    }
}

/// The domain of the ring, with the names of some strategies.
#[derive(Debug)]
struct Rings;

impl Domain for Rings {
    fn name(&self) -> &'static str {
        DOMAIN
    }

    fn summary(&self) -> &'static str {
        "a ring"
    }

    fn environments(&self) -> Vec<String> {
        vec!["ring".to_owned()]
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    fn strategies(&self) -> Vec<StrategyInfo> {
        let info = |name| StrategyInfo {
            name,
            summary: "made up",
            parameters: &[],
        };
        ["pcse", "random", "ucb", "undecided"].map(info).to_vec()
    }

    fn recognises(&self, source: &str) -> Result<bool> {
        Ok(source == "ring")
    }

    fn definition(&self, _: &str) -> Result<String> {
        Ok(MAP.join("\n"))
    }

    fn open(&self, _: &str) -> Result<Arc<dyn World>> {
        Ok(Arc::new(Ring(file())))
    }
}

/// A maze that knows how its runs go.
#[derive(Debug)]
struct Ring(EnvironmentFile);

impl World for Ring {
    fn file(&self) -> &EnvironmentFile {
        &self.0
    }

    fn run(&self, spec: &RunSpec, _: &mut RowObserver) -> Result<RunResult> {
        let (name, seed) = (spec.id.strategy.as_str(), spec.id.seed);
        let skill = match name {
            "pcse" => 1.0,
            "undecided" => 0.9,
            _ => 0.4,
        };
        let mut dice = Dice(seed + name.len() as u64);
        let last = MOMENTS[MOMENTS.len() - 1];
        let rows: Vec<Row> = (0..=last).map(|i| row(i, skill)).collect();
        let snapshots = MOMENTS.map(|i| snapshot(&rows[i], skill, &mut dice));
        Ok(RunResult {
            summary: RunSummary {
                stop: Stop::Iterations,
                samples_to_expert: (skill > 0.5).then_some(1200 + seed),
                expert_reward: 0.75,
                expert_cost: 0.0,
                samples_to_map: None,
                last: rows[last],
            },
            rows,
            snapshots: snapshots.to_vec(),
            payload: Payload::new(&summary(skill, &mut dice))?,
            samples: None,
        })
    }
}

fn row(iteration: usize, skill: f64) -> Row {
    let known = 1.0 - 1.0 / (1.0 + skill * iteration as f64 / 10.0);
    Row {
        iteration,
        samples: 57 * iteration as u64,
        reward: 0.9 - 0.15 * known,
        cost: 0.4 * (1.0 - known),
        wgiou: Some(2.0 * known - 1.0),
        accuracy: 3.0 / (1.0 + known),
        giou: Some(2.0 * known - 1.0),
        iou: Some(known),
        rollout_reward: 0.9 - 0.15 * known,
        rollout_cost: 0.4 * (1.0 - known),
        constrained: (known * 100.0) as usize,
        unseen: 10,
        map_iou: None,
    }
}

fn snapshot(row: &Row, skill: f64, dice: &mut Dice) -> Snapshot {
    let count = ((row.samples as f64).sqrt() * skill * 2.0) as usize;
    let point = |dice: &mut Dice| {
        let stray = dice.next() > 0.5 + 0.45 * skill;
        let [x, y] = middle(if stray { (1, 2) } else { (2, 1) });
        let place = |v: f64, dice: &mut Dice| ((v + 0.8 * dice.next() - 0.4) * 1e4).round() / 1e4;
        [place(x, dice), place(y, dice), (1.0 + dice.next()).round()]
    };
    let points: Vec<[f64; 3]> = (0..count).map(|_| point(dice)).collect();
    Snapshot {
        iteration: row.iteration,
        samples: row.samples,
        pairs: Vec::new(),
        cells: match count {
            0..5 => Vec::new(),
            _ => vec![(1, 0.1 * (1.0 - skill)), (CONSTRAINT, 0.7 * skill)],
        },
        payload: Some(Payload::new(&Points { points }).unwrap()),
    }
}

fn summary(skill: f64, dice: &mut Dice) -> MazeSummary {
    let (mut value, mut density) = (vec![None; 2500], vec![0.0; 2500]);
    for (row, column) in CELLS {
        for i in 0..100 {
            let (up, right) = (10 * row + i / 10, 10 * column + i % 10);
            if dice.next() < 0.15 {
                continue;
            }
            let far = (up as f64 - 35.0).abs() + (right as f64 - 15.0).abs();
            value[50 * up + right] = Some(0.99_f64.powf(far));
            density[50 * up + right] = 1e-4 + 1e-2 * dice.next() * dice.next() * dice.next();
        }
    }
    let estimate = |state: u32| {
        let (verdict, advantage) = match state {
            CONSTRAINT if skill > 0.5 => (Verdict::Constrained, Some(0.23)),
            0..4 => (Verdict::NoGain, Some(-0.07)),
            4..6 => (Verdict::Undecided, Some(0.11)),
            _ => (Verdict::Undecided, None),
        };
        let known = advantage.is_some();
        CellEstimate {
            state,
            visits: 40 * u64::from(8 - state),
            constrained: if verdict == Verdict::Constrained {
                31
            } else {
                0
            },
            verdict,
            advantage,
            width: advantage.map(|_| 0.04),
            from: known.then_some([-0.95, -1.25, 0.5, 1.2]),
            action: known.then_some(0),
            expert: known.then_some(3),
        }
    };
    MazeSummary {
        tile: 0.1,
        columns: 50,
        rows: 50,
        value,
        density,
        margin: 0.1,
        evidence: 3,
        cells: (0..8).map(estimate).collect(),
        overcharged: 0.0,
        value_at_start: None,
        objectives: Vec::new(),
    }
}

/// Runs in the ring, filed and read back.
pub fn results(folder: &Path, strategies: &[&str], seeds: &[u64]) -> Results {
    let mut e = Experiment::new(Domains::default().with(Rings));
    e.set_environments(["ring"]).unwrap();
    e.set_strategies(strategies.iter().copied()).unwrap();
    e.set_seeds(seeds.to_vec()).unwrap();
    let sweep = Sweep::open_part(&e, folder, Shard::WHOLE, true).unwrap();
    sweep.run(&Silent, &Default::default()).unwrap();
    let results = Results::read(folder).unwrap();
    assert_eq!(results.problems, []);
    results
}
