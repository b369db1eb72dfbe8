//! Training an expert, and keeping the best network found.

use super::evaluate::{EpisodeStats, evaluate_policy};
use super::maze_vec_env::random_ball;
use super::{Expert, MazeVecEnv, features, fingerprint};
use crate::agent::{DqnSettings, dqn};
use crate::maze::{Ball, Maze, State};
use crate::net::{Mlp, Network, Scratch};
use crate::select::argmax;
use crate::{Error, Result};
use hedgerow::seed::Stream;
use std::sync::Arc;

/// How to train an expert. Every field has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingSettings {
    /// How to learn, with 20,000 gradient steps; the discount is that of the maze.
    pub dqn: DqnSettings,
    /// Copies of the maze to train in; 32.
    pub copies: usize,
    /// What a whole decision inside constraint cells costs a constrained expert; 1.
    pub penalty: f64,
    /// Gradient steps between two tests; 1,000.
    pub test_every: usize,
    /// Episodes of a test from the starts, and as many from anywhere; 200.
    pub test_episodes: usize,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            dqn: DqnSettings {
                updates: 20_000,
                ..DqnSettings::default()
            },
            copies: 32,
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
    pub test: Option<EpisodeStats>,
    /// The score of that test: the mean of [`penalised_reward`](super::maze_vec_env::penalised_reward)
    /// over both kinds of starts.
    pub score: f64,
}

/// The result of training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The best expert found.
    pub expert: Expert,
    /// Its test.
    pub test: EpisodeStats,
    /// Whether training was stopped before its end.
    pub interrupted: bool,
}

/// Trains an expert of `maze`; one that is not `constrained` ignores the constraint cells.
///
/// `progress` is called after every gradient step; `false` ends training.
pub fn train(
    maze: &Arc<Maze>,
    settings: &TrainingSettings,
    seed: u64,
    constrained: bool,
    progress: &mut dyn FnMut(&Progress) -> bool,
) -> Result<Trained> {
    for (name, n) in [
        ("copies", settings.copies),
        ("test_every", settings.test_every),
        ("test_episodes", settings.test_episodes),
    ] {
        if n == 0 {
            return Err(Error::invalid(name, "0", "use at least 1"));
        }
    }
    let penalty = if constrained { settings.penalty } else { 0.0 };
    let mut env = MazeVecEnv::new(maze, settings.copies, penalty, seed);
    let learning = DqnSettings {
        gamma: maze.design().gamma as f32,
        ..settings.dqn.clone()
    };
    let test = Test::new(maze, settings.test_episodes, penalty, seed);
    let mut best: Option<(f64, Mlp, EpisodeStats)> = None;
    let mut state = Progress {
        updates: 0,
        of: learning.updates,
        test: None,
        score: f64::NEG_INFINITY,
    };
    let mut interrupted = false;
    let last = dqn::train(&mut env, &learning, seed, &mut |p| {
        state.updates = p.updates;
        if p.updates % settings.test_every == 0 || p.updates >= p.of {
            let (score, stats) = test.run(p.net);
            if best.as_ref().is_none_or(|(b, ..)| score > *b) {
                best = Some((score, p.net.clone(), stats.clone()));
            }
            state.score = score;
            state.test = Some(stats);
        }
        interrupted = !progress(&state);
        !interrupted
    })?;
    let (net, stats) = match best {
        Some((_, net, stats)) => (net, stats),
        None => {
            let (_, stats) = test.run(&last);
            (last, stats)
        }
    };
    let notes = notes(maze, &learning, penalty, seed, constrained);
    Ok(Trained {
        expert: Expert::new(Network { net, notes }, maze)?,
        test: stats,
        interrupted,
    })
}

type Notes = std::collections::BTreeMap<String, String>;

fn notes(maze: &Maze, learning: &DqnSettings, penalty: f64, seed: u64, constrained: bool) -> Notes {
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
            anywhere: (0..episodes)
                .map(|_| random_ball(maze, &mut stream))
                .collect(),
            maze: maze.clone(),
            penalty,
            seed,
            episodes,
        }
    }

    /// The score of a network, and the statistics of its episodes from the starts.
    fn run(&self, net: &Mlp) -> (f64, EpisodeStats) {
        let mut scratch = Scratch::new(net);
        let map = self.maze.map();
        let mut act = |state: &State| argmax(net.forward(&features(state, map), &mut scratch));
        let stream = |name| Stream::new(self.seed, name);
        let mut starts = (0..self.episodes).map(|_| None);
        let started = evaluate_policy(
            &self.maze,
            &mut act,
            stream("test.starts.noise"),
            &mut starts,
        );
        let mut anywhere = self.anywhere.iter().copied().map(Some);
        let placed = evaluate_policy(
            &self.maze,
            &mut act,
            stream("test.anywhere.noise"),
            &mut anywhere,
        );
        let score = |p: &EpisodeStats| p.reward - self.penalty * p.cost;
        (0.5 * (score(&started) + score(&placed)), started)
    }
}
