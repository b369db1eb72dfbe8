//! Explanations: ways by hand, on the built-in maps, and on random models by another method.

use crate::common;

use common::{config, dense_values, environment, random_model, random_policy};
use hedgerow::costset::{canonical, on_cells};
use hedgerow::env::{Environment, Layout, builtin};
use hedgerow::explain::{
    Explanation, ExplanationContext, Reason, Shown, Trajectory, TrajectoryEnd,
};
use hedgerow::index::{Pair, State};
use hedgerow::learn::{Inference, Learner, PairStatus};
use hedgerow::model::{Dynamics, Model, ModelBuilder, Policy, Rows, Task};
use hedgerow::solve::Mdp;
use proptest::prelude::*;

const GRIDWORLDS: [&str; 4] = ["gridworld-1", "gridworld-2", "gridworld-3", "gridworld-4"];

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} for {b}");
}

/// States and actions of a way, as one text.
fn told(way: &Trajectory) -> String {
    let steps = way
        .steps
        .iter()
        .map(|s| format!("{} {} ", s.place.name, s.action));
    steps.collect::<String>() + way.last.as_ref().map_or("?", |place| &place.name)
}

/// From 0 a short way pays 1 at once, a long one passes through 1 first, staying pays nothing.
fn detour() -> Environment {
    let mut b = ModelBuilder::new(3, ["short", "long", "stay"], 0.5);
    b.start(0, 1.0).terminal(2);
    b.transition(0, 0, 2, 1.0).reward(0, 0, 1.0);
    b.transition(0, 1, 1, 1.0);
    b.transition(0, 2, 0, 1.0);
    b.transition(1, 0, 2, 1.0).reward(1, 0, 1.0);
    expert_takes(b.build().unwrap(), &[1, 3])
}

/// The model with an expert who takes these pairs and no others.
fn expert_takes(model: Model, pairs: &[usize]) -> Environment {
    let mut prob = vec![0.0; model.task().pairs()];
    pairs.iter().for_each(|&i| prob[i] = 1.0);
    let expert = Policy::new(model.task(), prob).unwrap();
    environment(model, expert, 50)
}

#[test]
fn the_shunned_short_way_beside_the_long_one() {
    let env = detour();
    let context = ExplanationContext::exact(&env).unwrap();
    let witness = context.witness(Pair(0)).unwrap();
    assert_eq!(told(&witness.trajectory), "s0 short s2");
    assert_eq!(told(&witness.expert), "s0 long s1 short s2");
    assert_eq!(
        (witness.trajectory.end, witness.expert.end),
        (TrajectoryEnd::Terminal, TrajectoryEnd::Terminal)
    );
    near(witness.trajectory.reward, 1.0);
    near(witness.expert.reward, 0.5);
    near(witness.q, 1.0);
    near(witness.value, 0.5);
    near(witness.advantage, 0.5);
    assert_eq!(
        (witness.shown, witness.status),
        (Shown::Likely, PairStatus::Constrained)
    );
    assert_eq!(
        (witness.trajectory.probability, witness.likely_reward),
        (1.0, None)
    );
    // Staying and then doing as the expert does is the expert's way one step later.
    let stay = context.witness(Pair(2)).unwrap();
    assert_eq!(told(&stay.trajectory), "s0 stay s0 long s1 short s2");
    near(stay.trajectory.reward, 0.25);
    assert_eq!(
        (stay.shown, stay.status),
        (Shown::NoGain, PairStatus::NoGain)
    );
}

#[test]
fn every_kind_of_place_says_why() {
    let env = detour();
    let context = ExplanationContext::exact(&env).unwrap();
    let end = context.explain(State(2), Some(true));
    let Reason::Constrained { moves: 1, largest } = end.reason else {
        panic!("{:?}", end.reason);
    };
    near(largest, 0.5);
    assert_eq!(end.witness.unwrap().pair, Pair(0));
    assert_eq!(
        end.moves.iter().map(|m| m.pair).collect::<Vec<_>>(),
        [Pair(0), Pair(3)]
    );
    assert!(
        end.words.contains("up to 0.500 more (short from s0)"),
        "{}",
        end.words
    );

    let middle = context.explain(State(1), Some(true));
    assert_eq!(middle.reason, Reason::Chosen { moves: 1 });
    assert!(middle.witness.is_none());
    let words = "The truth charges s1, but explaining the expert does not need it: the expert goes there itself";
    assert!(middle.words.starts_with(words), "{}", middle.words);

    let home = context.explain(State(0), None);
    let Reason::NothingToGain { largest } = home.reason else {
        panic!("{:?}", home.reason);
    };
    near(largest, -0.25);
    let words = "There is nothing to gain, as the only move into it, stay from s0, earns 0.250 less than the expert.";
    assert_eq!(home.words, words);
}

#[test]
fn a_way_that_repeats_itself_does_so_for_ever() {
    // Staying pays 0.5 for ever, 1 in all; going pays 2 once.
    let mut b = ModelBuilder::new(2, ["stay", "go"], 0.5);
    b.start(0, 1.0).terminal(1);
    b.transition(0, 0, 0, 1.0).reward(0, 0, 0.5);
    b.transition(0, 1, 1, 1.0).reward(0, 1, 2.0);
    let env = expert_takes(b.build().unwrap(), &[0]);
    let witness = ExplanationContext::exact(&env)
        .unwrap()
        .witness(Pair(1))
        .unwrap();
    assert_eq!(witness.expert.end, TrajectoryEnd::Repeats(0));
    near(witness.expert.reward, 1.0);
    near(witness.advantage, 1.0);
    assert_eq!(witness.shown, Shown::Likely);
}

/// From `start` the expert takes `safe`, which pays 1 and ends. `bet` leads to `gold` (whose
/// `cash` pays 10) with 0.4, `wait` to a state where the expert bets for 20.
fn casino() -> Environment {
    let names = ["start", "gold", "later", "treasure", "end"];
    let mut b = ModelBuilder::new(5, ["safe", "bet", "wait"], 0.5);
    b.state_names(names.map(str::to_owned).to_vec());
    b.start(0, 1.0).terminal(4);
    b.transition(0, 0, 4, 1.0).reward(0, 0, 1.0);
    b.transition(0, 1, 1, 0.4).transition(0, 1, 4, 0.6);
    b.transition(0, 2, 2, 1.0);
    b.transition(1, 0, 4, 1.0).reward(1, 0, 10.0);
    b.transition(2, 1, 3, 0.4).transition(2, 1, 4, 0.6);
    b.transition(3, 0, 4, 1.0).reward(3, 0, 20.0);
    expert_takes(b.build().unwrap(), &[0, 3, 4, 5])
}

#[test]
fn a_gain_that_takes_luck_is_drawn_as_luck() {
    let env = casino();
    let context = ExplanationContext::exact(&env).unwrap();
    // 0.5 * 0.4 * 10 = 2 on average; most likely nothing.
    let bet = context.witness(Pair(1)).unwrap();
    assert_eq!(told(&bet.trajectory), "start bet gold safe end");
    assert_eq!((bet.shown, bet.likely_reward), (Shown::BestCase, Some(0.0)));
    near(bet.trajectory.probability, 0.4);
    near(bet.trajectory.reward, 5.0);
    near(bet.advantage, 1.0);
    // 0.25 * 0.4 * 20 = 2 on average, and the luck is needed one step later.
    let wait = context.witness(Pair(2)).unwrap();
    assert_eq!(
        told(&wait.trajectory),
        "start wait later bet treasure safe end"
    );
    assert_eq!(
        (wait.shown, wait.likely_reward),
        (Shown::BestCase, Some(0.0))
    );
    near(wait.trajectory.probability, 0.4);
    near(wait.trajectory.reward, 5.0);
    near(wait.advantage, 1.0);
    let outcomes: Vec<f64> = wait.trajectory.steps.iter().map(|s| s.outcome).collect();
    assert_eq!(outcomes, [1.0, 0.4, 1.0]);
}

#[test]
fn a_gain_on_average_that_no_way_shows_is_said_to_be_one() {
    // The expert bets: 5 with 0.6, worth 3. The sure 4 is more, but less than the drawn 5.
    let mut b = ModelBuilder::new(3, ["sure", "bet"], 0.5);
    b.start(0, 1.0).terminal(2);
    b.transition(0, 0, 2, 1.0).reward(0, 0, 4.0);
    b.transition(0, 1, 1, 0.6).transition(0, 1, 2, 0.4);
    b.transition(1, 0, 2, 1.0).reward(1, 0, 10.0);
    let env = expert_takes(b.build().unwrap(), &[1, 2]);
    let witness = ExplanationContext::exact(&env)
        .unwrap()
        .witness(Pair(0))
        .unwrap();
    assert_eq!(witness.shown, Shown::Average);
    near(witness.trajectory.reward, 4.0);
    near(witness.expert.reward, 5.0);
    near(witness.advantage, 1.0);
}

#[test]
fn every_constrained_pair_of_the_gridworlds_has_a_better_way() {
    for name in GRIDWORLDS {
        let env = builtin::environment(name).unwrap();
        let context = ExplanationContext::exact(&env).unwrap();
        let cost = canonical(env.truth().model(), env.truth().expert(), 1.0).unwrap();
        let mut likely = 0;
        for pair in env.task().all_pairs() {
            let constrained = context.status(pair) == PairStatus::Constrained;
            assert_eq!(constrained, cost.at(pair) > 0.0);
            if constrained {
                let w = context.witness(pair).unwrap();
                let at = env.task().pair_name(pair);
                assert!(w.trajectory.reward > w.expert.reward, "{name} {at} {w:?}");
                assert!(
                    matches!(w.shown, Shown::Likely | Shown::BestCase),
                    "{name} {at}"
                );
                likely += usize::from(w.shown == Shown::Likely);
            }
        }
        // Luck is the exception.
        assert!(
            2 * likely > cost.support(),
            "{name}: {likely} of {}",
            cost.support()
        );
    }
}

/// Explanations of the charged cells that exact inference does not find.
fn not_found(env: &Environment) -> Vec<Explanation> {
    let truth = env.truth();
    let cost = canonical(truth.model(), truth.expert(), 1.0).unwrap();
    let found = on_cells(truth.model().rows(), env.task(), cost.values());
    let charged = truth.cost().by_state(env.task());
    let context = ExplanationContext::exact(env).unwrap();
    let missed = |s: &State| charged[s.at()] > 0.0 && found[s.at()] == 0.0;
    let states = env.task().all_states().filter(missed);
    states.map(|s| context.explain(s, Some(true))).collect()
}

#[test]
fn charged_cells_that_are_not_found_have_nothing_to_gain() {
    for (name, known) in [("gridworld-2", 16), ("gridworld-4", 4)] {
        let env = builtin::environment(name).unwrap();
        let (task, model) = (env.task(), env.truth().model());
        let mdp = Mdp::of(model);
        let values = dense_values(&mdp, env.truth().expert().probs(), task.reward());
        let missed = not_found(&env);
        assert_eq!(missed.len(), known, "{name}");
        for explanation in missed {
            let state = explanation.place.state;
            // Independently: intended moves are the likely ones, values by plain elimination.
            let into = |pair: &Pair| {
                let (next, prob) = model.rows().row(*pair);
                next.iter()
                    .zip(prob)
                    .any(|(&s, &p)| s == state.0 && p > 0.5)
            };
            let worth = |pair: Pair| mdp.q(pair, &values) - values[task.state_of(pair).at()];
            let largest = task
                .all_pairs()
                .filter(into)
                .map(worth)
                .fold(f64::MIN, f64::max);
            assert!(largest < 1e-12, "{name} {largest}");
            assert!((explanation.moves[0].advantage - largest).abs() < 1e-12);
            match explanation.reason {
                Reason::NothingToGain { largest } => assert!(largest <= 0.0),
                Reason::Chosen { .. } => assert!(largest.abs() < 1e-12),
                other => panic!("{name} {other:?}"),
            }
            assert!(explanation.witness.is_none());
            let words = "explaining the expert does not need it: ";
            assert!(explanation.words.contains(words), "{}", explanation.words);
        }
    }
}

#[test]
fn what_a_learner_does_not_know_is_said_to_be_unknown() {
    let env = detour();
    let mut learner = Learner::new(env.task().clone(), Inference::default());
    let layout: Option<&Layout> = None;
    let nothing = ExplanationContext::learned(&learner, layout, 50);
    assert!(nothing.witness(Pair(0)).is_none());
    let explained = nothing.explain(State(2), None);
    assert_eq!(explained.reason, Reason::NoMove { untried: 4 });
    assert!(
        explained.words.contains("4 pairs were never tried"),
        "{}",
        explained.words
    );

    learner.see_expert(Pair(1));
    learner.see_transition(Pair(1), State(1));
    learner.see_transition(Pair(0), State(2));
    learner.refresh();
    let mut some = ExplanationContext::learned(&learner, layout, 50);
    // The expert was never seen in state 1: its way ends there, its value is 0.
    let witness = some.witness(Pair(0)).unwrap();
    assert_eq!(told(&witness.expert), "s0 long s1");
    assert_eq!(witness.expert.end, TrajectoryEnd::Unknown);
    assert_eq!(witness.status, PairStatus::Constrained);
    // Somebody more careful concludes less.
    some.set_status(Pair(0), PairStatus::Undecided);
    some.set_intervals(vec![(-0.5, 2.0); 4]);
    let careful = some.explain(State(2), None);
    assert_eq!(careful.reason, Reason::NotKnown { moves: 1 });
    assert_eq!(careful.moves[0].interval, Some((-0.5, 2.0)));
    assert!(careful.witness.is_none());
}

/// The best that can follow in `limit` steps, by plain recursion over tables.
fn best_case(task: &Task, context: &ExplanationContext<Rows>, limit: usize) -> Vec<f64> {
    let mut best = vec![0.0_f64; task.states()];
    for _ in 0..limit {
        let before = best.clone();
        for pair in task.all_pairs().filter(|p| context.expert(*p) > 0.0) {
            let s = task.state_of(pair).at();
            let value = task.reward()[pair.at()] + task.gamma() * after(context, pair, &before);
            best[s] = best[s].max(value);
        }
    }
    best
}

/// The best next value of a pair.
fn after(context: &ExplanationContext<Rows>, pair: Pair, best: &[f64]) -> f64 {
    let next = context.dynamics().row(pair).0.iter();
    next.map(|&s| best[s as usize]).fold(0.0, f64::max)
}

/// The reward of a way by walking it, round and round if it repeats itself.
fn walked(way: &Trajectory, gamma: f64) -> f64 {
    let (mut sum, mut weight, mut at) = (0.0, 1.0, 0);
    for _ in 0..5000 {
        if at == way.steps.len() {
            let TrajectoryEnd::Repeats(since) = way.end else {
                break;
            };
            at = since;
        }
        sum += weight * way.steps[at].reward;
        weight *= gamma;
        at += 1;
    }
    sum
}

fn check_steps(context: &ExplanationContext<Rows>, way: &Trajectory, gamma: f64) {
    let mut probability = 1.0;
    for (i, step) in way.steps.iter().enumerate() {
        let next = way.steps.get(i + 1).map(|s| s.place.state);
        let next = next.or(way.last.as_ref().map(|p| p.state)).unwrap();
        let (states, prob) = context.dynamics().row(step.pair);
        let at = states.iter().position(|&s| s == next.0).unwrap();
        assert_eq!(step.outcome, prob[at]);
        assert!(i == 0 || step.choice == context.expert(step.pair));
        assert!(step.choice > 0.0);
        probability *= step.choice * step.outcome;
    }
    assert!((way.probability - probability).abs() < 1e-12);
    assert!((way.reward - walked(way, gamma)).abs() < 1e-9);
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn witnesses_show_what_they_say(case in random_model(common::SMALL), seed in any::<u64>()) {
        let model = case.model.clone();
        let expert = random_policy(model.task(), seed);
        let env = environment(model, expert, 1000);
        let context = ExplanationContext::exact(&env).unwrap();
        let best = best_case(env.task(), &context, 3000);
        for pair in env.task().all_pairs() {
            let w = context.witness(pair).unwrap();
            check_steps(&context, &w.trajectory, env.task().gamma());
            check_steps(&context, &w.expert, env.task().gamma());
            prop_assert_eq!(w.trajectory.steps[0].pair, pair);
            prop_assert!((w.q - w.value - w.advantage).abs() < 1e-7);
            let reward = env.task().reward()[pair.at()];
            let most = reward + env.task().gamma() * after(&context, pair, &best);
            prop_assert!(w.trajectory.reward <= most + 1e-9);
            match w.shown {
                Shown::Likely | Shown::BestCase => prop_assert!(w.trajectory.reward > w.expert.reward),
                Shown::Average => prop_assert!(most <= w.expert.reward + 1e-7),
                Shown::NoGain => prop_assert!(w.advantage <= 0.0),
            }
        }
        for state in env.task().all_states() {
            let explained = context.explain(state, None);
            let constrained = explained.moves.iter().any(|m| m.status == PairStatus::Constrained);
            prop_assert_eq!(explained.witness.is_some(), constrained);
            prop_assert!(explained.moves.is_sorted_by(|a, b| a.advantage >= b.advantage));
        }
    }
}
