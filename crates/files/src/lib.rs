//! Bounded reading, atomic writing and locks.
