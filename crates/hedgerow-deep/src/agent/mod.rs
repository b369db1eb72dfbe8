//! Agents that learn by practice.
