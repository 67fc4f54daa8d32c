//! What an issue list is filtered and sorted by, and the SQL of it. Values are bound, never written
//! into the statement.

use crate::error::{Error, Result};
use crate::issues::query::{self, Kind, Term};
use crate::issues::{Priority, Status};
use crate::text::shown;

use crate::ids::{ProjectId, UserId};
use crate::intake::accepted::Level;
use crate::time::{DAY, Timestamp};
use rusqlite::types::Value;
use serde::Serialize;
use utoipa::ToSchema;

/// Facets with an index by value.
const INDEXED: [&str; 2] = ["environment", "release"];

/// Characters of a query.
pub const QUERY_MAX: usize = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    LastSeen,
    FirstSeen,
    Events,
    Users,
}

impl Sort {
    /// # Errors
    /// 422 naming the four.
    pub fn parse(text: Option<&str>) -> Result<Self> {
        match text {
            None | Some("last_seen") => Ok(Self::LastSeen),
            Some("first_seen") => Ok(Self::FirstSeen),
            Some("events") => Ok(Self::Events),
            Some("users") => Ok(Self::Users),
            Some(other) => Err(Error::invalid(format!(
                "sort: expected last_seen, first_seen, events or users, got `{}`",
                shown(other, 64)
            ))),
        }
    }

    /// What is ordered by.
    pub fn column(self) -> &'static str {
        match self {
            Self::LastSeen => "i.last_seen",
            Self::FirstSeen => "i.first_seen",
            Self::Events => "i.event_count",
            Self::Users => "i.user_count",
        }
    }

    /// The id makes the order total, so that pages neither repeat nor skip.
    pub fn order(self) -> &'static str {
        match self {
            Self::LastSeen => "i.last_seen desc, i.id desc",
            Self::FirstSeen => "i.first_seen desc, i.id desc",
            Self::Events => "i.event_count desc, i.id desc",
            Self::Users => "i.user_count desc, i.id desc",
        }
    }
}

/// Conditions joined by `and`, and the values bound to them.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    conditions: String,
    values: Vec<Value>,
    /// Some condition looks into another table or a long text for each issue.
    costly: bool,
}

impl Filter {
    pub fn of_project(project: ProjectId) -> Self {
        let mut filter = Self::default();
        filter.bind(project.0.into());
        filter.conditions.push_str("i.project_id = ?1");
        filter
    }

    pub fn sql(&self) -> &str {
        &self.conditions
    }

    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Whether the indexes of the list's orders have all that the conditions ask for.
    pub fn is_cheap(&self) -> bool {
        !self.costly
    }

    fn bind(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len()
    }

    fn push(&mut self, negated: bool, condition: &str) {
        // Of a null column (nobody assigned) a condition is null, neither true nor false: it does not hold.
        let (open, close) = if negated { (" and not coalesce((", "), false)") } else { (" and (", ")") };
        self.conditions.push_str(open);
        self.conditions.push_str(condition);
        self.conditions.push_str(close);
    }

    fn equals(&mut self, negated: bool, column: &str, value: impl Into<Value>) {
        let at = self.bind(value.into());
        self.push(negated, &format!("{column} is ?{at}"));
    }

    /// Adds one `key=value` of the query string or `key:value` of the query language; comma-separated
    /// values mean any of them.
    ///
    /// # Errors
    /// 422 for a value that the key cannot have.
    pub fn field(&mut self, negated: bool, key: &str, value: &str, caller: Option<UserId>) -> Result<()> {
        match key {
            "status" => self.status(negated, value),
            "level" => {
                self.any(negated, "i.level", value, |text| Level::parse(text).map(Level::as_str), "level")
            }
            "priority" => self.priority(negated, value),
            "type" => {
                self.equals(negated, "i.type", value.to_owned());
                Ok(())
            }
            "first_release" => {
                self.costly = true;
                self.equals(negated, "i.first_release", value.to_owned());
                Ok(())
            }
            "assignee" => self.assignee(negated, value, caller),
            "is" => self.is(negated, value, caller),
            "has" => self.has(negated, value),
            "user" => self.facet(negated, &["user", "user.email", "user.username"], value),
            "account" => self.facet(negated, &["account", "account.name"], value),
            "environment" | "release" => self.facet(negated, &[key], value),
            tag => self.facet(negated, &[tag], value),
        }
    }

    /// Adds the terms of a query.
    ///
    /// # Errors
    /// 422 when it is over 1,000 characters, or a key has a value that it cannot have.
    pub fn query(&mut self, text: &str, caller: Option<UserId>) -> Result<()> {
        let length = text.chars().count();
        if length > QUERY_MAX {
            return Err(Error::invalid(format!(
                "query: expected at most {QUERY_MAX} characters, got {length}"
            )));
        }
        query::parse(text).into_iter().try_for_each(|Term { negated, kind }| match kind {
            Kind::Word(word) => {
                let at = self.bind(word.into());
                self.costly = true;
                // In a query of its own, so that an index with nothing but the texts is gone through:
                // a tenth of the pages that the rows lie in. The plus as in `facet`.
                let found = format!(
                    "select t.id from issues t where t.project_id = ?1 and contains_text(t.search_text, ?{at})"
                );
                self.push(negated, &format!("+i.id in ({found})"));
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
        name: &str,
    ) -> Result<()> {
        let mut places = Vec::new();
        for value in values.split(',') {
            let known = read(value.trim()).ok_or_else(|| {
                Error::invalid(format!("{name}: `{}` is none of its values", shown(value, 64)))
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
        self.any(negated, "i.status", value, |text| Status::parse(text).map(Status::as_str), "status")
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

    fn assignee(&mut self, negated: bool, value: &str, caller: Option<UserId>) -> Result<()> {
        match (value, caller) {
            ("none", _) => self.push(negated, "i.assignee is null"),
            ("me", Some(UserId(id))) => self.assigned_to(negated, id),
            _ if value.contains('@') => {
                let at = self.bind(value.to_lowercase().into());
                self.push(negated, &format!("i.assignee = (select id from users where email = ?{at})"));
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

    /// By `=`, which implies that somebody is: else the partial index would not be used.
    fn assigned_to(&mut self, negated: bool, id: i64) {
        let at = self.bind(id.into());
        self.push(negated, &format!("i.assignee = ?{at}"));
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
            status if Status::parse(status).is_some() => return self.status(negated, status),
            _ => {
                return Err(Error::invalid(format!(
                    "is: expected unresolved, resolved, ignored, new, ongoing, regressed, escalating, assigned, \
                     unassigned or mine, got `{}`",
                    shown(value, 64)
                )));
            }
        }
        Ok(())
    }

    fn has(&mut self, negated: bool, value: &str) -> Result<()> {
        match value {
            "assignee" => self.push(negated, "i.assignee is not null"),
            "release" => self.push(negated, "i.last_release is not null"),
            "user" => self.push(negated, "i.user_count > 0"),
            "account" => self.push(negated, "i.account_count > 0"),
            _ => {
                self.costly = true;
                let at = self.bind(value.to_owned().into());
                self.push(
                    negated,
                    &format!(
                        "exists (select 1 from issue_facets f where f.issue_id = i.id and f.facet = ?{at})"
                    ),
                );
            }
        }
        Ok(())
    }

    fn facet(&mut self, negated: bool, facets: &[&str], value: &str) -> Result<()> {
        let at = self.bind(value.to_owned().into());
        self.costly = true;
        if let [facet] = facets
            && INDEXED.contains(facet)
        {
            // The name is written out, else the partial index would not be used. The plus keeps the
            // order of the list: a value that most issues have would be looked up row by row.
            let found =
                format!("select issue_id from issue_facets where facet = '{facet}' and value = ?{at}");
            self.push(negated, &format!("+i.id in ({found})"));
            return Ok(());
        }
        let names: Vec<String> =
            facets.iter().map(|facet| format!("?{}", self.bind((*facet).to_owned().into()))).collect();
        self.push(
            negated,
            &format!(
                "exists (select 1 from issue_facets f where f.issue_id = i.id and f.facet in ({}) and f.value = ?{at})",
                names.join(", ")
            ),
        );
        Ok(())
    }
}
