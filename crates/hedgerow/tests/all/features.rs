//! Which features a cost consists of, against answers by hand and costs that are known.

use crate::common;

use common::{Kind, draw};
use hedgerow::constraint::Constraint;
use hedgerow::costset::{CostSet, FeatureFound, Features};
use hedgerow::env::builtin;
use hedgerow::index::Pair;
use hedgerow::io::features_file;
use hedgerow::model::{Dynamics, Model, ModelBuilder, Policy};
use hedgerow::solve::{Mdp, hard};
use hedgerow::verdict::Scope;

/// One state, one step; what every action earns.
fn once(rewards: &[f64]) -> Model {
    let names: Vec<String> = (0..rewards.len()).map(|a| format!("a{a}")).collect();
    let mut b = ModelBuilder::new(2, names, 0.5);
    b.start(0, 1.0).terminal(1);
    for (a, &r) in rewards.iter().enumerate() {
        b.transition(0, a, 1, 1.0).reward(0, a, r);
    }
    b.build().unwrap()
}

fn features(model: &Model, given: &[(&str, &[f64])]) -> Features {
    let given = given.iter().map(|(n, v)| ((*n).to_owned(), v.to_vec()));
    Features::new(model.task(), given.collect()).unwrap()
}

#[test]
fn features_of_doors_by_hand() {
    // The expert takes the last of four; two pay more, one does not.
    let model = once(&[1.0, 0.8, 0.1, 0.5]);
    let expert = Policy::new(model.task(), vec![0.0, 0.0, 0.0, 1.0]).unwrap();
    let set = CostSet::of(&model, &expert, 0.0, 1.0).unwrap();
    let given = features(
        &model,
        &[
            ("red", &[1.0, 0.0, 0.0, 0.0]),
            ("blue", &[0.0, 2.0, 0.0, 0.0]),
            ("heavy", &[1.0, 0.0, 1.0, 0.0]),
            ("door", &[1.0, 1.0, 0.0, 1.0]),
        ],
    );
    let found = given.found_in(&set);
    // The first is explained by red or heavy, the second by blue alone, as the expert takes a door.
    let known = [
        FeatureFound::Possible,
        FeatureFound::Certain(Pair(1)),
        FeatureFound::Possible,
        FeatureFound::Excluded(Pair(3)),
    ];
    assert_eq!(found.features, known);
    assert!(found.unexplained.is_empty());
    let ranges: Vec<String> = given
        .ranges(&set)
        .unwrap()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(ranges, ["[0, 1]", "(0, 0.5]", "[0, 1]", "[0, 0]"]);
    // Without blue nothing explains the second.
    let fewer = features(&model, &[("red", &[1.0, 0.0, 0.0, 0.0])]);
    assert_eq!(fewer.found_in(&set).unexplained, [Pair(1)]);
    assert_eq!(fewer.ranges(&set).unwrap(), None);
}

#[test]
fn weights_under_a_budget_by_hand() {
    // slow earns 1/2, fast 1; the expert takes slow within 1/4. It is optimal if slow costs all of the
    // budget and fast more: with a weight of 1/4 on both and anything up to 3/4 on fast.
    let model = once(&[1.0, 0.5]);
    let expert = Policy::new(model.task(), vec![0.0, 1.0]).unwrap();
    let set = CostSet::of(&model, &expert, 0.25, 1.0).unwrap();
    let given = features(&model, &[("step", &[1.0, 1.0]), ("fast", &[1.0, 0.0])]);
    let ranges = given.ranges(&set).unwrap().unwrap();
    for (range, [low, high]) in ranges.iter().zip([[0.25, 0.25], [0.0, 0.75]]) {
        assert!((range.low - low).abs() < 1e-6, "{range}");
        assert!((range.high - high).abs() < 1e-6, "{range}");
    }
    // Alone, a weight on both cannot make fast the dearer one.
    let step = features(&model, &[("step", &[1.0, 1.0])]);
    assert_eq!(step.ranges(&set).unwrap(), None);
}

#[test]
fn a_wall_is_told_from_its_neighbours() {
    let environment = builtin::environment("gridworld-3").unwrap();
    let task = environment.task();
    let rows = environment.truth().model().rows();
    // Moves into row 3 left of column 5, into row 2, and into column 5.
    let into = |chosen: &dyn Fn(&str) -> bool| -> Vec<f64> {
        let leads = |p| {
            rows.likeliest(p)
                .is_some_and(|s| chosen(&task.state_name(s)))
        };
        task.all_pairs()
            .map(|p| f64::from(u8::from(leads(p))))
            .collect()
    };
    let wall = |name: &str| (0..5).any(|c| name == format!("cell 3,{c}"));
    let given = Features::new(
        task,
        vec![
            ("wall".into(), into(&wall)),
            ("row 2".into(), into(&|n| n.starts_with("cell 2,"))),
            ("column 5".into(), into(&|n| n.ends_with(",5"))),
        ],
    )
    .unwrap();
    let constraint = Constraint::exact(&environment, Scope::All).unwrap();
    let found = constraint.features(task, &given).unwrap();
    assert!(
        matches!(found.features[0], FeatureFound::Certain(_)),
        "{found:?}"
    );
    assert!(
        matches!(found.features[1], FeatureFound::Excluded(_)),
        "{found:?}"
    );
    assert!(
        matches!(found.features[2], FeatureFound::Excluded(_)),
        "{found:?}"
    );
    assert!(found.unexplained.is_empty(), "{found:?}");
}

const KIND: Kind = Kind {
    states: 2..=8,
    actions: 4,
    gammas: &[0.9],
    holes: false,
};

/// What was judged of the features of one random model, with their true weights; `None` if some state
/// has no free pair or no feature is left.
fn judged(seed: u64) -> Option<Vec<(FeatureFound, f64)>> {
    let case = draw(&KIND, 2 + seed as usize % 7, 1, 0.9, seed);
    let (model, task) = (&case.model, case.task());
    // Each pair has one or two of four features, drawn with the model.
    let has = |j: usize, i: usize| {
        let draw = (case.cost[i] * 1000.0) as usize + (case.weights[i].abs() * 1000.0) as usize;
        draw % 4 == j || (draw / 4).is_multiple_of(4) && (draw / 16) % 4 == j
    };
    let values = |j: usize| -> Vec<f64> {
        (0..task.pairs())
            .map(|i| f64::from(u8::from(has(j, i))))
            .collect()
    };
    let given = (0..4).map(|j| (format!("f{j}"), values(j), ((seed >> j) % 2) as f64));
    let given: Vec<_> = given.filter(|g| g.1.iter().any(|&x| x > 0.0)).collect();
    let cost: Vec<f64> = (0..task.pairs())
        .map(|i| {
            given
                .iter()
                .map(|(_, values, theta)| theta * values[i])
                .sum()
        })
        .collect();
    // Where every state has a free pair, the expert pays nothing anywhere.
    let free = |s| task.is_terminal(s) || task.pairs_of(s).any(|i| cost[i] == 0.0);
    if given.is_empty() || !task.all_states().all(free) {
        return None;
    }
    let named = given
        .iter()
        .map(|(name, values, _)| (name.clone(), values.clone()));
    let features = Features::new(task, named.collect()).unwrap();
    let expert = hard(&Mdp::of(model), &cost)
        .unwrap()
        .solution()
        .unwrap()
        .policy;
    let found = features.found_in(&CostSet::of(model, &expert, 0.0, 1.0).unwrap());
    assert!(found.unexplained.is_empty(), "{seed}: {found:?}");
    Some(
        found
            .features
            .into_iter()
            .zip(given.iter().map(|g| g.2))
            .collect(),
    )
}

#[test]
fn no_feature_is_judged_wrongly() {
    let (mut excluded, mut certain) = (0, 0);
    for seed in 0..1000 {
        for (known, theta) in judged(seed).into_iter().flatten() {
            match known {
                FeatureFound::Excluded(_) => {
                    assert_eq!(theta, 0.0, "{seed}");
                    excluded += 1;
                }
                FeatureFound::Certain(_) => {
                    assert!(theta > 0.0, "{seed}");
                    certain += 1;
                }
                FeatureFound::Possible => {}
            }
        }
    }
    assert!(excluded > 100 && certain > 30, "{excluded} {certain}");
}

#[test]
fn what_is_wrong_with_a_table_is_said() {
    let model = once(&[1.0, 0.5]);
    for (text, words) in [
        (
            "place,action,x\n",
            "line 1: the columns are `place,action,x`",
        ),
        ("state,action\n0,a0\n", "features: there are none"),
        (
            "state,action,x\n0,a0,much\n",
            "line 2: `much` is not a number",
        ),
        ("state,action,x\n0,a0,-1\n", "feature `x`: -1 at (s0, a0)"),
        ("state,action,x\n0,a0,nan\n", "feature `x`: NaN at (s0, a0)"),
        ("state,action,x\n0,a0,0\n", "feature `x`: 0 at every pair"),
        (
            "state,action,x\n0,*,1\n0,a1,1\n",
            "line 3: (s0, a1) is given twice",
        ),
        ("state,action,x,x\n0,*,1,1\n", "feature `x`: given twice"),
        (
            "state,action,x\n5,a0,1\n",
            "line 2: state 5 is out of range",
        ),
        ("state,action,x\n0,up,1\n", "line 2: "),
    ] {
        let message = features_file::parse(text, model.task())
            .unwrap_err()
            .to_string();
        assert!(message.starts_with(words), "{message}");
    }
    let found = features_file::parse("state,action,x,y\n0,*,1,0\n1,*,1,1\n", model.task());
    let message = found.unwrap_err().to_string();
    assert!(
        message.starts_with("feature `y`: 0 at every pair"),
        "{message}"
    );
}
