//! Stacks and source maps: parses stack texts, and looks positions up in compact maps. Knows neither releases
//! nor events.

pub mod engine_name;
pub mod map;
pub mod stack;
