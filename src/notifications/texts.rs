//! The texts of notices. Names, titles and addresses in them come from outside, so each is cut to one line.

mod sessions;

pub use sessions::waits;

use super::{Category, INBOX, INSTANCE, Notice, Person};
use crate::ids::{InvitationId, IssueId, OrganizationId, ProjectId, UserId};
use crate::signals::{Kind, Signal};
use crate::text::line;
use serde_json::{Value, json};

/// Characters of a title, of a summary, and of a name in them.
const TITLE_MAX: usize = 200;
pub const SUMMARY_MAX: usize = 2_000;
const NAME_MAX: usize = 80;

/// An issue as mentioned in notices.
#[derive(Debug, Clone)]
pub struct Issue {
    pub id: IssueId,
    pub project: ProjectId,
    pub organization: OrganizationId,
    pub project_name: String,
    pub short_id: String,
    pub title: String,
    pub culprit: String,
    pub event_count: i64,
    pub user_count: i64,
    /// The first high-value account that met it.
    pub high_value_account: Option<String>,
}

/// The parts of an issue's notice that depend on its kind.
struct IssueNoticeParts {
    title: String,
    summary: String,
    source: (&'static str, i64),
    action_url: String,
    metadata: Value,
    issues: i64,
}

/// The sentence that names a high-value account in the notice of a new issue.
fn affects(account: &str) -> String {
    format!("; it affects {}", name(account))
}

/// Whether the notice of a new issue names this account.
pub fn names_account(summary: &str, account: &str) -> bool {
    summary.ends_with(&affects(account))
}

/// The notice of one issue.
pub fn one(signal: &Signal, issue: &Issue) -> Notice {
    let what = match signal.kind {
        Kind::IssueRegressed => "Regressed",
        Kind::IssueEscalating => "Escalating",
        Kind::IssueHighValue => "High-value account",
        _ => "New issue",
    };
    let place = format!("{} in {}", issue.short_id, name(&issue.project_name));
    let summary = match signal.kind {
        Kind::IssueRegressed => match signal.text("release") {
            "" => format!("{place} was resolved, and has a new event"),
            release => format!("{place} was resolved, and has a new event in release {}", name(release)),
        },
        Kind::IssueEscalating => {
            let (count, limit) = (&signal.payload["count"], &signal.payload["limit"]);
            format!("{place} had {count} events within the hour, where up to {limit} are usual")
        }
        Kind::IssueHighValue => format!("{place} affects {}", name(signal.text("account"))),
        _ => {
            let culprit = Some(&issue.culprit).filter(|culprit| !culprit.is_empty());
            let culprit = culprit.map(|culprit| format!(": {culprit}")).unwrap_or_default();
            let account = issue.high_value_account.as_deref();
            let account = account.map(affects).unwrap_or_default();
            format!("{place}{culprit}{account}")
        }
    };
    of_issue(
        signal.kind,
        issue,
        IssueNoticeParts {
            title: format!("{what}: {}", issue.title),
            summary,
            source: ("issue", issue.id.0),
            action_url: format!("/projects/{}/issues/{}", issue.project, issue.id),
            metadata: json!({ "event_count": issue.event_count, "affected_users": issue.user_count }),
            issues: 1,
        },
    )
}

/// The notice of `count` signals. It names the newest issue, but no users, because nobody has counted them.
pub fn many(kind: Kind, newest: &Issue, count: i64) -> Notice {
    let what = match kind {
        Kind::IssueRegressed => "regressions",
        Kind::IssueEscalating => "escalating issues",
        Kind::IssueHighValue => "issues of high-value accounts",
        _ => "new issues",
    };
    let query = match kind {
        Kind::IssueRegressed => "is%3Aregressed",
        Kind::IssueEscalating => "is%3Aescalating",
        Kind::IssueHighValue => "is%3Ahigh-value",
        _ => "is%3Anew",
    };
    of_issue(
        kind,
        newest,
        IssueNoticeParts {
            title: format!("{count} {what} in {}", name(&newest.project_name)),
            summary: format!("The newest is {}: {}", newest.short_id, newest.title),
            source: ("project", newest.project.0),
            action_url: format!("/projects/{}/issues?query={query}", newest.project),
            metadata: json!({ "event_count": count, "affected_users": null }),
            issues: count,
        },
    )
}

fn of_issue(kind: Kind, issue: &Issue, said: IssueNoticeParts) -> Notice {
    let mut metadata = said.metadata;
    metadata["issue_id"] = json!(issue.id);
    metadata["project_id"] = json!(issue.project);
    metadata["project_name"] = json!(issue.project_name);
    Notice {
        category: Category::Error,
        organization: Some(issue.organization),
        project: Some(issue.project),
        kind: kind.as_str(),
        title: line(&said.title, TITLE_MAX),
        summary: line(&said.summary, SUMMARY_MAX),
        source: said.source,
        action_url: said.action_url,
        actor: None,
        metadata,
        issues: said.issues,
    }
}

/// An event about a member or an invitation.
pub struct Team<'a> {
    pub kind: Kind,
    pub organization: (OrganizationId, &'a str),
    pub actor: Option<Person>,
    pub role: &'a str,
}

impl Team<'_> {
    pub fn joined(self, member: &Person) -> Notice {
        let (who, organization) = (name(&member.name), name(self.organization.1));
        let title = format!("{who} joined {organization}");
        let summary = format!("{} is now {} of {organization}", member.email, with_article(self.role));
        self.about_member(member, "joined", (title, summary))
    }

    /// For others.
    pub fn role_changed(self, member: &Person) -> Notice {
        let (who, organization) = (name(&member.name), name(self.organization.1));
        let title = format!("{who} is now {} of {organization}", with_article(self.role));
        let summary = self.by("The role was changed");
        self.about_member(member, "role_changed", (title, summary))
    }

    /// For the member.
    pub fn own_role_changed(self, member: &Person) -> Notice {
        let title = format!("You are now {} of {}", with_article(self.role), name(self.organization.1));
        let summary = self.by("Your role was changed");
        self.about_member(member, "role_changed", (title, summary))
    }

    pub fn invited(self, invitation: InvitationId, email: &str) -> Notice {
        let title = format!("{} was invited to {}", name(email), name(self.organization.1));
        let summary = self.by(&format!("The invitation is to join as {}", with_article(self.role)));
        let who = json!({ "member_name": null, "member_email": email, "action": "invited" });
        self.notice(("invitation", invitation.0), who, (title, summary))
    }

    /// For the inviter.
    pub fn accepted(self, invitation: InvitationId, member: &Person) -> Notice {
        let (who, organization) = (name(&member.name), name(self.organization.1));
        let title = format!("{who} accepted your invitation to {organization}");
        let summary = format!("{} is now {} of {organization}", member.email, with_article(self.role));
        let who = json!({ "member_name": member.name, "member_email": member.email, "action": "accepted" });
        self.notice(("invitation", invitation.0), who, (title, summary))
    }

    fn by(&self, what: &str) -> String {
        match &self.actor {
            Some(actor) => format!("{what}, by {}", name(&actor.name)),
            None => what.to_owned(),
        }
    }

    fn about_member(self, member: &Person, action: &str, said: (String, String)) -> Notice {
        let who = json!({ "member_name": member.name, "member_email": member.email, "action": action });
        self.notice(("user", member.id.0), who, said)
    }

    fn notice(
        self,
        source: (&'static str, i64),
        mut metadata: Value,
        (title, summary): (String, String),
    ) -> Notice {
        metadata["role"] = json!(self.role);
        Notice {
            category: Category::Team,
            organization: Some(self.organization.0),
            project: None,
            kind: self.kind.as_str(),
            title: line(&title, TITLE_MAX),
            summary: line(&summary, SUMMARY_MAX),
            source,
            action_url: format!("/organizations/{}/settings/members", self.organization.0),
            actor: self.actor,
            metadata,
            issues: 0,
        }
    }
}

/// Warns the owner of an account of a change. Somebody else may have been signed in as them.
pub fn security(signal: &Signal, user: UserId) -> Notice {
    let (title, page) = match signal.kind {
        Kind::EmailChanged => {
            (format!("The address of your account is now {}", name(signal.text("to"))), "/account")
        }
        Kind::IdentityLinked => {
            let provider = if signal.text("provider") == "github" { "GitHub" } else { "single sign-on" };
            (format!("Your account can now be entered through {provider}"), "/account")
        }
        Kind::SignInThrottled => ("Somebody tried to guess your password".to_owned(), "/account/sessions"),
        _ => ("Your password was changed".to_owned(), "/account/sessions"),
    };
    let summary = match signal.kind {
        Kind::SignInThrottled => format!(
            "There were too many failed sign-ins from {}, which has to wait now. If it was not you, make sure that \
             your password is used nowhere else",
            name(signal.text("address"))
        ),
        _ => {
            "If it was not you, change your password, sign out all other sessions, and tell an administrator"
                .into()
        }
    };
    let kind = signal.kind.as_str().trim_start_matches("account.");
    let metadata = json!({ "kind": kind, "version": null, "url": null });
    system(signal, ("user", user.0), (&title, &summary), page, metadata)
}

/// Warns that a key was used from a new network.
pub fn key_network(signal: &Signal) -> Notice {
    let (what, page) = match (signal.text("kind"), signal.organization, signal.payload["project"].as_i64()) {
        ("project", _, Some(project)) => ("project key", format!("/projects/{project}/settings/keys")),
        ("organization", Some(organization), _) => {
            ("organization key", format!("/organizations/{organization}/settings/keys"))
        }
        _ => ("access token", "/account/tokens".to_owned()),
    };
    let title = format!("The {what} {} was used from a new network", name(signal.text("name")));
    let summary = format!(
        "It was used from {}, and never from there before. If nobody you know did that, revoke it",
        name(signal.text("network"))
    );
    let metadata = json!({ "kind": "key_network", "version": null, "url": null });
    let source = signal.user.map_or(("key", signal.id.0), |user| ("user", user.0));
    Notice {
        organization: signal.organization,
        ..system(signal, source, (&title, &summary), &page, metadata)
    }
}

/// Reports that an alert channel was switched off because its receiver no longer accepts messages.
pub fn channel_off(signal: &Signal, organization: OrganizationId, project: ProjectId) -> Notice {
    let title = format!("The alert channel {} was switched off", name(signal.text("name")));
    let summary = format!("Its receiver wants no more messages: {}", signal.text("reason"));
    let metadata = json!({ "integration_type": signal.text("kind"), "status": "off", "repository": null });
    let page = format!("/projects/{project}/settings/alerts");
    let said = (title.as_str(), summary.as_str());
    Notice {
        category: Category::Integration,
        organization: Some(organization),
        ..system(signal, ("project", project.0), said, &page, metadata)
    }
}

/// Reports that a connection works again, no longer works, or was not made.
pub fn connection(signal: &Signal, organization: OrganizationId) -> Notice {
    let (named, kind) = (name(signal.text("name")), signal.text("kind"));
    let (title, summary) = match signal.text("status") {
        "connected" => (format!("{named} is connected"), "Its connection works".to_owned()),
        "revoked" => {
            let reason = signal.text("reason");
            (format!("{named} is no longer connected"), format!("Connect it again: {reason}"))
        }
        "failed" => (format!("{named} could not be connected"), signal.text("reason").to_owned()),
        _ => (format!("The connection {named} fails"), signal.text("reason").to_owned()),
    };
    let metadata = json!({ "integration_type": kind, "status": signal.text("status"), "repository": null });
    let page = format!("/organizations/{organization}/settings/connections");
    Notice {
        category: Category::Integration,
        organization: Some(organization),
        ..system(signal, ("connection", signal.id.0), (&title, &summary), &page, metadata)
    }
}

/// Reports that a ticket was created from an issue.
pub fn ticket(signal: &Signal, issue: &Issue, actor: Option<Person>) -> Notice {
    let kind = signal.text("kind");
    let title = format!("{} was created from {}", name(signal.text("key")), issue.short_id);
    let metadata =
        json!({ "integration_type": kind, "status": "created", "repository": signal.payload["repository"] });
    let page = format!("/projects/{}/issues/{}", issue.project, issue.id);
    Notice {
        category: Category::Integration,
        organization: Some(issue.organization),
        project: Some(issue.project),
        actor,
        ..system(signal, ("issue", issue.id.0), (&title, signal.text("title")), &page, metadata)
    }
}

/// An administrator's announcement, which the inbox shows in full.
pub fn announcement(signal: &Signal, actor: Option<Person>) -> Notice {
    let metadata = json!({ "kind": signal.text("kind"), "version": null, "url": signal.payload["url"] });
    let said = (signal.text("title"), signal.text("text"));
    Notice { actor, ..system(signal, ("announcement", signal.id.0), said, INBOX, metadata) }
}

pub fn update(signal: &Signal) -> Notice {
    let (version, url) = (&signal.payload["version"], &signal.payload["url"]);
    let title = format!("Mayday {} is available", name(version.as_str().unwrap_or_default()));
    let metadata = json!({ "kind": "update_available", "version": version, "url": url });
    let summary = "Read its notes before you update the server";
    system(signal, ("release", signal.id.0), (&title, summary), INSTANCE, metadata)
}

fn system(
    signal: &Signal,
    source: (&'static str, i64),
    (title, summary): (&str, &str),
    page: &str,
    metadata: Value,
) -> Notice {
    Notice {
        category: Category::System,
        organization: None,
        project: None,
        kind: signal.kind.as_str(),
        title: line(title, TITLE_MAX),
        summary: line(summary, SUMMARY_MAX),
        source,
        action_url: page.to_owned(),
        actor: None,
        metadata,
        issues: 0,
    }
}

fn name(text: &str) -> String {
    line(text, NAME_MAX)
}

fn with_article(role: &str) -> &str {
    match role {
        "owner" => "the owner",
        "admin" => "an admin",
        _ => "a member",
    }
}

#[cfg(test)]
mod tests;
