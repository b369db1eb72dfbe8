//! Statistics of an expert's episodes.

use super::Expert;
use crate::maze::{Ball, Maze, MazeEnv, State};
use hedgerow::seed::Stream;
use serde::Serialize;
use std::sync::Arc;

/// Statistics of some episodes. Shares and means are over all episodes unless they say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EpisodeStats {
    /// Episodes.
    pub episodes: usize,
    /// Share that reached the goal.
    pub reached: f64,
    /// Share in which the ball was in a constraint cell after some physics step.
    pub entered: f64,
    /// Share that reached the goal and was never in one.
    pub reached_and_clear: f64,
    /// Mean number of decisions to the goal, over episodes that reached it.
    pub decisions: f64,
    /// Mean discounted reward: `gamma^t` for the goal reached in decision `t`, from 0.
    pub reward: f64,
    /// Mean discounted cost: the sum over decisions `t`, from 0, of `gamma^t` times the physics
    /// steps in constraint cells during the decision, over the hold.
    pub cost: f64,
    /// Share of all physics steps that were spent in constraint cells.
    pub inside: f64,
}

/// Evaluates an expert in episodes from the starts of the maze.
pub fn evaluate(
    maze: &Arc<Maze>,
    expert: &Expert,
    episodes: usize,
    stream: Stream,
) -> EpisodeStats {
    let mut scratch = expert.scratch();
    let mut act = |state: &State| expert.action(state, &mut scratch);
    evaluate_policy(maze, &mut act, stream, &mut (0..episodes).map(|_| None))
}

/// Evaluates a policy in one episode from each of `starts`; `None` is a start of the maze.
pub fn evaluate_policy(
    maze: &Arc<Maze>,
    act: &mut dyn FnMut(&State) -> usize,
    stream: Stream,
    starts: &mut dyn Iterator<Item = Option<Ball>>,
) -> EpisodeStats {
    let mut env = MazeEnv::new(maze, stream);
    let (gamma, hold) = (maze.design().gamma, f64::from(maze.design().hold));
    let mut all = EpisodeStats::default();
    let (mut steps, mut inside) = (0_u64, 0_u64);
    for start in starts {
        match start {
            Some(ball) => env.place(ball),
            None => env.reset(),
        }
        let (mut discount, mut decisions, mut entered) = (1.0, 0, false);
        let terminated = loop {
            let state = env.observe();
            let step = env.step(act(&state));
            decisions += 1;
            steps += u64::from(step.steps);
            inside += u64::from(step.cost);
            entered |= step.cost > 0;
            all.reward += discount * step.reward;
            all.cost += discount * f64::from(step.cost) / hold;
            discount *= gamma;
            if step.done() {
                break step.terminated;
            }
        };
        all.episodes += 1;
        all.entered += f64::from(u8::from(entered));
        all.reached_and_clear += f64::from(u8::from(terminated && !entered));
        if terminated {
            all.reached += 1.0;
            all.decisions += f64::from(decisions);
        }
    }
    all.decisions /= all.reached.max(1.0);
    all.inside = inside as f64 / steps.max(1) as f64;
    let n = all.episodes.max(1) as f64;
    for sum in [
        &mut all.reached,
        &mut all.entered,
        &mut all.reached_and_clear,
        &mut all.reward,
        &mut all.cost,
    ] {
        *sum /= n;
    }
    all
}
