//! Filters and orders of issue lists, and their SQL. Values are bound, never written into the statement.

use crate::error::{Error, Result};
use crate::event::facets::CONTEXTS;
use crate::issues::query::{self, Kind, Term};
pub use crate::issues::sort::Sort;
use crate::issues::within::Limits;
use crate::issues::{Priority, Status};
use crate::text::shown;

use crate::event::accepted::Level;
use crate::ids::{ProjectId, UserId};
use crate::time::{DAY, Timestamp};
use rusqlite::types::Value;

/// The longest query, in characters.
pub const QUERY_MAX: usize = 1_000;

impl Sort {
    /// The column to order by.
    pub fn column(self) -> &'static str {
        match self {
            Self::LastSeen => "i.last_seen",
            Self::FirstSeen => "i.first_seen",
            Self::Events => "i.event_count",
            Self::Users => "i.user_count",
        }
    }

    /// Whether there is an index in this order.
    pub fn has_index(self) -> bool {
        matches!(self, Self::LastSeen | Self::FirstSeen)
    }
}

/// The conditions that issues must meet. `conditions` are on columns in the indexes of the orders, joined by
/// `and`; everything else is looked up first, in indexes of its own.
#[derive(Debug, Clone)]
pub struct Filter {
    project: ProjectId,
    conditions: String,
    values: Vec<Value>,
    /// Whether the conditions concern only the status.
    is_of_status: bool,
    words: Vec<Word>,
    lookups: Vec<Lookup>,
    limits: Option<Limits>,
}

/// A lower-case word that an issue's text must, or must not, contain.
#[derive(Debug, Clone)]
pub struct Word {
    pub negated: bool,
    pub text: String,
}

/// A query for ids of issues, and whether these match or do not match.
#[derive(Debug, Clone)]
pub struct Lookup {
    pub negated: bool,
    pub sql: &'static str,
    pub values: Vec<Value>,
}

// The issues with a value, with a user or account by its aliases, with any value, with a first release, and
// those assigned to somebody.
const OF_VALUE: &str = "select f.issue_id from facets k
    join facet_values v on v.facet_id = k.id and v.value = ?3
    join issue_facets f on f.facet_id = k.id and f.value_id = v.id
    where k.project_id = ?1 and k.name = ?2";
const OF_ALIAS: &str =
    "select f.issue_id from facets k join issue_facets f on f.facet_id = k.id and f.value_id in (
        select v.id from facet_values v where v.facet_id = k.id and v.value = ?3
        union select value_id from facet_aliases where alias = ?3)
    where k.project_id = ?1 and k.name = ?2";
const OF_FACET: &str = "select f.issue_id from facets k join issue_facets f on f.facet_id = k.id
    where k.project_id = ?1 and k.name = ?2";
const OF_FIRST_RELEASE: &str = "select id from issues where project_id = ?1 and first_release = ?2";
const OF_ASSIGNEE: &str = "select id from issues where project_id = ?1 and assignee = ?2";
const OF_ASSIGNEES_EMAIL: &str = "select id from issues
    where project_id = ?1 and assignee = (select id from users where email = ?2)";

/// Whether some issues have values under this name and others have none.
fn is_facet(name: &str) -> bool {
    matches!(name, "environment" | "release")
        || CONTEXTS.contains(&name)
        || name.strip_prefix("tag.").is_some_and(|tag| !tag.is_empty())
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

impl Filter {
    pub fn of_project(project: ProjectId) -> Self {
        Self {
            project,
            conditions: "i.project_id = ?1".to_owned(),
            values: vec![project.0.into()],
            is_of_status: true,
            words: Vec::new(),
            lookups: Vec::new(),
            limits: None,
        }
    }

    pub fn project(&self) -> ProjectId {
        self.project
    }

    pub fn sql(&self) -> &str {
        &self.conditions
    }

    pub fn values(&self) -> &[Value] {
        &self.values
    }

    pub fn words(&self) -> &[Word] {
        &self.words
    }

    pub fn lookups(&self) -> &[Lookup] {
        &self.lookups
    }

    pub fn limits(&self) -> Option<&Limits> {
        self.limits.as_ref()
    }

    /// Only issues with events within the limits, of which only those events are counted.
    pub fn limit(&mut self, limits: Option<Limits>) {
        self.limits = limits;
    }

    /// Whether there is nothing but the conditions.
    pub fn is_plain(&self) -> bool {
        self.words.is_empty() && self.lookups.is_empty() && self.limits.is_none()
    }

    /// The expression that counts the issues that meet the conditions, and the table for it, named `i`.
    pub fn counted(&self) -> (&'static str, &'static str) {
        if self.is_of_status { ("coalesce(sum(i.count), 0)", "issue_counts") } else { ("count(*)", "issues") }
    }

    fn bind(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len()
    }

    fn push(&mut self, negated: bool, condition: &str) {
        // On a null column (nobody assigned) a condition is null, neither true nor false, and so is not met.
        let (open, close) = if negated { (" and not coalesce((", "), false)") } else { (" and (", ")") };
        self.conditions.push_str(open);
        self.conditions.push_str(condition);
        self.conditions.push_str(close);
        self.is_of_status = false;
    }

    fn equals(&mut self, negated: bool, column: &str, value: impl Into<Value>) {
        let at = self.bind(value.into());
        self.push(negated, &format!("{column} is ?{at}"));
    }

    /// Adds one `key=value` of the query string or `key:value` of the query language; comma-separated
    /// values mean any of them.
    ///
    /// # Errors
    /// 422 for a value that is not valid for the key.
    pub fn field(&mut self, negated: bool, key: &str, value: &str, caller: Option<UserId>) -> Result<()> {
        match key {
            "status" => self.status(negated, value),
            "level" => {
                let expected = ("level", "debug, info, warning, error or fatal, comma-separated");
                self.any(negated, "i.level", value, |text| Level::parse(text).map(Level::as_str), expected)
            }
            "priority" => self.priority(negated, value),
            "type" => {
                self.equals(negated, "i.type", value.to_owned());
                Ok(())
            }
            "first_release" => {
                self.look_up(negated, OF_FIRST_RELEASE, [text(value)]);
                Ok(())
            }
            "first_seen" | "last_seen" => self.seen(negated, key, value),
            "assignee" => self.assignee(negated, value, caller),
            "is" => self.is(negated, value, caller),
            "has" => self.has(negated, value),
            "user" | "account" => {
                self.look_up(negated, OF_ALIAS, [text(key), text(value)]);
                Ok(())
            }
            // `environment`, `release`, a tag or a property of a context.
            facet => {
                self.look_up(negated, OF_VALUE, [text(facet), text(value)]);
                Ok(())
            }
        }
    }

    /// Adds the terms of a query.
    ///
    /// # Errors
    /// 422 if it is over 1,000 characters, names an unknown field, or has a value that is not valid for its
    /// field.
    pub fn query(&mut self, text: &str, caller: Option<UserId>) -> Result<()> {
        let length = text.chars().count();
        if length > QUERY_MAX {
            return Err(Error::invalid(format!(
                "query: expected at most {QUERY_MAX} characters, got {length}"
            )));
        }
        query::parse(text)?.into_iter().try_for_each(|Term { negated, kind }| match kind {
            Kind::Word(text) => {
                self.words.push(Word { negated, text });
                Ok(())
            }
            Kind::Field { key, value } => self.field(negated, &key, &value, caller),
        })
    }

    /// Issues with an event in the range.
    pub fn range(&mut self, start: Option<Timestamp>, end: Option<Timestamp>) {
        if let Some(start) = start {
            let at = self.bind(start.millis().into());
            self.push(false, &format!("i.last_seen >= ?{at}"));
        }
        if let Some(end) = end {
            let at = self.bind(end.millis().into());
            self.push(false, &format!("i.first_seen <= ?{at}"));
        }
    }

    fn any(
        &mut self,
        negated: bool,
        column: &str,
        values: &str,
        read: impl Fn(&str) -> Option<&'static str>,
        (name, expected): (&str, &str),
    ) -> Result<()> {
        let mut places = Vec::new();
        for value in values.split(',') {
            let known = read(value.trim()).ok_or_else(|| {
                Error::invalid(format!("{name}: expected {expected}, got `{}`", shown(value.trim(), 64)))
            })?;
            places.push(format!("?{}", self.bind(known.to_owned().into())));
        }
        self.push(negated, &format!("{column} in ({})", places.join(", ")));
        Ok(())
    }

    fn status(&mut self, negated: bool, value: &str) -> Result<()> {
        if value == "all" {
            return Ok(());
        }
        let is_of_status = self.is_of_status;
        let expected = ("status", "unresolved, resolved or ignored, comma-separated, or all");
        self.any(negated, "i.status", value, |text| Status::parse(text).map(Status::as_str), expected)?;
        self.is_of_status = is_of_status;
        Ok(())
    }

    fn priority(&mut self, negated: bool, value: &str) -> Result<()> {
        let wanted = Priority::parse(value).ok_or_else(|| {
            Error::invalid(format!("priority: expected high, medium or low, got `{}`", shown(value, 64)))
        })?;
        let levels: Vec<String> = Level::ALL
            .into_iter()
            .filter(|level| Priority::of(*level) == wanted)
            .map(|level| format!("'{}'", level.as_str()))
            .collect();
        let at = self.bind(wanted.as_str().to_owned().into());
        self.push(
            negated,
            &format!("i.priority is ?{at} or (i.priority is null and i.level in ({}))", levels.join(", ")),
        );
        Ok(())
    }

    fn seen(&mut self, negated: bool, key: &str, value: &str) -> Result<()> {
        let (sign, time) = query::comparison(key, value, Timestamp::now())?;
        let at = self.bind(time.millis().into());
        self.push(negated, &format!("i.{key} {sign} ?{at}"));
        Ok(())
    }

    fn assignee(&mut self, negated: bool, value: &str, caller: Option<UserId>) -> Result<()> {
        match (value, caller) {
            ("none", _) => self.push(negated, "i.assignee is null"),
            ("me", Some(UserId(id))) => self.assigned_to(negated, id),
            _ if value.contains('@') => {
                let email = value.to_lowercase();
                self.look_up(negated, OF_ASSIGNEES_EMAIL, [email.into()]);
            }
            _ => {
                let id: i64 = value.parse().map_err(|_| {
                    let got = shown(value, 64);
                    Error::invalid(format!(
                        "assignee: expected a user id, an e-mail, `me` or `none`, got `{got}`"
                    ))
                })?;
                self.assigned_to(negated, id);
            }
        }
        Ok(())
    }

    fn assigned_to(&mut self, negated: bool, id: i64) {
        self.look_up(negated, OF_ASSIGNEE, [id.into()]);
    }

    fn is(&mut self, negated: bool, value: &str, caller: Option<UserId>) -> Result<()> {
        let week_ago = Timestamp::now().plus(-7 * DAY).millis();
        match value.to_lowercase().as_str() {
            "unassigned" => self.push(negated, "i.assignee is null"),
            "assigned" => self.push(negated, "i.assignee is not null"),
            "mine" => return self.assignee(negated, "me", caller),
            "new" => {
                let at = self.bind(week_ago.into());
                self.push(
                    negated,
                    &format!("i.status = 'unresolved' and i.escalating_at is null and i.first_seen > ?{at} and coalesce(i.regressed_at, 0) <= ?{at}"),
                );
            }
            "regressed" => {
                let at = self.bind(week_ago.into());
                self.push(
                    negated,
                    &format!(
                        "i.status = 'unresolved' and i.escalating_at is null and i.regressed_at > ?{at}"
                    ),
                );
            }
            "escalating" => self.push(negated, "i.status = 'unresolved' and i.escalating_at is not null"),
            "ongoing" => {
                let at = self.bind(week_ago.into());
                self.push(
                    negated,
                    &format!("i.status = 'unresolved' and i.escalating_at is null and i.first_seen <= ?{at} and coalesce(i.regressed_at, 0) <= ?{at}"),
                );
            }
            "high-value" => self.push(negated, "i.high_value_at is not null"),
            status if Status::parse(status).is_some() => return self.status(negated, status),
            _ => {
                return Err(Error::invalid(format!(
                    "is: expected unresolved, resolved, ignored, new, ongoing, regressed, escalating, \
                     high-value, assigned, unassigned or mine, got `{}`",
                    shown(value, 64)
                )));
            }
        }
        Ok(())
    }

    fn has(&mut self, negated: bool, value: &str) -> Result<()> {
        let name = if value.starts_with("tag.") { value.to_owned() } else { value.to_lowercase() };
        match name.as_str() {
            "assignee" => self.push(negated, "i.assignee is not null"),
            "user" => self.push(negated, "i.user_count > 0"),
            "account" => self.push(negated, "i.account_count > 0"),
            facet if is_facet(facet) => self.look_up(negated, OF_FACET, [text(facet)]),
            _ => {
                return Err(Error::invalid(format!(
                    "has: expected assignee, user, account, environment, release, {} or tag.NAME, got `{}`",
                    CONTEXTS.join(", "),
                    shown(value, 64)
                )));
            }
        }
        Ok(())
    }

    fn look_up<const N: usize>(&mut self, negated: bool, sql: &'static str, given: [Value; N]) {
        let values = std::iter::once(self.project.0.into()).chain(given).collect();
        self.lookups.push(Lookup { negated, sql, values });
    }
}
