//! A value by which an issue's events can be filtered, as requests name it: `release:1.4.2`.

use crate::error::{Error, Result};
use crate::event::facets::CONTEXTS;
use crate::text::shown;

/// The longest request, in characters: more than any name and value that are kept.
const LENGTH_MAX: usize = 1_000;

/// A facet's name and a value.
#[derive(Debug, PartialEq, Eq)]
pub struct Facet {
    pub name: String,
    pub value: String,
}

impl Facet {
    /// Parses `name:value`. Everything after the first colon is the value.
    ///
    /// # Errors
    /// 422 for an unknown name, an empty value, or more than 1,000 characters.
    pub fn parse(text: &str) -> Result<Self> {
        let length = text.chars().count();
        if length > LENGTH_MAX {
            return Err(Error::invalid(format!(
                "facet: expected at most {LENGTH_MAX} characters, got {length}"
            )));
        }
        match text.split_once(':') {
            Some((name, value)) if is_name(name) && !value.is_empty() => {
                Ok(Self { name: name.to_owned(), value: value.to_owned() })
            }
            _ => Err(Error::invalid(format!(
                "facet: expected environment:VALUE, release:VALUE, user:VALUE, account:VALUE, tag.NAME:VALUE, or \
                 NAME:VALUE where NAME is one of {}, got `{}`",
                CONTEXTS.join(", "),
                shown(text, 64)
            ))),
        }
    }
}

fn is_name(name: &str) -> bool {
    ["environment", "release", "user", "account"].contains(&name)
        || name.strip_prefix("tag.").is_some_and(|key| !key.is_empty())
        || CONTEXTS.contains(&name)
}
