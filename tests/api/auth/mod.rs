//! The claim of an instance, sign-in by password and through providers, sign-out, and the origin rule.

mod claim;
mod flows;
mod login;
mod login_limits;
mod login_refused;
mod logout;
mod methods;
mod origin;
mod passwords_off;
mod planted;
mod provider_claims;
mod provider_links;
mod registration;
mod registration_refused;
mod setup_limits;
mod setup_token;
mod sso;
