//! An expert is asked one action at a time.
use hedgerow::env::World;

fn cheat(world: &World) {
    let _ = world.expert;
    let _ = world.expert_policy();
}

fn main() {}
