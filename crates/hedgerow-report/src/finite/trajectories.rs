//! Where strategies walked: the last episode of some iterations, over what was inferred by then.

use crate::draw::Figure;
use crate::draw::atlas::{Atlas, MARGIN, pace};
use crate::draw::ground::Ground;
use crate::draw::legend::{self, Entry};
use crate::draw::map::CellKind;
use crate::draw::marks::circle;
use crate::draw::moments::{Moment, moments};
use crate::draw::svg::Anchor;
use crate::draw::svg::{Svg, number, path};
use crate::draw::text::{SMALL, wrapped};
use crate::draw::thinned::standing_for;
use crate::theme::{self, INK};
use hedgerow::finite::{FiniteGeometry, FiniteMoment, NAME};
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use std::collections::{BTreeMap, BTreeSet};

/// Iterations side by side at most, the end included.
const COLUMNS: usize = 5;
/// The largest side of a map.
const SIDE: f64 = 84.0;
/// The widest line, as a share of the room that a state has, and the thinnest in points.
const WIDEST: f64 = 0.4;
const THINNEST: f64 = 0.5;

/// `trajectories-ENV` of every environment that can be drawn and whose runs kept trajectories.
pub(super) fn figures(results: &Results) -> Vec<Figure> {
    let names = results.env_names();
    let found = names.iter().filter_map(|name| results.environment(name));
    let ours = found.filter(|e| e.domain == NAME);
    ours.filter_map(|e| figure(results, e)).collect()
}

/// What a map shows: the last episodes of all seeds at one moment.
#[derive(Default)]
struct Panel {
    /// How many seeds stepped between two states, whichever way. Going to and fro would drown all
    /// else if every step counted.
    steps: BTreeMap<(u32, u32), usize>,
    /// The states in which the episodes ended.
    ends: Vec<u32>,
    /// The share of the seeds that charged a state by then.
    inferred: BTreeMap<u32, f64>,
}

impl Panel {
    fn new(runs: &[&SavedRun], moment: Moment) -> Self {
        let mut panel = Self::default();
        for snapshot in runs.iter().filter_map(|run| moment.of(run)) {
            for &(state, _) in &snapshot.cells {
                *panel.inferred.entry(state).or_default() += 1.0 / runs.len() as f64;
            }
            // What cannot be read was not written by this domain, and is left out.
            let kept = snapshot.payload.as_ref();
            let kept = kept.and_then(|p| p.read::<FiniteMoment>().ok());
            let Some(trajectory) = kept.map(|k| k.trajectory) else {
                continue;
            };
            let steps = trajectory.windows(2).filter(|w| w[0] != w[1]);
            let both_ways = steps.map(|w| (w[0].min(w[1]), w[0].max(w[1])));
            for step in both_ways.collect::<BTreeSet<_>>() {
                *panel.steps.entry(step).or_default() += 1;
            }
            panel.ends.extend(trajectory.last());
        }
        panel
    }
}

/// One strategy.
struct Row<'a> {
    strategy: &'a str,
    seeds: usize,
    pace: f64,
    panels: Vec<Panel>,
}

fn figure(results: &Results, environment: &EnvironmentFile) -> Option<Figure> {
    let env = environment.name.as_str();
    let runs: Vec<&SavedRun> = results.runs.iter().filter(|r| r.id.env == env).collect();
    let columns = moments(&runs, COLUMNS);
    let (mut rows, mut without) = (Vec::new(), Vec::new());
    for strategy in results.strategy_names() {
        let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
        let panels: Vec<Panel> = columns.iter().map(|&c| Panel::new(&runs, c)).collect();
        match panels.iter().any(|p| !p.ends.is_empty()) {
            true => rows.push(Row {
                strategy,
                seeds: runs.len(),
                pace: pace(&runs),
                panels,
            }),
            false if !runs.is_empty() => without.push(strategy),
            false => {}
        }
    }
    let seeds = rows.iter().map(|r| r.seeds).max()?;
    let heads: Vec<String> = columns.iter().map(|c| c.head(&runs)).collect();
    let title = format!("Trajectories in {env}");
    let caption = told(environment, seeds, &without);
    let sheet = Sheet {
        rows: &rows,
        heads: &heads,
        expert: expert_steps(environment),
        seeds,
    };
    let svg = sheet.draw(environment, [&title, &caption])?;
    Some(Figure {
        name: format!("trajectories-{env}"),
        title,
        caption,
        svg,
    })
}

/// The words below the figure.
fn told(environment: &EnvironmentFile, seeds: usize, without: &[&str]) -> String {
    let env = &environment.name;
    let lines = match seeds {
        1 => "one seed".to_owned(),
        n => format!(
            "{n} seeds together: the more of them took a step, either way, the wider its line"
        ),
    };
    let mut caption = format!("The last episode of an iteration in {env}, {lines}.");
    if !without.is_empty() {
        caption += &format!(" No episodes were kept of {}.", without.join(", "));
    }
    if let Some(words) = standing_for(environment) {
        caption += &format!(" {words}");
    }
    caption
}

/// The steps of the expert; none where they are not known.
fn expert_steps(environment: &EnvironmentFile) -> Vec<(u32, u32)> {
    let geometry = environment.geometry.as_ref();
    let known = geometry.and_then(|g| g.read::<FiniteGeometry>().ok());
    known.map_or_else(Vec::new, |g| g.expert_steps)
}

struct Sheet<'a> {
    rows: &'a [Row<'a>],
    heads: &'a [String],
    expert: Vec<(u32, u32)>,
    seeds: usize,
}

impl Sheet<'_> {
    fn draw(&self, environment: &EnvironmentFile, [title, caption]: [&str; 2]) -> Option<String> {
        let names: Vec<&str> = self.rows.iter().map(|r| r.strategy).collect();
        let atlas = Atlas::new(environment, &names, self.heads.len(), SIDE)?;
        let mut svg = Svg::default();
        let mut y = atlas.heads(&mut svg, self.heads, None);
        for row in self.rows {
            atlas.name(&mut svg, y, row.strategy, row.pace);
            for (i, panel) in row.panels.iter().enumerate() {
                self.panel(&mut svg, &atlas.map(i, y), panel);
            }
            y += atlas.row();
        }
        let sides = [MARGIN, atlas.width - MARGIN];
        let has_truth = !environment.true_cells.is_empty();
        let entries = self.entries(&atlas, has_truth);
        y += 3.0 + legend::draw(&mut svg, &entries, sides, y + 3.0);
        for line in wrapped(caption, sides[1] - sides[0]) {
            y += 9.0;
            svg.text((atlas.width / 2.0, y), &line, SMALL, Anchor::Middle);
        }
        Some(svg.finish(atlas.width, y + MARGIN, title, caption))
    }

    fn panel(&self, svg: &mut Svg, map: &Ground, panel: &Panel) {
        map.under(svg, &panel.inferred, inferred_look, |svg| {
            let step = |(from, to): (u32, u32)| Some(path(&[map.place(from)?, map.place(to)?]));
            // Steps of one width in one piece, the wider above the thinner.
            let mut lines: BTreeMap<usize, String> = BTreeMap::new();
            for (&taken, &seeds) in &panel.steps {
                if let Some(line) = step(taken) {
                    *lines.entry(seeds).or_default() += &line;
                }
            }
            for (seeds, data) in lines {
                svg.path(&data, &step_look(self.width(map, seeds)));
            }
            let expert: String = self.expert.iter().filter_map(|&s| step(s)).collect();
            if !expert.is_empty() {
                svg.path(&expert, &expert_look(map.room()));
            }
        });
        for at in panel.ends.iter().filter_map(|&s| map.place(s)) {
            end(svg, at, map.room());
        }
    }

    /// The width of a step that so many seeds took.
    fn width(&self, map: &Ground, seeds: usize) -> f64 {
        let share = seeds as f64 / self.seeds as f64;
        (WIDEST * map.room() * share).max(THINNEST)
    }

    fn entries(&self, atlas: &Atlas, has_truth: bool) -> Vec<Entry<'static>> {
        let mut entries = atlas.entries();
        if has_truth {
            entries.push(Entry::cell(CellKind::Edge));
        }
        let shares: &[(f64, &str)] = match self.seeds {
            1 => &[(1.0, "inferred by then")],
            _ => &[
                (0.4, "inferred by some seeds"),
                (1.0, "inferred by all seeds"),
            ],
        };
        for &(share, name) in shares {
            entries.push(Entry::square(name, move |svg, square| {
                svg.rect(square, &inferred_look(share));
            }));
        }
        let map = atlas.map(0, 0.0);
        let mut counts = vec![1, self.seeds];
        counts.dedup();
        for seeds in counts {
            let name = match (seeds, self.seeds) {
                (1, 1) => "a step".to_owned(),
                (1, _) => "a step of one seed".to_owned(),
                (n, _) => format!("a step of all {n} seeds"),
            };
            let width = self.width(&map, seeds);
            entries.push(Entry::new(name, LINE, move |svg, (x, y)| {
                svg.path(&path(&[(x, y), (x + LINE, y)]), &step_look(width));
            }));
        }
        let room = map.room();
        entries.push(Entry::new(
            "an episode ended here",
            6.0,
            move |svg, (x, y)| {
                end(svg, (x + 3.0, y), room);
            },
        ));
        if !self.expert.is_empty() {
            entries.push(Entry::new(
                "expert, without slips",
                LINE,
                move |svg, (x, y)| {
                    svg.path(&path(&[(x, y), (x + LINE, y)]), &expert_look(room));
                },
            ));
        }
        entries
    }
}

/// Width of a line in the legend.
const LINE: f64 = 16.0;

/// Orange under blue and black: told apart by all readers, and light enough in grey.
fn inferred_look(share: f64) -> String {
    let opacity = number(0.15 + 0.6 * share.clamp(0.0, 1.0));
    format!("fill=\"{}\" fill-opacity=\"{opacity}\"", theme::INFERRED)
}

fn step_look(width: f64) -> String {
    let (colour, width) = (theme::WALK, number(width));
    format!("stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"")
}

/// Thinner where cells are small.
fn expert_look(room: f64) -> String {
    let width = (0.15 * room).clamp(0.5, 0.9);
    let (dash, gap) = (number(2.4 * width), number(1.4 * width));
    let width = number(width);
    format!("stroke=\"{INK}\" stroke-width=\"{width}\" stroke-dasharray=\"{dash} {gap}\"")
}

/// Where an episode ended.
fn end(svg: &mut Svg, at: (f64, f64), room: f64) {
    let look = format!(
        "fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"0.6\"",
        theme::WALK
    );
    svg.path(&circle(at, (0.16 * room).clamp(0.7, 2.0)), &look);
}
