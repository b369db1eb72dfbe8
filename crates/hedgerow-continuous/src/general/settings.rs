//! The parameters of runs in continuous worlds of any kind: the same for every strategy.

use hedgerow::param::{Parameter, Values, number, whole, word};

/// The parameters of all runs in this domain.
pub const PARAMETERS: &[Parameter] = &[
    whole(
        "demonstrations",
        5,
        1,
        1_000_000,
        "episodes of the expert that every run begins with; they count as samples",
    ),
    word(
        "follow-expert",
        &["on", "off"],
        "whether an episode, after a random number of its own decisions, follows the expert to its end",
    ),
    number(
        "deviate",
        0.5,
        0.0,
        1.0,
        "longest deviation before the expert is followed, as a share of the horizon",
    ),
    whole(
        "candidates",
        24,
        2,
        10_000,
        "actions to choose from in box spaces: the expert's, and others drawn uniformly",
    ),
    number(
        "same",
        0.02,
        0.0,
        1.0,
        "actions no farther from the expert's than this share of the range are its own",
    ),
    number(
        "margin",
        0.03,
        0.0,
        1e6,
        "advantages up to this share of their spread are no evidence: no expert is exactly optimal",
    ),
    word(
        "evidence",
        &["both", "fitted"],
        "advantages that pairs are charged by: the networks', with or without what each sample shows itself",
    ),
    number(
        "z",
        1.0,
        0.0,
        100.0,
        "widths of advantages, in deviations of the ensemble",
    ),
    whole(
        "ensemble",
        4,
        2,
        100,
        "networks that fit the expert's value",
    ),
    whole(
        "classifiers",
        4,
        1,
        100,
        "networks of the constraint, whose mean is read",
    ),
    whole(
        "units",
        64,
        1,
        4096,
        "units of each of the two hidden layers of all networks",
    ),
    whole("batch", 64, 1, 100_000, "samples per gradient step"),
    whole(
        "steps",
        300,
        1,
        1_000_000,
        "most gradient steps of each network per iteration",
    ),
    number(
        "learning-rate",
        1e-3,
        1e-9,
        1.0,
        "learning rate of all networks",
    ),
    number(
        "tau",
        0.02,
        1e-6,
        1.0,
        "share by which a step moves the networks that returns go on with",
    ),
    number(
        "bandwidth",
        0.08,
        1e-6,
        10.0,
        "width of the kernel of pseudo-counts, as a share of the range of inputs",
    ),
    whole(
        "centres",
        2000,
        1,
        1_000_000,
        "most points that the density keeps",
    ),
    whole(
        "held-out",
        10,
        2,
        1_000_000,
        "one episode in so many is held out, to calibrate the constraint with",
    ),
    number(
        "avoid",
        0.1,
        0.0,
        1.0,
        "agents avoid pairs that are charged with at least this probability",
    ),
    number(
        "slack",
        0.1,
        0.0,
        1_000_000.0,
        "of actions that gain less than the best by up to this share of the spread, agents take the least charged",
    ),
    word(
        "keep-samples",
        &["off", "on"],
        "whether all samples are kept in a file beside that of the run",
    ),
    whole(
        "agent-episodes",
        5,
        1,
        100_000,
        "episodes that evaluate the agent under the inferred constraint",
    ),
    whole(
        "objective-episodes",
        0,
        0,
        100_000,
        "episodes of the true world that show, three times an iteration, what `bear` gathers; 0 for none",
    ),
];

/// The same, read.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneralSettings {
    /// Episodes of the expert at the beginning.
    pub demonstrations: usize,
    /// Whether episodes follow the expert in the end.
    pub follow: bool,
    /// Longest deviation, as a share of the horizon.
    pub deviate: f64,
    /// Actions to choose from in box spaces.
    pub candidates: usize,
    /// Largest distance of an action that is the expert's own.
    pub same: f64,
    /// Share of the spread of advantages that is no evidence.
    pub margin: f64,
    /// Whether pairs are charged by what samples show, too.
    pub sampled: bool,
    /// Widths, in deviations.
    pub z: f64,
    /// Networks of the value.
    pub ensemble: usize,
    /// Networks of the constraint.
    pub classifiers: usize,
    /// Units of hidden layers.
    pub units: usize,
    /// Samples per gradient step.
    pub batch: usize,
    /// Most gradient steps per iteration.
    pub steps: usize,
    /// Learning rate.
    pub learning_rate: f64,
    /// How fast target networks follow.
    pub tau: f64,
    /// Width of the kernel.
    pub bandwidth: f64,
    /// Most centres of the density.
    pub centres: usize,
    /// One episode in so many is held out.
    pub held_out: usize,
    /// Probability from which on agents avoid a pair.
    pub avoid: f64,
    /// Share of the spread of advantages that agents give up for safety.
    pub slack: f64,
    /// Whether files keep all samples.
    pub keep_samples: bool,
    /// Episodes per evaluation.
    pub agent_episodes: usize,
    /// Episodes that show what a strategy gathers, each time; 0 for none.
    pub objective_episodes: usize,
}

impl GeneralSettings {
    /// From the values of [`PARAMETERS`].
    pub fn new(values: &Values) -> Self {
        let whole = |name: &str| values.whole(name) as usize;
        Self {
            demonstrations: whole("demonstrations"),
            follow: values.word("follow-expert") == "on",
            deviate: values.number("deviate"),
            candidates: whole("candidates"),
            same: values.number("same"),
            margin: values.number("margin"),
            sampled: values.word("evidence") == "both",
            z: values.number("z"),
            ensemble: whole("ensemble"),
            classifiers: whole("classifiers"),
            units: whole("units"),
            batch: whole("batch"),
            steps: whole("steps"),
            learning_rate: values.number("learning-rate"),
            tau: values.number("tau"),
            bandwidth: values.number("bandwidth"),
            centres: whole("centres"),
            held_out: whole("held-out"),
            avoid: values.number("avoid"),
            slack: values.number("slack"),
            keep_samples: values.word("keep-samples") == "on",
            agent_episodes: whole("agent-episodes"),
            objective_episodes: whole("objective-episodes"),
        }
    }
}
