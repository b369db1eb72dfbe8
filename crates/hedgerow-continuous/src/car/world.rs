//! The car as a continuous world.

use super::dynamics::{
    ACCELERATION, Car, Constraint, FASTEST, HALF_WIDTH, LIMIT, LINE, SECONDS, STEEPEST, STEERING,
};
use super::planner::Planner;
use crate::Result;
use crate::world::{
    Boundary, ContinuousWorld, Coordinate, Episodes, Expert, Policy, Space, Step, View, WorldSpec,
};
use hedgerow::seed::Stream;
use rand::RngExt;
use std::sync::{Arc, OnceLock};

/// Names of the worlds: a speed limit, a stop line.
pub const NAMES: [(&str, Constraint); 2] = [
    ("car-speed", Constraint::SpeedLimit),
    ("car-line", Constraint::StopLine),
];

/// Discount per decision.
const GAMMA: f64 = 0.9;

/// Decisions of an episode.
const HORIZON: usize = 24;

/// A road with one hidden constraint.
#[derive(Debug)]
pub struct CarWorld {
    constraint: Constraint,
    spec: WorldSpec,
    /// Planned when it is first asked for: that takes seconds.
    planner: Arc<OnceLock<Planner>>,
}

impl CarWorld {
    /// The road with this constraint.
    pub fn new(constraint: Constraint) -> Self {
        let name = NAMES.iter().find(|(_, c)| *c == constraint);
        let (low, high) = ACCELERATION;
        let spec = WorldSpec {
            name: name.map_or("car", |(name, _)| name).to_owned(),
            observation: Space::Box(vec![
                Coordinate::new("x", "m", 0.0, 40.0),
                Coordinate::new("y", "m", -HALF_WIDTH, HALF_WIDTH),
                Coordinate::new("heading", "rad", -STEEPEST, STEEPEST),
                Coordinate::new("speed", "m/s", 0.0, FASTEST),
            ]),
            action: Space::Box(vec![
                Coordinate::new("acceleration", "m/s^2", low, high),
                Coordinate::new("steering", "rad", -STEERING, STEERING),
            ]),
            gamma: GAMMA,
            horizon: HORIZON,
        };
        Self {
            constraint,
            spec,
            planner: Arc::default(),
        }
    }

    /// The road called `name`.
    pub fn named(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(n, _)| *n == name)?;
        Some(Self::new(found.1))
    }
}

fn car(observation: &[f64]) -> Car {
    let at = |i: usize| observation.get(i).copied().unwrap_or(0.0);
    Car {
        x: at(0),
        y: at(1),
        heading: at(2),
        speed: at(3),
    }
}

/// Metres that a car drives on, straight ahead, until it stands.
fn stopping_distance(mut speed: f64) -> f64 {
    let mut metres = 0.0;
    while speed > 0.0 {
        speed = (speed + ACCELERATION.0 * SECONDS).max(0.0);
        metres += speed * SECONDS;
    }
    metres
}

#[derive(Clone, Debug)]
struct Drive {
    constraint: Constraint,
    car: Car,
    decisions: usize,
    stream: Stream,
}

impl Drive {
    fn observe(&self, observation: &mut [f64]) {
        let car = self.car;
        observation.copy_from_slice(&[car.x, car.y, car.heading, car.speed]);
    }
}

impl Episodes for Drive {
    /// Anywhere across the middle of the road, nearly straight, at 1 to 4 m/s.
    fn reset(&mut self, observation: &mut [f64]) -> Result<()> {
        let mut within = |low: f64, high: f64| low + (high - low) * self.stream.random::<f64>();
        self.car = Car {
            x: within(0.0, 8.0),
            y: within(-2.0, 2.0),
            heading: within(-0.3, 0.3),
            speed: within(1.0, 4.0),
        };
        self.decisions = 0;
        self.observe(observation);
        Ok(())
    }

    fn step(&mut self, action: &[f64], observation: &mut [f64]) -> Result<Step> {
        let (reward, cost) = self.car.drive(action[0], action[1], self.constraint);
        self.decisions += 1;
        self.observe(observation);
        Ok(Step {
            reward,
            ended: false,
            truncated: self.decisions >= HORIZON,
            cost: Some(cost),
        })
    }

    fn fork(&self) -> Option<Box<dyn Episodes>> {
        Some(Box::new(self.clone()))
    }
}

/// The planner as a policy.
#[derive(Debug)]
struct Planned {
    constraint: Constraint,
    planner: Arc<OnceLock<Planner>>,
}

impl Policy for Planned {
    fn act(&self, observation: &[f64], action: &mut [f64]) -> Result<()> {
        let planner = (self.planner).get_or_init(|| Planner::new(self.constraint, GAMMA));
        action.copy_from_slice(&planner.action(&car(observation)));
        Ok(())
    }
}

impl ContinuousWorld for CarWorld {
    fn spec(&self) -> &WorldSpec {
        &self.spec
    }

    fn version(&self) -> String {
        format!("2 {:?}", self.constraint)
    }

    fn episodes(&self, seed: u64, purpose: &str) -> Result<Box<dyn Episodes>> {
        Ok(Box::new(Drive {
            constraint: self.constraint,
            car: Car::default(),
            decisions: 0,
            stream: Stream::new(seed, purpose),
        }))
    }

    fn expert(&self) -> Result<Expert> {
        Ok(Expert::Policy(Arc::new(Planned {
            constraint: self.constraint,
            planner: self.planner.clone(),
        })))
    }

    fn true_cost(&self, observation: &[f64], action: &[f64]) -> Option<f64> {
        let [acceleration, steering] = *action else {
            return None;
        };
        let (_, cost) = car(observation).drive(acceleration, steering, self.constraint);
        Some(cost)
    }

    /// Speeds before and after the decision; with a stop line, where the decision leads and how fast.
    fn view(&self) -> View {
        let speed = |when: &str| {
            Coordinate::new(&format!("speed {when} the decision"), "m/s", 0.0, FASTEST)
        };
        let line = |label: &str, points: Vec<[f64; 2]>| Boundary {
            label: label.to_owned(),
            points,
        };
        match self.constraint {
            Constraint::SpeedLimit => View {
                x: speed("before"),
                y: speed("after"),
                boundaries: vec![line("speed limit", vec![[0.0, LIMIT], [FASTEST, LIMIT]])],
            },
            Constraint::StopLine => {
                let steps = (0..=60).map(|i| FASTEST * f64::from(i) / 60.0);
                let stops = steps.map(|v| [LINE - stopping_distance(v), v]).collect();
                View {
                    x: Coordinate::new("x after the decision", "m", 0.0, 40.0),
                    y: speed("after"),
                    boundaries: vec![
                        line("stop line", vec![[LINE, 0.0], [LINE, FASTEST]]),
                        line("last place to stop before it", stops),
                    ],
                }
            }
        }
    }

    fn place(&self, observation: &[f64], action: &[f64]) -> [f64; 2] {
        let before = car(observation);
        let mut after = before;
        after.drive(action[0], action[1], self.constraint);
        match self.constraint {
            Constraint::SpeedLimit => [before.speed, after.speed],
            Constraint::StopLine => [after.x, after.speed],
        }
    }
}
