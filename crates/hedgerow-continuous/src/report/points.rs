//! How strategies learn the constraint of a maze: the inferred points at some moments.

use super::ground::{BELOW, BESIDE, Ground, Sign, X_LABEL, Y_LABEL};
use super::shown::{points, shown};
use crate::payload::thinned;
use hedgerow::results::{EnvironmentFile, Results, SavedRun};
use hedgerow_report::draw::legend::{self, Entry};
use hedgerow_report::draw::map::CellKind;
use hedgerow_report::draw::moments::{Moment, moments};
use hedgerow_report::draw::svg::{Anchor, Svg, number};
use hedgerow_report::draw::text::{self, LABEL, SMALL, TITLE, grouped, wrapped};
use hedgerow_report::draw::{Figure, WIDE};
use hedgerow_report::theme;

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
const SIDE: f64 = 143.0;
const HEIGHT: f64 = 640.0;

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

/// `maze-ENV`; none if there is nothing to draw.
pub(super) fn figure(results: &Results, environment: &EnvironmentFile) -> Option<Figure> {
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
        let moments = moments(runs, MOMENTS);
        Self {
            strategy,
            seeds: runs.iter().map(|r| r.id.seed).collect(),
            panels: moments
                .iter()
                .map(|m| Panel::new(ground, *m, runs))
                .collect(),
        }
    }
}

impl Panel {
    fn new(ground: &Ground, moment: Moment, runs: &[&SavedRun]) -> Self {
        let shots: Vec<_> = runs.iter().filter_map(|r| moment.of(r)).collect();
        let samples: u64 = shots.iter().map(|s| s.samples).sum();
        let mean = samples as f64 / shots.len().max(1) as f64;
        let all: Vec<[f64; 3]> = shots.iter().flat_map(|s| points(s)).collect();
        // Folded from 0: the sum of nothing would be -0, and be printed so.
        let weight = |points: &mut dyn Iterator<Item = &[f64; 3]>| {
            points.fold(0.0, |sum: f64, point| sum + point[2])
        };
        let whole = weight(&mut all.iter());
        let near = weight(&mut all.iter().filter(|p| ground.touches([p[0], p[1]])));
        let head = match moment.head(runs) {
            end if end == "end" => "the end".to_owned(),
            number => format!("iteration {number}"),
        };
        Self {
            title: format!("{head}, {} samples", grouped(mean)),
            within: (whole > 0.0 && !ground.geometry.constraints.is_empty())
                .then_some(near / whole),
            points: thinned(&all, POINTS),
        }
    }
}

/// The radius of a point whose weight is `share` of the largest.
fn radius(share: f64) -> f64 {
    (LARGEST * share.clamp(0.0, 1.0).sqrt()).max(SMALLEST)
}

/// The width of a panel that is `wide` and the gap after it. Titles need their room in narrow
/// mazes, too.
fn room<'a>(panels: impl Iterator<Item = &'a Panel>, wide: f64) -> f64 {
    let titles = panels.map(|p| text::width(&p.title, LABEL));
    let most = (WIDE - BESIDE - 2.0 * MARGIN) / ACROSS as f64 - GAP;
    titles.fold(wide, f64::max).min(most) + GAP
}

fn draw(ground: &Ground, blocks: &[Block], title: &str, caption: &str) -> String {
    let rows: usize = blocks.iter().map(|b| b.panels.len().div_ceil(ACROSS)).sum();
    let headings = HEADING * blocks.len() as f64;
    let high = (HEIGHT - headings) / rows as f64 - PANEL_TITLE - GAP / 2.0 - BELOW;
    let shrink = (high / ground.height()).min(1.0);
    let mut ground = ground.clone();
    ground.resize(shrink);
    let panels = || blocks.iter().flat_map(|b| &b.panels);
    let share = room(panels(), ground.width());
    let across = blocks.iter().map(|b| b.panels.len().min(ACROSS)).max();
    let across = across.unwrap_or(1) as f64;
    let width = (across * share + BESIDE + 2.0 * MARGIN).max(330.0);
    let left = (width - across * share - BESIDE) / 2.0 + BESIDE;
    let weights = panels().flat_map(|p| &p.points);
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
                axes(&mut svg, &ground, [middle, y + PANEL_TITLE], i == 0);
            }
            y += PANEL_TITLE + ground.height() + BELOW + GAP / 2.0;
        }
    }
    let mut entries: Vec<Entry> = ground.signs().into_iter().map(Sign::entry).collect();
    if ground.walled() {
        entries.push(Entry::cell(CellKind::Wall));
    }
    entries.extend(blocks.iter().map(|b| entry(b.strategy)));
    y += 2.0;
    y += legend::draw(&mut svg, &entries, [MARGIN, width - MARGIN], y);
    let remark = format!(
        "Cells of {} m. Area of a point: its inferred cost{}. Per cent: part of the inferred cost \
         that lies in a true constraint cell or touches it.",
        number(ground.geometry.cell),
        seeds(blocks)
    );
    for line in wrapped(&remark, width - 2.0 * MARGIN) {
        y += 9.0;
        svg.text((width / 2.0, y), &line, SMALL, Anchor::Middle);
    }
    svg.finish(width, y + MARGIN, title, caption)
}

/// The axes of a panel centred on `middle`, with their labels; that of y only for the first one of a row.
fn axes(svg: &mut Svg, ground: &Ground, [middle, top]: [f64; 2], first: bool) {
    let left = middle - ground.width() / 2.0;
    ground.axes(svg, [left, top], first);
    let below = (middle, top + ground.height() + BELOW - 2.0);
    svg.text(below, X_LABEL, SMALL, Anchor::Middle);
    if first {
        let beside = (left - BESIDE + 8.0, top + ground.height() / 2.0);
        svg.turned_text(beside, Y_LABEL, SMALL, Anchor::Middle, true);
    }
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

/// The point of a strategy in a legend.
fn entry(strategy: &str) -> Entry<'static> {
    let colour = theme::style(strategy).colour;
    let name = format!("inferred point of {strategy}");
    Entry::new(name, 6.0, move |svg, (x, y)| {
        point(svg, (x + 3.0, y), 2.0, colour)
    })
}

/// A point in the colour of its strategy; those below shine through.
fn point(svg: &mut Svg, (x, y): (f64, f64), radius: f64, colour: &str) {
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
    fn area_grows_with_weight() {
        assert_eq!(radius(1.0), LARGEST);
        assert_eq!(radius(0.25), LARGEST / 2.0);
        assert_eq!((radius(0.0), radius(f64::NAN)), (SMALLEST, SMALLEST));
    }
}
