//! What walls do to the ball: soft contacts as MuJoCo has them.
//!
//! Every wall cell is one square box, and neighbouring boxes are never merged: over the seam
//! between two of them the ball feels both.

/// Radius of the ball in metres.
pub const RADIUS: f64 = 0.1;
/// A contact is active where the gap is smaller than this.
pub const MARGIN: f64 = 0.004;
/// Depth over which the impedance rises from its least to its greatest.
const WIDTH: f64 = 0.001;
const LEAST_IMPEDANCE: f64 = 0.9;
const GREATEST_IMPEDANCE: f64 = 0.95;
const TIME_CONSTANT: f64 = 0.02;
const SOFTNESS: f64 = GREATEST_IMPEDANCE * TIME_CONSTANT;
const DAMPING: f64 = 2.0 / SOFTNESS;
const STIFFNESS: f64 = 1.0 / (SOFTNESS * SOFTNESS);

/// More boxes than the ball can be near to at once: its own cell's and three neighbours'.
const MOST: usize = 4;

/// An active contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// Unit vector from the wall to the ball.
    pub normal: [f64; 2],
    /// The least acceleration along the normal that the wall asks for.
    pub wanted: f64,
    /// How strongly it asks, relative to the mass: `k / (1 - k)`.
    pub weight: f64,
}

impl Contact {
    /// The contact of a ball at `x` with velocity `v` and a box of half-width `half` around
    /// `centre`; `None` where the gap is not below the margin.
    ///
    /// With `p` the nearest point of the box, `n = (x - p)/|x - p|`, gap `d = |x - p| - 0.1`,
    /// `r = d - 0.004`, `u = min(1, |r| / 0.001)`, `y = 2u^2` up to `u = 0.5` and
    /// `1 - 2(1-u)^2` beyond: impedance `k = 0.9 + 0.05 y`, wanted `-B (n.v) - K k r`.
    #[inline]
    pub fn of_box(x: [f64; 2], v: [f64; 2], centre: [f64; 2], half: f64) -> Option<Self> {
        let off = [x[0] - centre[0], x[1] - centre[1]];
        let out = [
            off[0] - off[0].clamp(-half, half),
            off[1] - off[1].clamp(-half, half),
        ];
        let square = out[0] * out[0] + out[1] * out[1];
        if square >= (RADIUS + 2.0 * MARGIN) * (RADIUS + 2.0 * MARGIN) {
            return None;
        }
        let (normal, distance) = if square > 0.0 {
            let distance = square.sqrt();
            ([out[0] / distance, out[1] / distance], distance)
        } else {
            nearest_face(off, half)
        };
        let gap = distance - RADIUS;
        if gap >= MARGIN {
            return None;
        }
        let r = gap - MARGIN;
        let k = impedance(r);
        let speed = normal[0] * v[0] + normal[1] * v[1];
        Some(Self {
            normal,
            wanted: -DAMPING * speed - STIFFNESS * k * r,
            weight: k / (1.0 - k),
        })
    }

    /// How far the acceleration `a` falls short of what is wanted; at most 0 if it does not.
    #[inline]
    fn shortfall(&self, a: [f64; 2]) -> f64 {
        self.wanted - (self.normal[0] * a[0] + self.normal[1] * a[1])
    }
}

/// Out of a box the centre of the ball is in: through its nearest face. No force brings a ball
/// there, but one can be put there.
fn nearest_face(off: [f64; 2], half: f64) -> ([f64; 2], f64) {
    let axis = usize::from(off[1].abs() > off[0].abs());
    let mut normal = [0.0; 2];
    normal[axis] = 1.0_f64.copysign(off[axis]);
    (normal, off[axis].abs() - half)
}

/// The impedance at depth `|r|`.
#[inline]
fn impedance(r: f64) -> f64 {
    let u = (r.abs() / WIDTH).min(1.0);
    let y = if u <= 0.5 {
        2.0 * u * u
    } else {
        1.0 - 2.0 * (1.0 - u) * (1.0 - u)
    };
    LEAST_IMPEDANCE + (GREATEST_IMPEDANCE - LEAST_IMPEDANCE) * y
}

/// The contacts of one moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contacts {
    all: [Contact; MOST],
    count: usize,
}

impl Contacts {
    /// Adds a contact; a fifth one is not kept.
    #[inline]
    pub fn push(&mut self, contact: Contact) {
        if let Some(place) = self.all.get_mut(self.count) {
            *place = contact;
            self.count += 1;
        }
    }

    /// The contacts.
    #[inline]
    pub fn as_slice(&self) -> &[Contact] {
        &self.all[..self.count]
    }

    /// The acceleration that minimises
    /// `|a - free|^2 / 2 + sum_i weight_i / 2 min(0, n_i.a - wanted_i)^2`.
    ///
    /// Newton's method: given which contacts push, the minimum solves a 2x2 linear system; repeat
    /// until those that push are those that were assumed to.
    #[inline]
    pub fn acceleration(&self, free: [f64; 2]) -> [f64; 2] {
        let mut pushing = self.pushing(free);
        let mut a = free;
        // Each contact can switch once; cycling needs more iterations.
        for _ in 0..=self.count {
            a = self.minimum(free, pushing);
            let now = self.pushing(a);
            if now == pushing {
                return a;
            }
            pushing = now;
        }
        self.best_of_all(free, a)
    }

    /// The contacts that `a` is not enough for, as bits.
    #[inline]
    fn pushing(&self, a: [f64; 2]) -> u32 {
        let push = |c: &Contact| u32::from(c.shortfall(a) > 0.0);
        let bits = self.as_slice().iter().enumerate();
        bits.fold(0, |set, (i, c)| set | push(c) << i)
    }

    /// The minimum if exactly the contacts in `set` push.
    #[inline]
    fn minimum(&self, free: [f64; 2], set: u32) -> [f64; 2] {
        // (I + sum w n n^T) (a - free) = sum w (wanted - n.free) n
        let (mut xx, mut xy, mut yy) = (1.0, 0.0, 1.0);
        let mut right = [0.0; 2];
        for (i, c) in self.as_slice().iter().enumerate() {
            if set >> i & 1 == 1 {
                let [x, y] = c.normal;
                xx += c.weight * x * x;
                xy += c.weight * x * y;
                yy += c.weight * y * y;
                let pull = c.weight * c.shortfall(free);
                right[0] += pull * x;
                right[1] += pull * y;
            }
        }
        // At least 1, as every weight only adds to it.
        let determinant = xx * yy - xy * xy;
        [
            free[0] + (yy * right[0] - xy * right[1]) / determinant,
            free[1] + (xx * right[1] - xy * right[0]) / determinant,
        ]
    }

    /// The best of the minima of all sets, one of which is the minimum: for rounding that makes
    /// Newton's method go in circles.
    #[cold]
    fn best_of_all(&self, free: [f64; 2], first: [f64; 2]) -> [f64; 2] {
        let mut best = (self.objective(free, first), first);
        for set in 0..1 << self.count {
            let a = self.minimum(free, set);
            let value = self.objective(free, a);
            if value < best.0 {
                best = (value, a);
            }
        }
        best.1
    }

    fn objective(&self, free: [f64; 2], a: [f64; 2]) -> f64 {
        let square = |x: f64| x * x;
        let push = |c: &Contact| c.weight / 2.0 * square(c.shortfall(a).max(0.0));
        let away = square(a[0] - free[0]) + square(a[1] - free[1]);
        away / 2.0 + self.as_slice().iter().map(push).sum::<f64>()
    }
}
