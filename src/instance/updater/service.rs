//! Checks whether the pinned manifest exists.

use super::Manifests;
use crate::outbound::{Client, OutboundError, Policy, Request};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The time limit of a probe.
const DEADLINE: Duration = Duration::from_secs(5);
/// How long a probe's outcome is cached.
const LIFETIME: Duration = Duration::from_secs(300);

/// What a probe found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Present,
    Absent,
    /// No answer, or one that proves nothing.
    Unreachable,
}

/// Leads desktop clients to a manifest.
pub struct Updater {
    manifests: Manifests,
    client: Client,
    lifetime: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The cached outcome, and when it was found.
    kept: Option<(Instant, Outcome)>,
    /// The probe in progress.
    under_way: Option<watch::Receiver<Option<Outcome>>>,
}

impl Updater {
    pub fn new(manifests: Manifests, outbound: &Client) -> Self {
        let client = outbound.within(DEADLINE);
        Self { manifests, client, lifetime: LIFETIME, state: Mutex::default() }
    }

    #[cfg(test)]
    pub(super) fn with_limits(mut self, deadline: Duration, lifetime: Duration) -> Self {
        self.client = self.client.within(deadline);
        self.lifetime = lifetime;
        self
    }

    /// The address of the manifest to read: the pinned one, unless it is known not to exist.
    pub async fn manifest(self: &Arc<Self>) -> &str {
        match self.outcome().await {
            Outcome::Present | Outcome::Unreachable => &self.manifests.pinned,
            Outcome::Absent => &self.manifests.newest,
        }
    }

    /// The cached outcome, or that of a new probe, which concurrent callers share.
    async fn outcome(self: &Arc<Self>) -> Outcome {
        let mut probe = {
            let mut state = self.state();
            if let Some((at, outcome)) = state.kept
                && at.elapsed() < self.lifetime
            {
                return outcome;
            }
            state.under_way.get_or_insert_with(|| self.begin()).clone()
        };
        // A probe that panicked has no outcome.
        let outcome = probe.wait_for(Option::is_some).await.ok().and_then(|outcome| *outcome);
        outcome.unwrap_or(Outcome::Unreachable)
    }

    /// Starts a probe, which continues if the request that started it ends.
    fn begin(self: &Arc<Self>) -> watch::Receiver<Option<Outcome>> {
        let (tell, told) = watch::channel(None);
        let updater = self.clone();
        tokio::spawn(async move {
            let outcome = updater.probe().await;
            let mut state = updater.state();
            state.kept = (outcome != Outcome::Unreachable).then(|| (Instant::now(), outcome));
            state.under_way = None;
            tell.send_replace(Some(outcome));
        });
        told
    }

    async fn probe(&self) -> Outcome {
        // The operator names the address, which may be in a private network; clients only learn whether there is a
        // file under it.
        let answer = self.client.fetch(Request::head(&self.manifests.pinned), Policy::Configured).await;
        match answer {
            Ok(answer) if answer.status.is_success() => Outcome::Present,
            // The client follows redirects itself.
            Err(OutboundError::Redirect { .. }) => Outcome::Present,
            // File stores also answer 403 for a missing file.
            Ok(answer) if matches!(answer.status.as_u16(), 403 | 404 | 410) => Outcome::Absent,
            Ok(answer) => {
                tracing::debug!(status = %answer.status, "the desktop client's releases do not answer");
                Outcome::Unreachable
            }
            Err(error) => {
                tracing::debug!(%error, "the desktop client's releases do not answer");
                Outcome::Unreachable
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
