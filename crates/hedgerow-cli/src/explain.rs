//! `hedgerow explain`: why a cell, a state or a pair counts as constrained.

use crate::environment::Chosen;
use crate::map;
use crate::terminal::{number, print, print_json, table};
use clap::Args;
use hedgerow::env::{Environment, Layout};
use hedgerow::explain::{End, Explanation, Move, Scene, Shown, Way, Witness};
use hedgerow::index::{Pair, State};
use hedgerow::io::{find_pair, find_state};
use hedgerow::learn::Standing;
use hedgerow::model::Dynamics;
use hedgerow::{Error, Result};
use serde::Serialize;

/// Moves listed on the terminal; `--json` has them all.
const LISTED: usize = 8;

/// Why a cell, a state or a pair counts as constrained, or why it does not.
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    what: What,
    /// Explain what follows from the true dynamics and the expert's policy.
    #[arg(long)]
    exact: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct What {
    /// A cell of a grid.
    #[arg(long, value_name = "ROW,COLUMN")]
    cell: Option<String>,
    /// A state by name or index.
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// A pair: a cell or state, a comma, and an action by name or index.
    #[arg(long, value_name = "STATE,ACTION", allow_hyphen_values = true)]
    pair: Option<String>,
}

/// What is asked for, looked up.
enum Asked {
    Place(State),
    Pair(Pair),
}

/// The answer, as JSON shows it.
#[derive(Serialize)]
struct Report {
    env: String,
    exact: bool,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Place(Explanation),
    Pair(Option<Witness>),
}

impl Explain {
    /// Explains and prints.
    pub fn run(&self) -> Result<()> {
        if !self.exact {
            return Err(Error::invalid(
                "explain",
                "explanations of what a learner found are not there yet",
                "add --exact to explain what follows from known dynamics",
            ));
        }
        let environment = self.chosen.open()?;
        let asked = self.what.find(&environment)?;
        let scene = Scene::exact(&environment)?;
        let truth = environment.truth().cost();
        let charged = |state: State| match truth.support() {
            0 => None,
            _ => Some(truth.by_state(environment.task())[state.at()] > 0.0),
        };
        let answer = answer(&scene, &asked, charged);
        if self.json {
            return print_json(&Report {
                env: environment.name().to_owned(),
                exact: true,
                answer,
            });
        }
        let title = format!(
            "{}: explained with known dynamics\n{}\n",
            environment.name(),
            note(environment.truth().budget())
        );
        print(&(title + &text(&answer, environment.layout())))
    }
}

/// What an explanation by hard constraints leaves out.
fn note(budget: f64) -> String {
    match budget > 0.0 {
        true => format!(
            "The expert has a budget of {}: only hard constraints are explained, not what a budget pays for.\n",
            number(budget)
        ),
        false => String::new(),
    }
}

impl What {
    fn find(&self, environment: &Environment) -> Result<Asked> {
        let (task, layout) = (environment.task(), environment.layout());
        if let Some(pair) = &self.pair {
            return find_pair(task, layout, pair).map(Asked::Pair);
        }
        if let Some(cell) = &self.cell {
            if layout.is_none() {
                return Err(Error::invalid(
                    "--cell",
                    format!("{} has no map", environment.name()),
                    "name the state with --state",
                ));
            }
            if !cell.contains(',') {
                let remedy = "write ROW,COLUMN, counted from the lower left";
                return Err(Error::invalid("--cell", format!("`{cell}`"), remedy));
            }
            return find_state(task, layout, cell)
                .map(Asked::Place)
                .map_err(|_| {
                    Error::invalid(
                        "--cell",
                        format!("`{cell}` is not an open cell of the map"),
                        "choose ROW,COLUMN of one, counted from the lower left",
                    )
                });
        }
        let state = self.state.as_deref().unwrap_or_default();
        find_state(task, layout, state).map(Asked::Place)
    }
}

/// The answer for any scene, exact or learned. `charged` says whether the true cost charges a
/// state, where that is known.
fn answer<D: Dynamics>(
    scene: &Scene<D>,
    asked: &Asked,
    charged: impl Fn(State) -> Option<bool>,
) -> Answer {
    match *asked {
        Asked::Place(state) => Answer::Place(scene.explain(state, charged(state))),
        Asked::Pair(pair) => Answer::Pair(scene.witness(pair)),
    }
}

fn text(answer: &Answer, layout: Option<&Layout>) -> String {
    match answer {
        Answer::Pair(None) => "This pair was never tried: nothing is known of it.\n".to_owned(),
        Answer::Pair(Some(witness)) => shown(witness, layout),
        Answer::Place(explanation) => {
            let mut text = format!("{}\n", explanation.words);
            if !explanation.moves.is_empty() {
                text.push_str(&format!("\n{}", listed(&explanation.moves)));
            }
            if let Some(witness) = &explanation.witness {
                text.push_str(&format!("\n{}", shown(witness, layout)));
            }
            text
        }
    }
}

fn listed(moves: &[Move]) -> String {
    let rows = moves.iter().take(LISTED).map(|m| {
        [
            m.from.name.clone(),
            m.action.clone(),
            verdict(m.standing).to_owned(),
            number(m.probability),
            number(m.advantage),
        ]
    });
    let header = ["move from", "action", "verdict", "gets there", "advantage"];
    let mut text = table(header, 3, rows.collect());
    let more = moves.len().saturating_sub(LISTED);
    if more > 0 {
        text.push_str(&format!("and {more} more: --json lists them all\n"));
    }
    text
}

fn verdict(standing: Standing) -> &'static str {
    match standing {
        Standing::Unseen => "never tried",
        Standing::Chosen => "the expert's",
        Standing::Constrained => "constrained",
        Standing::Free => "free",
        Standing::Undecided => "undecided",
    }
}

/// The two ways, side by side, and what they are worth.
fn shown(witness: &Witness, layout: Option<&Layout>) -> String {
    let mut text = format!(
        "{} in {}, then as the expert (left), and the expert at once (right):\n\n",
        witness.action, witness.start.name
    );
    let ways = [(&witness.way, '*'), (&witness.expert, 'o')];
    match layout {
        Some(layout) => {
            let [left, right] = ways.map(|(way, mark)| drawn(layout, witness, way, mark));
            text.push_str(&beside(&left, &right));
            text.push_str("\n@ start, * after the move, o the expert\n");
        }
        None => ways.iter().for_each(|(way, mark)| {
            text.push_str(&format!("{mark} {}\n", in_line(way)));
        }),
    }
    let rows = [
        (
            "along the drawn way",
            witness.way.reward,
            witness.expert.reward,
        ),
        (
            "probability of that way",
            witness.way.probability,
            witness.expert.probability,
        ),
        ("expected", witness.q, witness.value),
    ];
    let rows = rows.map(|(what, a, b)| [what.to_owned(), number(a), number(b), number(a - b)]);
    let mut rows = rows.to_vec();
    // A difference of probabilities means nothing, and the advantage is known without rounding.
    rows[1][3].clear();
    rows[2][3] = number(witness.advantage);
    let header = ["discounted reward", "with the move", "expert", "gain"];
    text.push_str(&format!(
        "\n{}\n{}",
        table(header, 1, rows),
        remark(witness)
    ));
    text
}

fn remark(witness: &Witness) -> String {
    let verdict = match witness.standing {
        Standing::Constrained => {
            "The expert leaves this move alone although it would pay: it is constrained."
        }
        Standing::Chosen => "The expert makes this move itself.",
        Standing::Free => "The move would not pay: nothing has to forbid it.",
        Standing::Undecided => "Whether the move would pay is not known yet.",
        Standing::Unseen => "The move was never tried.",
    };
    let how = match (witness.shown, witness.likely_reward) {
        (Shown::Lucky, Some(likely)) => format!(
            "The way drawn on the left takes luck; the most likely one earns {}.\n",
            number(likely)
        ),
        (Shown::Average, _) => {
            "No single way shows the gain: it is one on average over all outcomes.\n".to_owned()
        }
        _ => String::new(),
    };
    format!("{how}{verdict}\n")
}

fn drawn(layout: &Layout, witness: &Witness, way: &Way, mark: char) -> String {
    let cell = |place: &hedgerow::explain::Place| place.cell;
    let mut marked: Vec<[usize; 2]> = way.steps.iter().filter_map(|s| cell(&s.place)).collect();
    marked.extend(way.last.as_ref().and_then(cell));
    map::draw(layout, |c| {
        let here = [c.row, c.column];
        if witness.start.cell == Some(here) {
            '@'
        } else if marked.contains(&here) {
            mark
        } else {
            layout.symbol(c)
        }
    })
}

fn beside(left: &str, right: &str) -> String {
    let width = left
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    let lines = left.lines().zip(right.lines());
    lines
        .map(|(l, r)| format!("{l:<width$}     {r}\n"))
        .collect()
}

/// A way as a line of states and actions.
fn in_line(way: &Way) -> String {
    let mut text = String::new();
    for step in &way.steps {
        text.push_str(&format!("{} --{}--> ", step.place.name, step.action));
    }
    text.push_str(way.last.as_ref().map_or("?", |place| &place.name));
    match way.end {
        End::Terminal => {}
        End::Repeats(_) => text.push_str(", and round again"),
        End::Horizon => text.push_str(", and on"),
        End::Unknown => text.push_str(", and nobody knows how it goes on"),
    }
    text
}
