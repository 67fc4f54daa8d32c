//! Who may do what: generated from the API document, so that a new route cannot be forgotten.

pub(crate) mod anonymous;
mod inner_ids;
mod projects;
mod scopes;
