//! The orders of a list of issues.

use crate::error::{Error, Result};
use crate::text::shown;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    LastSeen,
    FirstSeen,
    Events,
    Users,
}

impl Sort {
    /// # Errors
    /// 422 naming the four orders.
    pub fn parse(text: Option<&str>) -> Result<Self> {
        match text {
            None | Some("last_seen") => Ok(Self::LastSeen),
            Some("first_seen") => Ok(Self::FirstSeen),
            Some("events") => Ok(Self::Events),
            Some("users") => Ok(Self::Users),
            Some(other) => Err(Error::invalid(format!(
                "sort: expected last_seen, first_seen, events or users, got `{}`",
                shown(other, 64)
            ))),
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::LastSeen => "last_seen",
            Self::FirstSeen => "first_seen",
            Self::Events => "events",
            Self::Users => "users",
        }
    }
}
