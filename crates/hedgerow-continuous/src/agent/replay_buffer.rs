//! Recent transitions to learn from.

use hedgerow::seed::Stream;
use rand::RngExt;

/// A transition over one or several steps, without the state it led to.
#[derive(Debug)]
pub struct Transition {
    pub state: Vec<f32>,
    pub action: u32,
    pub reward: f32,
    /// `gamma^k` after `k` rewards.
    pub discount: f32,
}

/// The last `capacity` transitions, in flat arrays.
#[derive(Debug)]
pub struct ReplayBuffer {
    inputs: usize,
    capacity: usize,
    /// Where the next one goes, once the buffer is full.
    next: usize,
    all: Batch,
}

/// Transitions in flat arrays. A target is `reward + discount * value(next)`; the discount is 0
/// where the episode terminated.
#[derive(Debug, Default)]
pub struct Batch {
    pub states: Vec<f32>,
    pub actions: Vec<u32>,
    pub rewards: Vec<f32>,
    pub discounts: Vec<f32>,
    pub nexts: Vec<f32>,
}

impl ReplayBuffer {
    pub fn new(inputs: usize, capacity: usize) -> Self {
        Self {
            inputs,
            capacity,
            next: 0,
            all: Batch::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.all.actions.len()
    }

    /// Adds a transition to `next`, where the episode may have terminated.
    pub fn push(&mut self, transition: &Transition, next: &[f32], terminated: bool) {
        let discount = if terminated { 0.0 } else { transition.discount };
        if self.len() < self.capacity {
            self.all.states.extend_from_slice(&transition.state);
            self.all.actions.push(transition.action);
            self.all.rewards.push(transition.reward);
            self.all.discounts.push(discount);
            self.all.nexts.extend_from_slice(next);
            return;
        }
        let i = self.next;
        let row = i * self.inputs..(i + 1) * self.inputs;
        self.all.states[row.clone()].copy_from_slice(&transition.state);
        self.all.nexts[row].copy_from_slice(next);
        self.all.actions[i] = transition.action;
        self.all.rewards[i] = transition.reward;
        self.all.discounts[i] = discount;
        self.next = (i + 1) % self.capacity;
    }

    /// Draws `n` transitions uniformly, with replacement.
    pub fn sample(&self, n: usize, stream: &mut Stream, batch: &mut Batch) {
        batch.states.clear();
        batch.actions.clear();
        batch.rewards.clear();
        batch.discounts.clear();
        batch.nexts.clear();
        for _ in 0..n {
            let i = stream.random_range(0..self.len());
            let row = i * self.inputs..(i + 1) * self.inputs;
            let all = &self.all;
            batch.states.extend_from_slice(&all.states[row.clone()]);
            batch.nexts.extend_from_slice(&all.nexts[row]);
            batch.actions.push(all.actions[i]);
            batch.rewards.push(all.rewards[i]);
            batch.discounts.push(all.discounts[i]);
        }
    }

    /// State, action, reward, discount and next state of all transitions with one input.
    #[cfg(test)]
    pub fn rows(&self) -> Vec<(f32, u32, f32, f32, f32)> {
        let all = &self.all;
        let row = |i: usize| {
            let (state, next) = (all.states[i], all.nexts[i]);
            (
                state,
                all.actions[i],
                all.rewards[i],
                all.discounts[i],
                next,
            )
        };
        (0..self.len()).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_buffer_forgets_the_oldest() {
        let mut buffer = ReplayBuffer::new(1, 2);
        for t in 0..5 {
            let transition = Transition {
                state: vec![0.0],
                action: t,
                reward: 0.0,
                discount: 1.0,
            };
            buffer.push(&transition, &[0.0], false);
        }
        let mut kept: Vec<u32> = buffer.rows().iter().map(|row| row.1).collect();
        kept.sort_unstable();
        assert_eq!(kept, [3, 4]);
    }
}
