//! Returns of several steps.

use super::replay_buffer::{ReplayBuffer, Transition};
use std::collections::VecDeque;

/// Turns the steps of one environment into transitions with returns of up to `n` rewards,
/// `r_0 + gamma r_1 + ... + gamma^{k-1} r_{k-1}`, and the state after them.
///
/// They are cut before an action that was not greedy: the outcome of exploring would otherwise be
/// attributed to the actions before it.
#[derive(Debug)]
pub struct NStep {
    n: usize,
    gamma: f32,
    pending: VecDeque<Transition>,
}

impl NStep {
    pub fn new(n: usize, gamma: f32) -> Self {
        let pending = VecDeque::new();
        Self { n, gamma, pending }
    }

    /// An action is about to be taken in `state`, the greedy one or a random one.
    pub fn act(&mut self, state: &[f32], action: usize, greedy: bool, buffer: &mut ReplayBuffer) {
        if !greedy {
            self.flush(state, false, buffer);
        }
        self.pending.push_back(Transition {
            state: state.to_vec(),
            action: action as u32,
            reward: 0.0,
            discount: 1.0,
        });
    }

    /// It earned `reward` and led to `next`, where the episode may have terminated.
    pub fn arrive(
        &mut self,
        reward: f32,
        next: &[f32],
        terminated: bool,
        buffer: &mut ReplayBuffer,
    ) {
        for transition in &mut self.pending {
            transition.reward += transition.discount * reward;
            transition.discount *= self.gamma;
        }
        if self.pending.len() >= self.n
            && let Some(transition) = self.pending.pop_front()
        {
            buffer.push(&transition, next, terminated);
        }
    }

    /// No step follows the pending ones, which led to `next`.
    pub fn flush(&mut self, next: &[f32], terminated: bool, buffer: &mut ReplayBuffer) {
        for transition in self.pending.drain(..) {
            buffer.push(&transition, next, terminated);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_have_up_to_n_rewards_and_fewer_at_the_end() {
        let (mut buffer, mut n_step) = (ReplayBuffer::new(1, 10), NStep::new(2, 0.5));
        for t in 0..3 {
            let (now, next) = ([t as f32], [t as f32 + 1.0]);
            n_step.act(&now, t, true, &mut buffer);
            n_step.arrive(1.0 + t as f32, &next, t == 2, &mut buffer);
        }
        n_step.flush(&[3.0], true, &mut buffer);
        let wanted = [
            (0.0, 0, 2.0, 0.25, 2.0),
            (1.0, 1, 3.5, 0.0, 3.0),
            (2.0, 2, 3.0, 0.0, 3.0),
        ];
        assert_eq!(buffer.rows(), wanted);
    }

    #[test]
    fn a_random_action_cuts_the_returns_before_it() {
        let (mut buffer, mut n_step) = (ReplayBuffer::new(1, 10), NStep::new(3, 0.5));
        n_step.act(&[0.0], 4, true, &mut buffer);
        n_step.arrive(1.0, &[1.0], false, &mut buffer);
        n_step.act(&[1.0], 5, false, &mut buffer);
        n_step.arrive(-8.0, &[2.0], false, &mut buffer);
        assert_eq!(buffer.rows(), [(0.0, 4, 1.0, 0.5, 1.0)]);
        n_step.flush(&[2.0], false, &mut buffer);
        assert_eq!(buffer.rows()[1], (1.0, 5, -8.0, 0.5, 2.0));
    }
}
