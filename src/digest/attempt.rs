//! Prepares a record, and sets it aside if that fails again and again.

use super::TRIES;
use super::apply::{Outcome, SetAside};
use super::prepare::{PreparedEvent, segment};
use super::resolve::Resolver;
use crate::error::{Error, Result};
use crate::event::record::{self, Kind};
use crate::intake::store::Pending;
use crate::store::{Connection, Main};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Prepares a record according to its kind; one written by a newer Mayday is set aside unchanged. Fails only on
/// storage trouble.
pub(super) fn prepare(
    c: &Connection,
    main: &Main,
    resolver: &mut Resolver,
    event: Pending,
) -> Result<Outcome> {
    match Kind::of(event.form) {
        Some(Kind::Error) => prepare_event(c, main, resolver, event),
        Some(Kind::Replay) => Ok(match segment(&event) {
            Ok(segment) => Outcome::Replay(Arc::new((segment, event))),
            Err(error) => set_aside(error.to_string(), event),
        }),
        None => Ok(set_aside(record::unknown(event.form), event)),
    }
}

/// Prepares an event, or sets it aside after [`TRIES`] failures.
fn prepare_event(c: &Connection, main: &Main, resolver: &mut Resolver, event: Pending) -> Result<Outcome> {
    let mut reason = String::new();
    for _ in 0..TRIES {
        match catch_unwind(AssertUnwindSafe(|| {
            main.readers.judge(PreparedEvent::new(c, &main.packer, resolver, &event))
        })) {
            Ok(Ok(prepared)) => return Ok(Outcome::Prepared(Arc::new((prepared, event)))),
            Ok(Err(error @ Error::Unavailable { .. })) => return Err(error),
            Ok(Err(Error::Internal(cause))) => reason = cause.to_string(),
            Ok(Err(error)) => reason = error.to_string(),
            Err(_) => "the digest panicked on this event".clone_into(&mut reason),
        }
    }
    Ok(set_aside(reason, event))
}

fn set_aside(reason: String, event: Pending) -> Outcome {
    tracing::error!(project = event.project.0, reason, "an event was set aside");
    Outcome::SetAside(Arc::new(SetAside { event, reason }))
}
