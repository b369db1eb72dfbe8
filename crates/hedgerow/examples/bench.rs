//! Measures the solvers, for `benches/run.sh`: builds a model of a given family and size, writes its
//! arrays for other programs, solves it, and prints one line of JSON for every measurement.
//!
//! ```sh
//! cargo run --release -p hedgerow --example bench -- solve random 100000 0.99 target/bench
//! cargo run --release -p hedgerow --example bench -- copy 100000000
//! ```

use hedgerow::columns::Column;
use hedgerow::env::{Environment, Truth};
use hedgerow::index::{Pair, State};
use hedgerow::io::umb;
use hedgerow::model::{Cost, Dynamics, Model, ModelBuilder, Policy, Rows};
use hedgerow::rules::{Known, Rules};
use hedgerow::solve::{
    Limits, Mdp, Outcome, Solution, lagrangian, linear_program, modified_policy_iteration,
    value_at_start, value_iteration,
};
use hedgerow::verdict::Verdict;
use hedgerow::{Error, Result};
use rayon::prelude::*;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The error that every solver has to certify, absolute.
const TOLERANCE: f64 = 1e-6;

/// Actions of every state, and next states of every action, of a random model.
const ACTIONS: usize = 4;
const BRANCHES: usize = 5;

type Solver = fn(&Mdp<Rows>, &Limits) -> Outcome<Solution>;

/// The solvers that are measured.
const SOLVERS: [(&str, Solver); 2] = [
    ("modified", |m, l| modified_policy_iteration(m, l, None)),
    ("value", |m, l| value_iteration(m, l, None)),
];

fn main() -> ExitCode {
    match asked() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Does what the arguments ask for.
fn asked() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["solve", family, states, gamma, folder] => {
            let model = model(family, count(states)?, number(gamma)?)?;
            solve(&model, Path::new(folder))
        }
        ["constrained", states, gamma, folder] => {
            let model = model("grid", count(states)?, number(gamma)?)?;
            constrained(&model, Path::new(folder))
        }
        ["copy", bytes] => {
            copy(count(bytes)?);
            Ok(())
        }
        ["time", family, states, gamma, rounds, ref only @ ..] if only.len() < 2 => {
            if let Some(other) = only
                .iter()
                .find(|o| SOLVERS.iter().all(|(name, _)| name != *o))
            {
                return Err(Error::invalid("solver", *other, "use modified or value"));
            }
            let model = model(family, count(states)?, number(gamma)?)?;
            for _ in 0..count(rounds)? {
                time(&model, only.first().copied());
            }
            Ok(())
        }
        ["count", what, states] => hot_loop(what, count(states)?),
        ["rules", side] => rules(count(side)?),
        _ => Err(Error::invalid(
            "arguments",
            words.join(" "),
            "use `solve FAMILY STATES GAMMA FOLDER`, `constrained STATES GAMMA FOLDER`, `time FAMILY STATES GAMMA ROUNDS [SOLVER]`, `copy BYTES`, `count LOOP STATES` or `rules SIDE`",
        )),
    }
}

fn count(word: &str) -> Result<usize> {
    let wrong = |_| Error::invalid("count", word, "give a whole number");
    word.parse().map_err(wrong)
}

fn number(word: &str) -> Result<f64> {
    let wrong = |_| Error::invalid("discount", word, "give a number");
    word.parse().map_err(wrong)
}

/// A small generator of its own, so that other programs can be given the same models.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn model(family: &str, states: usize, gamma: f64) -> Result<Model> {
    match family {
        "random" => random(states, gamma),
        "grid" => grid(states, gamma),
        other => Err(Error::invalid("family", other, "use random or grid")),
    }
}

/// Every action of every state leads to a few states anywhere.
fn random(states: usize, gamma: f64) -> Result<Model> {
    let names = (0..ACTIONS).map(|a| format!("a{a}"));
    let mut b = ModelBuilder::new(states, names, gamma);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    b.start(0, 1.0);
    for s in 0..states {
        for a in 0..ACTIONS {
            let weights: [f64; BRANCHES] = std::array::from_fn(|_| 0.1 + random.unit());
            let sum: f64 = weights.iter().sum();
            for w in weights {
                let next = (random.next() % states as u64) as usize;
                b.transition(s, a, next, w / sum);
            }
            b.reward(s, a, random.unit());
        }
    }
    b.build()
}

/// An open square with four slippery moves, a goal in a corner, and a reward that differs from cell
/// to cell.
fn grid(states: usize, gamma: f64) -> Result<Model> {
    let side = (states as f64).sqrt() as usize;
    let mut b = ModelBuilder::new(side * side + 1, ["up", "down", "left", "right"], gamma);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let goal = side * side - 1;
    b.start(0, 1.0).terminal(side * side);
    for s in 0..side * side {
        let (row, column) = (s / side, s % side);
        let to = [
            if row + 1 < side { s + side } else { s },
            if row > 0 { s - side } else { s },
            if column > 0 { s - 1 } else { s },
            if column + 1 < side { s + 1 } else { s },
        ];
        // A step costs the same everywhere but for a little, so that nothing is exactly equal.
        let toll = -0.001 * (1.0 + 0.01 * random.unit());
        for a in 0..ACTIONS {
            if s == goal {
                b.transition(s, a, side * side, 1.0).reward(s, a, 1.0);
                continue;
            }
            b.transition(s, a, to[a], 0.8);
            for slip in to {
                b.transition(s, a, slip, 0.05);
            }
            b.reward(s, a, toll);
        }
    }
    b.build()
}

fn solve(model: &Model, folder: &Path) -> Result<()> {
    let peak = peak();
    write_arrays(model, folder)?;
    let (cost, anyone) = (Cost::zero(model.task()), Policy::uniform(model.task()));
    let truth = Truth::new(model.clone(), cost, 0.0, anyone)?;
    umb::write(
        &folder.join("model.umb"),
        &Environment::new("bench", 50, None, truth)?,
    )?;
    let mdp = Mdp::of(model);
    let limits = Limits {
        tolerance: TOLERANCE,
        sweeps: 1_000_000,
    };
    let rows = model.rows();
    let per_entry = rows.bytes() as f64 / rows.entries() as f64;
    let resident = rows.bytes() + 20 * model.task().pairs() + 4 * model.task().states();
    say(&format!(
        "{{\"what\": \"size\", \"states\": {}, \"pairs\": {}, \"transitions\": {}, \"row_bytes_per_transition\": {per_entry:.2}, \"model_bytes\": {resident}, \"peak_bytes\": {}}}",
        model.task().states(),
        model.task().pairs(),
        rows.entries(),
        peak
    ));
    plain_loops(model);
    for (name, solver) in SOLVERS {
        let begin = Instant::now();
        let found = solver(&mdp, &limits);
        let seconds = begin.elapsed().as_secs_f64();
        let Some(found) = found.solution() else {
            continue;
        };
        write(
            folder,
            &format!("values-{name}.bin"),
            found.values.iter().flat_map(|v| v.to_le_bytes()),
        )?;
        // What a full sweep reads: rows, rewards and values.
        let read = rows.swept_bytes() + 8 * model.task().pairs() + 16 * model.task().states();
        say(&format!(
            "{{\"what\": \"{name}\", \"seconds\": {seconds:.6}, \"error\": {:e}, \"sweeps\": {}, \"sweep_bytes\": {read}}}",
            found.error, found.sweeps
        ));
    }
    Ok(())
}

/// What a sweep is measured by: the same backups in a plain loop over plain compressed rows (`plain`), and of these only the
/// products of all probabilities with the values they belong to, in order (`gather`). Threads share the states; best of
/// several.
fn plain_loops(model: &Model) {
    let (task, rows) = (model.task(), model.rows());
    let (mut start, mut next, mut prob) = (vec![0_u32], Vec::new(), Vec::new());
    for pair in task.all_pairs() {
        let row = rows.row(pair);
        next.extend_from_slice(row.0);
        prob.extend_from_slice(row.1);
        start.push(next.len() as u32);
    }
    let values: Vec<f64> = (0..task.states()).map(|s| (s % 1000) as f64).collect();
    let mut fresh = values.clone();
    let later = |pair: usize| {
        let row = start[pair] as usize..start[pair + 1] as usize;
        let terms = next[row.clone()].iter().zip(&prob[row]);
        terms.map(|(&s, p)| p * values[s as usize]).sum::<f64>()
    };
    let reward = model.reward();
    let plain = shortest(|| {
        fresh
            .par_iter_mut()
            .with_min_len(1024)
            .enumerate()
            .for_each(|(s, fresh)| {
                let pairs = task.pairs_of(State::new(s));
                let q = pairs.map(|i| reward[i] + task.gamma() * later(i));
                *fresh = q.reduce(f64::max).unwrap_or(0.0);
            });
    });
    let gather = shortest(|| {
        let parts = next.par_chunks(65_536).zip(prob.par_chunks(65_536));
        let sums = parts.map(|(next, prob)| {
            // Sums of their own, so that no product waits for the one before it.
            let mut sums = [0.0; 8];
            for (next, prob) in next.chunks_exact(8).zip(prob.chunks_exact(8)) {
                for (sum, (&s, p)) in sums.iter_mut().zip(next.iter().zip(prob)) {
                    *sum += p * values[s as usize];
                }
            }
            sums.iter().sum::<f64>()
        });
        std::hint::black_box(sums.sum::<f64>());
    });
    std::hint::black_box(&fresh);
    let bytes = 12 * next.len() + 4 * start.len() + 8 * task.pairs() + 20 * task.states();
    say(&format!(
        "{{\"what\": \"loops\", \"plain\": {plain:.6}, \"gather\": {gather:.6}, \"plain_bytes\": {bytes}}}"
    ));
}

/// The shortest wall seconds of ten times.
fn shortest(mut work: impl FnMut()) -> f64 {
    (0..10).fold(f64::INFINITY, |best, _| {
        let begin = Instant::now();
        work();
        best.min(begin.elapsed().as_secs_f64())
    })
}

/// Solves a model and nothing else, for comparing two builds of this program in turn. Processor time, of all
/// threads, says more than wall time where other programs run.
fn time(model: &Model, only: Option<&str>) {
    let limits = Limits {
        tolerance: TOLERANCE,
        sweeps: 1_000_000,
    };
    let asked = |name: &str| only.is_none_or(|only| only == name);
    for (name, solver) in SOLVERS.into_iter().filter(|(name, _)| asked(name)) {
        let (begin, used) = (Instant::now(), processor());
        let found = solver(&Mdp::of(model), &limits).solution();
        let (wall, used) = (begin.elapsed().as_secs_f64(), processor() - used);
        let (sweeps, error) = found.map_or((0, f64::NAN), |f| (f.sweeps, f.error));
        say(&format!(
            "{{\"what\": \"{name}\", \"wall\": {wall:.3}, \"processor\": {used:.2}, \"sweeps\": {sweeps}, \"error\": {error:e}}}"
        ));
    }
}

/// Processor seconds of this program so far, to a hundredth; 0 where the system does not say.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// One budget, by both methods.
fn constrained(model: &Model, folder: &Path) -> Result<()> {
    let task = model.task();
    let side = ((task.states() - 1) as f64).sqrt() as usize;
    // A band across the middle costs 1 a step.
    let cost = |p: Pair| {
        let row = task.state_of(p).at() / side;
        f64::from(u8::from(row >= side / 2 && row < side / 2 + 2))
    };
    let cost: Vec<f64> = task.all_pairs().map(cost).collect();
    let mdp = Mdp::of(model);
    let budget = binding(&mdp, &cost)?;
    write_arrays(model, folder)?;
    write(
        folder,
        "cost.bin",
        cost.iter().flat_map(|c| c.to_le_bytes()),
    )?;
    write(folder, "budget.bin", budget.to_le_bytes())?;
    for (name, solver) in [
        ("lagrangian", lagrangian as fn(&_, &_, _) -> _),
        ("program", linear_program),
    ] {
        if name == "program" && task.states() > 5000 {
            continue;
        }
        let begin = Instant::now();
        let found: Result<Outcome<hedgerow::solve::Constrained>> = solver(&mdp, &cost[..], budget);
        let seconds = begin.elapsed().as_secs_f64();
        let Some(found) = found?.solution() else {
            say(&format!("{{\"what\": \"{name}\", \"infeasible\": true}}"));
            continue;
        };
        say(&format!(
            "{{\"what\": \"{name}\", \"seconds\": {seconds:.6}, \"reward\": {:e}, \"cost\": {:e}, \"budget\": {budget:e}, \"price\": {:e}, \"gap\": {:e}}}",
            found.reward, found.cost, found.multiplier, found.gap
        ));
    }
    Ok(())
}

/// A budget that binds: half way between the least cost and that of the best policy without one.
fn binding(mdp: &Mdp<Rows>, cost: &[f64]) -> Result<f64> {
    let limits = Limits {
        tolerance: 1e-9,
        ..Limits::default()
    };
    let task = mdp.task();
    let saved: Vec<f64> = cost.iter().map(|c| -c).collect();
    let solved = |of: &Mdp<Rows>| {
        let found = modified_policy_iteration(of, &limits, None).solution();
        found.ok_or_else(|| Error::invalid("model", "not solved", "use a smaller one"))
    };
    let least = -task.at_start(&solved(&mdp.with_reward(&saved))?.values);
    let best = solved(mdp)?.policy(task);
    let most = value_at_start(&mdp.with_reward(cost), &best)?.value;
    Ok(0.5 * (least + most))
}

/// How fast memory is copied, by one thread and by two.
fn copy(bytes: usize) {
    let from = vec![1.0_f64; bytes / 8];
    let mut to = vec![0.0_f64; bytes / 8];
    for threads in [1, 2] {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let begin = Instant::now();
            let size = from.len().div_ceil(threads);
            std::thread::scope(|scope| {
                for (from, to) in from.chunks(size).zip(to.chunks_mut(size)) {
                    scope.spawn(|| to.copy_from_slice(from));
                }
            });
            best = best.min(begin.elapsed().as_secs_f64());
        }
        let moved = 2 * size_of_val(&from[..]);
        say(&format!(
            "{{\"what\": \"copy\", \"threads\": {threads}, \"bytes_per_second\": {:e}}}",
            moved as f64 / best
        ));
    }
}

/// Does one hot loop and nothing else that grows with the model, for counting instructions: its
/// count is that of `LOOP` minus that of `nothing`.
fn hot_loop(what: &str, states: usize) -> Result<()> {
    let model = model("random", states, 0.9)?;
    let mdp = Mdp::of(&model);
    let sweeps = |sweeps| Limits {
        tolerance: 0.0,
        sweeps,
    };
    match what {
        "nothing" => {}
        "value" => drop(value_iteration(&mdp, &sweeps(10), None)),
        "modified" => drop(modified_policy_iteration(&mdp, &sweeps(40), None)),
        other => {
            return Err(Error::invalid(
                "loop",
                other,
                "use nothing, value or modified",
            ));
        }
    }
    Ok(())
}

/// A world that nobody has tried anything in.
struct Untried;

impl Dynamics for Untried {
    fn row(&self, _: Pair) -> (&[u32], &[f64]) {
        (&[], &[])
    }
}

/// Sums up the verdicts of a square map: walls across it, each with a gap, and moves up into them are
/// constrained.
fn rules(side: usize) -> Result<()> {
    let moves = [
        ("up", 1, 0),
        ("down", -1, 0),
        ("left", 0, -1),
        ("right", 0, 1),
    ];
    let mut b = ModelBuilder::new(side * side, moves.map(|m| m.0), 0.9);
    b.start(0, 1.0).reward(0, 0, 1.0);
    let task = b.build_task()?;
    let cell = |p: Pair| {
        let state = task.state_of(p).at();
        (state / side, state % side)
    };
    let into = |p: Pair| {
        let (_, rows, columns) = moves[task.action_of(p).at()];
        let (row, column) = cell(p);
        let row = row.checked_add_signed(rows).filter(|&r| r < side)?;
        let column = column.checked_add_signed(columns).filter(|&c| c < side)?;
        Some((row, column))
    };
    let column = |name: &str, of: &dyn Fn(Pair) -> Option<usize>| {
        Column::of_whole(name, side, task.all_pairs().map(of))
    };
    let columns = [
        column("row", &|p| Some(cell(p).0)),
        column("column", &|p| Some(cell(p).1)),
        column("into row", &|p| into(p).map(|c| c.0)),
        column("into column", &|p| into(p).map(|c| c.1)),
    ];
    let (every, gap) = ((side / 10).max(2), side / 2);
    let verdict = |p: Pair| match into(p) {
        Some((r, c)) if r % every == every / 2 => match c == gap {
            true => Verdict::Taken,
            false if moves[task.action_of(p).at()].0 == "up" => Verdict::Constrained,
            false => Verdict::NoGain,
        },
        _ => Verdict::NoGain,
    };
    let verdicts: Vec<Verdict> = task.all_pairs().map(verdict).collect();
    let known = Known::new(&task, &Untried, None).with(&columns);
    let begin = Instant::now();
    let found = Rules::of(&known, &verdicts);
    say(&format!(
        "{{\"what\": \"rules\", \"pairs\": {}, \"rules\": {}, \"left\": {}, \"seconds\": {:.3}}}",
        task.pairs(),
        found.rules.len(),
        found.left,
        begin.elapsed().as_secs_f64()
    ));
    Ok(())
}

/// The most memory that this program has had so far, in bytes; 0 where the system does not say.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<usize>().ok());
    1024 * kilobytes.unwrap_or(0)
}

fn write_arrays(model: &Model, folder: &Path) -> Result<()> {
    let task = model.task();
    let rows = || task.all_pairs().map(|p| model.rows().row(p));
    let mut end = 0_u64;
    let ends = rows().map(|r| {
        end += r.0.len() as u64;
        end
    });
    write(folder, "ends.bin", ends.flat_map(u64::to_le_bytes))?;
    write(
        folder,
        "next.bin",
        rows().flat_map(|r| r.0.iter().flat_map(|s| s.to_le_bytes())),
    )?;
    write(
        folder,
        "prob.bin",
        rows().flat_map(|r| r.1.iter().flat_map(|p| p.to_le_bytes())),
    )?;
    write(
        folder,
        "state.bin",
        task.all_pairs()
            .flat_map(|p| task.state_of(p).0.to_le_bytes()),
    )?;
    write(
        folder,
        "action.bin",
        task.all_pairs()
            .flat_map(|p| task.action_of(p).0.to_le_bytes()),
    )?;
    write(
        folder,
        "reward.bin",
        model.reward().iter().flat_map(|r| r.to_le_bytes()),
    )
}

fn write(folder: &Path, name: &str, bytes: impl IntoIterator<Item = u8>) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|e| Error::writing(folder, e))?;
    let path = folder.join(name);
    let write = || -> std::io::Result<()> {
        let mut file = std::io::BufWriter::new(std::fs::File::create(&path)?);
        let mut buffer = Vec::with_capacity(1 << 16);
        for byte in bytes {
            buffer.push(byte);
            if buffer.len() == 1 << 16 {
                file.write_all(&buffer)?;
                buffer.clear();
            }
        }
        file.write_all(&buffer)?;
        file.flush()
    };
    write().map_err(|e| Error::writing(&path, e))
}

fn say(line: &str) {
    println!("{line}");
}
