//! The stored source maps, and storing an upload.

pub mod maps;
pub mod store;
pub mod upload;

pub use maps::Maps;
