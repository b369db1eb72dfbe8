use hedgerow::seed::Stream;
use hedgerow_deep::explore::{*, random::Random, pcse::Pcse, undecided::Undecided, ucb::Ucb, eps_greedy::EpsGreedy, max_entropy::MaxEntropy};
use hedgerow_deep::learn::*;
use hedgerow_deep::maze::{builtin, World};
use hedgerow_deep::plan::Planner;
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (name, strat) = (&args[1], args[2].as_str());
    let iters: usize = args[3].parse().unwrap();
    let seed: u64 = args[4].parse().unwrap();
    let maze = Arc::new(builtin::maze(name).unwrap());
    let planner = Planner::new(&maze, 0.1, 11).unwrap();
    let cols = maze.map().columns();
    let mut charged = vec![0.0; maze.map().rows() * cols];
    for (r, c) in maze.constraint_cells() { charged[r * cols + c] = 1.0; }
    let expert = planner.solve(&charged).unwrap();
    let terms = Terms { map: maze.map().clone(), gamma: maze.design().gamma, seconds: 0.01 * maze.design().hold as f64 };
    let mut learner = Learner::new(terms, Inference::default(), "smooth").unwrap();
    let mut world = World::new(&maze, Stream::new(seed, "world"));
    let mut rng = Stream::new(seed, "act");
    let mut strategy: Box<dyn Strategy> = match strat { "pcse" => Box::new(Pcse::default()), "ucb" => Box::new(Ucb::default()), "eps" => Box::new(EpsGreedy::default()), "maxent" => Box::new(MaxEntropy), "undecided" => Box::new(Undecided::default()), _ => Box::new(Random) };
    let t0 = Instant::now();
    let (mut tl, mut tp) = (0.0, 0.0);
    for k in 1..=iters {
        let t = Instant::now();
        strategy.plan(&learner, k).unwrap();
        tp += t.elapsed().as_secs_f64();
        let first = learner.samples().len();
        for _ in 0..args.get(5).map_or(1, |x| x.parse().unwrap()) {
            world.reset();
            strategy.begin(&mut rng);
            let mut state = world.observe();
            loop {
                let e = planner.action(&expert, &state);
                let a = strategy.act(&learner, &state, e, &mut rng);
                let o = world.decide(a);
                let next = world.observe();
                learner.see(Sample { state, action: a as u8, expert: e as u8, next, reward: o.reward, ended: o.ended, last: o.over() });
                state = next;
                if o.over() { break; }
            }
        }
        strategy.learn(&learner, first).unwrap();
        let t = Instant::now();
        learner.refresh();
        tl += t.elapsed().as_secs_f64();
        if [1, 2, 5, 10, 20, 50, 100, 200, 400].contains(&k) || k == iters {
            let pts = learner.points();
            let (mut good, mut all) = (0.0, 0.0);
            for p in &pts { all += p[2]; if maze.constraint_cells().iter().any(|&(r, k)| { let m = maze.map().cell_centre(r, k); (p[0]-m[0]).abs() <= 0.6 && (p[1]-m[1]).abs() <= 0.6 }) { good += p[2]; } }
            let c = learner.cells();
            print!("iter {k} samples {} points {} good {:.3} t {:.1}s (learn {tl:.1} plan {tp:.1}) cells", learner.samples().len(), pts.len(), good / all, t0.elapsed().as_secs_f64());
            for (i, x) in c.cost.iter().enumerate() { if *x > 0.0 { print!(" ({},{}) {:.4} {}/{}", i / cols, i % cols, x, c.constrained[i], c.visits[i]); } }
            println!(" V0 {:?}", learner.fit().value(&[maze.starts()[0][0], maze.starts()[0][1], 0.0, 0.0]).map(|k| k.value));
        }
    }
}
