//! Steps per second of processor time of one ball: random actions held for 10 steps, episodes of 300, in the U-shaped
//! map of the real PointMaze. `benches/maze/run.sh` compares it with the real one.

use hedgerow::seed::Stream;
use hedgerow_continuous::maze::{Ball, Map, Physics};
use rand::RngExt;
use std::time::Instant;

const MAP: [&str; 5] = ["#####", "#...#", "###.#", "#...#", "#####"];
const HOLD: usize = 10;
const EPISODE: usize = 300;
/// Episodes between two looks at the clock.
const BATCH: usize = 100;

/// Seconds of processor time so far, so that other work on the machine does not count; none where the system
/// does not tell them.
fn busy() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = told.split_whitespace().next()?.parse().ok()?;
    Some(1e-9 * nanoseconds)
}

fn main() -> hedgerow::Result<()> {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok());
    let seconds: f64 = seconds.unwrap_or(3.0);
    let walls = MAP.map(|line| line.chars().map(|c| c == '#').collect());
    let map = Map::drawn(&walls, 1.0)?;
    let physics = Physics::new(&map);
    let starts: Vec<_> = map.open_cells().collect();
    let mut stream = Stream::new(0, "steps");
    let (mut steps, mut touching, mut check) = (0_u64, 0_u64, 0.0);
    let (start, before) = (Instant::now(), busy());
    while start.elapsed().as_secs_f64() < seconds {
        for _ in 0..BATCH {
            let (row, column) = starts[stream.random_range(0..starts.len())];
            let mut ball = Ball {
                position: map.cell_centre(row, column),
                velocity: [0.0; 2],
            };
            for _ in 0..EPISODE / HOLD {
                let action = [0; 2].map(|_| 2.0 * stream.random::<f64>() - 1.0);
                for _ in 0..HOLD {
                    physics.step(&mut ball, action);
                }
                let contacts = physics.contacts(ball.position, ball.velocity);
                touching += u64::from(!contacts.as_slice().is_empty());
            }
            check += ball.position[0] + ball.position[1];
            steps += EPISODE as u64;
        }
    }
    let busy = before.zip(busy()).map(|(before, now)| now - before);
    let rate = steps as f64 / busy.unwrap_or(start.elapsed().as_secs_f64());
    println!("{rate:.0}");
    let share = 100.0 * touching as f64 / (steps as f64 / HOLD as f64);
    // Printed so that no step can be left out as unused.
    eprintln!("{share:.0} % of the balls touch a wall; sum of positions {check}");
    Ok(())
}
