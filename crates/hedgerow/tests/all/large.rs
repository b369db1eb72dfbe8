//! Models beyond the size where sweeps take the place of factors and work is shared between threads.

use hedgerow::Result;
use hedgerow::env::Truth;
use hedgerow::env::grid::Grid;
use hedgerow::index::{Pair, State};
use hedgerow::model::{Dynamics, Model, ModelBuilder, Policy};
use hedgerow::solve::{
    Limits, Mdp, Outcome, evaluate_certified, evaluate_iterative, lagrangian,
    modified_policy_iteration, occupancy, optimum, sharing_ties, value_and_cost, value_at_start,
    value_iteration,
};

const STATES: usize = 21_000;

/// A corridor with two actions: `go` leads on and is free, `jump` earns 1 and ends, at its end only.
fn corridor(gamma: f64) -> Result<Model> {
    let mut b = ModelBuilder::new(STATES, ["stay", "go"], gamma);
    let end = STATES - 1;
    b.start(end - 3000, 1.0).terminal(end);
    for s in 0..end {
        b.transition(s, 0, s, 1.0);
        b.transition(s, 1, s + 1, 0.75).transition(s, 1, s, 0.25);
        if s + 1 == end {
            b.reward(s, 1, 1.0);
        }
    }
    b.build()
}

/// How episodes of a tangled model go on.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Ends,
    Anywhere,
    /// From an even state to an odd one and back.
    Swings,
}

const WAYS: [Way; 3] = [Way::Ends, Way::Anywhere, Way::Swings];

/// Transitions anywhere, rewards of both signs.
fn tangled(gamma: f64, way: Way) -> Result<Model> {
    let mut b = ModelBuilder::new(STATES, ["a", "b", "c"], gamma);
    b.start(0, 1.0);
    let last = STATES - 1;
    if way == Way::Ends {
        b.terminal(last);
    }
    let mut x = 88_172_645_463_325_252_u64;
    let mut draw = |below: u64| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x % below
    };
    let states = if way == Way::Ends { last } else { STATES };
    for s in 0..states {
        for a in 0..3 {
            let p = 0.1 + 0.8 * draw(1000) as f64 / 1000.0;
            for p in [p, 1.0 - p] {
                let next = draw(STATES as u64) as usize;
                let next = match way {
                    Way::Swings => next / 2 * 2 + (s + 1) % 2,
                    _ => next,
                };
                b.transition(s, a, next, p);
            }
            b.reward(s, a, draw(2001) as f64 / 1000.0 - 1.0);
        }
    }
    b.build()
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work)
}

/// `max |T V - V| / (1 - gamma)` by a plain loop.
fn checked_error(mdp: &Mdp<hedgerow::model::Rows>, values: &[f64]) -> f64 {
    let mut residual = 0.0_f64;
    for state in mdp.task().all_states() {
        let mut best = f64::NEG_INFINITY;
        for i in mdp.task().pairs_of(state) {
            let (next, prob) = mdp.dynamics().row(Pair::new(i));
            let later: f64 = next
                .iter()
                .zip(prob)
                .map(|(&s, &p)| p * values[s as usize])
                .sum();
            best = best.max(mdp.reward()[i] + mdp.gamma() * later);
        }
        let best = if best.is_finite() { best } else { 0.0 };
        residual = residual.max((best - values[state.at()]).abs());
    }
    residual / (1.0 - mdp.gamma())
}

#[test]
fn results_are_the_same_bits_for_any_number_of_threads() -> Result<()> {
    let [ends, anywhere, swings] = WAYS.map(|way| tangled(0.95, way));
    for model in [ends?, anywhere?, swings?, corridor(0.95)?] {
        let mdp = Mdp::of(&model);
        let limits = Limits::default();
        let solve = |threads| {
            in_pool(threads, || -> Result<_> {
                let modified = modified_policy_iteration(&mdp, &limits, None);
                let value = value_iteration(&mdp, &limits, None);
                let best = optimum(&mdp)?;
                let policy = sharing_ties(&mdp)?;
                let earned = value_at_start(&mdp, &policy)?;
                let time = occupancy(&mdp, &policy)?;
                let values = evaluate_certified(&mdp, &policy)?;
                Ok((modified, value, best, policy, earned, time, values))
            })
        };
        let one = solve(1)?;
        for threads in [2, 3, 7] {
            assert_eq!(solve(threads)?, one, "{threads} threads");
        }
    }
    Ok(())
}

#[test]
fn solvers_agree_within_errors_that_a_plain_loop_confirms() -> Result<()> {
    let cases = [0.5, 0.9, 0.99].map(|gamma| WAYS.map(|way| (gamma, way)));
    for (gamma, way) in cases.into_iter().flatten() {
        let model = tangled(gamma, way)?;
        let mdp = Mdp::of(&model);
        let modified = modified_policy_iteration(&mdp, &Limits::default(), None);
        assert!(matches!(modified, Outcome::Optimal(_)));
        let value = value_iteration(&mdp, &Limits::default(), None);
        let (modified, value) = (modified.solution().unwrap(), value.solution().unwrap());
        let best = optimum(&mdp)?;
        for found in [&modified, &value] {
            let checked = checked_error(&mdp, &found.values);
            assert!(
                checked <= found.error / gamma + 1e-11,
                "{checked} {}",
                found.error
            );
            for s in 0..STATES {
                let apart = (found.values[s] - best.values[s]).abs();
                assert!(apart <= found.error + best.errors[s]);
            }
        }
        // The policy earns what was promised.
        let policy = modified.policy(model.task());
        let earned = value_at_start(&mdp, &policy)?;
        let promised = model.task().at_start(&modified.values);
        assert!((earned.value - promised).abs() <= 2.0 * modified.error + earned.error);
        let swept = evaluate_iterative(&mdp, &policy, &Limits::default(), None);
        let swept = swept.solution().unwrap();
        let exact = evaluate_certified(&mdp, &policy)?;
        for s in 0..STATES {
            let apart = (swept.values[s] - exact.values[s]).abs();
            assert!(apart <= swept.error + exact.errors[s]);
        }
    }
    Ok(())
}

#[test]
fn values_far_from_the_goal_are_exact_in_every_digit() -> Result<()> {
    let gamma = 0.9;
    let model = corridor(gamma)?;
    let mdp = Mdp::of(&model);
    let best = optimum(&mdp)?;
    // A step succeeds three times of four: v = gamma (3/4 v' + 1/4 v), the last earns 1 at once and
    // comes again where it fails.
    let factor = 0.75 * gamma / (1.0 - 0.25 * gamma);
    let last = 1.0 / (1.0 - 0.25 * gamma);
    let mut known = last;
    for s in (0..STATES - 1).rev().take(4000) {
        let value = best.values[s];
        assert!(
            (value - known).abs() <= best.errors[s] + 1e-11 * known,
            "{s}"
        );
        assert!(
            best.errors[s] <= 1e-9 * known,
            "{s}: {}",
            best.errors[s] / known
        );
        known *= factor;
    }
    let policy = sharing_ties(&mdp)?;
    let start = model.task().start()[0].0;
    let cost: Vec<f64> = mdp.reward().iter().map(|r| 2.0 * r).collect();
    let [earned, paid] = value_and_cost(&mdp, &cost, &policy, None)?;
    let known = last * factor.powi(2999);
    assert!((earned.value - known).abs() <= 1e-9 * known);
    assert!((paid.value - 2.0 * known).abs() <= 1e-9 * known);
    assert!(earned.error <= 1e-6 * known);
    // Discounted time adds up to what the policy earns.
    let time = occupancy(&mdp, &policy)?;
    let reward: f64 = time.iter().zip(mdp.reward()).map(|(x, r)| x * r).sum();
    assert!((reward / (1.0 - gamma) - known).abs() <= 1e-6 * known);
    assert!(time[model.task().pairs_of(start).start + 1] > 0.0);
    Ok(())
}

#[test]
fn a_budget_at_the_end_of_a_long_way() -> Result<()> {
    // After 50 steps "fast" earns 1 and costs 1, "slow" earns 0.5 for nothing; a budget of a quarter of
    // what reaches the end buys a quarter of fast.
    let gamma: f64 = 0.9;
    let mut b = ModelBuilder::new(STATES, ["fast", "slow"], gamma);
    let end = STATES - 1;
    b.start(end - 51, 1.0).terminal(end);
    for s in 0..end {
        let last = s + 1 == end;
        b.transition(s, 0, s + 1, 1.0);
        if last {
            b.transition(s, 1, end, 1.0);
            b.reward(s, 0, 1.0).reward(s, 1, 0.5);
        }
    }
    let model = b.build()?;
    let mut cost = vec![0.0; model.task().pairs()];
    let last = model.task().pairs_of(State::new(end - 1));
    cost[last.start] = 1.0;
    let reaches = gamma.powi(50);
    let found = lagrangian(&Mdp::of(&model), &cost, 0.25 * reaches)?;
    assert!(matches!(found, Outcome::Optimal(_)), "{found:?}");
    let found = found.solution().unwrap();
    assert!((found.reward - 0.625 * reaches).abs() <= 1e-6 * reaches);
    assert!((found.policy.probs()[last.start] - 0.25).abs() <= 1e-6);
    assert!(found.gap <= 1e-6 * reaches);
    Ok(())
}

#[test]
fn a_large_map_opens_and_its_expert_keeps_to_the_constraint() -> Result<()> {
    // 150 x 150 with a wall of constrained cells that leaves a gap at the right.
    let side = 150;
    let mut symbols = vec![vec!['.'; side]; side];
    symbols[75][..120].fill('x');
    symbols[0][0] = 'S';
    symbols[side - 1][0] = 'G';
    let grid = Grid {
        slip: 0.0,
        gamma: 0.9,
        ..Grid::new("wide", symbols)
    };
    let environment = grid.environment()?;
    let truth: &Truth = environment.truth();
    let mdp = Mdp::of(truth.model());
    let [reward, cost] = value_and_cost(&mdp, truth.cost().values(), truth.expert(), None)?;
    // 120 moves to the right, at least 75 of them diagonal, then 120 to the left: the last move is
    // made in the goal, so the reward comes after 240 moves.
    assert_eq!(cost.value, 0.0);
    assert!(
        (reward.value / 0.9_f64.powi(240) - 1.0).abs() < 1e-9,
        "{}",
        reward.value
    );
    // Rows that are shared say what the moves say: without slips every pair has one outcome.
    let (task, rows) = (environment.task(), truth.model().rows());
    assert_eq!(rows.entries(), task.pairs());
    let uniform = Policy::uniform(task);
    assert!(value_at_start(&mdp, &uniform)?.value > 0.0);
    Ok(())
}
