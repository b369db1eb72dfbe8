//! Index types: a state, an action and a state-action pair cannot be mistaken for each other.
//!
//! ```
//! use hedgerow::index::{Pair, State};
//!
//! let values = [0.0, 0.5, 1.0];
//! assert_eq!(values[State(2).at()], 1.0);
//! assert_eq!(format!("{} {}", State(2), Pair::new(7)), "s2 p7");
//! ```

use serde::Serialize;
use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The index of the `i`-th element.
            ///
            /// Models are validated to hold fewer than `u32::MAX` states and pairs.
            #[inline]
            pub fn new(i: usize) -> Self {
                debug_assert!(i < u32::MAX as usize);
                Self(i as u32)
            }

            /// The index as a position in a vector.
            #[inline]
            pub fn at(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    };
}

index!(
    /// A state, `0..S`.
    State,
    "s"
);
index!(
    /// An action label, shared by all states that offer it, `0..A`.
    Action,
    "a"
);
index!(
    /// An available state-action pair. Pairs are numbered state by state, so the pairs of one
    /// state are neighbours and a vector over pairs needs no padding for missing actions.
    Pair,
    "p"
);
