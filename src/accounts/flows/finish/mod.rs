//! Completing a sign-in at a provider.

pub mod http;
