//! Authorization, tested for every route of the API document, so that a new route cannot be forgotten.

pub(crate) mod anonymous;
mod inner_ids;
mod organizations;
mod projects;
mod roles;
mod scopes;
