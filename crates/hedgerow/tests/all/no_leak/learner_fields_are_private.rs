//! Not even its own counts can be rewritten from outside.
use hedgerow::learn::Learner;

fn cheat(learner: &mut Learner) {
    learner.samples = 0;
    learner.constrained.clear();
}

fn main() {}
