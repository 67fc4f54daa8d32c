//! Linear, through its GraphQL API. We choose the ids of new objects, so that a repeated request creates nothing
//! twice.

use super::ask::{Proof, Service};
use super::tracker::{IssueTracker, NewTicket, Remark, RemoteTicket, key_in};
use super::{AskError, Destination, name_of};
use crate::crypto::secret::Secret;
use crate::outbound::{Client, Policy};
use async_trait::async_trait;
use hyper::Method;
use serde_json::{Value, json};
use std::time::Duration;

const NAME: &str = "Linear";
const USUAL: &str = "https://api.linear.app";
/// Bytes of an answer.
const ANSWER_MAX: usize = 4 << 20;

const WHO: &str = "query { viewer { id name } organization { id name } }";
const TEAMS: &str = "query($after: String) { teams(first: 100, after: $after) { nodes { id name key } pageInfo { hasNextPage endCursor } } }";
const ISSUE: &str =
    "query($id: String!) { issue(id: $id) { id identifier title url state { name type } team { id name } } }";
const CREATE: &str = "mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id identifier title url state { name type } team { id name } } } }";
const COMMENT: &str = "query($id: String!) { comment(id: $id) { id } }";
const SAY: &str =
    "mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id } } }";
const STATES: &str = "query($id: String!) { issue(id: $id) { team { states(filter: { type: { eq: \"completed\" } }) { nodes { id position } } } } }";
const UPDATE: &str = "mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { id identifier title url state { name type } team { id name } } } }";

/// All documents that we send, for a test against Linear's schema.
pub const DOCUMENTS: [&str; 8] = [WHO, TEAMS, ISSUE, CREATE, COMMENT, SAY, STATES, UPDATE];

/// A workspace.
pub struct Linear(Service);

impl Linear {
    /// `token` is a personal API key (`lin_api_…`) or a token of an OAuth application.
    pub fn new(client: &Client, policy: Policy, url: Option<&str>, token: &str) -> Self {
        let secret = Secret::new(token);
        let proof = if token.starts_with("lin_api_") { Proof::Plain(secret) } else { Proof::Bearer(secret) };
        let base = url.unwrap_or(USUAL).trim_end_matches('/').to_owned();
        Self(Service { name: NAME, client: client.clone(), policy, base, proof, headers: &[] })
    }

    /// The name of the workspace.
    pub async fn look(&self) -> Result<String, AskError> {
        let data = self.run(WHO, json!({})).await?;
        Ok(name_of(data["organization"]["name"].as_str().unwrap_or_default(), NAME))
    }

    /// Runs a document; returns its `data`.
    async fn run(&self, query: &str, variables: Value) -> Result<Value, AskError> {
        let body = json!({ "query": query, "variables": variables });
        let reply = self.0.ask(Method::POST, "/graphql", Some(&body), ANSWER_MAX).await?;
        let answer: Option<Value> = self.0.parse(&reply).ok();
        // Errors come with status 200 or 400, and are described in the body.
        if let Some(fault) = answer.as_ref().and_then(|answer| answer["errors"].get(0)) {
            return Err(self.fault(fault, &super::ask::pause(&reply.headers)));
        }
        self.0.judge(&reply)?;
        match answer {
            Some(mut answer) if answer["data"].is_object() => Ok(answer["data"].take()),
            _ => Err(AskError::unreadable(NAME, "the data that was asked for")),
        }
    }

    fn fault(&self, fault: &Value, wait: &Duration) -> AskError {
        let extensions = &fault["extensions"];
        let said = extensions["userPresentableMessage"].as_str().or(fault["message"].as_str());
        let said = self.0.without_secret(said.unwrap_or("an error"), 160);
        let text = format!("{NAME} answered: {said}");
        let is_missing = fault["message"].as_str().is_some_and(|said| said.contains("Entity not found"));
        match extensions["code"].as_str().unwrap_or_default() {
            "AUTHENTICATION_ERROR" => AskError::Revoked(text),
            "RATELIMITED" => AskError::Busy { wait: *wait, text },
            "INTERNAL_SERVER_ERROR" => AskError::Passing(text),
            _ if is_missing => AskError::Missing(text),
            _ => AskError::Refused(text),
        }
    }

    async fn has(&self, query: &str, id: &str) -> Result<Option<Value>, AskError> {
        match self.run(query, json!({ "id": id })).await {
            Ok(data) => Ok(Some(data)),
            Err(AskError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn ticket(issue: &Value) -> Result<RemoteTicket, AskError> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let id = text(&issue["id"]);
    if id.is_empty() {
        return Err(AskError::unreadable(NAME, "the issue"));
    }
    let ticket = RemoteTicket {
        id,
        key: text(&issue["identifier"]),
        title: text(&issue["title"]),
        url: text(&issue["url"]),
        state: text(&issue["state"]["name"]),
        is_closed: matches!(issue["state"]["type"].as_str(), Some("completed" | "canceled")),
        destination: Destination { id: text(&issue["team"]["id"]), name: text(&issue["team"]["name"]) },
    };
    Ok(ticket.bounded())
}

#[async_trait]
impl IssueTracker for Linear {
    async fn destinations(&self) -> Result<Vec<Destination>, AskError> {
        let (mut all, mut after) = (Vec::new(), Value::Null);
        for _ in 0..5 {
            let mut data = self.run(TEAMS, json!({ "after": after })).await?;
            let teams = data["teams"]["nodes"].as_array().cloned().unwrap_or_default();
            all.extend(teams.iter().filter_map(|team| {
                let name =
                    format!("{} ({})", team["name"].as_str()?, team["key"].as_str().unwrap_or_default());
                Some(Destination { id: team["id"].as_str()?.to_owned(), name: name_of(&name, "a team") })
            }));
            let page = data["teams"]["pageInfo"].take();
            if page["hasNextPage"] != true {
                break;
            }
            after = page["endCursor"].clone();
        }
        Ok(all)
    }

    async fn create(&self, new: &NewTicket) -> Result<RemoteTicket, AskError> {
        if let Some(known) = self.has(ISSUE, &new.mark).await? {
            return ticket(&known["issue"]);
        }
        let input = json!({ "id": new.mark, "teamId": new.destination, "title": new.title, "description": new.markdown() });
        ticket(&self.run(CREATE, json!({ "input": input })).await?["issueCreate"]["issue"])
    }

    async fn find(&self, reference: &str) -> Result<RemoteTicket, AskError> {
        let none = || {
            AskError::Missing(format!("expected the address of an issue of {NAME}, or a key such as ENG-42"))
        };
        self.state(&key_in(reference, "issue").ok_or_else(none)?).await
    }

    async fn state(&self, id: &str) -> Result<RemoteTicket, AskError> {
        ticket(&self.run(ISSUE, json!({ "id": id })).await?["issue"])
    }

    async fn comment(&self, id: &str, remark: &Remark) -> Result<(), AskError> {
        if self.has(COMMENT, &remark.mark).await?.is_some() {
            return Ok(());
        }
        let body = format!("[{}]({})", remark.text, remark.marked_link());
        let input = json!({ "id": remark.mark, "issueId": id, "body": body });
        self.run(SAY, json!({ "input": input })).await.map(drop)
    }

    async fn close(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let now = self.state(id).await?;
        if now.is_closed {
            return Ok(now);
        }
        let data = self.run(STATES, json!({ "id": id })).await?;
        let states = data["issue"]["team"]["states"]["nodes"].as_array().cloned().unwrap_or_default();
        let place = |state: &Value| state["position"].as_f64().unwrap_or(f64::MAX);
        let first = states.into_iter().min_by(|a, b| place(a).total_cmp(&place(b)));
        let first =
            first.ok_or_else(|| AskError::Refused(format!("{NAME}: the team has no completed state")))?;
        let input = json!({ "stateId": first["id"] });
        ticket(&self.run(UPDATE, json!({ "id": id, "input": input })).await?["issueUpdate"]["issue"])
    }
}
