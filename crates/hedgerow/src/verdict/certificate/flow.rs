//! On which rows an advantage hangs.

use crate::index::{Pair, State};
use crate::model::Task;

use super::moment::Moment;
use super::target::About;

/// Visits below this do not matter.
pub(super) const FAINT: f64 = 1e-4;

/// Steps after which the rest does not matter.
const STEPS: usize = 400;

/// Discounted visits of states: those of the expert after taking a pair, minus those of the expert
/// from the pair's own state, in the estimated world.
///
/// `d = (gamma P^(.|s,a) - 1_s) (I - gamma P^ pi^)^-1`; a row `(x,u)` then moves the advantage of
/// `(s,a)` by `gamma d(x) pi^(u|x)` times its change of mean value.
#[derive(Debug)]
pub(super) struct Flow {
    /// The visits.
    pub visits: Vec<f64>,
    /// The states with any visits.
    pub states: Vec<State>,
    arriving: Vec<f64>,
    front: Vec<State>,
    later: Vec<f64>,
    met: Vec<bool>,
}

impl Flow {
    /// Room for a task.
    pub fn new(task: &Task) -> Self {
        let zeros = || vec![0.0; task.states()];
        Self {
            visits: zeros(),
            states: Vec::new(),
            arriving: zeros(),
            front: Vec::new(),
            later: zeros(),
            met: vec![false; task.states()],
        }
    }

    fn clear(&mut self) {
        for state in self.states.drain(..) {
            self.visits[state.at()] = 0.0;
            self.met[state.at()] = false;
        }
        for state in self.front.drain(..) {
            self.arriving[state.at()] = 0.0;
        }
    }

    fn arrive(&mut self, state: State, visits: f64) {
        if self.arriving[state.at()] == 0.0 {
            self.front.push(state);
        }
        self.arriving[state.at()] += visits;
    }

    /// The visits that a target hangs on: those of the expert from a state, or those that a pair
    /// brings.
    pub fn follow(&mut self, moment: &Moment, about: About) {
        self.clear();
        let task = &moment.task;
        let gamma = task.gamma();
        match about {
            About::Value(state) => self.arrive(state, 1.0),
            About::Gain(pair) => {
                for outcome in &moment.outcomes[pair.at()] {
                    self.arrive(State::new(outcome.next), gamma * outcome.prob);
                }
                self.arrive(task.state_of(pair), -1.0);
            }
        }
        for _ in 0..STEPS {
            let front = std::mem::take(&mut self.front);
            for &state in &front {
                self.later[state.at()] = std::mem::take(&mut self.arriving[state.at()]);
            }
            for &state in &front {
                let here = std::mem::take(&mut self.later[state.at()]);
                if task.is_terminal(state) || here.abs() < 0.01 * FAINT {
                    continue;
                }
                if !std::mem::replace(&mut self.met[state.at()], true) {
                    self.states.push(state);
                }
                self.visits[state.at()] += here;
                for i in task.pairs_of(state) {
                    let leaving = gamma * here * moment.share(Pair::new(i));
                    if leaving != 0.0 {
                        for outcome in &moment.outcomes[i] {
                            self.arrive(State::new(outcome.next), leaving * outcome.prob);
                        }
                    }
                }
            }
            if self.front.is_empty() {
                break;
            }
        }
    }
}
