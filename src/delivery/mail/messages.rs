//! The texts of mails. Names in them are cut and cannot look like anything but a name, and links begin with
//! `FRONTEND_BASE_URL`, never with the host named in a request.

pub use super::link::Link;

use super::draft::{self, Part};
use super::{Details, Kind, Mail};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::roles::Role;
use crate::text;
use crate::time::{DAY, Timestamp};

/// The longest name in a mail, in characters,
const NAME_MAX: usize = 80;
/// the longest title,
const TITLE_MAX: usize = 160;
/// and the longest sentence about it.
const SUMMARY_MAX: usize = 2_000;
/// The longest line of code.
const LINE_MAX: usize = 300;

/// Invites somebody to join.
#[derive(Debug, Clone)]
pub struct Invitation<'a> {
    pub organization: &'a str,
    /// The inviter; unknown if their account has been deleted.
    pub inviter: Option<&'a str>,
    pub role: Role,
    pub link: Link,
    pub expires_at: Timestamp,
}

/// # Errors
/// Like all of these: invalid if `to` is not an address.
pub fn invitation(to: &str, of: &Invitation<'_>) -> Result<Mail> {
    let organization = name(of.organization);
    let inviter = of.inviter.map(name).filter(|name| !name.is_empty());
    let asked = match inviter {
        Some(inviter) => format!("{inviter} invites you to join {organization}"),
        None => format!("You are invited to join {organization}"),
    };
    let parts = [
        Part::Text(format!("{asked} on Mayday as {}.", of.role.as_str())),
        action("Accept the invitation here:", "Accept the invitation", &of.link),
        Part::Text(format!("The link is for {to} and works once, until {}.", day(of.expires_at))),
        words("If you do not know what this is about, do nothing: without the link nothing happens."),
    ];
    letter(Kind::Invitation, to, &format!("{asked} on Mayday"), &parts)
}

/// Somebody, perhaps not the account's owner, requested a new password. The link is valid for 1 h.
pub fn password_reset(to: &str, link: &Link) -> Result<Mail> {
    let parts = [
        Part::Text(format!("Somebody requested a new password for the Mayday account of {to}.")),
        action("Set it here:", "Set a new password", link),
        words(
            "The link works once, for one hour. If it was not you, do nothing: your password stays as it is.",
        ),
    ];
    letter(Kind::PasswordReset, to, "Set a new Mayday password", &parts)
}

/// Sent to the new mailbox, which the link proves.
pub fn email_change(to: &str, link: &Link) -> Result<Mail> {
    let parts = [
        words("Somebody wants to use this address for their Mayday account."),
        action("Confirm it here:", "Confirm this address", link),
        words("The link works once, for one hour. If it was not you, do nothing: nothing changes."),
    ];
    letter(Kind::EmailChange, to, "Confirm your address for Mayday", &parts)
}

/// Sent to the account's mailbox, so that a change by somebody else does not go unnoticed.
pub fn password_changed(to: &str, at: Timestamp) -> Result<Mail> {
    notice(to, "Your Mayday password was changed", format!("The password was changed at {}.", moment(at)))
}

/// Sent to the account's previous mailbox.
pub fn email_changed(to: &str, new: &str, at: Timestamp) -> Result<Mail> {
    let said = format!("The address of your account was changed to {} at {}.", name(new), moment(at));
    notice(to, "The address of your Mayday account was changed", said)
}

/// A notification by mail.
#[derive(Debug, Clone)]
pub struct Notification<'a> {
    /// One of the notifications' kinds.
    pub kind: Kind,
    pub title: &'a str,
    pub summary: &'a str,
    /// Where to read more.
    pub link: Link,
    /// See [`Mail::thread`].
    pub thread: Option<String>,
    /// See [`Mail::issue`].
    pub issue: Option<(ProjectId, IssueId)>,
    /// Where to choose which of these mails to get.
    pub preferences: Link,
    /// Ends these mails by a POST without a session (RFC 8058); a GET leads to the preferences.
    pub unsubscribe: Link,
}

pub fn notification(to: &str, of: &Notification<'_>) -> Result<Mail> {
    let title = seen(of.title, TITLE_MAX);
    let mut parts = vec![Part::Title(title.clone())];
    let summary = seen(of.summary, SUMMARY_MAX);
    if !summary.is_empty() {
        parts.push(Part::Text(summary));
    }
    parts.extend(of.issue.map(|_| Part::Details));
    parts.extend([action("", "Open in Mayday", &of.link), choose(&of.preferences)]);
    let mail = letter(of.kind, to, &title, &parts)?;
    let unsubscribe = Some(of.unsubscribe.as_str().to_owned());
    Ok(Mail { unsubscribe, thread: of.thread.clone(), issue: of.issue, ..mail })
}

/// An issue's details when the mail is sent.
pub(super) fn details(of: &Details) -> Vec<Part> {
    let parts = [("Where it was thrown", &of.stack), ("The last log entries of its trace", &of.logs)];
    let parts = parts.into_iter().filter(|(_, lines)| !lines.is_empty());
    let seen = |line: &String| seen(line, LINE_MAX);
    parts.map(|(title, lines)| Part::Lines { title, lines: lines.iter().map(seen).collect() }).collect()
}

/// A summary of the notifications above the hourly limit.
#[derive(Debug, Clone)]
pub struct Digest<'a> {
    /// Titles and links, oldest first.
    pub items: &'a [(String, Link)],
    /// How many more there are.
    pub others: i64,
    pub inbox: Link,
    /// See [`Notification`].
    pub preferences: Link,
    /// Ends mails of the category if all are of one, or else of all categories.
    pub unsubscribe: Link,
}

pub fn digest(to: &str, of: &Digest<'_>) -> Result<Mail> {
    let count = of.others.saturating_add(i64::try_from(of.items.len()).unwrap_or(i64::MAX));
    let title =
        if count == 1 { "1 more notification".to_owned() } else { format!("{count} more notifications") };
    let mut parts = vec![
        Part::Title(title.clone()),
        words("There were more than we send one by one within an hour, so here is the rest."),
    ];
    parts.extend(
        of.items.iter().map(|(title, link)| Part::Item { title: seen(title, TITLE_MAX), link: link.clone() }),
    );
    if of.others > 0 {
        parts.push(Part::Text(format!("{} are not listed here.", of.others)));
    }
    parts.extend([action("All of them:", "Open your notifications", &of.inbox), choose(&of.preferences)]);
    let mail = letter(Kind::NotificationDigest, to, &title, &parts)?;
    Ok(Mail { unsubscribe: Some(of.unsubscribe.as_str().to_owned()), ..mail })
}

/// A project's week.
#[derive(Debug, Clone)]
pub struct Week {
    pub project: String,
    pub events: i64,
    /// The number in the week before.
    pub events_before: i64,
    pub new_issues: i64,
    pub regressed_issues: i64,
    pub unresolved_issues: i64,
    /// The new issues with most events: title, events, page.
    pub top: Vec<(String, i64, Link)>,
    /// The list of its issues.
    pub link: Link,
}

/// The week of all projects that a person can see.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    pub weeks: &'a [Week],
    pub until: Timestamp,
    /// See [`Notification`].
    pub preferences: Link,
    pub unsubscribe: Link,
}

pub fn report(to: &str, of: &Report<'_>) -> Result<Mail> {
    let title = format!("Your week in Mayday: {} to {}", day(of.until.plus(-7 * DAY)), day(of.until));
    let mut parts = vec![Part::Title(title.clone())];
    if of.weeks.is_empty() {
        parts.push(words("You have no projects."));
    }
    for week in of.weeks {
        parts.push(Part::Item { title: name(&week.project), link: week.link.clone() });
        parts.push(Part::Text(in_words(week)));
        parts.extend(week.top.iter().map(|(title, events, link)| {
            let title = format!("{} ({})", seen(title, TITLE_MAX), counted(*events, "event"));
            Part::Item { title, link: link.clone() }
        }));
    }
    parts.push(choose(&of.preferences));
    let mail = letter(Kind::WeeklyReport, to, &title, &parts)?;
    Ok(Mail { unsubscribe: Some(of.unsubscribe.as_str().to_owned()), ..mail })
}

fn in_words(week: &Week) -> String {
    let change = match (week.events_before, week.events) {
        (before, now) if before == now => "as many as the week before".to_owned(),
        (0, _) => "none the week before".to_owned(),
        (before, now) => {
            let percent = (now - before).unsigned_abs() * 100 / before.unsigned_abs();
            format!("{percent} % {} than the week before", if now > before { "more" } else { "fewer" })
        }
    };
    format!(
        "{} ({change}), {}, {} regressed; {} unresolved in all.",
        counted(week.events, "event"),
        counted(week.new_issues, "new issue"),
        grouped(week.regressed_issues),
        grouped(week.unresolved_issues)
    )
}

fn counted(count: i64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

/// A number with commas between thousands.
fn grouped(count: i64) -> String {
    let digits = count.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn notice(to: &str, subject: &str, said: String) -> Result<Mail> {
    let parts = [
        Part::Text(said),
        words(
            "If it was you, there is nothing to do. If it was not, ask an administrator of your Mayday at once: \
             somebody else may have access to your account.",
        ),
    ];
    letter(Kind::Notice, to, subject, &parts)
}

fn letter(kind: Kind, to: &str, subject: &str, parts: &[Part]) -> Result<Mail> {
    let mail = Mail::new(kind, to, subject, draft::text(parts))?;
    Ok(Mail { html: Some(draft::html(&mail.subject, parts)), ..mail })
}

fn words(text: &str) -> Part {
    Part::Text(text.to_owned())
}

fn action(lead: &'static str, label: &'static str, link: &Link) -> Part {
    Part::Action { lead, label, link: link.clone() }
}

fn choose(preferences: &Link) -> Part {
    Part::Aside { label: "Choose which mails you get", link: preferences.clone() }
}

/// A name that is safe in a line: at most 80 characters, see [`seen`].
fn name(text: &str) -> String {
    seen(text, NAME_MAX)
}

/// At most `max` characters as [`text::line`] shows them, without an address that a mail program would turn into a
/// link.
fn seen(text: &str, max: usize) -> String {
    // Invisible characters are removed first, so that their removal cannot create an address.
    let plain = text::line(text, 2 * max).replace("://", " ").replace("www.", "www ");
    text::line(&plain, max)
}

fn day(at: Timestamp) -> String {
    at.to_string().chars().take(10).collect()
}

fn moment(at: Timestamp) -> String {
    format!("{} UTC", at.to_string().chars().take(16).collect::<String>().replace('T', " "))
}
