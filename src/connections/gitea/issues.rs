//! Issues of repositories at Gitea and Forgejo, as tickets.

use super::{Gitea, NAME, PAGE, PAGE_MAX, repository_path};
use crate::connections::tracker::{
    IssueTracker, NewTicket, Remark, RemoteTicket, is_repository, not_before, numbered, path_of,
};
use crate::connections::{AskError, Destination, name_of};
use async_trait::async_trait;
use hyper::Method;
use serde_json::{Value, json};

impl Gitea {
    async fn marked(&self, path: &str, mark: &str) -> Result<Option<Value>, AskError> {
        let list: Vec<Value> = self.0.get_large(path, PAGE_MAX).await?;
        Ok(list.into_iter().find(|one| one["body"].as_str().is_some_and(|body| body.contains(mark))))
    }
}

/// The path of a repository's issues in the API.
fn issues_path(repository: &str) -> String {
    format!("{}/issues", repository_path(repository))
}

/// Our id of the issue that an address, or a reference such as `acme/shop#42`, means.
fn named(reference: &str) -> Option<String> {
    let id = match path_of(reference) {
        Some(parts) => {
            let place = parts.iter().rposition(|part| part == "issues")?;
            let (owner, name) = (parts.get(place.checked_sub(2)?)?, parts.get(place.checked_sub(1)?)?);
            format!("{owner}/{name}#{}", parts.get(place + 1)?)
        }
        None => reference.to_owned(),
    };
    numbered(NAME, &id).is_ok().then_some(id)
}

fn ticket(repository: &str, issue: &Value) -> Result<RemoteTicket, AskError> {
    let text = |name: &str| issue[name].as_str().unwrap_or_default().to_owned();
    let number = issue["number"].as_u64();
    let number = number.ok_or_else(|| AskError::unreadable(NAME, "the number of the issue"))?;
    let (id, state) = (format!("{repository}#{number}"), text("state"));
    let ticket = RemoteTicket {
        key: id.clone(),
        id,
        title: text("title"),
        url: text("html_url"),
        is_closed: state == "closed",
        state,
        destination: Destination { id: repository.to_owned(), name: repository.to_owned() },
    };
    Ok(ticket.bounded())
}

fn destination(repository: &Value) -> Option<Destination> {
    if repository["has_issues"] == false
        || repository["archived"] == true
        || repository["permissions"]["push"] == false
    {
        return None;
    }
    let id = repository["full_name"].as_str().filter(|name| is_repository(name))?;
    Some(Destination { id: id.to_owned(), name: name_of(id, "a repository") })
}

#[async_trait]
impl IssueTracker for Gitea {
    async fn destinations(&self) -> Result<Vec<Destination>, AskError> {
        self.pages(destination).await
    }

    async fn create(&self, new: &NewTicket) -> Result<RemoteTicket, AskError> {
        let repository = &new.destination;
        if !is_repository(repository) {
            return Err(AskError::Refused("destination: expected a repository such as acme/shop".to_owned()));
        }
        let path = issues_path(repository);
        let since = not_before(new.since);
        // The newest come first.
        let newest = format!("{path}?state=all&type=issues&since={since}&limit={PAGE}");
        if let Some(known) = self.marked(&newest, &new.mark).await? {
            return ticket(repository, &known);
        }
        let made = self.0.post(&path, &json!({ "title": new.title, "body": new.markdown() })).await?;
        ticket(repository, &made)
    }

    async fn find(&self, reference: &str) -> Result<RemoteTicket, AskError> {
        let none = || {
            AskError::Missing(format!(
                "expected the address of an issue of {NAME}, or one such as acme/shop#42"
            ))
        };
        self.state(&named(reference).ok_or_else(none)?).await
    }

    async fn state(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let (repository, number) = numbered(NAME, id)?;
        ticket(repository, &self.0.get(&format!("{}/{number}", issues_path(repository))).await?)
    }

    async fn comment(&self, id: &str, remark: &Remark) -> Result<(), AskError> {
        let (repository, number) = numbered(NAME, id)?;
        let path = format!("{}/{number}/comments", issues_path(repository));
        let since = format!("{path}?since={}", not_before(remark.since));
        if self.marked(&since, &remark.mark).await?.is_some() {
            return Ok(());
        }
        let body = format!("[{}]({})", remark.text, remark.marked_link());
        self.0.post(&path, &json!({ "body": body })).await.map(drop)
    }

    async fn close(&self, id: &str) -> Result<RemoteTicket, AskError> {
        let (repository, number) = numbered(NAME, id)?;
        let path = format!("{}/{number}", issues_path(repository));
        ticket(repository, &self.0.json(Method::PATCH, &path, Some(&json!({ "state": "closed" }))).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issue_is_named_by_its_address_or_its_reference() {
        for (given, expected) in [
            ("acme/shop#42", Some("acme/shop#42")),
            ("https://codeberg.org/acme/shop/issues/42", Some("acme/shop#42")),
            ("https://a.example/git/acme/shop/issues/42#issuecomment-7", Some("acme/shop#42")),
            ("https://codeberg.org/issues/issues/issues/42", Some("issues/issues#42")),
            ("https://codeberg.org/acme/shop/pulls/42", None),
            ("https://codeberg.org/shop/issues/42", None),
            ("https://codeberg.org/acme/shop/issues/new", None),
            ("acme/..#1", None),
            ("acme/web/shop#1", None),
            ("shop#1", None),
        ] {
            assert_eq!(named(given).as_deref(), expected, "{given}");
        }
    }
}
