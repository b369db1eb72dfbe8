//! Explanations: ways by hand, on the built-in maps, and on random models by another method.

use crate::common;

use common::{config, dense_values, environment, random_model, random_policy};
use hedgerow::costset::{canonical, on_cells};
use hedgerow::env::{Environment, Layout, builtin};
use hedgerow::explain::{
    Counts, Explanation, ExplanationContext, Reason, Shown, Trajectory, TrajectoryEnd, VisitChange,
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
    let witness = context.witness(Pair(0)).unwrap().unwrap();
    assert_eq!(told(&witness.trajectory), "s0 short s2");
    assert_eq!(told(&witness.expert), "s0 long s1 short s2");
    assert_eq!(
        (witness.trajectory.end, witness.expert.end),
        (TrajectoryEnd::Terminal, TrajectoryEnd::Terminal)
    );
    near(witness.trajectory.reward.unwrap(), 1.0);
    near(witness.expert.reward.unwrap(), 0.5);
    near(witness.q, 1.0);
    near(witness.value, 0.5);
    near(witness.advantage, 0.5);
    assert_eq!(
        (witness.shown, witness.status),
        (Shown::Trajectories, PairStatus::Constrained)
    );
    assert_eq!(
        (witness.trajectory.probability, witness.visits.clone()),
        (1.0, None)
    );
    near(witness.gain_shown().unwrap(), 0.5);
    // Staying and then doing as the expert does is the expert's way one step later.
    let stay = context.witness(Pair(2)).unwrap().unwrap();
    assert_eq!(told(&stay.trajectory), "s0 stay s0 long s1 short s2");
    near(stay.trajectory.reward.unwrap(), 0.25);
    assert_eq!(
        (stay.shown, stay.status),
        (Shown::Trajectories, PairStatus::NoGain)
    );
}

#[test]
fn every_kind_of_place_says_why() {
    let env = detour();
    let context = ExplanationContext::exact(&env).unwrap();
    let end = context.explain(State(2), Some(true)).unwrap();
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

    let middle = context.explain(State(1), Some(true)).unwrap();
    assert_eq!(middle.reason, Reason::Taken { moves: 1 });
    assert!(middle.witness.is_none());
    let words = "The truth charges s1, but explaining the expert does not need it: the expert goes there itself";
    assert!(middle.words.starts_with(words), "{}", middle.words);

    let home = context.explain(State(0), None).unwrap();
    let Reason::NothingToGain { largest } = home.reason else {
        panic!("{:?}", home.reason);
    };
    near(largest, -0.25);
    let words = "There is nothing to gain, as the only move into it, stay from s0, earns 0.250 less than the expert.";
    assert_eq!(home.words, words);
}

/// Ice: from `bank`, `left` and `right` both slip to `hole`, `ice` or `shore` alike; only `right`
/// pays. The expert waits on the bank.
#[test]
fn a_place_that_nothing_leads_to_is_not_blamed() {
    let mut b = ModelBuilder::new(4, ["left", "right", "wait"], 0.5);
    let names = ["bank", "hole", "ice", "shore"];
    b.state_names(names.map(str::to_owned).to_vec());
    b.start(0, 1.0).terminal(1).terminal(2).terminal(3);
    for action in [0, 1] {
        for next in [1, 2, 3] {
            b.transition(0, action, next, 1.0 / 3.0);
        }
    }
    b.reward(0, 1, 1.0);
    b.transition(0, 2, 0, 1.0);
    let env = expert_takes(b.build().unwrap(), &[2]);
    let context = ExplanationContext::exact(&env).unwrap();
    let hole = context.explain(State(1), Some(false)).unwrap();
    let Reason::ByChance { most } = hole.reason else {
        panic!("{:?}", hole.reason);
    };
    near(most, 1.0 / 3.0);
    let counts = Counts {
        constrained: 1,
        no_gain: 1,
        ..Counts::default()
    };
    assert_eq!((hole.counts, hole.moves.len()), (counts, 2));
    assert_eq!(
        hole.words,
        "No move leads there more often than not; 2 moves end there with a probability of at most \
         0.333, of which 1 is constrained and 1 is without gain. That move is constrained; of the \
         place itself nothing follows."
    );
    // The move that is constrained is explained all the same.
    assert_eq!(hole.witness.unwrap().pair, Pair(1));
    // A place that the expert enters is not blamed for another way into it.
    let bank = context.explain(State(0), None).unwrap();
    assert_eq!(bank.reason, Reason::Taken { moves: 1 });
}

#[test]
fn every_way_in_is_told_apart() {
    let env = detour();
    let context = ExplanationContext::exact(&env).unwrap();
    let end = context.explain(State(2), None).unwrap();
    let words = "alone; the other one is taken by the expert. So that move is constrained, and the place is not: the expert enters it itself.";
    assert!(end.words.ends_with(words), "{}", end.words);
    let mut context = context;
    context.set_status(Pair(3), PairStatus::Constrained);
    let end = context.explain(State(2), None).unwrap();
    let words = "All 2 moves into it would earn more than the expert does, up to 0.500 more (short from s0), and the expert leaves them alone: every way in is constrained.";
    assert_eq!(end.words, words);
}

#[test]
fn nothing_is_concluded_out_of_scope() {
    let env = detour();
    let mut context = ExplanationContext::exact(&env).unwrap();
    context.limit_to(&[false, true, true]);
    // What the expert takes is known to be taken; of the short way nothing is said.
    assert_eq!(context.status(Pair(1)), PairStatus::Taken);
    let short = context.witness(Pair(0)).unwrap().unwrap();
    assert_eq!(
        (short.status, short.in_scope),
        (PairStatus::Undecided, false)
    );
    near(short.advantage, 0.5);
    let end = context.explain(State(2), None).unwrap();
    assert_eq!(end.reason, Reason::NotKnown { moves: 1 });
    let words = "Nothing is concluded about 1 of the 2 moves into it: the expert never comes to where it begins.";
    assert_eq!(end.words, words);
    assert_eq!(end.moves[0].verdict(), "no verdict");
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
        .unwrap()
        .unwrap();
    assert_eq!(witness.expert.end, TrajectoryEnd::Repeats(0));
    near(witness.expert.reward.unwrap(), 1.0);
    near(witness.advantage, 1.0);
    assert_eq!(witness.shown, Shown::Trajectories);
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

/// Pair, visits with the move, visits of the expert, contribution, as a list to compare with.
fn changes(found: &[VisitChange]) -> Vec<(String, f64, f64, f64)> {
    let one = |c: &VisitChange| {
        let name = format!("{} {}", c.place.name, c.action);
        (name, c.with_move, c.expert, c.contribution)
    };
    found.iter().map(one).collect()
}

fn are(found: &[VisitChange], known: &[(&str, f64, f64, f64)]) {
    let found = changes(found);
    assert_eq!(found.len(), known.len(), "{found:?}");
    for (f, k) in found.iter().zip(known) {
        assert_eq!(f.0, k.0, "{found:?}");
        near(f.1, k.1);
        near(f.2, k.2);
        near(f.3, k.3);
    }
}

#[test]
fn a_gain_that_takes_luck_is_told_by_visits() {
    let env = casino();
    let context = ExplanationContext::exact(&env).unwrap();
    // 0.5 * 0.4 * 10 = 2 on average; most likely nothing.
    let bet = context.witness(Pair(1)).unwrap().unwrap();
    assert_eq!((bet.shown, bet.gain_shown()), (Shown::Visits, None));
    near(bet.advantage, 1.0);
    let known = [
        ("gold safe", 0.2, 0.0, 2.0),
        ("start safe", 0.0, 1.0, -1.0),
        ("start bet", 1.0, 0.0, 0.0),
    ];
    are(&bet.visits.unwrap(), &known);
    // 0.25 * 0.4 * 20 = 2 on average, and the luck is needed one step later.
    let wait = context.witness(Pair(2)).unwrap().unwrap();
    near(wait.advantage, 1.0);
    let known = [
        ("treasure safe", 0.1, 0.0, 2.0),
        ("start safe", 0.0, 1.0, -1.0),
        ("start wait", 1.0, 0.0, 0.0),
        ("later bet", 0.5, 0.0, 0.0),
    ];
    are(&wait.visits.unwrap(), &known);
}

#[test]
fn a_gain_on_average_that_no_trajectory_shows_is_told_by_visits() {
    // The expert bets: 5 with 0.6, worth 3. The sure 4 is more, but less than the likely 5.
    let mut b = ModelBuilder::new(3, ["sure", "bet"], 0.5);
    b.start(0, 1.0).terminal(2);
    b.transition(0, 0, 2, 1.0).reward(0, 0, 4.0);
    b.transition(0, 1, 1, 0.6).transition(0, 1, 2, 0.4);
    b.transition(1, 0, 2, 1.0).reward(1, 0, 10.0);
    let env = expert_takes(b.build().unwrap(), &[1, 2]);
    let context = ExplanationContext::exact(&env).unwrap();
    let witness = context.witness(Pair(0)).unwrap().unwrap();
    assert_eq!(witness.shown, Shown::Visits);
    near(witness.advantage, 1.0);
    let known = [
        ("s0 sure", 1.0, 0.0, 4.0),
        ("s1 sure", 0.0, 0.3, -3.0),
        ("s0 bet", 0.0, 1.0, 0.0),
    ];
    are(&witness.visits.unwrap(), &known);
}

/// `rest` pays 1 and ends. `enter` leads to a wheel, which pays 1 and goes on turning with `again`.
fn wheel(again: f64) -> Environment {
    let mut b = ModelBuilder::new(3, ["rest", "enter", "turn"], 0.9);
    b.state_names(["start", "wheel", "end"].map(str::to_owned).to_vec());
    b.start(0, 1.0).terminal(2);
    b.transition(0, 0, 2, 1.0).reward(0, 0, 1.0);
    b.transition(0, 1, 1, 1.0);
    b.transition(1, 2, 1, again).reward(1, 2, 1.0);
    if again < 1.0 {
        b.transition(1, 2, 2, 1.0 - again);
    }
    expert_takes(b.build().unwrap(), &[0, 2])
}

#[test]
fn a_loop_that_ends_by_chance_earns_nothing_for_ever() {
    let env = wheel(0.6);
    let context = ExplanationContext::exact(&env).unwrap();
    let witness = context.witness(Pair(1)).unwrap().unwrap();
    // For ever it would be 0.9 / (1 - 0.9) = 9; in truth 0.9 / (1 - 0.9 * 0.6).
    let turns = 0.9 / 0.46;
    assert_eq!(witness.trajectory.end, TrajectoryEnd::Repeats(1));
    assert_eq!(
        (witness.trajectory.reward, witness.shown),
        (None, Shown::Visits)
    );
    near(witness.q, turns);
    near(witness.advantage, turns - 1.0);
    let known = [
        ("wheel turn", turns, 0.0, turns),
        ("start rest", 0.0, 1.0, -1.0),
        ("start enter", 1.0, 0.0, 0.0),
    ];
    are(&witness.visits.unwrap(), &known);
    // One that never ends does earn for ever, and can be drawn.
    let env = wheel(1.0);
    let context = ExplanationContext::exact(&env).unwrap();
    let witness = context.witness(Pair(1)).unwrap().unwrap();
    assert_eq!(witness.shown, Shown::Trajectories);
    near(witness.trajectory.reward.unwrap(), 9.0);
    near(witness.gain_shown().unwrap(), 8.0);
}

#[test]
fn a_loop_back_to_the_move_counts_the_move_once() {
    // Both ends of a seesaw, 0.5 each way; the expert takes `up` at both. `down` at 0 pays 1 once
    // and stays there for sure.
    let mut b = ModelBuilder::new(2, ["up", "down"], 0.5);
    b.start(0, 1.0);
    b.transition(0, 0, 0, 0.5).transition(0, 0, 1, 0.5);
    b.transition(0, 1, 0, 1.0).reward(0, 1, 1.0);
    b.transition(1, 0, 0, 0.5)
        .transition(1, 0, 1, 0.5)
        .reward(1, 0, 3.0);
    let env = expert_takes(b.build().unwrap(), &[0, 2]);
    let context = ExplanationContext::exact(&env).unwrap();
    // The expert's visits from 0 on: 1 + 0.25 + 0.125 + ... = 1.5 of 0, 0.5 of 1, worth 1.5.
    // With the move: once `down`, then half of both: 0.75 and 0.25, worth 1 + 0.75.
    let witness = context.witness(Pair(1)).unwrap().unwrap();
    near(witness.q, 1.75);
    near(witness.value, 1.5);
    near(witness.advantage, 0.25);
    let known = [
        ("s0 down", 1.0, 0.0, 1.0),
        ("s1 up", 0.25, 0.5, -0.75),
        ("s0 up", 0.75, 1.5, 0.0),
    ];
    are(&witness.visits.unwrap(), &known);
}

/// A walk home that costs 1 a step: 3 steps by the road, 2 over the lawn, which the expert avoids.
#[test]
fn a_shorter_way_loses_less() {
    let mut b = ModelBuilder::new(4, ["road", "lawn"], 0.9);
    let names = ["gate", "corner", "porch", "home"];
    b.state_names(names.map(str::to_owned).to_vec());
    b.start(0, 1.0).terminal(3);
    b.transition(0, 0, 1, 1.0).reward(0, 0, -1.0);
    b.transition(0, 1, 2, 1.0).reward(0, 1, -1.0);
    b.transition(1, 0, 2, 1.0).reward(1, 0, -1.0);
    b.transition(2, 0, 3, 1.0).reward(2, 0, -1.0);
    let env = expert_takes(b.build().unwrap(), &[0, 2, 3]);
    let context = ExplanationContext::exact(&env).unwrap();
    let lawn = context.witness(Pair(1)).unwrap().unwrap();
    assert_eq!(
        (lawn.shown, lawn.status),
        (Shown::Trajectories, PairStatus::Constrained)
    );
    assert_eq!(told(&lawn.trajectory), "gate lawn porch road home");
    near(lawn.trajectory.reward.unwrap(), -1.9);
    near(lawn.expert.reward.unwrap(), -2.71);
    near(lawn.gain_shown().unwrap(), 0.81);
    near(lawn.advantage, 0.81);
    let known = [
        ("corner road", 0.0, 0.9, 0.9),
        ("porch road", 0.9, 0.81, -0.09),
        ("gate road", 0.0, 1.0, 1.0),
        ("gate lawn", 1.0, 0.0, -1.0),
    ];
    let mut found = context.visit_changes(Pair(1)).unwrap();
    found.sort_by_key(|c| {
        known
            .iter()
            .position(|k| *k.0 == *format!("{} {}", c.place.name, c.action))
    });
    are(&found, &known);
}

/// On ice every try to cross pays 1 when it arrives, with 0.25, and loses 0.5 when the ice breaks,
/// with 0.25; else it is tried again. The expert stays on the shore for nothing.
#[test]
fn what_transitions_earn_is_earned_by_the_transition() {
    let mut b = ModelBuilder::new(4, ["stay", "cross"], 0.8);
    let names = ["shore", "ice", "far", "water"];
    b.state_names(names.map(str::to_owned).to_vec());
    b.start(0, 1.0).terminal(2).terminal(3);
    b.transition(0, 0, 0, 1.0).transition(0, 1, 1, 1.0);
    b.outcome((1, 1), 1, 0.5, 0.0, false);
    b.outcome((1, 1), 2, 0.25, 1.0, true);
    b.outcome((1, 1), 3, 0.25, -0.5, true);
    let env = expert_takes(b.build().unwrap(), &[0, 2]);
    let context = ExplanationContext::exact(&env).unwrap();
    let cross = context.witness(Pair(1)).unwrap().unwrap();
    // A try earns 0.125 on average, and there are 0.8 / (1 - 0.4) discounted tries.
    let tries = 0.8 / 0.6;
    near(cross.advantage, 0.125 * tries);
    assert_eq!(cross.shown, Shown::Visits);
    // Staying on the ice, the likeliest, earns nothing.
    assert_eq!(cross.trajectory.steps[1].reward, 0.0);
    let known = [
        ("ice cross", tries, 0.0, 0.125 * tries),
        ("shore stay", 0.0, 5.0, 0.0),
        ("shore cross", 1.0, 0.0, 0.0),
    ];
    are(&cross.visits.unwrap(), &known);
    // A learner that has seen one of each outcome, twice the ice, knows the same.
    let mut learner = Learner::new(env.task().clone(), Inference::default());
    learner.see_expert(Pair(0));
    learner.see_expert(Pair(2));
    learner.see_transition(Pair(0), State(0));
    learner.see_transition(Pair(1), State(1));
    for next in [1, 1, 2, 3] {
        learner.see_transition(Pair(2), State(next));
    }
    learner.refresh();
    let context = ExplanationContext::learned(&learner, None, 50);
    let cross = context.witness(Pair(1)).unwrap().unwrap();
    // Its values follow the data to 1e-12 of the rewards over `1 - gamma`.
    assert!((cross.advantage - 0.125 * tries).abs() < 1e-10);
    are(&cross.visits.unwrap(), &known);
    // What it does itself gains nothing, and not 1e-17.
    let stay = context.explain(State(0), None).unwrap();
    assert_eq!(stay.moves[0].advantage, 0.0);
}

#[test]
fn every_constrained_pair_of_the_gridworlds_has_a_better_way() {
    for name in GRIDWORLDS {
        let env = builtin::environment(name).unwrap();
        let context = ExplanationContext::exact(&env).unwrap();
        let cost = canonical(env.truth().model(), env.truth().expert(), 1.0).unwrap();
        let mut drawn = 0;
        for pair in env.task().all_pairs() {
            let constrained = context.status(pair) == PairStatus::Constrained;
            assert_eq!(constrained, cost.at(pair) > 0.0);
            if constrained {
                let w = context.witness(pair).unwrap().unwrap();
                let at = env.task().pair_name(pair);
                assert!(
                    w.gain_shown().is_none_or(|gain| gain > 0.0),
                    "{name} {at} {w:?}"
                );
                drawn += usize::from(w.shown == Shown::Trajectories);
            }
        }
        // Slips are rare there.
        assert!(
            4 * drawn > 3 * cost.support(),
            "{name}: {drawn} of {}",
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
    states
        .map(|s| context.explain(s, Some(true)).unwrap())
        .collect()
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
                Reason::Taken { .. } => assert!(largest.abs() < 1e-12),
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
    assert!(nothing.witness(Pair(0)).unwrap().is_none());
    let explained = nothing.explain(State(2), None).unwrap();
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
    let witness = some.witness(Pair(0)).unwrap().unwrap();
    assert_eq!(told(&witness.expert), "s0 long s1");
    assert_eq!(witness.expert.end, TrajectoryEnd::Unknown);
    assert_eq!(witness.status, PairStatus::Constrained);
    // Somebody more careful concludes less.
    some.set_status(Pair(0), PairStatus::Undecided);
    some.set_intervals(vec![(-0.5, 2.0); 4]);
    let careful = some.explain(State(2), None).unwrap();
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

/// The reward of a trajectory by walking it, round and round if it repeats itself.
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
    let sure = |from: usize| {
        way.steps[from..]
            .iter()
            .all(|s| s.choice * s.outcome == 1.0)
    };
    match (way.end, way.reward) {
        (TrajectoryEnd::Repeats(since), None) => assert!(!sure(since)),
        (_, reward) => assert!((reward.unwrap() - walked(way, gamma)).abs() < 1e-9),
    }
}

/// Expected discounted visits of every pair by following the distribution step by step: from the
/// first pair on, if there is one, else from the state on.
fn counted(
    task: &Task,
    context: &ExplanationContext<Rows>,
    state: State,
    first: Option<Pair>,
) -> Vec<f64> {
    let mut visits = vec![0.0; task.pairs()];
    let mut at = vec![0.0; task.states()];
    at[state.at()] = 1.0;
    let mut weight = 1.0;
    for step in 0..4000 {
        let mut after = vec![0.0; task.states()];
        for pair in task.all_pairs() {
            let here = at[task.state_of(pair).at()];
            let share = match first {
                Some(first) if step == 0 => f64::from(u8::from(pair == first)),
                _ => context.expert(pair),
            };
            visits[pair.at()] += weight * here * share;
            let (next, prob) = context.dynamics().row(pair);
            for (&s, &p) in next.iter().zip(prob) {
                after[s as usize] += here * share * p;
            }
        }
        at = after;
        weight *= task.gamma();
        if weight == 0.0 {
            break;
        }
    }
    visits
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
            let w = context.witness(pair).unwrap().unwrap();
            check_steps(&context, &w.trajectory, env.task().gamma());
            check_steps(&context, &w.expert, env.task().gamma());
            prop_assert_eq!(w.trajectory.steps[0].pair, pair);
            prop_assert!((w.q - w.value - w.advantage).abs() < 1e-7);
            prop_assert_eq!(w.visits.is_some(), w.shown == Shown::Visits);
            // What is drawn can happen, and differs about as much as is expected.
            if let Some(gain) = w.gain_shown() {
                let reward = env.task().reward()[pair.at()];
                let most = reward + env.task().gamma() * after(&context, pair, &best);
                prop_assert!(w.trajectory.reward.unwrap() <= most + 1e-9);
                prop_assert!((gain - w.advantage).abs() <= 0.5 * w.advantage.abs() + 1e-9);
                prop_assert!(w.trajectory.probability.min(w.expert.probability) >= 0.1);
            }
            // What visits contribute is the advantage.
            let changes = context.visit_changes(pair).unwrap();
            let sum: f64 = changes.iter().map(|c| c.contribution).sum();
            prop_assert!((sum - (w.q - w.value)).abs() < 1e-9, "{} {}", sum, w.q - w.value);
            let order = |c: &VisitChange| c.contribution.abs();
            prop_assert!(changes.is_sorted_by(|a, b| order(a) >= order(b)));
        }
        for state in env.task().all_states() {
            let explained = context.explain(state, None).unwrap();
            let constrained = explained.moves.iter().any(|m| m.status == PairStatus::Constrained);
            prop_assert_eq!(explained.witness.is_some(), constrained);
            prop_assert!(explained.moves.is_sorted_by(|a, b| a.advantage >= b.advantage));
        }
    }
}

proptest! {
    #![proptest_config(config(20))]

    #[test]
    fn visits_are_those_of_the_distribution(case in random_model(common::TINY), seed in any::<u64>()) {
        let expert = random_policy(case.model.task(), seed);
        let env = environment(case.model.clone(), expert, 1000);
        let context = ExplanationContext::exact(&env).unwrap();
        let task = env.task();
        for pair in task.all_pairs() {
            let with_move = counted(task, &context, task.state_of(pair), Some(pair));
            let expert = counted(task, &context, task.state_of(pair), None);
            let found = context.visit_changes(pair).unwrap();
            for p in task.all_pairs() {
                let change = with_move[p.at()] - expert[p.at()];
                match found.iter().find(|c| c.pair == p) {
                    Some(c) => {
                        prop_assert!((c.with_move - with_move[p.at()]).abs() < 1e-10);
                        prop_assert!((c.expert - expert[p.at()]).abs() < 1e-10);
                        prop_assert!((c.contribution - change * task.reward()[p.at()]).abs() < 1e-10);
                    }
                    None => prop_assert!(change.abs() < 1e-10),
                }
            }
        }
    }
}
