//! The content of bodies: a JSON tree that borrows from its text.

pub mod json;
pub mod surrogates;
