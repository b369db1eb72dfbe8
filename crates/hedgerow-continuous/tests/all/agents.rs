//! Agents in worlds whose best answers are known.

use hedgerow::seed::Stream;
use hedgerow_continuous::agent::dqn::{self, Settings};
use hedgerow_continuous::agent::ppo::{self, Episode, Ppo};
use hedgerow_continuous::agent::{Practice, Steps};
use hedgerow_continuous::net::{Mlp, Scratch};
use rand::RngExt;

const CELLS: usize = 7;
const LEFT: f32 = 0.35;

/// Seven cells in a row; leaving to the left pays 0.35, to the right 1. Lanes start anywhere.
struct Corridor {
    at: Vec<usize>,
    time: Vec<usize>,
    stream: Stream,
}

impl Corridor {
    fn new(lanes: usize, seed: u64) -> Self {
        Self {
            at: (0..lanes).map(|lane| lane % CELLS).collect(),
            time: vec![0; lanes],
            stream: Stream::new(seed, "corridor"),
        }
    }
}

fn seen(cell: usize) -> [f32; CELLS] {
    std::array::from_fn(|i| if i == cell { 1.0 } else { 0.0 })
}

/// Where a step to the right, or to the left, leads: a cell, or out with a reward.
fn walk(cell: usize, right: bool) -> Result<usize, f32> {
    match (cell, right) {
        (0, false) => Err(LEFT),
        (cell, true) if cell + 1 == CELLS => Err(1.0),
        (cell, true) => Ok(cell + 1),
        (cell, false) => Ok(cell - 1),
    }
}

impl Practice for Corridor {
    fn inputs(&self) -> usize {
        CELLS
    }

    fn actions(&self) -> usize {
        2
    }

    fn lanes(&self) -> usize {
        self.at.len()
    }

    fn observe(&self, out: &mut [f32]) {
        for (row, &cell) in out.chunks_exact_mut(CELLS).zip(&self.at) {
            row.copy_from_slice(&seen(cell));
        }
    }

    fn step(&mut self, actions: &[usize], out: &mut Steps) {
        for (lane, &action) in actions.iter().enumerate() {
            let (cell, reward, ended) = match walk(self.at[lane], action == 1) {
                Ok(cell) => (cell, 0.0, false),
                Err(reward) => (self.at[lane], reward, true),
            };
            self.time[lane] += 1;
            out.reward[lane] = reward;
            out.ended[lane] = ended;
            out.restarted[lane] = ended || self.time[lane] == 20;
            out.next[lane * CELLS..(lane + 1) * CELLS].copy_from_slice(&seen(cell));
            self.at[lane] = cell;
            if out.restarted[lane] {
                self.at[lane] = self.stream.random_range(0..CELLS);
                self.time[lane] = 0;
            }
        }
    }
}

fn quick() -> Settings {
    Settings {
        hidden: vec![32],
        gamma: 0.8,
        updates: 1_500,
        batch: 64,
        capacity: 5_000,
        warmup: 200,
        follow: 0.02,
        rate: 3e-3,
        ..Settings::default()
    }
}

fn learned(settings: &Settings, seed: u64) -> Mlp {
    let mut corridor = Corridor::new(8, seed);
    dqn::train(&mut corridor, settings, seed, &mut |_| true).unwrap()
}

/// From cell `c` (from 0) the right pays `0.8^(6 - c)` and the left `0.35 0.8^c`; only in cell 0 is
/// the left worth more (0.35 against 0.262).
#[test]
fn values_in_the_corridor_are_the_known_ones() {
    let best = |c: usize| f32::max(0.8_f32.powi(6 - c as i32), LEFT * 0.8_f32.powi(c as i32));
    for join in [1, 4] {
        let net = learned(&Settings { join, ..quick() }, 3);
        let mut scratch = Scratch::new(&net);
        for cell in 0..CELLS {
            let values = net.forward(&seen(cell), &mut scratch);
            for (right, value) in [(false, values[0]), (true, values[1])] {
                let wanted = match walk(cell, right) {
                    Err(reward) => reward,
                    Ok(next) => 0.8 * best(next),
                };
                assert!(
                    (value - wanted).abs() < 0.03,
                    "{join} {cell} {value} {wanted}"
                );
            }
            assert_eq!(values[1] > values[0], cell > 0, "{cell}");
        }
    }
}

#[test]
fn practice_repeats_by_seed_and_can_be_stopped() {
    let short = Settings {
        updates: 40,
        ..quick()
    };
    assert_eq!(learned(&short, 5), learned(&short, 5));
    assert_ne!(learned(&short, 5), learned(&short, 6));
    let mut seen = 0;
    let mut corridor = Corridor::new(8, 1);
    dqn::train(&mut corridor, &short, 1, &mut |p| {
        seen = p.updates;
        p.updates < 10
    })
    .unwrap();
    assert_eq!(seen, 10);
}

#[test]
fn settings_outside_their_ranges_are_refused_by_name() {
    let refusal = |settings: Settings| settings.check().unwrap_err().to_string();
    let wrong = Settings {
        gamma: 1.0,
        ..Settings::default()
    };
    assert_eq!(refusal(wrong), "dqn.gamma: 1; use a discount in [0, 1)");
    let wrong = Settings {
        join: 0,
        ..Settings::default()
    };
    assert!(refusal(wrong).starts_with("dqn.join: 0"));
    let wrong = Settings {
        rate: f32::NAN,
        ..Settings::default()
    };
    assert!(refusal(wrong).starts_with("dqn.rate: NaN"));
    let wrong = ppo::Settings {
        lambda: 1.5,
        ..ppo::Settings::default()
    };
    assert!(
        Ppo::new(2, 2, wrong, 0)
            .unwrap_err()
            .to_string()
            .starts_with("ppo.lambda")
    );
}

/// An episode from the middle; every step costs 0.1.
fn episode(agent: &mut Ppo, stream: &mut Stream) -> Episode {
    let mut episode = Episode::default();
    let mut cell = CELLS / 2;
    for _ in 0..30 {
        let choice = agent.act(&seen(cell), stream);
        match walk(cell, choice.action == 1) {
            Ok(next) => {
                episode.push(&seen(cell), choice, -0.1);
                cell = next;
            }
            Err(reward) => {
                episode.push(&seen(cell), choice, reward);
                return episode;
            }
        }
    }
    episode.last_value = agent.worth(&seen(cell));
    episode
}

fn practised(seed: u64, iterations: usize) -> Ppo {
    let settings = ppo::Settings {
        hidden: vec![32],
        rate: 3e-3,
        value_rate: 3e-3,
        ..ppo::Settings::default()
    };
    let mut agent = Ppo::new(CELLS, 2, settings, seed).unwrap();
    let mut stream = Stream::new(seed, "acting");
    for _ in 0..iterations {
        let episodes: Vec<Episode> = (0..20).map(|_| episode(&mut agent, &mut stream)).collect();
        agent.learn(&episodes).unwrap();
    }
    agent
}

#[test]
fn a_policy_learns_the_way_that_pays_and_what_it_is_worth() {
    let mut agent = practised(4, 60);
    for cell in CELLS / 2..CELLS {
        let right = agent.probabilities(&seen(cell))[1];
        assert!(right > 0.95, "{cell} {right}");
    }
    // Three steps of -0.1 and then 1, with gamma 0.99.
    let wanted = -0.1 * (1.0 + 0.99 + 0.9801) + 0.970_299;
    let worth = agent.worth(&seen(CELLS / 2));
    assert!((worth - wanted).abs() < 0.06, "{worth} {wanted}");
}

#[test]
fn policies_repeat_by_seed() {
    let weights = |seed| practised(seed, 3).policy().clone();
    assert_eq!(weights(4), weights(4));
    assert_ne!(weights(4), weights(5));
}

#[test]
fn a_new_policy_takes_all_actions_about_alike_and_says_how_likely() {
    let mut agent = Ppo::new(CELLS, 2, ppo::Settings::default(), 1).unwrap();
    let mut stream = Stream::new(1, "acting");
    let choice = agent.act(&seen(2), &mut stream);
    let p = agent.probabilities(&seen(2))[choice.action];
    assert!((p - 0.5).abs() < 0.05 && (libm::expf(choice.log_prob) - p).abs() < 1e-6);
}

#[test]
fn episodes_that_do_not_fit_are_refused() {
    let mut agent = Ppo::new(CELLS, 2, ppo::Settings::default(), 1).unwrap();
    let torn = Episode {
        actions: vec![1],
        ..Episode::default()
    };
    let message = agent.learn(&[torn]).unwrap_err().to_string();
    assert!(
        message.starts_with("episode 0: 1 actions do not fit"),
        "{message}"
    );
    assert_eq!(agent.learn(&[]).unwrap(), ppo::Lesson::default());
}
