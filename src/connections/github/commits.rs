//! Commits between two others, and those that changed a file.

use super::{Github, PAGE_MAX_BYTES, Purpose, checked};
use crate::connections::AskError;
use crate::outbound::{self, Policy};
use crate::text::line;
use crate::time::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

/// Characters of a commit's title, and of its author's name.
const TITLE_MAX: usize = 200;
const AUTHOR_MAX: usize = 100;
/// Commits on a page. Of a comparison, two pages are read: the oldest and the newest commits.
const PAGE: usize = 100;
/// The most commits that are read for a file.
const OF_FILE: usize = 30;

/// A commit, as the host shows it. The texts are from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HostCommit {
    /// Hexadecimal.
    pub id: String,
    /// The first line of its message.
    pub title: String,
    pub author: String,
    /// The author's name at the host.
    pub login: Option<String>,
    pub at: Option<Timestamp>,
    /// Its page.
    pub url: Option<String>,
}

/// The commits and changed files between two commits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// How many commits there are.
    pub total: usize,
    /// Newest first: all of them, or the newest and the oldest.
    pub commits: Vec<HostCommit>,
    /// Paths of the changed files, at most 300.
    pub files: Vec<String>,
}

#[derive(Deserialize)]
struct Compared {
    total_commits: usize,
    commits: Vec<Listed>,
    #[serde(default)]
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
}

#[derive(Deserialize)]
struct Listed {
    sha: String,
    html_url: String,
    commit: Words,
    author: Option<Account>,
}

#[derive(Deserialize)]
struct Account {
    login: Option<String>,
}

#[derive(Deserialize)]
struct Words {
    message: String,
    author: Option<Author>,
}

#[derive(Deserialize)]
struct Author {
    name: Option<String>,
    date: Option<String>,
}

impl From<Listed> for HostCommit {
    fn from(listed: Listed) -> Self {
        let Words { message, author } = listed.commit;
        let (name, date) = author.map_or((None, None), |author| (author.name, author.date));
        let login = listed.author.and_then(|account| account.login);
        let url = outbound::read(&listed.html_url, Policy::Configured).ok();
        Self {
            id: listed.sha,
            title: line(message.lines().next().unwrap_or_default(), TITLE_MAX),
            author: line(&name.unwrap_or_default(), AUTHOR_MAX),
            login: login.map(|login| line(&login, AUTHOR_MAX)),
            at: date.as_deref().and_then(Timestamp::parse),
            url: url.map(String::from),
        }
    }
}

impl Github {
    /// Compares two commits of a repository.
    ///
    /// # Errors
    /// *Missing* if the repository lacks either; *refused* if the installation may not read code.
    pub async fn compare(
        &self,
        installation: &str,
        repository: &str,
        (base, head): (&str, &str),
    ) -> Result<Comparison, AskError> {
        let repository = checked(repository)?;
        let path = format!("/repos/{repository}/compare/{base}...{head}?per_page={PAGE}");
        let first: Compared = self.read(installation, &path).await?;
        let mut commits = first.commits;
        let pages = first.total_commits.div_ceil(PAGE);
        if pages > 1 {
            let last: Compared = self.read(installation, &format!("{path}&page={pages}")).await?;
            commits.extend(last.commits);
        }
        Ok(Comparison {
            total: first.total_commits,
            commits: commits.into_iter().rev().map(HostCommit::from).collect(),
            files: first.files.into_iter().map(|file| file.filename).collect(),
        })
    }

    /// The ids of the newest commits up to `head` that changed a file.
    ///
    /// # Errors
    /// As [`Self::compare`].
    pub async fn commits_of_file(
        &self,
        installation: &str,
        repository: &str,
        (head, file): (&str, &str),
    ) -> Result<HashSet<String>, AskError> {
        let repository = checked(repository)?;
        let file = utf8_percent_encode(file, NON_ALPHANUMERIC);
        let path = format!("/repos/{repository}/commits?sha={head}&path={file}&per_page={OF_FILE}");
        let list: Vec<Listed> = self.read(installation, &path).await?;
        Ok(list.into_iter().map(|one| one.sha).collect())
    }

    /// A request for code as an installation.
    async fn read<T: DeserializeOwned>(&self, installation: &str, path: &str) -> Result<T, AskError> {
        let service = self.allowed(installation, Purpose::Code).await?;
        self.judged(installation, service.get_large(path, PAGE_MAX_BYTES).await)
    }
}
