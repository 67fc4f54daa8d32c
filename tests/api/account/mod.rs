//! `/api/v1/me…` and `/auth/password/…`: what belongs to one person.

mod email;
mod password;
mod profile;
mod sessions;
mod tokens;
mod tools;
