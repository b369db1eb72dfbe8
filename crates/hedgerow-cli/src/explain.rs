//! `hedgerow explain`: why a cell, a state or a pair counts as constrained.

use crate::environment::Chosen;
use crate::infer::{Evidence, Gathering, charged};
use crate::map;
use crate::terminal::{ended, number, print, print_json, table};
use clap::Args;
use hedgerow::env::{Cell, Layout};
use hedgerow::explain::{
    Explanation, ExplanationContext, Move, Trajectory, TrajectoryEnd, Witness,
};
use hedgerow::index::{Pair, State};
use hedgerow::io::{self, find_pair, find_state};
use hedgerow::learn::Estimate;
use hedgerow::model::{Dynamics, Task};
use hedgerow::run::Stop;
use hedgerow::verdict::Verdict;
use hedgerow::{Error, Result};
use serde::Serialize;
use std::process::ExitCode;

/// Moves listed on the terminal; `--json` has them all.
const LISTED: usize = 8;

/// Why a cell, a state or a pair counts as constrained, or why it does not.
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    what: What,
    /// Explain what follows from the true dynamics and the expert's policy instead of exploring.
    #[arg(long, conflicts_with_all = ["confidence", "samples", "strategy", "demos", "logs"])]
    exact: bool,
    #[command(flatten)]
    gathering: Gathering,
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
    pub fn run(&self) -> Result<ExitCode> {
        if self.exact {
            self.explain_truth()?;
            return Ok(ExitCode::SUCCESS);
        }
        Ok(ended(self.explain_evidence()?))
    }

    fn explain_truth(&self) -> Result<()> {
        let environment = self.chosen.open()?;
        let (task, layout) = (environment.task(), environment.layout());
        let asked = self.what.find(task, layout, environment.name())?;
        let context = ExplanationContext::exact(&environment)?;
        let answer = answer(&context, &asked, charged(&environment).as_deref());
        let title = format!(
            "{}: explained with known dynamics\n{}",
            environment.name(),
            note(environment.truth().budget())
        );
        let drawing = layout.map(|layout| Drawing::new(layout, None));
        self.print(environment.name(), &title, answer, drawing.as_ref())
    }

    /// Whether the search was interrupted.
    fn explain_evidence(&self) -> Result<bool> {
        crate::domains::require_finite(&self.chosen.env)?;
        let known = io::open_task(&self.chosen.env)?;
        // A wrong place is refused before a long search for it.
        let asked = self
            .what
            .find(&known.task, known.layout.as_ref(), &known.name)?;
        let evidence = self.gathering.evidence(&self.chosen)?;
        let context = context(&evidence);
        let answer = answer(&context, &asked, evidence.charged.as_deref());
        let criteria = evidence.verdicts.criteria();
        let title = format!(
            "{}: explained from {} samples{}; all verdicts are right with probability {}, advantages within {} count as none\n",
            evidence.env,
            evidence.verdicts.samples(),
            cut(&evidence),
            number(criteria.confidence),
            number(criteria.margin)
        );
        let drawing = evidence
            .layout
            .as_ref()
            .map(|layout| Drawing::new(layout, Some(&evidence)));
        self.print(&evidence.env, &title, answer, drawing.as_ref())?;
        Ok(evidence.is_interrupted())
    }

    fn print(
        &self,
        env: &str,
        title: &str,
        answer: Answer,
        drawing: Option<&Drawing>,
    ) -> Result<()> {
        if self.json {
            return print_json(&Report {
                env: env.to_owned(),
                exact: self.exact,
                answer,
            });
        }
        print(&format!("{title}\n{}", text(&answer, drawing)))
    }
}

/// How the search ended, if not by deciding everything.
fn cut(evidence: &Evidence) -> &'static str {
    match evidence.stop {
        Some(Stop::Interrupted) => " (interrupted)",
        Some(Stop::Samples) => " (all there were; some verdicts are open)",
        _ => "",
    }
}

/// What was learned, with the verdicts in place of plug-in widths.
fn context(evidence: &Evidence) -> ExplanationContext<'_, Estimate> {
    let layout = evidence.layout.as_ref();
    ExplanationContext::with_verdicts(
        &evidence.learner,
        layout,
        evidence.horizon,
        &evidence.verdicts,
    )
}

/// A map to draw ways on: with the true constraint, or with what was found out.
struct Drawing<'a> {
    layout: &'a Layout,
    found: Option<Vec<Verdict>>,
}

impl<'a> Drawing<'a> {
    fn new(layout: &'a Layout, evidence: Option<&Evidence>) -> Self {
        let on_states = |e: &Evidence| e.verdicts.on_states(&e.learner);
        Self {
            layout,
            found: evidence.map(on_states),
        }
    }

    fn symbol(&self, cell: Cell) -> char {
        let symbol = self.layout.symbol(cell);
        let Some(found) = &self.found else {
            return symbol;
        };
        let mut states = self.layout.states_at(cell).iter();
        if states.any(|s| found[s.at()] == Verdict::Constrained) {
            return 'x';
        }
        // The true constraint is not drawn here.
        if symbol == 'x' { '.' } else { symbol }
    }
}

/// What an explanation by hard constraints leaves out.
fn note(budget: f64) -> String {
    match budget > 0.0 {
        true => format!(
            "The expert has a budget of {}: constrained is what costs more than its own way, not what costs anything.\n",
            number(budget)
        ),
        false => String::new(),
    }
}

impl What {
    fn find(&self, task: &Task, layout: Option<&Layout>, name: &str) -> Result<Asked> {
        if let Some(pair) = &self.pair {
            return find_pair(task, layout, pair).map(Asked::Pair);
        }
        if let Some(cell) = &self.cell {
            if layout.is_none() {
                return Err(Error::invalid(
                    "--cell",
                    format!("{name} has no map"),
                    "name the state with --state",
                ));
            }
            if !cell.contains(',') {
                let remedy = "write ROW,COLUMN, counted from the lower left";
                return Err(Error::invalid("--cell", format!("`{cell}`"), remedy));
            }
            return find_state(task, layout, cell)
                .map(Asked::Place)
                .map_err(|e| match e.to_string().contains("states share cell") {
                    true => e,
                    false => Error::invalid(
                        "--cell",
                        format!("`{cell}` is not an open cell of the map"),
                        "choose ROW,COLUMN of one, counted from the lower left",
                    ),
                });
        }
        let state = self.state.as_deref().unwrap_or_default();
        find_state(task, layout, state).map(Asked::Place)
    }
}

/// The answer for any context, exact or learned. `charged` says whether the true cost charges a
/// state, where that is known.
fn answer<D: Dynamics>(
    context: &ExplanationContext<D>,
    asked: &Asked,
    charged: Option<&[bool]>,
) -> Answer {
    match *asked {
        Asked::Place(state) => {
            Answer::Place(context.explain(state, charged.map(|c| c[state.at()])))
        }
        Asked::Pair(pair) => Answer::Pair(context.witness(pair)),
    }
}

fn text(answer: &Answer, drawing: Option<&Drawing>) -> String {
    match answer {
        Answer::Pair(None) => "This pair was never tried: nothing is known of it.\n".to_owned(),
        Answer::Pair(Some(witness)) => shown(witness, drawing),
        Answer::Place(explanation) => {
            let mut text = format!("{}\n", explanation.words);
            if !explanation.moves.is_empty() {
                text.push_str(&format!("\n{}", listed(&explanation.moves)));
            }
            if let Some(witness) = &explanation.witness {
                text.push_str(&format!("\n{}", shown(witness, drawing)));
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
            m.verdict().to_owned(),
            number(m.probability),
            number(m.advantage),
        ]
    });
    let header = ["move from", "action", "verdict", "gets there", "advantage"];
    let mut text = table(header, 3, rows);
    let more = moves.len().saturating_sub(LISTED);
    if more > 0 {
        text.push_str(&format!("and {more} more: --json lists them all\n"));
    }
    text
}

/// The two trajectories, side by side, and what they earn.
fn shown(witness: &Witness, drawing: Option<&Drawing>) -> String {
    let mut text = format!(
        "{} in {}, then as the expert (left), and the expert at once (right):\n\n",
        witness.action, witness.start.name
    );
    let ways = [(&witness.trajectory, '*'), (&witness.expert, 'o')];
    match drawing {
        Some(drawing) => {
            let [left, right] = ways.map(|(way, mark)| drawn(drawing, witness, way, mark));
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
            witness.trajectory.reward,
            witness.expert.reward,
        ),
        (
            "probability of that way",
            witness.trajectory.probability,
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
        "\n{}\n{}\n",
        table(header, 1, rows),
        witness.remark()
    ));
    text
}

fn drawn(drawing: &Drawing, witness: &Witness, way: &Trajectory, mark: char) -> String {
    let cell = |place: &hedgerow::explain::Place| place.cell;
    let mut marked: Vec<[usize; 2]> = way.steps.iter().filter_map(|s| cell(&s.place)).collect();
    marked.extend(way.last.as_ref().and_then(cell));
    map::draw(drawing.layout, |c| {
        let here = [c.row, c.column];
        if witness.start.cell == Some(here) {
            '@'
        } else if marked.contains(&here) {
            mark
        } else {
            drawing.symbol(c)
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
fn in_line(way: &Trajectory) -> String {
    let mut text = String::new();
    for step in &way.steps {
        text.push_str(&format!("{} --{}--> ", step.place.name, step.action));
    }
    text.push_str(way.last.as_ref().map_or("?", |place| &place.name));
    match way.end {
        TrajectoryEnd::Terminal => {}
        TrajectoryEnd::Repeats(_) => text.push_str(", and round again"),
        TrajectoryEnd::Horizon => text.push_str(", and on"),
        TrajectoryEnd::Unknown => text.push_str(", and nobody knows how it goes on"),
    }
    text
}
