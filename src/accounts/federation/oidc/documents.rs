//! A provider's documents: cached, and fetched again when a token shows that they are out of date.

use super::cache::HourCache;
use super::discovery::{self, Endpoints};
use super::keys::{self, Keys};
use super::{Provider, id_token};
use crate::accounts::federation::answer::Document;
use crate::accounts::federation::{FederationError, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long to wait before a token with an unknown key causes the keys to be fetched again.
const REFRESH_PAUSE: Duration = Duration::from_secs(60);

/// How long to wait before a failed discovery is tried again.
const FAILURE_AGE: Duration = Duration::from_secs(5);

/// The cached documents of a provider.
#[derive(Default)]
pub(super) struct ProviderDocuments {
    endpoints: HourCache<Endpoints>,
    keys: HourCache<Keys>,
    /// The last discovery failure; locked during discovery.
    discovering: Mutex<Option<(Instant, FederationError)>>,
    /// When a token last caused the keys to be fetched; locked while they are.
    refreshed: Mutex<Option<Instant>>,
}

impl Provider {
    /// The claims of a token with a valid signature, and a sentence that says so.
    pub(super) async fn verified(&self, endpoints: &Endpoints, token: &str) -> Result<(Document, String)> {
        let mut keys = self.keys(endpoints).await?;
        let mut outcome = id_token::verify(token, &keys);
        if matches!(outcome, Err(id_token::Fault::UnknownKey(_)))
            && let Some(fresh) = self.fresher_keys(&keys).await?
        {
            keys = fresh;
            outcome = id_token::verify(token, &keys);
        }
        outcome.map_err(|fault| FederationError::invalid(format!("ID token: {fault}")))
    }

    pub(super) async fn endpoints(&self) -> Result<Arc<Endpoints>> {
        match self.documents.endpoints.get(self.clock.running()) {
            Some(known) => Ok(known),
            None => self.discover_once().await,
        }
    }

    /// One request serves everybody who waits. A failure is remembered for a moment, so that a provider that
    /// hangs is not asked by each of them in turn.
    async fn discover_once(&self) -> Result<Arc<Endpoints>> {
        let mut failed = self.documents.discovering.lock().await;
        let now = self.clock.running();
        if let Some(known) = self.documents.endpoints.get(now) {
            return Ok(known);
        }
        if let Some((at, error)) = &*failed
            && now.saturating_duration_since(*at) < FAILURE_AGE
        {
            return Err(error.clone());
        }
        let found = self.discover().await;
        *failed = found.as_ref().err().map(|error| (self.clock.running(), error.clone()));
        found
    }

    async fn discover(&self) -> Result<Arc<Endpoints>> {
        self.guarded(&self.settings.issuer_url, "Issuer").await?;
        let found = discovery::discover(&self.client, &self.settings, self.policy()).await?;
        let endpoints = discovery::endpoints(&self.settings, found)?;
        Ok(self.documents.endpoints.put(self.clock.running(), endpoints))
    }

    async fn keys(&self, endpoints: &Endpoints) -> Result<Arc<Keys>> {
        match self.documents.keys.get(self.clock.running()) {
            Some(known) => Ok(known),
            None => self.fetch_keys(endpoints).await,
        }
    }

    async fn fetch_keys(&self, endpoints: &Endpoints) -> Result<Arc<Keys>> {
        let keys = keys::fetch(&self.client, self.policy(), &endpoints.jwks).await?;
        Ok(self.documents.keys.put(self.clock.running(), keys))
    }

    /// Keys newer than those that failed to verify a token; `None` if they were already fetched less than a
    /// minute ago.
    async fn fresher_keys(&self, used: &Arc<Keys>) -> Result<Option<Arc<Keys>>> {
        let mut refreshed = self.documents.refreshed.lock().await;
        let now = self.clock.running();
        if let Some(newer) = self.documents.keys.get(now).filter(|keys| !Arc::ptr_eq(keys, used)) {
            return Ok(Some(newer));
        }
        if refreshed.is_some_and(|at| now.saturating_duration_since(at) < REFRESH_PAUSE) {
            return Ok(None);
        }
        *refreshed = Some(now);
        // The old keys stay in place meanwhile: if they were dropped, other sign-ins would fetch them, too.
        let endpoints = self.discover().await?;
        self.fetch_keys(&endpoints).await.map(Some)
    }
}
