//! Events as they are read: resolved frames, and why others are not.

mod resolved;
mod rules;
mod unresolved;
mod walk;
