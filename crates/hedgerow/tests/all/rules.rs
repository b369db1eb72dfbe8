//! Rules that sum up verdicts: those that a reader would write, and none that claims more than the
//! verdicts do.

use hedgerow::columns::{Column, Value};
use hedgerow::constraint::{Constraint, Named};
use hedgerow::env::builtin;
use hedgerow::env::grid::Grid;
use hedgerow::index::{Pair, State};
use hedgerow::io::{columns_file, model_file};
use hedgerow::model::{Dynamics, Task};
use hedgerow::rules::{Known, Rule, Rules};
use hedgerow::seed::Stream;
use hedgerow::verdict::{Scope, Verdict};
use proptest::prelude::*;
use rand::RngExt;

fn grid(map: &str) -> hedgerow::env::Environment {
    Grid::new("drawn", Grid::symbols_of(map))
        .environment()
        .unwrap()
}

/// What a feature says of a pair, found anew: not by the codes that rules are made of.
fn value(
    task: &Task,
    rows: &dyn Dynamics,
    layout: &hedgerow::env::Layout,
    feature: &str,
    pair: Pair,
) -> Option<Value> {
    let here = layout.cell_of(task.state_of(pair));
    let (next, prob) = rows.row(pair);
    let most = (0..next.len())
        .find(|&i| prob[i] > 0.5)
        .map(|i| State(next[i]));
    let there = most
        .filter(|&s| !task.is_terminal(s))
        .and_then(|s| layout.cell_of(s));
    let number = |n: usize| Value::Number(n as f64);
    match feature {
        "action" => Some(Value::Word(
            task.action_name(task.action_of(pair)).to_owned(),
        )),
        "row" => here.map(|c| number(c.row)),
        "column" => here.map(|c| number(c.column)),
        "into row" => there.map(|c| number(c.row)),
        "into column" => there.map(|c| number(c.column)),
        other => panic!("{other}"),
    }
}

fn holds(found: &Option<Value>, from: &Value, to: &Value) -> bool {
    match (found, from, to) {
        (Some(Value::Number(x)), Value::Number(a), Value::Number(b)) => a <= x && x <= b,
        (Some(Value::Word(x)), Value::Word(a), Value::Word(b)) => a == b && x == a,
        _ => false,
    }
}

/// Every count of every rule, and that nothing taken is covered and every constrained pair is.
fn check(
    environment: &hedgerow::env::Environment,
    verdicts: &[Verdict],
    rules: &[Rule],
    left: usize,
) {
    let (task, layout) = (environment.task(), environment.layout().unwrap());
    let rows = environment.truth().model().rows();
    let mut covered = vec![false; verdicts.len()];
    for rule in rules {
        let mut counts = [0; 4];
        for pair in task.all_pairs() {
            let fits = rule
                .conditions
                .iter()
                .all(|c| holds(&value(task, rows, layout, &c.feature, pair), &c.from, &c.to));
            if fits {
                covered[pair.at()] = true;
                counts[verdicts[pair.at()] as usize] += 1;
            }
        }
        let found = |v: Verdict| counts[v as usize];
        assert_eq!(
            found(Verdict::Constrained),
            rule.constrained,
            "{}",
            rule.rule
        );
        assert_eq!(found(Verdict::Taken), 0, "{}", rule.rule);
        assert_eq!(found(Verdict::NoGain), rule.no_gain, "{}", rule.rule);
        assert_eq!(found(Verdict::Undecided), rule.undecided, "{}", rule.rule);
        assert!(rule.constrained > 0 && rule.taken == 0);
    }
    let bare = (0..verdicts.len()).filter(|&i| verdicts[i] == Verdict::Constrained && !covered[i]);
    assert_eq!(bare.count(), left);
}

#[test]
fn the_built_in_maps_are_summed_up_as_a_reader_would() {
    let (name, said) = ("gridworld-3", "no move into row 3, columns 0 to 4");
    let environment = builtin::environment(name).unwrap();
    let found = Constraint::exact(&environment, Scope::All).unwrap();
    let verdicts: Vec<Verdict> = found.pairs.iter().map(|p| p.verdict).collect();
    assert_eq!(found.rules[0].rule, said, "{name}");
    assert_eq!(found.unruled, 0, "{name}");
    check(&environment, &verdicts, &found.rules, found.unruled);
    assert!(found.text(true).contains(said));
    for name in builtin::names() {
        let environment = builtin::environment(&name).unwrap();
        if environment.task().pairs() > 20_000 {
            continue;
        }
        let found = Constraint::exact(&environment, Scope::All).unwrap();
        let verdicts: Vec<Verdict> = found.pairs.iter().map(|p| p.verdict).collect();
        check(&environment, &verdicts, &found.rules, found.unruled);
        assert_eq!(found.unruled, 0, "{name}");
    }
}

/// Verdicts set by hand on a map of one start and open cells.
fn summed_up(map: &str, mark: impl Fn(&Task, Pair) -> Verdict) -> Vec<String> {
    let environment = grid(map);
    let task = environment.task();
    let verdicts: Vec<Verdict> = task.all_pairs().map(|p| mark(task, p)).collect();
    let rows = environment.truth().model().rows();
    let known = Known::new(task, rows, environment.layout());
    let found = Rules::of(&known, &verdicts);
    check(&environment, &verdicts, &found.rules, found.left);
    found.rules.into_iter().map(|r| r.rule).collect()
}

const OPEN: &str = ". . . . G\n. . . . .\n. . . . .\nS . . . .";

#[test]
fn actions_rows_columns_and_cells_are_named() {
    let is = |task: &Task, p: Pair, action: &str| task.action_name(task.action_of(p)) == action;
    let at = |task: &Task, p: Pair| task.state_name(task.state_of(p));
    let marked = |yes: bool| {
        if yes {
            Verdict::Constrained
        } else {
            Verdict::NoGain
        }
    };
    let all = summed_up(OPEN, |t, p| marked(is(t, p, "up")));
    assert_eq!(all, ["no `up`"]);
    let row = summed_up(OPEN, |t, p| {
        marked(is(t, p, "up") && at(t, p).starts_with("cell 2,"))
    });
    assert_eq!(row, ["no `up` into row 3"]);
    let one = summed_up(OPEN, |t, p| {
        marked(is(t, p, "up") && at(t, p) == "cell 1,2")
    });
    assert_eq!(one, ["no `up` into cell 2,2"]);
    assert!(summed_up(OPEN, |_, _| Verdict::NoGain).is_empty());
}

#[test]
fn a_rule_is_split_where_the_expert_takes_a_pair() {
    let is = |task: &Task, p: Pair| task.action_name(task.action_of(p)) == "up";
    let split = summed_up(OPEN, |t, p| {
        match (is(t, p), t.state_name(t.state_of(p)).as_str()) {
            (true, "cell 1,2") => Verdict::Taken,
            (true, _) => Verdict::Constrained,
            _ => Verdict::NoGain,
        }
    });
    assert!(split.len() > 1, "{split:?}");
    assert!(split.iter().all(|r| r != "no `up`"), "{split:?}");
}

#[test]
fn columns_of_the_users_make_rules_of_any_model() {
    let text = r#"{"format": "hedgerow-model/1", "states": ["a", "b", "c", "d", "end"], "actions": ["go", "wait"],
        "gamma": 0.9, "start": [["a", 1.0]], "terminal": ["end"],
        "transitions": [["a", "go", "b", 1.0], ["a", "wait", "a", 1.0], ["b", "go", "c", 1.0], ["b", "wait", "b", 1.0],
            ["c", "go", "d", 1.0], ["c", "wait", "c", 1.0], ["d", "go", "end", 1.0], ["d", "wait", "d", 1.0]],
        "rewards": [["d", "go", 1.0]],
        "expert": [["a", "go", 1.0], ["b", "go", 1.0], ["c", "go", 1.0], ["d", "go", 1.0]]}"#;
    let environment = model_file::parse(text, "line").unwrap();
    let task = environment.task();
    let table = "state,action,depth,zone\na,*,1,dock\nb,*,2,yard\nc,*,3.5,dock\nd,go,9,yard\n";
    let columns = columns_file::parse(table, task).unwrap();
    let known = Known::new(task, environment.truth().model().rows(), None).with(&columns);
    let go = |states: &[usize]| -> Vec<Verdict> {
        task.all_pairs()
            .map(|p| {
                let marked = states.contains(&task.state_of(p).at()) && task.action_of(p).at() == 0;
                if marked {
                    Verdict::Constrained
                } else {
                    Verdict::Taken
                }
            })
            .collect()
    };
    let said = |states: &[usize]| -> Vec<String> {
        let found = Rules::of(&known, &go(states));
        assert_eq!(found.left, 0);
        found.rules.into_iter().map(|r| r.rule).collect()
    };
    assert_eq!(said(&[0, 2]), ["no `go` where zone is dock"]);
    assert_eq!(said(&[1, 2]), ["no `go` where depth is 2 to 3.5"]);
    assert_eq!(said(&[2]), ["no `go` where depth is 3.5"]);
    assert_eq!(said(&[0, 1, 2, 3]), ["no `go`"]);
    let named = Named {
        columns: &columns,
        classes: None,
    };
    let exact = Constraint::exact_with(&environment, Scope::All, &named).unwrap();
    assert!(exact.rules.is_empty() && exact.constrained == 0);
}

#[test]
fn a_table_that_says_nothing_right_is_refused() {
    let environment = grid("S . G");
    let task = environment.task();
    for (text, said) in [
        ("action,room\n", "line 1: the columns are `action,room`"),
        ("state,action\n", "line 1: there is no column of your own"),
        ("state,a,a\n", "line 1: two columns are called `a`"),
        (
            "state,room\n\"cell 0,7\",x\n",
            "line 2: unknown state `cell 0,7`",
        ),
        (
            "state,action,room\n\"cell 0,0\",fly,x\n",
            "line 2: unknown action `fly`",
        ),
        ("state,room\n0,x\n0,y\n", "line 3: "),
        ("state,room\n0,\"a\nb\"\n", "has a control character"),
    ] {
        let message = columns_file::parse(text, task).unwrap_err().to_string();
        assert!(message.contains(said), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn numbers_are_ordered_whatever_their_text() {
    let column = Column::of_text(
        "x",
        [
            Some("10"),
            Some("9"),
            Some("1e1"),
            None,
            Some("-0"),
            Some("0"),
        ],
    );
    assert!(column.is_ordered());
    let codes: Vec<Option<u32>> = (0..6).map(|i| column.code(i)).collect();
    assert_eq!(codes, [Some(2), Some(1), Some(2), None, Some(0), Some(0)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// On random maps with random verdicts all counts are right, nothing taken is covered, and every
    /// constrained pair is in a rule.
    #[test]
    fn rules_claim_what_the_verdicts_say(seed in 0_u64..1_000, share in 1_u32..5) {
        let mut stream = Stream::new(seed, "rules");
        let mut map = String::new();
        for row in 0..5 {
            for column in 0..6 {
                let wall = stream.random_range(0..6) == 0;
                map.push(match (row, column, wall) {
                    (4, 0, _) => 'S',
                    (0, 5, _) => 'G',
                    (_, _, true) => '#',
                    _ => '.',
                });
            }
            map.push('\n');
        }
        let Ok(environment) = Grid::new("random", Grid::symbols_of(&map)).environment() else {
            return Ok(());
        };
        let task = environment.task();
        let verdicts: Vec<Verdict> = task.all_pairs().map(|_| match stream.random_range(0..8) {
            0 => Verdict::Taken,
            1 => Verdict::Undecided,
            n if n < 2 + share => Verdict::Constrained,
            _ => Verdict::NoGain,
        }).collect();
        let known = Known::new(task, environment.truth().model().rows(), environment.layout());
        let found = Rules::of(&known, &verdicts);
        // A random scatter may need more rules than are made.
        prop_assert!(found.left == 0 || found.rules.len() == 100);
        check(&environment, &verdicts, &found.rules, found.left);
        prop_assert_eq!(Rules::of(&known, &verdicts), found);
    }
}
