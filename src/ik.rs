//! Closed-form two-bone inverse kinematics.
