//! The claim of an instance, sign-in and sign-out, and the origin rule.

mod claim;
mod login;
mod logout;
mod origin;
mod setup_token;
