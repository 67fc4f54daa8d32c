//! Slack's Web API with a bot token. Unlike an incoming webhook, it can be checked, can choose the channel of each
//! message, and reports when it is revoked.

use super::ask::{Proof, Service};
use super::tracker::DESTINATIONS_MAX;
use super::{AskError, Destination, name_of};
use crate::crypto::secret::Secret;
use crate::outbound::{Client, Policy};
use hyper::Method;
use serde_json::{Value, json};

const NAME: &str = "Slack";
const USUAL: &str = "https://slack.com";
/// Bytes of a page of channels.
const PAGE_MAX: usize = 8 << 20;

/// A workspace.
pub struct Slack(Service);

impl Slack {
    pub fn new(client: &Client, policy: Policy, url: Option<&str>, token: &str) -> Self {
        let base = url.unwrap_or(USUAL).trim_end_matches('/').to_owned();
        let proof = Proof::Bearer(Secret::new(token));
        Self(Service { name: NAME, client: client.clone(), policy, base, proof, headers: &[] })
    }

    /// Errors come with status 200 and `ok: false`.
    async fn run(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, AskError> {
        let reply = self.0.ask(method, path, body, PAGE_MAX).await?;
        self.0.judge(&reply)?;
        let answer: Value = self.0.parse(&reply)?;
        if answer["ok"] == true {
            return Ok(answer);
        }
        let code = answer["error"].as_str().unwrap_or("an unknown error");
        let text = format!("{NAME} answered: {}", self.0.without_secret(code, 64));
        Err(match code {
            "invalid_auth" | "not_authed" | "token_revoked" | "token_expired" | "account_inactive" => {
                AskError::Revoked(text)
            }
            "ratelimited" | "rate_limited" => {
                AskError::Busy { wait: super::ask::pause(&reply.headers), text }
            }
            "internal_error" | "fatal_error" | "service_unavailable" | "request_timeout" => {
                AskError::Passing(text)
            }
            "channel_not_found" => AskError::Missing(text),
            _ => AskError::Refused(text),
        })
    }

    /// The name of the workspace.
    pub async fn look(&self) -> Result<String, AskError> {
        let answer = self.run(Method::POST, "/api/auth.test", Some(&json!({}))).await?;
        Ok(name_of(answer["team"].as_str().unwrap_or_default(), NAME))
    }

    /// The public channels, at most 500.
    pub async fn channels(&self) -> Result<Vec<Destination>, AskError> {
        let (mut all, mut cursor) = (Vec::new(), String::new());
        for _ in 0..DESTINATIONS_MAX / 100 {
            let path = format!(
                "/api/conversations.list?exclude_archived=true&limit=100&types=public_channel{}",
                if cursor.is_empty() { String::new() } else { format!("&cursor={cursor}") }
            );
            let page = self.run(Method::GET, &path, None).await?;
            all.extend(page["channels"].as_array().into_iter().flatten().filter_map(|channel| {
                let name = format!("#{}", channel["name"].as_str()?);
                Some(Destination {
                    id: channel["id"].as_str()?.to_owned(),
                    name: name_of(&name, "a channel"),
                })
            }));
            let next = page["response_metadata"]["next_cursor"].as_str().unwrap_or_default();
            cursor = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
            if cursor.is_empty() {
                break;
            }
        }
        Ok(all)
    }

    /// Posts `text` to a channel, unformatted, as a link to `link`.
    pub async fn say(&self, channel: &str, text: &str, link: &str) -> Result<(), AskError> {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('|', "¦");
        let body =
            json!({ "channel": channel, "text": format!("<{link}|{escaped}>"), "unfurl_links": false });
        self.run(Method::POST, "/api/chat.postMessage", Some(&body)).await.map(drop)
    }
}
