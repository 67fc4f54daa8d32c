//! What trackers have in common.

use super::{AskError, Destination, NAME_MAX};
use crate::text::line;
use crate::time::{MINUTE, Timestamp};
use async_trait::async_trait;

/// Characters of a title of a ticket.
pub const TITLE_MAX: usize = 250;
/// Characters of the note that people add, and of the facts.
pub const NOTE_MAX: usize = 10_000;
pub const FACTS_MAX: usize = 8_000;
/// The most destinations that are listed.
pub const DESTINATIONS_MAX: usize = 500;
/// How far the clock of a tracker may be behind ours, in milliseconds.
const BEHIND: i64 = 5 * MINUTE;

/// A ticket to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTicket {
    /// The tracker's id of the repository, team or project.
    pub destination: String,
    /// One line.
    pub title: String,
    /// The note that people add, in the tracker's markup.
    pub note: String,
    /// Facts about the issue, one per line. They contain text from outside, so they are never markup.
    pub facts: String,
    /// The issue's page in our Web app.
    pub link: String,
    /// A UUID that identifies the ticket in later searches.
    pub mark: String,
    /// When it was requested: an earlier ticket is not this one.
    pub since: Timestamp,
}

impl NewTicket {
    /// Its text in Markdown.
    pub fn markdown(&self) -> String {
        let longest = self.facts.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        let note = if self.note.is_empty() { String::new() } else { format!("{}\n\n", self.note) };
        let link = marked(&self.link, &self.mark);
        format!("{note}{fence}text\n{}\n{fence}\n\n[Open in Mayday]({link})\n", self.facts)
    }

    /// Its text in the markup of Jira.
    pub fn wiki(&self) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!("{}\n\n", self.note) };
        let facts = self.facts.replace("{noformat}", "{ noformat }");
        let link = marked(&self.link, &self.mark);
        format!("{note}{{noformat}}\n{facts}\n{{noformat}}\n\n[Open in Mayday|{link}]\n")
    }
}

/// A comment to add to a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub text: String,
    pub link: String,
    /// A UUID that identifies the comment in later searches.
    pub mark: String,
    pub since: Timestamp,
}

impl Remark {
    pub fn marked_link(&self) -> String {
        marked(&self.link, &self.mark)
    }
}

/// A link to our page that carries a mark. Our pages ignore what comes after `#`.
fn marked(link: &str, mark: &str) -> String {
    format!("{link}#{mark}")
}

/// A ticket as its tracker shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteTicket {
    /// The tracker's id of it.
    pub id: String,
    /// Its name there, such as `ENG-42` or `acme/shop#12`.
    pub key: String,
    pub title: String,
    /// Its page.
    pub url: String,
    /// In the tracker's words.
    pub state: String,
    pub is_closed: bool,
    pub destination: Destination,
}

impl RemoteTicket {
    /// Cuts all texts to their limits, and drops an invalid address.
    pub fn bounded(mut self) -> Self {
        for (text, max) in [(&mut self.key, 128), (&mut self.title, TITLE_MAX), (&mut self.state, 64)] {
            *text = line(text, max);
        }
        self.destination.name = line(&self.destination.name, 128);
        let is_page = |url: &url::Url| matches!(url.scheme(), "https" | "http");
        if self.url.len() > 2_048 || !url::Url::parse(&self.url).is_ok_and(|url| is_page(&url)) {
            self.url = String::new();
        }
        self
    }
}

/// The parts of an address's path; `None` if the reference is not an address, for example a key.
pub fn path_of(reference: &str) -> Option<Vec<String>> {
    let url = url::Url::parse(reference).ok().filter(|url| matches!(url.scheme(), "https" | "http"))?;
    Some(url.path_segments()?.map(str::to_owned).collect())
}

/// The key in an address, after the segment `before`, or the reference itself if it is a key such as `ENG-42`.
pub fn key_in(reference: &str, before: &str) -> Option<String> {
    let key = match path_of(reference) {
        Some(parts) => {
            let place = parts.iter().position(|part| part == before)?;
            parts.into_iter().nth(place + 1)?
        }
        None => reference.to_owned(),
    };
    let (project, number) = key.rsplit_once('-')?;
    let is_project = project.starts_with(|c: char| c.is_ascii_alphabetic())
        && project.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_number = (1..=12).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_project && is_number && key.len() <= 64).then_some(key)
}

/// The start of a search for something that did not exist before `since`, in whole seconds.
pub fn not_before(since: Timestamp) -> String {
    let since: String = since.plus(-BEHIND).to_string().chars().take(19).collect();
    format!("{since}Z")
}

/// Whether this is `owner/name`, so that it can stand in a path.
pub fn is_repository(name: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && !matches!(word, "." | "..")
            && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    name.chars().count() <= NAME_MAX
        && name.split_once('/').is_some_and(|(owner, name)| is_word(owner) && is_word(name))
}

/// The repository and number of an issue such as `acme/shop#42` at a service.
///
/// # Errors
/// *Missing* if it is malformed.
pub fn numbered<'a>(service: &str, id: &'a str) -> Result<(&'a str, u64), AskError> {
    let found = id.rsplit_once('#').filter(|(repository, _)| is_repository(repository));
    let found = found.and_then(|(repository, number)| Some((repository, number.parse().ok()?)));
    found.ok_or_else(|| AskError::Missing(format!("{service} has no such issue")))
}

/// A tracker in which tickets can be created. Creating and commenting first check whether it was done before, so
/// repeating them does no harm.
#[async_trait]
pub trait IssueTracker: Send + Sync {
    /// Where tickets can be created.
    async fn destinations(&self) -> Result<Vec<Destination>, AskError>;

    /// Creates a ticket, unless one with its mark exists.
    async fn create(&self, new: &NewTicket) -> Result<RemoteTicket, AskError>;

    /// Finds a ticket by its address or key.
    async fn find(&self, reference: &str) -> Result<RemoteTicket, AskError>;

    /// The current state of a ticket.
    async fn state(&self, id: &str) -> Result<RemoteTicket, AskError>;

    /// Adds a comment, unless one with its mark exists.
    async fn comment(&self, id: &str, remark: &Remark) -> Result<(), AskError>;

    /// Closes a ticket as done, unless it is closed already.
    async fn close(&self, id: &str) -> Result<RemoteTicket, AskError>;
}
