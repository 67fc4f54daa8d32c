//! `/api/v1/me…` and `/auth/password/…`: a person's own account.

mod email;
mod password;
mod profile;
mod sessions;
mod tokens;
mod tools;
