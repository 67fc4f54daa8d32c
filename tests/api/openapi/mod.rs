//! The API document, held against the routes and their answers.

pub(crate) mod document;
mod people;
mod routes;
pub(crate) mod schemas;
