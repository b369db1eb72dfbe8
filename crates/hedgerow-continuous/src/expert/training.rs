//! Training an expert, and keeping the best network on the way.

use super::play::{Played, count};
use super::practice::anywhere;
use super::{Expert, MazePractice, features, fingerprint};
use crate::agent::dqn;
use crate::maze::{Ball, Maze, State};
use crate::net::{Mlp, Network, Scratch, largest};
use crate::{Error, Result};
use hedgerow::seed::Stream;
use std::sync::Arc;

/// How to train an expert. Every field has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How to learn, with 20,000 gradient steps; the discount is that of the maze.
    pub dqn: dqn::Settings,
    /// Balls that practise at once; 32.
    pub lanes: usize,
    /// What a whole decision inside constraint cells costs a constrained expert; 1.
    pub penalty: f64,
    /// Gradient steps between two tests; 1,000.
    pub test_every: usize,
    /// Episodes of a test from the starts, and as many from anywhere; 200.
    pub test_episodes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dqn: dqn::Settings {
                updates: 20_000,
                ..dqn::Settings::default()
            },
            lanes: 32,
            penalty: 1.0,
            test_every: 1_000,
            test_episodes: 200,
        }
    }
}

/// How far training is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Gradient steps made.
    pub updates: usize,
    /// Gradient steps in all.
    pub of: usize,
    /// The last test from the starts, once there is one.
    pub test: Option<Played>,
    /// What that test was worth: the mean of [`worth`](super::practice::worth) over both kinds of
    /// starts.
    pub score: f64,
}

/// What training brought.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The best expert seen.
    pub expert: Expert,
    /// Its test.
    pub test: Played,
    /// Whether training was stopped before its end.
    pub interrupted: bool,
}

/// Trains an expert of `maze`; one that is not `constrained` does not mind the constraint cells.
///
/// `progress` is called after every gradient step; `false` ends training.
pub fn train(
    maze: &Arc<Maze>,
    settings: &Settings,
    seed: u64,
    constrained: bool,
    progress: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Trained> {
    for (name, n) in [
        ("lanes", settings.lanes),
        ("test_every", settings.test_every),
        ("test_episodes", settings.test_episodes),
    ] {
        if n == 0 {
            return Err(Error::invalid(name, "0", "use at least 1"));
        }
    }
    let penalty = if constrained { settings.penalty } else { 0.0 };
    let mut practice = MazePractice::new(maze, settings.lanes, penalty, seed);
    let learning = dqn::Settings {
        gamma: maze.design().gamma as f32,
        ..settings.dqn.clone()
    };
    let test = Test::new(maze, settings.test_episodes, penalty, seed);
    let mut best: Option<(f64, Mlp, Played)> = None;
    let mut told = Progress {
        updates: 0,
        of: learning.updates,
        test: None,
        score: f64::NEG_INFINITY,
    };
    let mut interrupted = false;
    let last = dqn::train(&mut practice, &learning, seed, &mut |p| {
        told.updates = p.updates;
        if p.updates % settings.test_every == 0 || p.updates >= p.of {
            let (score, played) = test.take(p.net);
            if best.as_ref().is_none_or(|(b, ..)| score > *b) {
                best = Some((score, p.net.clone(), played.clone()));
            }
            told.score = score;
            told.test = Some(played);
        }
        interrupted = !progress(&told);
        !interrupted
    })?;
    let (net, played) = match best {
        Some((_, net, played)) => (net, played),
        None => {
            let (_, played) = test.take(&last);
            (last, played)
        }
    };
    let notes = notes(maze, &learning, penalty, seed, constrained);
    Ok(Trained {
        expert: Expert::new(Network { net, notes }, maze)?,
        test: played,
        interrupted,
    })
}

type Notes = std::collections::BTreeMap<String, String>;

fn notes(
    maze: &Maze,
    learning: &dqn::Settings,
    penalty: f64,
    seed: u64,
    constrained: bool,
) -> Notes {
    let notes = [
        ("maze", maze.name().to_owned()),
        ("fingerprint", fingerprint(maze).to_string()),
        ("hold", maze.design().hold.to_string()),
        ("gamma", maze.design().gamma.to_string()),
        ("seed", seed.to_string()),
        ("updates", learning.updates.to_string()),
        ("constrained", constrained.to_string()),
        ("penalty", penalty.to_string()),
    ];
    notes.map(|(k, v)| (k.to_owned(), v)).into()
}

/// The same episodes for every network: from the starts, and from anywhere.
struct Test {
    maze: Arc<Maze>,
    penalty: f64,
    seed: u64,
    anywhere: Vec<Ball>,
    episodes: usize,
}

impl Test {
    fn new(maze: &Arc<Maze>, episodes: usize, penalty: f64, seed: u64) -> Self {
        let mut stream = Stream::new(seed, "test.anywhere");
        Self {
            anywhere: (0..episodes).map(|_| anywhere(maze, &mut stream)).collect(),
            maze: maze.clone(),
            penalty,
            seed,
            episodes,
        }
    }

    /// What a network's episodes are worth, and those from the starts in detail.
    fn take(&self, net: &Mlp) -> (f64, Played) {
        let mut scratch = Scratch::new(net);
        let map = self.maze.map();
        let mut act = |state: &State| largest(net.forward(&features(state, map), &mut scratch));
        let stream = |name| Stream::new(self.seed, name);
        let mut starts = (0..self.episodes).map(|_| None);
        let started = count(
            &self.maze,
            &mut act,
            stream("test.starts.noise"),
            &mut starts,
        );
        let mut anywhere = self.anywhere.iter().copied().map(Some);
        let placed = count(
            &self.maze,
            &mut act,
            stream("test.anywhere.noise"),
            &mut anywhere,
        );
        let worth = |p: &Played| p.reward - self.penalty * p.cost;
        (0.5 * (worth(&started) + worth(&placed)), started)
    }
}
