//! How strategies learn the constraint of a maze: the inferred points at some moments.

use super::Figure;
use super::legend::{self, Entry};
use super::map::Kind;
use super::moments::{Column, columns};
use super::plane::Ground;
use super::sheet::{WIDE, wrapped};
use super::svg::{Anchor, LABEL, SMALL, Svg, TITLE, number};
use super::text;
use crate::theme;
use hedgerow::sweep::{EnvironmentFile, Results, SavedRun};

/// Moments of a strategy, and how many of them stand side by side.
const MOMENTS: usize = 6;
const ACROSS: usize = 3;
/// The strategies shown, if there are any of them; else the first with a run.
const SHOWN: [&str; 2] = ["pcse", "undecided"];
/// Points of a panel at most: more cannot be told apart.
const POINTS: usize = 1000;
/// Radius of the point with the largest weight, and of the smallest that is drawn.
const LARGEST: f64 = 2.2;
const SMALLEST: f64 = 0.5;
/// Room at the sides, between panels, for their titles and for the name of a strategy.
const MARGIN: f64 = 6.0;
const GAP: f64 = 12.0;
const PANEL_TITLE: f64 = 21.0;
const HEADING: f64 = 14.0;
/// The longer side of a panel at most, and the height of all panels at most.
const SIDE: f64 = 152.0;
const HEIGHT: f64 = 640.0;

/// `maze-ENV` of every maze.
pub(super) fn mazes(results: &Results) -> Vec<Figure> {
    let names = results.env_names();
    let found = names.iter().filter_map(|name| results.environment(name));
    found.filter_map(|e| maze(results, e)).collect()
}

/// One strategy: its panels.
struct Block<'a> {
    strategy: &'a str,
    seeds: Vec<u64>,
    panels: Vec<Panel>,
}

/// One moment: the points of all seeds.
struct Panel {
    title: String,
    points: Vec<[f64; 3]>,
    /// Share of the weight that lies in the constraint or touches it; none without points.
    within: Option<f64>,
}

/// The runs of the strategies that pictures of mazes show.
pub(super) fn shown<'a>(
    results: &'a Results,
    env: &'a str,
    wanted: &[&str],
) -> Vec<(&'a str, Vec<&'a SavedRun>)> {
    let mut all: Vec<(&str, Vec<&SavedRun>)> = Vec::new();
    for strategy in results.strategy_names() {
        let runs: Vec<&SavedRun> = results.runs_of(env, strategy).collect();
        if !runs.is_empty() {
            all.push((strategy, runs));
        }
    }
    match all.iter().any(|(name, _)| wanted.contains(name)) {
        true => all.retain(|(name, _)| wanted.contains(name)),
        false => all.truncate(1),
    }
    all
}

fn maze(results: &Results, environment: &EnvironmentFile) -> Option<Figure> {
    let ground = Ground::within(environment, SIDE)?;
    let env = environment.name.as_str();
    let runs = shown(results, env, &SHOWN);
    let blocks: Vec<Block> = runs
        .iter()
        .map(|(strategy, runs)| Block::new(&ground, strategy, runs))
        .collect();
    if blocks.is_empty() {
        return None;
    }
    let title = format!("Inferred points in {env}");
    let caption = format!(
        "The maze {env} at some moments of learning. Points: where samples led that count as \
         constrained{}, their area grows with the inferred cost. Samples are means over the \
         seeds. Per cent: the part of the inferred cost that lies in a true constraint cell or \
         touches it within a ball\u{2019}s radius.",
        seeds(&blocks)
    );
    let svg = draw(&ground, &blocks, &title, &caption);
    Some(Figure {
        name: format!("maze-{env}"),
        title,
        caption,
        svg,
    })
}

/// Whose points they are.
fn seeds(blocks: &[Block]) -> String {
    let mut all: Vec<u64> = blocks.iter().flat_map(|b| b.seeds.clone()).collect();
    all.sort_unstable();
    all.dedup();
    match all.as_slice() {
        [one] => format!(" (seed {one})"),
        all => format!(" (all {} seeds on top of each other)", all.len()),
    }
}

impl<'a> Block<'a> {
    fn new(ground: &Ground, strategy: &'a str, runs: &[&SavedRun]) -> Self {
        let moments = columns(runs, MOMENTS);
        Self {
            strategy,
            seeds: runs.iter().map(|r| r.run.seed).collect(),
            panels: moments
                .iter()
                .map(|m| Panel::new(ground, *m, runs))
                .collect(),
        }
    }
}

impl Panel {
    fn new(ground: &Ground, moment: Column, runs: &[&SavedRun]) -> Self {
        let shots: Vec<_> = runs.iter().filter_map(|r| moment.of(r)).collect();
        let samples: u64 = shots.iter().map(|s| s.samples).sum();
        let mean = samples as f64 / shots.len().max(1) as f64;
        let all: Vec<[f64; 3]> = shots.iter().flat_map(|s| s.points.clone()).collect();
        let weight = |points: &mut dyn Iterator<Item = &[f64; 3]>| points.map(|p| p[2]).sum();
        let whole: f64 = weight(&mut all.iter());
        let near: f64 = weight(&mut all.iter().filter(|p| ground.touches([p[0], p[1]])));
        let head = match moment.head(runs) {
            end if end == "end" => "the end".to_owned(),
            number => format!("iteration {number}"),
        };
        Self {
            title: format!("{head}, {} samples", grouped(mean)),
            within: (whole > 0.0 && !ground.plane.constraints.is_empty()).then_some(near / whole),
            points: thinned(all),
        }
    }
}

/// A whole number with thin spaces between its thousands.
pub(super) fn grouped(x: f64) -> String {
    let digits = format!("{x:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// At most [`POINTS`] points, evenly chosen, that stand for the weight of all.
fn thinned(points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    let n = points.len();
    if n <= POINTS {
        return points;
    }
    let share = n as f64 / POINTS as f64;
    let kept = (0..POINTS).map(|i| points[i * n / POINTS]);
    kept.map(|[x, y, w]| [x, y, w * share]).collect()
}

/// The radius of a point whose weight is `share` of the largest.
fn radius(share: f64) -> f64 {
    (LARGEST * share.clamp(0.0, 1.0).sqrt()).max(SMALLEST)
}

fn draw(ground: &Ground, blocks: &[Block], title: &str, caption: &str) -> String {
    let rows: usize = blocks.iter().map(|b| b.panels.len().div_ceil(ACROSS)).sum();
    let headings = HEADING * blocks.len() as f64;
    let high = (HEIGHT - headings) / rows as f64 - PANEL_TITLE - GAP / 2.0;
    let shrink = (high / ground.height()).min(1.0);
    let mut ground = *ground;
    ground.resize(shrink);
    let (w, h) = (ground.width(), ground.height());
    // Titles need their room in narrow mazes, too.
    let titles = blocks.iter().flat_map(|b| &b.panels);
    let widest = titles
        .map(|p| text::width(&p.title, LABEL))
        .fold(0.0, f64::max);
    let share = w
        .max(widest)
        .min((WIDE - 2.0 * MARGIN) / ACROSS as f64 - GAP)
        + GAP;
    let across = blocks
        .iter()
        .map(|b| b.panels.len())
        .max()
        .unwrap_or(1)
        .min(ACROSS);
    let width = (across as f64 * share + 2.0 * MARGIN).max(330.0);
    let left = (width - across as f64 * share) / 2.0;
    let weights = blocks
        .iter()
        .flat_map(|b| &b.panels)
        .flat_map(|p| &p.points);
    let most = weights.map(|p| p[2]).fold(0.0, f64::max);
    let mut svg = Svg::default();
    let mut y = MARGIN;
    for block in blocks {
        let at = (width / 2.0, y + 8.0);
        svg.text_within(
            at,
            block.strategy,
            TITLE,
            Anchor::Middle,
            width - 2.0 * MARGIN,
        );
        y += HEADING;
        for row in block.panels.chunks(ACROSS) {
            for (i, panel) in row.iter().enumerate() {
                let middle = left + (i as f64 + 0.5) * share;
                let colour = theme::style(block.strategy).colour;
                panel.draw(&mut svg, &ground, colour, [middle, y, share - 4.0, most]);
            }
            y += PANEL_TITLE + h + GAP / 2.0;
        }
    }
    let mut entries: Vec<Entry> = ground.signs().into_iter().map(Entry::Sign).collect();
    if ground.walled() {
        entries.push(Entry::Cell(Kind::Wall));
    }
    entries.extend(blocks.iter().map(|b| Entry::Point(b.strategy.to_owned())));
    y += 2.0;
    y += legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y);
    let remark = format!(
        "Cells of {} m. Area of a point: its inferred cost{}. Per cent: part of the inferred cost \
         that lies in a true constraint cell or touches it.",
        number(ground.plane.cell),
        seeds(blocks)
    );
    for line in wrapped(&remark, width - 2.0 * MARGIN) {
        y += 9.0;
        svg.text((width / 2.0, y), &line, SMALL, Anchor::Middle);
    }
    svg.finish(width, y + MARGIN, title, caption)
}

impl Panel {
    fn draw(
        &self,
        svg: &mut Svg,
        ground: &Ground,
        colour: &str,
        [middle, top, room, most]: [f64; 4],
    ) {
        svg.text_within(
            (middle, top + 8.0),
            &self.title,
            LABEL,
            Anchor::Middle,
            room,
        );
        let within = match self.within {
            Some(share) => format!("{:.0}\u{a0}% at the constraint", 100.0 * share),
            None if self.points.is_empty() => "no points yet".to_owned(),
            None => String::new(),
        };
        svg.text((middle, top + 17.0), &within, SMALL, Anchor::Middle);
        let corner = [middle - ground.width() / 2.0, top + PANEL_TITLE];
        ground.clipped(svg, corner, |svg, ground| {
            ground.task(svg);
            ground.walls(svg);
            for &[x, y, weight] in &self.points {
                let at = ground.point([x, y]);
                point(svg, at, radius(weight / most), colour);
            }
            ground.truth(svg);
        });
    }
}

/// A point in the colour of its strategy; those below shine through.
pub(super) fn point(svg: &mut Svg, (x, y): (f64, f64), radius: f64, colour: &str) {
    let (x, y, r) = (number(x), number(y), number(radius));
    svg.element(
        "circle",
        &format!("cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{colour}\" fill-opacity=\"0.35\""),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_told_apart() {
        let texts = [0.0, 999.0, 1000.0, 1234567.4].map(grouped);
        assert_eq!(
            texts,
            ["0", "999", "1\u{2009}000", "1\u{2009}234\u{2009}567"]
        );
    }

    #[test]
    fn fewer_points_keep_the_weight_of_all() {
        let many: Vec<[f64; 3]> = (0..2500).map(|i| [f64::from(i), 0.0, 0.5]).collect();
        let few = thinned(many.clone());
        assert_eq!(few.len(), POINTS);
        let weight: f64 = few.iter().map(|p| p[2]).sum();
        assert!((weight - 1250.0).abs() < 1e-9);
        assert_eq!((few[0][0], few[POINTS - 1][0]), (0.0, 2497.0));
        assert_eq!(thinned(many[..7].to_vec()), many[..7]);
    }

    #[test]
    fn area_grows_with_weight() {
        assert_eq!(radius(1.0), LARGEST);
        assert_eq!(radius(0.25), LARGEST / 2.0);
        assert_eq!((radius(0.0), radius(f64::NAN)), (SMALLEST, SMALLEST));
    }
}
