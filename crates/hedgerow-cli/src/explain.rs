//! `hedgerow explain`: why a cell, a state or a pair counts as constrained.

use crate::environment::Chosen;
use crate::infer::{Evidence, Gathering, charged};
use crate::map;
use crate::terminal::{ended, number, print, print_json, table};
use crate::window;
use clap::Args;
use hedgerow::constraint::{Constraint, visited_by_expert};
use hedgerow::env::{Cell, Layout};
use hedgerow::explain::{
    Explanation, ExplanationContext, Move, Place, Trajectory, TrajectoryEnd, VisitChange, Witness,
};
use hedgerow::index::{Pair, State};
use hedgerow::io::{self, find_pair, find_state};
use hedgerow::learn::Estimate;
use hedgerow::model::{Dynamics, Task};
use hedgerow::run::Stop;
use hedgerow::verdict::{Scope, Verdict};
use hedgerow::{Error, Result};
use serde::Serialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Moves, or changes of visits, listed on the terminal; `--json` has them all.
const LISTED: usize = 8;

/// Changes of visits above this share of the largest are drawn on the map.
const VISIBLE: f64 = 0.05;

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
    /// Explain a constraint saved by `infer --out`, with its verdicts and intervals, instead of
    /// exploring.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["exact", "confidence", "samples", "strategy", "demos", "logs"])]
    under: Option<PathBuf>,
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
        if let Some(path) = &self.under {
            self.explain_saved(path)?;
            return Ok(ExitCode::SUCCESS);
        }
        Ok(ended(self.explain_evidence()?))
    }

    /// What a saved constraint says, with the environment's dynamics to show why.
    fn explain_saved(&self, path: &Path) -> Result<()> {
        let environment = self.chosen.open()?;
        let (task, layout) = (environment.task(), environment.layout());
        let asked = self.what.find(task, layout, environment.name())?;
        let saved = Constraint::read(path)?;
        let known = saved
            .verdicts_in(task)
            .map_err(|e| e.within(path.display()))?;
        let mut context = ExplanationContext::exact(&environment)?;
        context.take_verdicts(&known);
        let answer = answer(&context, &asked, charged(&environment).as_deref())?;
        let title = format!(
            "{}: explained with the verdicts of {}; numbers are those of the true dynamics\n{}\n",
            environment.name(),
            path.display(),
            saved.promise
        );
        let on_states = saved.entering(task)?;
        let drawing = layout.map(|layout| Drawing {
            layout,
            found: Some(on_states.iter().map(|&x| constrained_or_not(x)).collect()),
        });
        self.print(environment.name(), &title, answer, drawing.as_ref())
    }

    fn explain_truth(&self) -> Result<()> {
        let environment = self.chosen.open()?;
        let (task, layout) = (environment.task(), environment.layout());
        let asked = self.what.find(task, layout, environment.name())?;
        let mut context = ExplanationContext::exact(&environment)?;
        let limited = self.gathering.scope(&environment) == Scope::Visited;
        if limited {
            context.limit_to(&visited_by_expert(&environment));
        }
        let answer = answer(&context, &asked, charged(&environment).as_deref())?;
        let title = format!(
            "{}: explained with known dynamics\n{}{}",
            environment.name(),
            note(environment.truth().budget()),
            match limited {
                true =>
                    "Verdicts are limited to states that the expert visits; --scope all asks for the others.\n",
                false => "",
            }
        );
        let drawing = layout.map(|layout| Drawing::new(layout, None));
        self.print(environment.name(), &title, answer, drawing.as_ref())
    }

    /// Whether the search was interrupted.
    fn explain_evidence(&self) -> Result<bool> {
        crate::domains::require_finite(&self.chosen.env)?;
        let known = io::open_task_with(&self.chosen.env, &self.chosen.defaults())?;
        // A wrong place is refused before a long search for it.
        let asked = self
            .what
            .find(&known.task, known.layout.as_ref(), &known.name)?;
        let evidence = self.gathering.evidence(&self.chosen)?;
        let context = context(&evidence);
        let answer = answer(&context, &asked, evidence.charged.as_deref())?;
        let criteria = evidence.verdicts.criteria();
        let title = format!(
            "{}: explained from {} samples{}; advantages within {} count as none\n{}\n",
            evidence.env,
            evidence.verdicts.samples(),
            cut(&evidence),
            number(criteria.margin),
            criteria.promise()
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

fn constrained_or_not(constrained: bool) -> Verdict {
    match constrained {
        true => Verdict::Constrained,
        false => Verdict::Undecided,
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

/// A map to draw on: with the true constraint, or with what was found out.
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
) -> Result<Answer> {
    match *asked {
        Asked::Place(state) => {
            let truth = charged.map(|c| c[state.at()]);
            context.explain(state, truth).map(Answer::Place)
        }
        Asked::Pair(pair) => context.witness(pair).map(Answer::Pair),
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

/// What shows the advantage of a pair: two trajectories, or expected visits.
fn shown(witness: &Witness, drawing: Option<&Drawing>) -> String {
    let mut text = match &witness.visits {
        Some(changes) => visits(witness, changes, drawing),
        None => trajectories(witness, drawing, window::width()),
    };
    let row = |what: &str, a: f64, b: f64, gain: Option<f64>| {
        let gain = gain.map_or_else(String::new, number);
        [what.to_owned(), number(a), number(b), gain]
    };
    let mut rows = Vec::new();
    let (move_, expert) = (&witness.trajectory, &witness.expert);
    if let (None, Some(a), Some(b)) = (&witness.visits, move_.reward, expert.reward) {
        rows.push(row("along the trajectory", a, b, witness.gain_shown()));
        let (a, b) = (move_.probability, expert.probability);
        rows.push(row("probability of the trajectory", a, b, None));
    }
    let advantage = Some(witness.advantage);
    rows.push(row("expected", witness.q, witness.value, advantage));
    let header = ["discounted reward", "with the move", "expert", "gain"];
    text.push_str(&format!(
        "\n{}\n{}\n",
        table(header, 1, rows),
        witness.remark()
    ));
    text
}

/// The two trajectories: drawn beside each other if `width` has room, else one below the other.
fn trajectories(witness: &Witness, drawing: Option<&Drawing>, width: usize) -> String {
    let (action, start) = (&witness.action, &witness.start.name);
    let Some(drawing) = drawing else {
        return format!(
            "{action} in {start}, then as the expert (*), and the expert at once (o):\n\n* {}\no {}\n",
            in_line(&witness.trajectory),
            in_line(&witness.expert)
        );
    };
    let left = drawn(drawing, witness, &witness.trajectory, '*');
    let right = drawn(drawing, witness, &witness.expert, 'o');
    let legend = "\n@ start, * after the move, o the expert\n";
    match beside(&left, &right, width) {
        Some(both) => format!(
            "{action} in {start}, then as the expert (left), and the expert at once (right):\n\n{both}{legend}"
        ),
        None => format!(
            "{action} in {start}, then as the expert:\n\n{left}\nThe expert at once:\n\n{right}{legend}"
        ),
    }
}

fn drawn(drawing: &Drawing, witness: &Witness, shown: &Trajectory, mark: char) -> String {
    let cell = |place: &Place| place.cell;
    let mut marked: Vec<[usize; 2]> = shown.steps.iter().filter_map(|s| cell(&s.place)).collect();
    marked.extend(shown.last.as_ref().and_then(cell));
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

/// Two drawings beside each other; `None` if they are wider than `width` together.
fn beside(left: &str, right: &str, width: usize) -> Option<String> {
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max();
    let (first, second) = (widest(left)?, widest(right)?);
    let lines = left.lines().zip(right.lines());
    let both = || lines.map(|(l, r)| format!("{l:<first$}     {r}\n"));
    (first + 5 + second <= width).then(|| both().collect())
}

/// A trajectory as a line of states and actions.
fn in_line(shown: &Trajectory) -> String {
    let mut text = String::new();
    for step in &shown.steps {
        text.push_str(&format!("{} --{}--> ", step.place.name, step.action));
    }
    text.push_str(shown.last.as_ref().map_or("?", |place| &place.name));
    match shown.end {
        TrajectoryEnd::Terminal => {}
        TrajectoryEnd::Repeats(_) => text.push_str(", and round again"),
        TrajectoryEnd::Horizon => text.push_str(", and on"),
        TrajectoryEnd::Unknown => text.push_str(", and nobody knows how it goes on"),
    }
    text
}

/// How often every pair is expected to be taken, with the move and without.
fn visits(witness: &Witness, changes: &[VisitChange], drawing: Option<&Drawing>) -> String {
    let mut text = format!(
        "{} in {}, then as the expert, compared with the expert at once: what is done more often and less often.\n\n",
        witness.action, witness.start.name
    );
    if let Some(drawing) = drawing {
        text.push_str(&pictured(drawing, witness, changes));
        text.push_str("\n@ start, + visited more often after the move, - less often\n\n");
    }
    // The largest contributions come first, then the largest changes that contribute nothing.
    let chosen: Vec<&VisitChange> = changes.iter().take(LISTED).collect();
    let row = |c: &&VisitChange| {
        [
            c.place.name.clone(),
            c.action.clone(),
            number(c.with_move),
            number(c.expert),
            number(c.contribution),
        ]
    };
    let mut rows: Vec<[String; 5]> = chosen.iter().map(row).collect();
    let mut last = |what: String, those: &[VisitChange]| {
        let [a, b, c] = [(); 3].map(|()| String::new());
        rows.push([what, a, b, c, number(total(those, changes))]);
    };
    let rest = &changes[chosen.len()..];
    if !rest.is_empty() {
        last(format!("{} more (--json)", rest.len()), rest);
    }
    last("sum".to_owned(), changes);
    let header = [
        "state",
        "action",
        "discounted visits\nwith the move",
        "expert",
        "contributes\nto the gain",
    ];
    text.push_str(&table(header, 2, rows));
    text
}

/// What `those` of all changes contribute together, or 0 where that is rounding.
fn total(those: &[VisitChange], all: &[VisitChange]) -> f64 {
    let size: f64 = all.iter().map(|c| c.contribution.abs()).sum();
    let sum: f64 = those.iter().map(|c| c.contribution).sum();
    if sum.abs() > 1e-12 * size { sum } else { 0.0 }
}

/// The map with `+` and `-` where a state is visited more or less often by a share of the largest
/// change that can be seen.
fn pictured(drawing: &Drawing, witness: &Witness, changes: &[VisitChange]) -> String {
    let mut by_cell: HashMap<[usize; 2], f64> = HashMap::new();
    for change in changes {
        if let Some(cell) = change.place.cell {
            *by_cell.entry(cell).or_default() += change.change();
        }
    }
    if let Some(start) = witness.start.cell {
        by_cell.remove(&start);
    }
    let largest = by_cell.values().fold(0.0_f64, |m, c| m.max(c.abs()));
    map::draw(drawing.layout, |c| {
        let here = [c.row, c.column];
        let change = by_cell.get(&here).copied().unwrap_or(0.0);
        if witness.start.cell == Some(here) {
            '@'
        } else if change.abs() > VISIBLE * largest {
            if change > 0.0 { '+' } else { '-' }
        } else {
            drawing.symbol(c)
        }
    })
}
