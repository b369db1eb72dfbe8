//! Mazes: their files, what is refused, and episodes in them.

use hedgerow::seed::Stream;
use hedgerow_continuous::maze::{Ball, Design, Maze, MazeEnv, Step, builtin, file};
use proptest::prelude::*;
use std::sync::Arc;

const DOWN: usize = 1;
const LEFT: usize = 2;
const UP: usize = 0;

fn quiet(name: &str) -> Arc<Maze> {
    let design = builtin::maze(name).unwrap().design().clone();
    let design = Design {
        start_noise: 0.0,
        position_noise: 0.0,
        ..design
    };
    Arc::new(Maze::new(design).unwrap())
}

fn stream(seed: u64) -> Stream {
    Stream::new(seed, "maze")
}

#[test]
fn the_point_maze_is_the_ring() {
    let maze = builtin::maze("point-maze").unwrap();
    assert_eq!(maze.starts(), [[-1.0, -1.0]]);
    assert_eq!(maze.goals(), [[-1.0, 1.0]]);
    let [(row, column)] = maze.constraint_cells()[..] else {
        panic!("one constraint cell")
    };
    assert_eq!(maze.map().cell_centre(row, column), [-1.0, 0.0]);
    assert_eq!(maze.map().open_cells().count(), 8);
    assert!(maze.map().is_wall(2, 2));
    let d = maze.design();
    assert_eq!((d.gamma, d.hold, d.horizon), (0.95, 5, 500));
    assert_eq!(
        (d.goal_radius, d.start_noise, d.position_noise),
        (0.5, 0.25, 0.05)
    );
    assert_eq!(d.expert, None);
}

#[test]
fn the_constraint_ends_at_the_sides_of_its_cell() {
    let maze = builtin::maze("point-maze").unwrap();
    assert!(maze.in_constraint([-1.0, 0.49]) && maze.in_constraint([-1.4, -0.49]));
    assert!(!maze.in_constraint([-1.0, 0.51]) && !maze.in_constraint([-1.0, -0.51]));
    assert!(!maze.in_constraint([9.0, 9.0]) && !maze.in_constraint([1.0, 0.0]));
    assert!(maze.at_goal([-1.0, 0.5]) && maze.at_goal([-0.75, 0.6]));
    assert!(!maze.at_goal([-1.0, 0.49]) && !maze.at_goal([-0.6, 0.6]));
}

/// Fewest cells from a start to a goal over common sides, `blocked` counted as walls.
fn cells_to_goal(maze: &Maze, blocked: &[(usize, usize)]) -> usize {
    let cell = |p: &[f64; 2]| maze.map().cell_at(*p).unwrap();
    let goal = cell(&maze.goals()[0]);
    let mut front = vec![cell(&maze.starts()[0])];
    for moves in 0..100 {
        if front.contains(&goal) {
            return moves;
        }
        let sides = |&(r, c): &(usize, usize)| [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)];
        front = front.iter().flat_map(sides).collect();
        front.retain(|&(r, c)| !maze.map().is_wall(r, c) && !blocked.contains(&(r, c)));
        front.sort_unstable();
        front.dedup();
    }
    panic!("no path")
}

#[test]
fn both_short_cuts_of_the_second_maze_are_worth_avoiding() {
    let one = builtin::maze("point-maze").unwrap();
    let cells = one.constraint_cells();
    assert_eq!(
        (cells_to_goal(&one, &[]), cells_to_goal(&one, &cells)),
        (2, 6)
    );
    let two = builtin::maze("point-maze-two").unwrap();
    let cells = two.constraint_cells();
    assert_eq!(cells.len(), 2);
    assert_eq!(cells_to_goal(&two, &[]), 2);
    assert_eq!(cells_to_goal(&two, &cells[..1]), 6);
    assert_eq!(cells_to_goal(&two, &cells), 10);
}

/// Acts until the episode is over, and sums up.
fn play(env: &mut MazeEnv, action: impl Fn(Ball) -> usize) -> (Step, f64) {
    let mut total = Step::default();
    let mut discounted = 0.0;
    for decision in 0.. {
        let step = env.step(action(env.ball()));
        total.reward += step.reward;
        total.cost += step.cost;
        total.steps += step.steps;
        discounted += env.maze().design().gamma.powi(decision) * step.reward;
        if step.done() {
            (total.terminated, total.truncated) = (step.terminated, step.truncated);
            break;
        }
    }
    (total, discounted)
}

#[test]
fn the_short_path_costs_and_the_detour_does_not() {
    let mut env = MazeEnv::new(&quiet("point-maze"), stream(1));
    assert_eq!(env.observe(), [-1.0, -1.0, 0.0, 0.0]);
    let (short, early) = play(&mut env, |_| UP);
    assert!(short.terminated && short.reward == 1.0 && !short.truncated);
    // Full thrust from rest reaches 5 m/s after 0.21 s and 0.53 m, then does about 5.2 m/s: 1.5 m
    // take 0.40 s, the last 1 m of them, in the constraint cell, 0.19 s.
    assert_eq!((short.steps, short.cost), (40, 19));
    env.reset();
    let round = |ball: Ball| {
        let [x, y] = ball.position;
        match () {
            () if y < -0.5 && x < 0.9 => 3,
            () if y < 0.9 && x > 0.5 => UP,
            () => LEFT,
        }
    };
    let (long, late) = play(&mut env, round);
    assert!(long.terminated && long.cost == 0, "{long:?}");
    assert!(long.steps > 2 * short.steps && long.steps < 250, "{long:?}");
    assert!(early > 2.0 * late, "{early} {late}");
}

#[test]
fn the_second_maze_can_be_done_in_time_without_cost() {
    let mut env = MazeEnv::new(&quiet("point-maze-two"), stream(1));
    let round = |ball: Ball| {
        let [x, y] = ball.position;
        match () {
            () if y < -0.5 && x < 1.9 => 3,
            () if y < 0.9 && x > 1.5 => UP,
            () => LEFT,
        }
    };
    let (long, _) = play(&mut env, round);
    assert!(
        long.terminated && long.cost == 0 && long.steps < 300,
        "{long:?}"
    );
}

#[test]
fn an_episode_ends_at_its_horizon_and_then_stands_still() {
    let design = quiet("point-maze").design().clone();
    let design = Design {
        horizon: 12,
        ..design
    };
    let mut env = MazeEnv::new(&Arc::new(Maze::new(design).unwrap()), stream(1));
    let steps: Vec<u32> = (0..4).map(|_| env.step(DOWN).steps).collect();
    assert_eq!(steps, [5, 5, 2, 0]);
    assert_eq!(env.elapsed(), 12);
    let ball = env.ball();
    let last = env.step(UP);
    assert!(last.truncated && !last.terminated && last.reward == 0.0);
    assert_eq!(env.ball(), ball);
    env.reset();
    assert_eq!((env.elapsed(), env.ball().position), (0, [-1.0, -1.0]));
    // The goal pays once.
    env.place(Ball {
        position: [-1.0, 1.0],
        velocity: [0.0; 2],
    });
    let (first, second) = (env.step(UP), env.step(UP));
    assert!(first.terminated && first.reward == 1.0 && first.steps == 1);
    assert!(second.terminated && second.reward == 0.0 && second.steps == 0);
}

#[test]
fn noise_is_uniform_on_starts_and_on_observed_positions() {
    let maze = Arc::new(builtin::maze("point-maze").unwrap());
    let mut env = MazeEnv::new(&maze, stream(7));
    let (mut starts, mut seen) = (Vec::new(), Vec::new());
    for _ in 0..4000 {
        env.reset();
        let ball = env.ball();
        assert_eq!(ball.velocity, [0.0; 2]);
        starts.extend(ball.position.map(|x| x + 1.0));
        let [x, y, vx, vy] = env.observe();
        seen.extend([x - ball.position[0], y - ball.position[1]]);
        assert_eq!([vx, vy], ball.velocity);
    }
    for (values, most) in [(starts, 0.25), (seen, 0.05)] {
        let n = values.len() as f64;
        assert!(values.iter().all(|x| x.abs() <= most + 1e-12));
        // Of n = 8000 uniform numbers; five standard errors.
        let mean = values.iter().sum::<f64>() / n;
        assert!(mean.abs() < 5.0 * most / (3.0 * n).sqrt(), "{mean}");
        let square = values.iter().map(|x| x * x).sum::<f64>() / n;
        assert!(
            (square / (most * most) - 1.0 / 3.0).abs() < 0.02,
            "{square}"
        );
    }
}

#[test]
fn several_starts_are_alike_and_streams_repeat() {
    let text = "kind = 'maze'\nmap = '''\n#####\n#SGS#\n#####\n'''";
    let maze = Arc::new(file::parse(text, "two-starts").unwrap());
    let mut env = MazeEnv::new(&maze, stream(3));
    let mut again = MazeEnv::new(&maze, stream(3));
    let mut left = 0;
    for _ in 0..1000 {
        assert_eq!(env.ball(), again.ball());
        left += u32::from(env.ball().position[0] < 0.0);
        env.reset();
        again.reset();
    }
    assert!((420..580).contains(&left), "{left}");
}

#[test]
fn writing_and_reading_gives_the_same_maze() {
    for name in builtin::NAMES {
        let mut design = builtin::maze(name).unwrap().design().clone();
        for expert in [None, Some("experts/one \"two\".safetensors".to_owned())] {
            design.expert = expert;
            design.gamma = 0.1 + 0.2;
            design.hold = 3;
            let text = design.to_toml();
            assert!(file::is_maze(&text));
            assert_eq!(file::parse(&text, "other").unwrap().design(), &design);
        }
    }
    assert!(!file::is_maze("map = 'S.G'") && !file::is_maze("kind = = 3"));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let map = "map = '''\n#####\n#SxG#\n#####\n'''\n";
    let good = format!("kind = 'maze'\n{map}");
    assert_eq!(file::parse(&good, "fine").unwrap().name(), "fine");
    let drawn = |lines: &str| format!("kind = 'maze'\nmap = '''\n{lines}\n'''");
    for (text, place, remedy) in [
        (map.to_owned(), "kind: missing", "kind = \"maze\""),
        (
            format!("kind = 'grid'\n{map}"),
            "kind: \"grid\"",
            "\"maze\"",
        ),
        (
            format!("kind = 3\n{map}"),
            "kind: found the integer",
            "\"maze\"",
        ),
        (format!("{good}gama = 0.7"), "gama: unknown key", "`gamma`"),
        (
            format!("{good}goalradius = 1"),
            "goalradius: unknown",
            "`goal_radius`",
        ),
        (format!("{good}gamma = 1.0"), "gamma: 1 ", "below 1"),
        (format!("{good}gamma = nan"), "gamma: NaN", "below 1"),
        (
            format!("{good}gamma = 'x'"),
            "gamma: found the string",
            "number",
        ),
        (format!("{good}hold = 0"), "hold: 0", "at least 1"),
        (
            format!("{good}hold = 2.5"),
            "hold: found the float",
            "whole",
        ),
        (format!("{good}horizon = -1"), "horizon: -1", "at least 1"),
        (
            format!("{good}goal_radius = 0"),
            "goal_radius: 0",
            "above 0",
        ),
        (
            format!("{good}goal_radius = inf"),
            "goal_radius: inf",
            "above 0",
        ),
        (
            format!("{good}start_noise = 0.5"),
            "start_noise: 0.5",
            "0 to 0.4",
        ),
        (
            format!("{good}position_noise = -1"),
            "position_noise: -1",
            "at least 0",
        ),
        (
            format!("{good}expert = 3"),
            "expert: found the integer",
            "quotes",
        ),
        (format!("{good}name = '../x'"), "name: ", "letters, digits"),
        (
            "kind = 'maze'\nhold = = 2".to_owned(),
            "line 2: ",
            "TOML syntax",
        ),
        ("kind = 'maze'".to_owned(), "map: missing", "draw"),
        (
            "kind = 'maze'\nmap = 3".to_owned(),
            "map: found the integer",
            "draw",
        ),
        (drawn(""), "map: it is empty", "at least one cell"),
        (
            drawn("#####\n#S.G\n#####"),
            "map row 1 (counted from the bottom)",
            "equally long",
        ),
        (
            drawn("#####\n#S?G#\n#####"),
            "map cell (1, 2)",
            "x constraint",
        ),
        (
            drawn("#####\n#SxG.\n#####"),
            "map cell (1, 4)",
            "walls (#) all round",
        ),
        (
            drawn("##.##\n#SxG#\n#####"),
            "map cell (2, 2)",
            "walls (#) all round",
        ),
        (drawn("####\n#.G#\n####"), "map: no start", "with S"),
        (drawn("####\n#S.#\n####"), "map: no goal", "with G"),
        (
            drawn("#####\n#S#G#\n#####"),
            "map cell (1, 1)",
            "share a side",
        ),
        (
            drawn("####\n#S##\n##G#\n####"),
            "map cell (2, 1) (counted from the lower left)",
            "share a side",
        ),
    ] {
        let message = file::parse(&text, "test").unwrap_err().to_string();
        assert!(message.contains(place), "{place} not in: {message}");
        assert!(message.contains(remedy), "{remedy} not in: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn mazes_are_opened_by_name_and_by_file() {
    assert_eq!(file::open("point-maze").unwrap().name(), "point-maze");
    let wrong = file::open("point-mase").unwrap_err().to_string();
    assert!(wrong.contains("did you mean `point-maze`?"), "{wrong}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "kind = 'maze'\nmap = '''\n####\n#SG#\n####\n'''").unwrap();
    assert_eq!(file::open(path.to_str().unwrap()).unwrap().name(), "mine");
    std::fs::write(&path, "kind = 'maze'").unwrap();
    let wrong = file::open(path.to_str().unwrap()).unwrap_err().to_string();
    assert!(wrong.contains("mine.toml: map: missing"), "{wrong}");
}

proptest! {
    #[test]
    fn steps_keep_their_promises(
        actions in prop::collection::vec(0..9_usize, 1..120),
        seed in 0..1000_u64,
        two in any::<bool>(),
    ) {
        let maze = Arc::new(builtin::maze(builtin::NAMES[usize::from(two)]).unwrap());
        let mut env = MazeEnv::new(&maze, stream(seed));
        let mut steps = 0;
        for action in actions {
            let step = env.step(action);
            steps += step.steps;
            prop_assert!(step.steps >= 1 && step.steps <= 5);
            prop_assert!(step.cost <= step.steps);
            prop_assert_eq!(step.reward == 1.0, step.terminated);
            prop_assert!(!(step.terminated && step.truncated));
            prop_assert_eq!(env.elapsed(), steps);
            prop_assert_eq!(maze.at_goal(env.ball().position), step.terminated);
            if step.done() {
                break;
            }
        }
        prop_assert!(steps <= 500);
    }
}
