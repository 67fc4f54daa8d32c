//! Checks of a provider that need nobody to sign in. The cache is neither read nor written.

use super::discovery::{self, Endpoints};
use super::{Policy, Provider, keys};
use crate::accounts::federation::{FederationError, Recorder, Report, Result};
use crate::outbound::OutboundError;
use crate::text::shown;
use std::net::IpAddr;

/// The steps of [`Provider::check`].
pub const CHECK_STEPS: &[&str] = &[ISSUER, DISCOVERY, ENDPOINTS, KEYS, SCOPES];
const ISSUER: &str = "Issuer address";
const DISCOVERY: &str = "Discovery document";
const ENDPOINTS: &str = "Endpoints";
const KEYS: &str = "Signing keys";
const SCOPES: &str = "Scopes";

impl Provider {
    /// Requests everything from the provider that needs no person; takes at most about 30 s.
    pub async fn check(&self) -> Report {
        let mut recorder = Recorder::new(CHECK_STEPS);
        // The report holds the failure.
        let _ = self.check_steps(&mut recorder).await;
        recorder.report("sso")
    }

    async fn check_steps(&self, recorder: &mut Recorder) -> Result<()> {
        let issuer = &self.settings.issuer_url;
        let place = self.place(issuer).await.map_err(FederationError::from);
        recorder.note(ISSUER, place, |place| format!("{issuer} ({place})"))?;
        let found = discovery::discover(&self.client, &self.settings, self.policy()).await;
        let found = recorder.note(DISCOVERY, found, |found| match found {
            Some(_) => format!("Read from {}", discovery::address(&self.settings).unwrap_or_default()),
            None => "Not needed: all endpoints are configured.".to_owned(),
        })?;
        let endpoints = self.check_endpoints(found).await;
        let (endpoints, _) = recorder.note(ENDPOINTS, endpoints, |(_, places)| places.clone())?;
        let keys = self.check_keys(&endpoints).await;
        recorder.note(KEYS, keys, Clone::clone)?;
        let (ok, detail) = compare_scopes(&self.scopes(), endpoints.scopes.as_deref());
        recorder.set(SCOPES, ok, detail);
        Ok(())
    }

    async fn check_endpoints(&self, found: Option<super::answer::Document>) -> Result<(Endpoints, String)> {
        let endpoints = discovery::endpoints(&self.settings, found)?;
        let mut places = Vec::new();
        let mut faults = Vec::new();
        for (name, url) in [
            ("authorization", Some(&endpoints.authorization)),
            ("token", Some(&endpoints.token)),
            ("jwks", Some(&endpoints.jwks)),
            ("userinfo", endpoints.userinfo.as_ref()),
        ] {
            let Some(url) = url else { continue };
            match self.place(url).await {
                Ok(place) => places.push(format!("{name} {} ({place})", shown(url, 200))),
                Err(error) => faults.push(format!("{name} {}: {error}", shown(url, 200))),
            }
        }
        if faults.is_empty() {
            return Ok((endpoints, places.join("; ")));
        }
        Err(FederationError::Unreachable(faults.join("; ")))
    }

    /// The addresses of a host, or a note that the guard is off.
    async fn place(&self, url: &str) -> Result<String, OutboundError> {
        if self.policy() != Policy::Guarded {
            crate::outbound::read(url, self.policy())?;
            return Ok("private addresses are allowed".to_owned());
        }
        let addresses = self.client.check(url, self.policy()).await?;
        Ok(addresses.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(", "))
    }

    async fn check_keys(&self, endpoints: &Endpoints) -> Result<String> {
        let keys = keys::fetch(&self.client, self.policy(), &endpoints.jwks).await?;
        match keys.usable() {
            (0, _) => {
                let known: Vec<&str> = keys::ALGORITHMS.iter().map(|(name, _)| *name).collect();
                let known = known.join(", ");
                Err(FederationError::invalid(format!(
                    "None of its keys is for signatures with one of {known}"
                )))
            }
            (1, names) => Ok(format!("1 key, for {}", names.join(", "))),
            (count, names) => Ok(format!("{count} keys, for {}", names.join(", "))),
        }
    }
}

/// A provider need not list all its scopes, but it must list `openid`.
fn compare_scopes(asked: &[&str], listed: Option<&[String]>) -> (bool, String) {
    let asked_for = asked.join(" ");
    let Some(listed) = listed else {
        return (true, format!("{asked_for}; the provider does not say which it supports"));
    };
    let missing: Vec<&str> =
        asked.iter().filter(|scope| !listed.iter().any(|s| s == *scope)).copied().collect();
    if missing.is_empty() {
        return (true, format!("{asked_for}; the provider supports all of them"));
    }
    let missing_words = missing.join(", ");
    (!missing.contains(&"openid"), format!("{asked_for}; the provider does not list {missing_words}"))
}
