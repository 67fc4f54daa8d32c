//! The API document, held against the routes and their answers.

pub(crate) mod document;
mod routes;
mod schemas;
