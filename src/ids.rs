//! Identifiers as distinct types, so that a project's id is never mistaken for an issue's.

use crate::crypto::token;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaFormat, Type};

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
    /// A notice, shared by its recipients.
    NoticeId,
    /// A notice as one recipient has it.
    NotificationId,
    /// What a person wants to be told of a category.
    PreferenceId,
    /// Where the messages of alert rules go.
    AlertChannelId,
    /// An alert rule.
    AlertRuleId,
    /// A message of an alert rule to a channel.
    AlertDeliveryId,
    /// A search of issues that somebody keeps.
    ViewId,
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
    /// A deploy of a release.
    DeployId,
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
    /// A ticket of a tracker, made from an issue.
    TicketId,
    /// A backup that the server made by itself, or tried to.
    BackupRunId,
}

macro_rules! uuid {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Uuid);

        impl $name {
            /// A new one, at random.
            #[expect(clippy::new_without_default, reason = "each is another one")]
            pub fn new() -> Self {
                Self(Uuid(token::uuid_bytes()))
            }

            /// `None` for anything but a UUID with its hyphens.
            pub fn parse(text: &str) -> Option<Self> {
                Uuid::parse(text).map(Self)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <Cow<'de, str>>::deserialize(deserializer)?;
                Self::parse(&text).ok_or_else(|| D::Error::custom(format_args!(
                    "expected a UUID such as 0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c, got `{}`",
                    crate::text::shown(&text, 64),
                )))
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<Schema> {
                let format = SchemaFormat::Custom("uuid".to_owned());
                ObjectBuilder::new().schema_type(Type::String).format(Some(format)).into()
            }
        }

        impl ToSchema for $name {}
    )+};
}

uuid! {
    /// A repository of an organization.
    RepositoryId,
    /// A repository's mirror on a runner.
    PrebuildId,
    /// A machine that runs sessions.
    RunnerId,
    /// Instructions for an agent, with what starts it.
    AutomationId,
    /// What starts an automation.
    TriggerId,
    /// A call of an automation.
    AutomationEventId,
    /// A session of an agent; not a signed-in browser, which is a [`SignInId`].
    SessionId,
    /// A connection to a code host, a chat or a tracker.
    ConnectionId,
}

/// 16 bytes, written as a UUID in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Uuid([u8; 16]);

impl Uuid {
    fn parse(text: &str) -> Option<Self> {
        if text.len() != 36 {
            return None;
        }
        let mut bytes = [0; 16];
        let mut digits = 0;
        for (at, byte) in text.bytes().enumerate() {
            if matches!(at, 8 | 13 | 18 | 23) {
                if byte != b'-' {
                    return None;
                }
                continue;
            }
            let value = u8::try_from(char::from(byte).to_digit(16)?).ok()?;
            bytes[digits / 2] = bytes[digits / 2] << 4 | value;
            digits += 1;
        }
        Some(Self(bytes))
    }
}

impl std::fmt::Display for Uuid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            let hyphen = if matches!(at, 4 | 6 | 8 | 10) { "-" } else { "" };
            write!(f, "{hyphen}{byte:02x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_is_read_as_written() {
        let id = SessionId::new();
        let text = id.to_string();
        assert_eq!(SessionId::parse(&text), Some(id));
        assert_eq!(SessionId::parse(&text.to_uppercase()), Some(id));
        assert_eq!((text.len(), &text[14..15]), (36, "4"));
        assert_ne!(SessionId::new(), id);
    }

    #[test]
    fn other_texts_are_not_uuids() {
        let good = "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c";
        assert!(SessionId::parse(good).is_some());
        let long = format!("{good}0");
        for text in [
            "",
            "1",
            &long,
            &good.replace('-', ""),
            &good.replace('-', "_"),
            &good.replace('0', "g"),
            &good.replace("0b", "é"),
        ] {
            assert_eq!(SessionId::parse(text), None, "{text}");
        }
    }
}
