//! One decision of the car.

/// Seconds per decision.
pub const SECONDS: f64 = 0.25;

/// From axle to axle, in metres.
pub const WHEELBASE: f64 = 1.5;

/// The road ends so far to the left and to the right of its middle, in metres.
pub const HALF_WIDTH: f64 = 4.5;

/// Top speed, in metres per second.
pub const FASTEST: f64 = 6.0;

/// Largest angle to the road, in radians: nobody turns round on it.
pub const STEEPEST: f64 = 1.2;

/// Bounds of the acceleration, in metres per second squared.
pub const ACCELERATION: (f64, f64) = (-8.0, 4.0);

/// Largest steering angle, in radians.
pub const STEERING: f64 = 0.6;

/// The speed limit, in metres per second.
pub const LIMIT: f64 = 4.0;

/// Where the stop line is, in metres along the road.
pub const LINE: f64 = 12.0;

/// What the expert obeys and nobody is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// No faster than [`LIMIT`] after the decision.
    SpeedLimit,
    /// No driving beyond [`LINE`], a half-plane: who is there has to stop.
    StopLine,
}

/// Position, heading and speed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Car {
    /// Metres along the road.
    pub x: f64,
    /// Metres to the left of its middle.
    pub y: f64,
    /// Angle to the road, in radians, positive to the left.
    pub heading: f64,
    /// Metres per second.
    pub speed: f64,
}

/// Parts of a decision in which the path is followed.
const PARTS: usize = 4;

impl Car {
    /// Drives for one decision. Gives the metres gained along the road and the cost: 1 if the
    /// constraint was violated.
    ///
    /// Speed and steering hold for the whole decision: `v' = v + a t`, `h' = h + v'/L tan(s) t`,
    /// moved in four parts. At the edge of the road the car slides along it.
    pub fn drive(
        &mut self,
        acceleration: f64,
        steering: f64,
        constraint: Constraint,
    ) -> (f64, f64) {
        let before = self.x;
        let acceleration = acceleration.clamp(ACCELERATION.0, ACCELERATION.1);
        let steering = steering.clamp(-STEERING, STEERING);
        self.speed = (self.speed + acceleration * SECONDS).clamp(0.0, FASTEST);
        let turn = self.speed / WHEELBASE * libm::tan(steering);
        let seconds = SECONDS / PARTS as f64;
        for _ in 0..PARTS {
            self.heading = (self.heading + turn * seconds).clamp(-STEEPEST, STEEPEST);
            self.x += self.speed * libm::cos(self.heading) * seconds;
            let y = self.y + self.speed * libm::sin(self.heading) * seconds;
            self.y = y.clamp(-HALF_WIDTH, HALF_WIDTH);
        }
        let violated = match constraint {
            Constraint::SpeedLimit => self.speed > LIMIT + 1e-9,
            Constraint::StopLine => self.x > LINE + 1e-9 && self.speed > 0.0,
        };
        (self.x - before, f64::from(u8::from(violated)))
    }
}
