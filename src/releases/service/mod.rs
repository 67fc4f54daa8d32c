//! The stored source maps, and an upload on its way to them.

pub mod maps;
pub mod upload;

pub use maps::Maps;
