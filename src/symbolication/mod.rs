//! Stacks and source maps: the text of a stack taken to pieces, and positions looked up in compact maps. Knows no
//! release and no event.

pub mod engine_name;
pub mod map;
pub mod stack;
