//! A task is a decision problem without its dynamics.
use hedgerow::model::{Dynamics, Task};

fn rows(task: &Task) {
    let _ = task.rows();
}

fn dynamics(task: &Task) -> &dyn Dynamics {
    task
}

fn main() {}
