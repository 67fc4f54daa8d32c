//! The target of a channel: its address and secrets, stored sealed.

use super::template;
use crate::error::{Error, Result};
use crate::outbound::{self, Policy};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Characters of an address and of a token, bytes of a template.
const URL_MAX: usize = 2_048;
const TOKEN_MAX: usize = 1_024;
const TEMPLATE_MAX: usize = 16 << 10;

/// What takes the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = AlertChannelKind)]
pub enum ChannelKind {
    /// JSON, signed as Standard Webhooks say.
    Webhook,
    /// A Slack webhook, or one that takes the same.
    Slack,
    Discord,
    /// A Teams workflow that posts cards.
    Teams,
    /// A topic of ntfy.
    Ntfy,
    /// JSON of one's own form.
    Template,
}

impl ChannelKind {
    pub const ALL: [Self; 6] =
        [Self::Webhook, Self::Slack, Self::Discord, Self::Teams, Self::Ntfy, Self::Template];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Slack => "slack",
            Self::Discord => "discord",
            Self::Teams => "teams",
            Self::Ntfy => "ntfy",
            Self::Template => "template",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The secret part of a channel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Target {
    pub url: String,
    /// Signs messages; only for webhooks.
    pub secret: Option<String>,
    /// Sent as a Bearer token.
    pub token: Option<String>,
    /// The document to fill in; only for templates.
    pub template: Option<Value>,
}

impl Target {
    /// # Errors
    /// 422 naming what does not fit.
    pub fn check(&self, kind: ChannelKind, policy: Policy) -> Result<()> {
        let length = self.url.chars().count();
        if length > URL_MAX {
            return Err(Error::invalid(format!("url: expected at most {URL_MAX} characters, got {length}")));
        }
        let url =
            outbound::read(&self.url, policy).map_err(|error| Error::invalid(format!("url: {error}")))?;
        if kind == ChannelKind::Ntfy && topic(&url).is_none() {
            return Err(Error::invalid(
                "url: expected the address of a topic, such as https://ntfy.sh/my-topic",
            ));
        }
        if let Some(token) = &self.token
            && (token.is_empty()
                || token.len() > TOKEN_MAX
                || !token.bytes().all(|byte| byte.is_ascii_graphic()))
        {
            return Err(Error::invalid(format!("token: expected 1 to {TOKEN_MAX} visible ASCII characters")));
        }
        match (kind, &self.template) {
            (ChannelKind::Template, None) => {
                Err(Error::invalid("template: expected a JSON document to fill in"))
            }
            (ChannelKind::Template, Some(template)) => {
                let size = template.to_string().len();
                if size > TEMPLATE_MAX {
                    let most = TEMPLATE_MAX >> 10;
                    return Err(Error::invalid(format!("template: expected at most {most} KiB")));
                }
                template::check(template)
            }
            (_, Some(_)) => Err(Error::invalid("template: expected only with the kind `template`")),
            (_, None) => Ok(()),
        }
    }

    /// The host that people are shown.
    pub fn host(&self) -> String {
        let url = url::Url::parse(&self.url).ok();
        url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// The topic in an ntfy address, and the server's own address.
pub(super) fn topic(url: &url::Url) -> Option<(String, String)> {
    let path = url.path().trim_matches('/');
    let (base, topic) = path.rsplit_once('/').unwrap_or(("", path));
    if topic.is_empty() {
        return None;
    }
    let mut server = url.clone();
    server.set_path(&format!("/{base}"));
    server.set_query(None);
    Some((server.to_string(), topic.to_owned()))
}
