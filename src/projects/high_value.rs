//! High-value accounts: those that matter so much to a project that their issues stand out.

pub mod sql;

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

/// The most ids, patterns and tags of a project, and the characters of each.
const IDS_MAX: usize = 200;
const PATTERNS_MAX: usize = 50;
const TAGS_MAX: usize = 20;
const TEXT_MAX: usize = 200;
/// A project with fewer accounts has no busiest ones, because they would be half of all.
pub const ACCOUNTS_MIN: usize = 20;
/// How many of the busiest accounts count,
pub const BUSIEST: usize = 10;
/// by the events of this many days.
pub const BUSIEST_DAYS: i64 = 30;

/// The accounts whose errors stand out. An issue is marked by the first event of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HighValueAccounts {
    /// Ids, exactly as events name them: at most 200, of up to 200 characters.
    pub ids: Vec<String>,
    /// What a name or an id fits; `*` stands for any text, and case is ignored. At most 50, of up to 200 characters.
    pub patterns: Vec<String>,
    /// Tags by which events say so. At most 20.
    pub tags: Vec<HighValueTag>,
    /// Whether the ten accounts with most events in 30 days count, too, in a project with at least 20 accounts. On by
    /// default.
    pub busiest: bool,
}

/// A tag that an event of such an account has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HighValueTag {
    pub key: String,
    pub value: String,
}

impl Default for HighValueAccounts {
    fn default() -> Self {
        Self { ids: Vec::new(), patterns: Vec::new(), tags: Vec::new(), busiest: true }
    }
}

impl HighValueAccounts {
    /// # Errors
    /// 422 naming what there is too much of, or what is empty or too long.
    pub fn check(&self) -> Result<()> {
        for (name, count, most) in [
            ("ids", self.ids.len(), IDS_MAX),
            ("patterns", self.patterns.len(), PATTERNS_MAX),
            ("tags", self.tags.len(), TAGS_MAX),
        ] {
            if count > most {
                return Err(wrong(name, &format!("expected at most {most}, got {count}")));
            }
        }
        let of_list = |name: &'static str, texts: &'_ [String]| -> Result<()> {
            texts
                .iter()
                .enumerate()
                .try_for_each(|(index, text)| check_text(&format!("{name}[{index}]"), text))
        };
        of_list("ids", &self.ids)?;
        of_list("patterns", &self.patterns)?;
        for (index, pattern) in self.patterns.iter().enumerate() {
            if pattern.chars().all(|c| c == '*' || c.is_whitespace()) {
                let name = format!("patterns[{index}]");
                return Err(wrong(&name, "expected some text besides `*`: every account fits this"));
            }
        }
        self.tags.iter().enumerate().try_for_each(|(index, tag)| {
            check_text(&format!("tags[{index}].key"), &tag.key)?;
            check_text(&format!("tags[{index}].value"), &tag.value)
        })
    }
}

fn check_text(name: &str, text: &str) -> Result<()> {
    let length = text.chars().count();
    if text.trim().is_empty() || length > TEXT_MAX {
        return Err(wrong(name, &format!("expected 1 to {TEXT_MAX} characters, got {length}")));
    }
    Ok(())
}

fn wrong(name: &str, what: &str) -> Error {
    Error::invalid(format!("settings.high_value.{name}: {what}"))
}

/// The settings, prepared for matching events.
#[derive(Debug, Default)]
pub struct Rules {
    ids: HashSet<String>,
    patterns: Vec<Pattern>,
    tags: Vec<(String, String)>,
}

impl Rules {
    pub fn new(accounts: HighValueAccounts, busiest: Vec<String>) -> Self {
        let HighValueAccounts { ids, patterns, tags, busiest: counts } = accounts;
        let busiest = if counts { busiest } else { Vec::new() };
        Self {
            ids: ids.into_iter().chain(busiest).collect(),
            patterns: patterns.iter().map(|pattern| Pattern::new(pattern)).collect(),
            tags: tags.into_iter().map(|tag| (format!("tag.{}", tag.key), tag.value)).collect(),
        }
    }

    /// Whether an account with this id is of high value.
    pub fn has_account(&self, id: &str) -> bool {
        self.ids.contains(id) || self.has_name(id)
    }

    /// Whether an account with this name is of high value.
    pub fn has_name(&self, name: &str) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let name = name.to_lowercase();
        self.patterns.iter().any(|pattern| pattern.fits(&name))
    }

    /// Whether a facet `tag.<key>` with this value names a high-value account.
    pub fn has_tag(&self, facet: &str, value: &str) -> bool {
        self.tags.iter().any(|(known, wanted)| known == facet && wanted == value)
    }
}

/// A text in which `*` matches anything.
#[derive(Debug)]
struct Pattern(Vec<String>);

impl Pattern {
    fn new(text: &str) -> Self {
        Self(text.trim().to_lowercase().split('*').map(str::to_owned).collect())
    }

    /// `text` is in lower case.
    fn fits(&self, text: &str) -> bool {
        let Some((first, rest)) = self.0.split_first() else { return false };
        let Some(mut left) = text.strip_prefix(first.as_str()) else { return false };
        let Some((last, between)) = rest.split_last() else { return left.is_empty() };
        for part in between {
            let Some(at) = left.find(part.as_str()) else { return false };
            left = &left[at + part.len()..];
        }
        left.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests;
