//! What was seen lately: a ring of transitions over one or several steps.

use hedgerow::seed::Stream;
use rand::RngExt;
use std::collections::VecDeque;

/// The last `capacity` transitions, in flat arrays.
#[derive(Debug)]
pub struct Replay {
    inputs: usize,
    capacity: usize,
    /// Where the next one goes.
    at: usize,
    states: Vec<f32>,
    actions: Vec<u32>,
    rewards: Vec<f32>,
    discounts: Vec<f32>,
    nexts: Vec<f32>,
}

/// Transitions drawn to learn from. A target is `reward + discount * value(next)`; the discount is
/// 0 where the world ended.
#[derive(Debug, Default)]
pub struct Batch {
    pub states: Vec<f32>,
    pub actions: Vec<u32>,
    pub rewards: Vec<f32>,
    pub discounts: Vec<f32>,
    pub nexts: Vec<f32>,
}

impl Replay {
    pub fn new(inputs: usize, capacity: usize) -> Self {
        Self {
            inputs,
            capacity,
            at: 0,
            states: Vec::new(),
            actions: Vec::new(),
            rewards: Vec::new(),
            discounts: Vec::new(),
            nexts: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.actions.len()
    }

    fn push(&mut self, step: &Pending, discount: f32, next: &[f32]) {
        if self.len() < self.capacity {
            self.states.extend_from_slice(&step.state);
            self.actions.push(step.action);
            self.rewards.push(step.reward);
            self.discounts.push(discount);
            self.nexts.extend_from_slice(next);
            return;
        }
        let row = self.at * self.inputs..(self.at + 1) * self.inputs;
        self.states[row.clone()].copy_from_slice(&step.state);
        self.nexts[row].copy_from_slice(next);
        self.actions[self.at] = step.action;
        self.rewards[self.at] = step.reward;
        self.discounts[self.at] = discount;
        self.at = (self.at + 1) % self.capacity;
    }

    /// Draws `n` transitions, each one alike.
    pub fn sample(&self, n: usize, stream: &mut Stream, batch: &mut Batch) {
        batch.states.clear();
        batch.actions.clear();
        batch.rewards.clear();
        batch.discounts.clear();
        batch.nexts.clear();
        for _ in 0..n {
            let i = stream.random_range(0..self.len());
            let row = i * self.inputs..(i + 1) * self.inputs;
            batch.states.extend_from_slice(&self.states[row.clone()]);
            batch.nexts.extend_from_slice(&self.nexts[row]);
            batch.actions.push(self.actions[i]);
            batch.rewards.push(self.rewards[i]);
            batch.discounts.push(self.discounts[i]);
        }
    }
}

/// Joins the steps of one lane to transitions of up to `n` steps,
/// `r_0 + gamma r_1 + ... + gamma^{k-1} r_{k-1}` and the state after them.
///
/// They are cut before an action that was not the best: what came of a try would otherwise be held
/// against the actions that led there.
#[derive(Debug)]
pub struct Joiner {
    n: usize,
    gamma: f32,
    waiting: VecDeque<Pending>,
}

#[derive(Debug)]
struct Pending {
    state: Vec<f32>,
    action: u32,
    reward: f32,
    /// `gamma^k` after `k` rewards.
    discount: f32,
}

impl Joiner {
    pub fn new(n: usize, gamma: f32) -> Self {
        let waiting = VecDeque::new();
        Self { n, gamma, waiting }
    }

    /// In `state` an action is about to be taken, the best known one or a try.
    pub fn choose(&mut self, state: &[f32], action: usize, best: bool, replay: &mut Replay) {
        if !best {
            self.flush(state, false, replay);
        }
        self.waiting.push_back(Pending {
            state: state.to_vec(),
            action: action as u32,
            reward: 0.0,
            discount: 1.0,
        });
    }

    /// It paid `reward` and led to `next`, where the world may have ended.
    pub fn arrive(&mut self, reward: f32, next: &[f32], ended: bool, replay: &mut Replay) {
        for step in &mut self.waiting {
            step.reward += step.discount * reward;
            step.discount *= self.gamma;
        }
        if self.waiting.len() >= self.n
            && let Some(step) = self.waiting.pop_front()
        {
            let discount = if ended { 0.0 } else { step.discount };
            replay.push(&step, discount, next);
        }
    }

    /// No step follows those waiting, which led to `next`.
    pub fn flush(&mut self, next: &[f32], ended: bool, replay: &mut Replay) {
        for step in self.waiting.drain(..) {
            let discount = if ended { 0.0 } else { step.discount };
            replay.push(&step, discount, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(replay: &Replay) -> Vec<(f32, u32, f32, f32, f32)> {
        let row = |i: usize| {
            let (state, next) = (replay.states[i], replay.nexts[i]);
            (
                state,
                replay.actions[i],
                replay.rewards[i],
                replay.discounts[i],
                next,
            )
        };
        (0..replay.len()).map(row).collect()
    }

    #[test]
    fn steps_are_joined_up_to_n_and_at_the_end() {
        let (mut replay, mut joiner) = (Replay::new(1, 10), Joiner::new(2, 0.5));
        for t in 0..3 {
            let (now, next) = ([t as f32], [t as f32 + 1.0]);
            joiner.choose(&now, t, true, &mut replay);
            joiner.arrive(1.0 + t as f32, &next, t == 2, &mut replay);
        }
        joiner.flush(&[3.0], true, &mut replay);
        let wanted = [
            (0.0, 0, 2.0, 0.25, 2.0),
            (1.0, 1, 3.5, 0.0, 3.0),
            (2.0, 2, 3.0, 0.0, 3.0),
        ];
        assert_eq!(all(&replay), wanted);
    }

    #[test]
    fn a_try_cuts_what_led_to_it() {
        let (mut replay, mut joiner) = (Replay::new(1, 10), Joiner::new(3, 0.5));
        joiner.choose(&[0.0], 4, true, &mut replay);
        joiner.arrive(1.0, &[1.0], false, &mut replay);
        joiner.choose(&[1.0], 5, false, &mut replay);
        joiner.arrive(-8.0, &[2.0], false, &mut replay);
        assert_eq!(all(&replay), [(0.0, 4, 1.0, 0.5, 1.0)]);
        joiner.flush(&[2.0], false, &mut replay);
        assert_eq!(all(&replay)[1], (1.0, 5, -8.0, 0.5, 2.0));
    }

    #[test]
    fn the_ring_forgets_the_oldest() {
        let (mut replay, mut joiner) = (Replay::new(1, 2), Joiner::new(1, 1.0));
        for t in 0..5 {
            joiner.choose(&[t as f32], t, true, &mut replay);
            joiner.arrive(0.0, &[0.0], false, &mut replay);
        }
        let mut kept: Vec<u32> = replay.actions.clone();
        kept.sort_unstable();
        assert_eq!(kept, [3, 4]);
    }
}
