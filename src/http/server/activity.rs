//! What a connection is doing, in order to choose which one to close when places run short.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

pub(super) struct Activity {
    state: Mutex<State>,
    given_away: Notify,
}

struct State {
    /// When the last request ended, or the client stopped reading or sending.
    since: Instant,
    answering: bool,
    stalled: bool,
    /// Whether part of the last request's body was not read.
    unread: bool,
}

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        let state = State { since: Instant::now(), answering: false, stalled: false, unread: false };
        Arc::new(Self { state: Mutex::new(state), given_away: Notify::new() })
    }

    /// A request arrived; its answer is under way until the guard is dropped.
    pub(super) fn answer(self: &Arc<Self>) -> Answering {
        let mut state = self.state();
        (state.answering, state.unread) = (true, false);
        drop(state);
        Answering(self.clone())
    }

    /// The client does not read its answer, or has stopped sending its body.
    pub(super) fn stall(&self) {
        let mut state = self.state();
        (state.stalled, state.since) = (true, Instant::now());
    }

    /// The client continues, or nobody is waiting for it any more.
    pub(super) fn resume(&self) {
        self.state().stalled = false;
    }

    /// The rest of a request's body will not be read.
    pub(super) fn leave_unread(&self) {
        self.state().unread = true;
    }

    pub(super) fn has_unread(&self) -> bool {
        self.state().unread
    }

    /// Since when no answer has been prepared or sent; `None` while one is.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (state.stalled || !state.answering).then_some(state.since)
    }

    /// Closes the connection and gives its place to another.
    pub(super) fn give_away(&self) {
        self.given_away.notify_one();
    }

    pub(super) async fn given_away(&self) {
        self.given_away.notified().await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer is under way until this is dropped.
pub(super) struct Answering(Arc<Activity>);

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = self.0.state();
        (state.answering, state.since) = (false, Instant::now());
    }
}
