//! What bodies are made of: a JSON tree that borrows from its text.

pub mod json;
pub mod surrogates;
