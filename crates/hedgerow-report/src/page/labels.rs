//! What pages say whatever the results are, and what they need of one environment.

use super::costliest::Names;
use super::curve::{Label, axes, metrics};
use super::data;
use super::json::text;
use crate::theme::{self, Style};
use hedgerow::Result;
use hedgerow::results::EnvironmentFile;
use serde::Serialize;

/// Names and looks that are the same on every page.
#[derive(Serialize)]
struct Labels<'a> {
    theme: data::Theme,
    metrics: Vec<Label>,
    axes: Vec<Label>,
    strategies: Vec<Strategy<'a>>,
}

#[derive(Serialize)]
struct Strategy<'a> {
    name: &'a str,
    summary: &'a str,
    #[serde(flatten)]
    style: Style,
}

/// Names and looks of metrics, axes, colours and all strategies, as JSON that scripts read.
pub fn labels() -> Result<String> {
    let strategies = hedgerow::explore::STRATEGIES.iter().map(|entry| Strategy {
        name: entry.info.name,
        summary: entry.info.summary,
        style: theme::style(entry.info.name),
    });
    text(&Labels {
        theme: data::Theme::new(),
        metrics: metrics(),
        axes: axes(),
        strategies: strategies.collect(),
    })
}

/// What scripts need to draw an environment, as JSON.
pub fn environment(file: &EnvironmentFile) -> Result<String> {
    text(&data::environment(file, Names::all(file), true, None))
}
