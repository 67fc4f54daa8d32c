//! Issues of GitLab projects, as tickets. A project is identified by its number, which stays when it is renamed or
//! moved.

use super::{Gitlab, NAME, encoded};
use crate::connections::tracker::{
    DESTINATIONS_MAX, IssueTracker, NewTicket, Remark, RemoteTicket, not_before, path_of,
};
use crate::connections::{AskError, Destination, name_of};
use async_trait::async_trait;
use hyper::Method;
use serde_json::{Value, json};

/// Projects, issues or comments on a page, and bytes of one.
const PAGE: usize = 100;
const PAGE_MAX: usize = 16 << 20;
/// The access level that may close other people's issues: reporter.
const REPORTER: u32 = 20;

impl Gitlab {
    async fn marked(&self, path: &str, mark: &str) -> Result<Option<Value>, AskError> {
        let list: Vec<Value> = self.0.get_large(path, PAGE_MAX).await?;
        let has = |one: &Value| {
            let text = one["description"].as_str().or(one["body"].as_str());
            text.is_some_and(|text| text.contains(mark))
        };
        Ok(list.into_iter().find(has))
    }
}

/// The API path of an issue, from our id of it: the project's number and the issue's, such as `17#42`.
fn issue_path(id: &str) -> Result<String, AskError> {
    let found = id.split_once('#').filter(|(project, number)| is_number(project) && is_number(number));
    let path = found.map(|(project, number)| format!("/api/v4/projects/{project}/issues/{number}"));
    path.ok_or_else(|| AskError::Missing(format!("{NAME} has no such issue")))
}

fn is_number(text: &str) -> bool {
    (1..=18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether this is the path of a project, which may be in a group of a group: `acme/web/shop`.
fn is_project(path: &str) -> bool {
    let is_word = |word: &str| {
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !matches!(word, "" | "." | "..") && word.chars().all(is_of_word)
    };
    path.len() <= 1_024 && path.contains('/') && path.split('/').all(is_word)
}

/// The project and issue number that an address, or a reference such as `acme/shop#42`, means. `base` is GitLab's
/// address.
fn named(base: &str, reference: &str) -> Option<(String, String)> {
    let (project, number) = match path_of(reference) {
        Some(parts) => {
            let under = path_of(base)?.into_iter().filter(|part| !part.is_empty()).count();
            let place = parts.iter().rposition(|part| part == "issues" || part == "work_items")?;
            let path = parts.get(under..place)?;
            let path = path.strip_suffix(&["-".to_owned()]).unwrap_or(path);
            (path.join("/"), parts.get(place + 1)?.clone())
        }
        None => {
            let (project, number) = reference.rsplit_once('#')?;
            (project.to_owned(), number.to_owned())
        }
    };
    (is_project(&project) && is_number(&number)).then_some((project, number))
}

fn ticket(issue: &Value) -> Result<RemoteTicket, AskError> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (Some(project), Some(number)) = (issue["project_id"].as_u64(), issue["iid"].as_u64()) else {
        return Err(AskError::unreadable(NAME, "the numbers of the issue"));
    };
    let (id, state) = (format!("{project}#{number}"), text(&issue["state"]));
    let full = issue["references"]["full"].as_str().unwrap_or(&id).to_owned();
    let path = full.rsplit_once('#').map_or("", |(path, _)| path);
    let ticket = RemoteTicket {
        title: text(&issue["title"]),
        url: text(&issue["web_url"]),
        // An issue that was moved is closed here, and continues elsewhere.
        is_closed: state == "closed" && issue["moved_to_id"].is_null(),
        state,
        destination: Destination { id: project.to_string(), name: name_of(path, NAME) },
        key: full,
        id,
    };
    Ok(ticket.bounded())
}

/// Changes a ticket so that no line is a GitLab quick action (`/close`, `/assign @ada`), which GitLab would carry out
/// as the token's owner. Only some of its versions ignore quick actions in code blocks.
fn without_commands(new: &NewTicket) -> NewTicket {
    let marked = |text: &str, mark: &str| {
        let lines = text.split('\n').map(|line| match line.starts_with('/') {
            true => format!("{mark}{line}"),
            false => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    NewTicket { note: marked(&new.note, "\\"), facts: marked(&new.facts, " "), ..new.clone() }
}

fn destination(project: &Value) -> Option<Destination> {
    let name = name_of(project["path_with_namespace"].as_str()?, "a project");
    Some(Destination { id: project["id"].as_u64()?.to_string(), name })
}

#[async_trait]
impl IssueTracker for Gitlab {
    async fn destinations(&self) -> Result<Vec<Destination>, AskError> {
        let mut all = Vec::new();
        for page in 1..=DESTINATIONS_MAX.div_ceil(PAGE) {
            let path = format!(
                "/api/v4/projects?membership=true&min_access_level={REPORTER}&archived=false&with_issues_enabled=true\
                 &order_by=last_activity_at&per_page={PAGE}&page={page}"
            );
            let found: Vec<Value> = self.0.get_large(&path, PAGE_MAX).await?;
            let is_last = found.len() < PAGE;
            all.extend(found.iter().filter_map(destination));
            if is_last {
                break;
            }
        }
        all.truncate(DESTINATIONS_MAX);
        Ok(all)
    }

    async fn create(&self, new: &NewTicket) -> Result<RemoteTicket, AskError> {
        if !is_number(&new.destination) {
            return Err(AskError::Refused("destination: expected the number of a project".to_owned()));
        }
        let path = format!("/api/v4/projects/{}/issues", new.destination);
        let since = not_before(new.since);
        let newest =
            format!("{path}?scope=all&created_after={since}&order_by=created_at&sort=desc&per_page={PAGE}");
        if let Some(known) = self.marked(&newest, &new.mark).await? {
            return ticket(&known);
        }
        let text = without_commands(new).markdown();
        ticket(&self.0.post(&path, &json!({ "title": new.title, "description": text })).await?)
    }

    async fn find(&self, reference: &str) -> Result<RemoteTicket, AskError> {
        let none = || {
            AskError::Missing(format!(
                "expected the address of an issue of {NAME}, or one such as acme/shop#42"
            ))
        };
        let (project, number) = named(&self.0.base, reference).ok_or_else(none)?;
        let path = format!("/api/v4/projects/{}/issues/{number}", encoded(&project));
        ticket(&self.0.get(&path).await?)
    }

    async fn state(&self, id: &str) -> Result<RemoteTicket, AskError> {
        ticket(&self.0.get(&issue_path(id)?).await?)
    }

    async fn comment(&self, id: &str, remark: &Remark) -> Result<(), AskError> {
        let path = format!("{}/notes", issue_path(id)?);
        let newest = format!("{path}?order_by=created_at&sort=desc&per_page={PAGE}");
        if self.marked(&newest, &remark.mark).await?.is_some() {
            return Ok(());
        }
        let body = format!("[{}]({})", remark.text, remark.marked_link());
        self.0.post(&path, &json!({ "body": body })).await.map(drop)
    }

    async fn close(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let closed =
            self.0.json(Method::PUT, &issue_path(id)?, Some(&json!({ "state_event": "close" }))).await;
        ticket(&closed?)
    }
}

#[cfg(test)]
mod tests;
