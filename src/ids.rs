//! Identifiers as distinct types, so that a project's id is never mistaken for an issue's.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! id {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
        )]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

id! {
    /// An organization.
    OrganizationId,
    /// A person's account.
    UserId,
    /// A person's identity at a provider.
    IdentityId,
    /// An invitation into an organization.
    InvitationId,
    /// Something to send to the outside.
    DeliveryId,
    /// Something that happened, for others to react to.
    SignalId,
    /// A personal access token's record, not the token.
    TokenId,
    /// A signed-in browser or tool.
    SignInId,
    /// A project.
    ProjectId,
    /// A project key's record, not the key.
    KeyId,
    /// A release of a project.
    ReleaseId,
    /// A source map of a release.
    SourceMapId,
    /// A group of events.
    IssueId,
    /// Something that happened to an issue, or a comment.
    ActivityId,
    /// Our own key of an event; the client's is `event_id`.
    EventRowId,
    /// An accepted event that could not be digested.
    SetAsideId,
}
