//! Jira Cloud or Server, through version 2 of its REST API: both have it, and its texts are plain markup, while
//! version 3 exists only in the cloud.

use super::ask::{Proof, Service};
use super::tracker::{DESTINATIONS_MAX, IssueTracker, NewTicket, Remark, RemoteTicket, key_in};
use super::{AskError, Destination, name_of};
use crate::crypto::secret::Secret;
use crate::outbound::{Client, Policy};
use async_trait::async_trait;
use serde_json::{Value, json};

const NAME: &str = "Jira";
/// Projects on a page of the cloud.
const PAGE: usize = 50;
/// Bytes of a list.
const LIST_MAX: usize = 8 << 20;
/// Jira answers clients that look like browsers with HTML pages, and refuses their changes.
const HEADERS: &[(&str, &str)] = &[("x-atlassian-token", "no-check")];

/// A Jira.
pub struct Jira {
    service: Service,
    is_cloud: bool,
}

impl Jira {
    /// With `email`, it is Jira Cloud and `token` is that person's API token; without, it is a server and `token` is
    /// a personal access token.
    pub fn new(client: &Client, policy: Policy, url: &str, email: Option<&str>, token: &str) -> Self {
        let secret = Secret::new(token);
        let proof = match email {
            Some(email) => Proof::Basic(email.to_owned(), secret),
            None => Proof::Bearer(secret),
        };
        let base = url.trim_end_matches('/').to_owned();
        let service = Service { name: NAME, client: client.clone(), policy, base, proof, headers: HEADERS };
        Self { service, is_cloud: email.is_some() }
    }

    /// The host and the account that we use there.
    pub async fn look(&self) -> Result<String, AskError> {
        let me = self.service.get("/rest/api/2/myself").await?;
        let who = name_of(me["displayName"].as_str().unwrap_or_default(), "somebody");
        let host = self.service.base.split("://").nth(1).unwrap_or_default();
        Ok(name_of(&format!("{host} as {who}"), NAME))
    }

    fn page(&self, key: &str) -> String {
        format!("{}/browse/{key}", self.service.base)
    }

    fn ticket(&self, issue: &Value) -> Result<RemoteTicket, AskError> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (id, key) = (text(&issue["id"]), text(&issue["key"]));
        if !is_id(&id) || !is_key(&key) {
            return Err(AskError::unreadable(NAME, "the id and key of the issue"));
        }
        let fields = &issue["fields"];
        let ticket = RemoteTicket {
            id,
            url: self.page(&key),
            key,
            title: text(&fields["summary"]),
            state: text(&fields["status"]["name"]),
            is_closed: fields["status"]["statusCategory"]["key"] == "done",
            destination: Destination {
                id: text(&fields["project"]["id"]),
                name: text(&fields["project"]["name"]),
            },
        };
        Ok(ticket.bounded())
    }

    /// The project's issue type for errors: Bug, or else the first type that is not a sub-task.
    async fn issue_type(&self, project: &str) -> Result<String, AskError> {
        let path = format!("/rest/api/2/issue/createmeta/{project}/issuetypes");
        let found: Value = self.service.get_large(&path, LIST_MAX).await?;
        let types = found["issueTypes"].as_array().or(found["values"].as_array());
        let mut types = types.into_iter().flatten().filter(|one| one["subtask"] != true);
        let all: Vec<&Value> = types.by_ref().collect();
        let best = all.iter().find(|one| one["name"] == "Bug").or(all.first());
        let id = best.and_then(|one| one["id"].as_str());
        id.map(str::to_owned).ok_or_else(|| {
            AskError::Refused(format!("{NAME}: the project takes no issues from this account"))
        })
    }

    /// The ticket that has the mark as a label.
    async fn marked(&self, label: &str) -> Result<Option<Value>, AskError> {
        let search = if self.is_cloud { "search/jql" } else { "search" };
        let path = format!(
            "/rest/api/2/{search}?jql=labels%20%3D%20%22{label}%22&maxResults=1&fields=summary,status,project"
        );
        let mut found = self.service.get(&path).await?;
        Ok(found["issues"].get_mut(0).map(Value::take))
    }
}

fn is_id(id: &str) -> bool {
    (1..=20).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_key(key: &str) -> bool {
    (1..=128).contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn checked(id: &str) -> Result<&str, AskError> {
    if is_id(id) { Ok(id) } else { Err(AskError::Missing(format!("{NAME} has no such issue"))) }
}

fn project(value: &Value) -> Option<Destination> {
    let id = value["id"].as_str().filter(|id| is_id(id))?;
    let name = format!("{} ({})", value["name"].as_str()?, value["key"].as_str().unwrap_or_default());
    Some(Destination { id: id.to_owned(), name: name_of(&name, "a project") })
}

#[async_trait]
impl IssueTracker for Jira {
    async fn destinations(&self) -> Result<Vec<Destination>, AskError> {
        if !self.is_cloud {
            let list: Vec<Value> = self.service.get_large("/rest/api/2/project", LIST_MAX).await?;
            return Ok(list.iter().filter_map(project).take(DESTINATIONS_MAX).collect());
        }
        let mut all = Vec::new();
        for at in (0..DESTINATIONS_MAX).step_by(PAGE) {
            let path = format!("/rest/api/2/project/search?startAt={at}&maxResults={PAGE}");
            let found: Value = self.service.get_large(&path, LIST_MAX).await?;
            all.extend(found["values"].as_array().into_iter().flatten().filter_map(project));
            if found["isLast"] != false {
                break;
            }
        }
        Ok(all)
    }

    async fn create(&self, new: &NewTicket) -> Result<RemoteTicket, AskError> {
        if !is_id(&new.destination) {
            return Err(AskError::Refused("destination: expected the number of a project".to_owned()));
        }
        let label = format!("mayday-{}", new.mark);
        if let Some(known) = self.marked(&label).await? {
            return self.ticket(&known);
        }
        let kind = self.issue_type(&new.destination).await?;
        let fields = json!({
            "project": { "id": new.destination },
            "issuetype": { "id": kind },
            "summary": new.title,
            "description": new.wiki(),
            "labels": [label],
        });
        let made = self.service.post("/rest/api/2/issue", &json!({ "fields": fields })).await?;
        self.state(made["id"].as_str().unwrap_or_default()).await
    }

    async fn find(&self, reference: &str) -> Result<RemoteTicket, AskError> {
        let none = || {
            AskError::Missing(format!("expected the address of an issue of {NAME}, or a key such as SHOP-42"))
        };
        let key = key_in(reference, "browse").ok_or_else(none)?;
        let path = format!("/rest/api/2/issue/{key}?fields=summary,status,project");
        self.ticket(&self.service.get(&path).await?)
    }

    async fn state(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let path = format!("/rest/api/2/issue/{}?fields=summary,status,project", checked(id)?);
        self.ticket(&self.service.get(&path).await?)
    }

    async fn comment(&self, id: &str, remark: &Remark) -> Result<(), AskError> {
        let path = format!("/rest/api/2/issue/{}/comment", checked(id)?);
        let newest = format!("{path}?orderBy=-created&maxResults=100");
        let found: Value = self.service.get_large(&newest, LIST_MAX).await?;
        let has = |one: &Value| one["body"].as_str().is_some_and(|body| body.contains(&remark.mark));
        if found["comments"].as_array().into_iter().flatten().any(has) {
            return Ok(());
        }
        let body = format!("[{}|{}]", remark.text, remark.marked_link());
        self.service.post(&path, &json!({ "body": body })).await.map(drop)
    }

    async fn close(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let now = self.state(id).await?;
        if now.is_closed {
            return Ok(now);
        }
        let path = format!("/rest/api/2/issue/{}/transitions", checked(id)?);
        let found = self.service.get(&path).await?;
        let mut ways = found["transitions"].as_array().into_iter().flatten();
        let way = ways.find(|way| way["to"]["statusCategory"]["key"] == "done");
        let way = way.and_then(|way| way["id"].as_str()).ok_or_else(|| {
            AskError::Refused(format!("{NAME}: from its state, this account cannot close the issue"))
        })?;
        self.service.post(&path, &json!({ "transition": { "id": way } })).await?;
        self.state(id).await
    }
}
