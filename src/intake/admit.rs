//! Who sends a body, and whether it is accepted: the check between the two steps of every decoder.
//!
//! A decoder first finds the credentials of a body and what its items cost, without decoding them. Then [`admit`] decides,
//! for all formats alike, and only what it lets through is decoded. Clients see its order: the key comes before all other
//! fields of a body, then its scope, then the number of items, then the project's share of the disk and its rate. Whether
//! the disk has room at all is checked earlier, before the sender is known ([`super::http::receive`]).

use super::directory::{Directory, KeyEntry};
use super::rate::Kind;
use crate::error::{Error, Result};
use crate::projects::key::Scope;
use std::sync::Arc;

/// What a body contains. Each category has its own rate and scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Category {
    Errors,
    Logs,
    Replays,
}

impl Category {
    fn kind(self) -> Kind {
        match self {
            Self::Errors => Kind::Errors,
            Self::Logs => Kind::Logs,
            Self::Replays => Kind::Replays,
        }
    }

    /// Any one of them is enough.
    fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Errors | Self::Logs | Self::Replays => &[Scope::Ingest],
        }
    }
}

/// What a request takes from the rates of its project, and from its share of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Usable or not.
    pub(crate) items: usize,
    /// Of the body, decompressed.
    pub(crate) bytes: usize,
}

/// Admits a request and counts it. An error in its cost is reported only to those who may send.
///
/// # Errors
/// 401: no valid key. 403: the key may not send this. The error of the cost. 503: the project used too much of the disk.
/// 429: the project exceeds its rate. After an error nothing was counted, and nothing of the request may be stored.
pub(crate) fn admit(
    directory: &Directory,
    key: Option<&str>,
    category: Category,
    cost: Result<Cost>,
) -> Result<Arc<KeyEntry>> {
    let key = key.and_then(|key| directory.find(key)).ok_or_else(Error::invalid_key)?;
    key.require(category.scopes())?;
    let Cost { items, bytes } = cost?;
    directory.admit_body(&key, category.kind(), items, bytes)?;
    Ok(key)
}

#[cfg(test)]
mod tests;
