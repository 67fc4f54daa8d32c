//! Counts the tags of an issue's events, and finds which events have one.

use crate::error::Result;
use crate::events::FacetFilter;
use crate::ids::{IssueId, ProjectId};
use crate::issues::facet::Facet;
use crate::issues::{FACET_VALUES_MAX, FACETS_MAX, Tag, TagValue};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::cmp::Reverse;

/// The most tags shown, values shown for each, and values examined for each.
const TAGS_SHOWN: i64 = 200;
const VALUES_SHOWN: usize = 20;
const VALUES_COUNTED: i64 = 10_000;

/// The tags of an issue with their most frequent values, and its newest releases.
pub fn tags(c: &Connection, id: IssueId) -> Result<Vec<Tag>> {
    let (users, accounts, values): (i64, i64, i64) = c
        .prepare_cached("select user_count, account_count, facet_count from issues where id = ?1")?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let tag = |(facet, name): (i64, String)| {
        let mut tag = tag(c, id, facet, &name)?;
        // These are counted exactly; only a limited number of their values are examined.
        match name.as_str() {
            "user" => tag.unique = users,
            "account" => tag.unique = accounts,
            _ => tag.is_full = tag.unique >= FACET_VALUES_MAX || values >= FACETS_MAX,
        }
        Ok(tag)
    };
    facets(c, id)?.into_iter().map(tag).collect()
}

/// Which of an issue's events have a value, and how many; `None` if no event has it. Users and accounts are
/// found by their other names, too.
pub fn facet_filter(
    c: &Connection,
    project: ProjectId,
    id: IssueId,
    facet: Facet,
) -> Result<Option<(FacetFilter, i64)>> {
    let mut statement = c.prepare_cached(
        "select v.value, f.count, f.first_seen, f.last_seen from facets k
         join issue_facets f on f.issue_id = ?1 and f.facet_id = k.id and f.value_id in (
             select v.id from facet_values v where v.facet_id = k.id and v.value = ?4
             union select value_id from facet_aliases where alias = ?4)
         join facet_values v on v.id = f.value_id
         where k.project_id = ?2 and k.name = ?3",
    )?;
    let mut rows = statement.query(params![id.0, project.0, facet.name, facet.value])?;
    let mut found: Option<(FacetFilter, i64)> = None;
    while let Some(row) = rows.next()? {
        let (first, last) = (Timestamp::from_millis(row.get(2)?), Timestamp::from_millis(row.get(3)?));
        let (filter, count) = found.get_or_insert_with(|| {
            (FacetFilter { facet: facet.name.clone(), values: Vec::new(), first, last }, 0)
        });
        filter.values.push(row.get(0)?);
        filter.first = filter.first.min(first);
        filter.last = filter.last.max(last);
        *count += row.get::<_, i64>(1)?;
    }
    Ok(found)
}

/// The facets of an issue by name, those of contexts last; each is found with one step in the index, however many
/// values it has.
fn facets(c: &Connection, id: IssueId) -> Result<Vec<(i64, String)>> {
    let mut statement = c.prepare_cached(
        "with recursive next (facet) as (
             select min(facet_id) from issue_facets where issue_id = ?1
             union all
             select (select min(facet_id) from issue_facets where issue_id = ?1 and facet_id > next.facet)
             from next where next.facet is not null
             limit ?2
         )
         select k.id, k.name from next join facets k on k.id = next.facet
         order by k.name glob 'contexts.*', k.name",
    )?;
    let rows = statement.query_map(params![id.0, TAGS_SHOWN], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A value's id, and how often it occurred.
struct CountedValue {
    value: i64,
    count: i64,
    first_seen: i64,
    last_seen: i64,
}

fn tag(c: &Connection, id: IssueId, facet: i64, name: &str) -> Result<Tag> {
    let mut statement = c.prepare_cached(
        "select value_id, count, first_seen, last_seen from issue_facets
         where issue_id = ?1 and facet_id = ?2 limit ?3",
    )?;
    let rows = statement.query_map(params![id.0, facet, VALUES_COUNTED], |row| {
        Ok(CountedValue {
            value: row.get(0)?,
            count: row.get(1)?,
            first_seen: row.get(2)?,
            last_seen: row.get(3)?,
        })
    })?;
    let mut counted: Vec<CountedValue> = rows.collect::<rusqlite::Result<_>>()?;
    let total = counted.iter().map(|value| value.count).sum();
    let unique = i64::try_from(counted.len()).unwrap_or(i64::MAX);
    sort(&mut counted, name);
    counted.truncate(VALUES_SHOWN);
    let values = counted.iter().map(|counted| value(c, counted)).collect::<Result<_>>()?;
    Ok(Tag {
        key: name.strip_prefix("tag.").unwrap_or(name).to_owned(),
        facet: name.to_owned(),
        total,
        unique,
        is_full: false,
        values,
    })
}

/// Releases by when the issue was first seen in them, the newest first; values of other tags, the most frequent first.
/// Among equals the order is that of their ids, so that it is stable.
fn sort(counted: &mut [CountedValue], name: &str) {
    if name == "release" {
        counted.sort_by_key(|value| Reverse((value.first_seen, value.value)));
    } else {
        counted.sort_by_key(|value| (Reverse(value.count), value.value));
    }
}

fn value(c: &Connection, counted: &CountedValue) -> Result<TagValue> {
    let value = c
        .prepare_cached("select value from facet_values where id = ?1")?
        .query_row([counted.value], |row| row.get(0))?;
    // E-mail, name, user name, in this order.
    let alias = c
        .prepare_cached("select alias from facet_aliases where value_id = ?1 order by kind, alias limit 1")?
        .query_row([counted.value], |row| row.get(0))
        .optional()?;
    Ok(TagValue {
        value,
        alias,
        count: counted.count,
        first_seen: Timestamp::from_millis(counted.first_seen),
        last_seen: Timestamp::from_millis(counted.last_seen),
    })
}
