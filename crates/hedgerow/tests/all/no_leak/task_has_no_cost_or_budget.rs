//! What the expert avoids, and how much of it it may do, is not part of the task.
use hedgerow::model::Task;

fn cheat(task: &Task) {
    let _ = task.cost();
    let _ = task.budget();
}

fn main() {}
