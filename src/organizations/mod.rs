//! Organizations and their members.

pub mod http;
pub mod invitations;
pub mod keys;
pub mod members;
pub mod sign_in;
pub mod sql;

use crate::accounts::admission;
use crate::accounts::people::People;
use crate::ids::{OrganizationId, UserId};
use crate::roles::Role;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An organization, as seen by one of its members.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Organization {
    pub id: OrganizationId,
    pub name: String,
    pub slug: String,
    /// The caller's role in it.
    pub role: Role,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A person in an organization.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Member {
    /// The user's id.
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub role: Role,
    pub status: MemberStatus,
    pub joined_at: Timestamp,
    /// Whether the person has proven that the mailbox is theirs.
    pub email_proven: bool,
    /// Whether `ADMIN_EMAILS` lists the address; null if the reader is not an administrator.
    pub listed: Option<bool>,
    /// When one of their sessions was last used, accurate to a minute; null if the reader is not an
    /// administrator, or there is no session.
    pub last_seen_at: Option<Timestamp>,
}

impl Member {
    /// The member, as seen by somebody with `role`.
    #[must_use]
    pub fn shown_to(mut self, role: Role, people: &People) -> Self {
        // With many organizations, the instance's lists and sessions are not visible to their administrators.
        if people.single_org && role >= Role::Admin {
            self.listed = Some(admission::is_listed(&people.config.sign_in, &self.email));
        } else {
            (self.listed, self.last_seen_at) = (None, None);
        }
        self
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MemberStatus {
    Active,
    /// The account is disabled.
    Disabled,
}

/// A slug made from a name: letters, digits and hyphens, at most 48; `fallback` if nothing is left.
pub fn slug(name: &str, fallback: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= 48 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { fallback.to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn a_slug_keeps_letters_and_digits() {
        assert_eq!(slug("Web Shop (EU)", "x"), "web-shop-eu");
        assert_eq!(slug("  --  ", "project"), "project");
        assert_eq!(slug(&"ab ".repeat(100), "x").len(), 47);
    }
}
