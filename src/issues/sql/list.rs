//! A page of the issues that match a filter.
//!
//! SQLite evaluates conditions on the columns of the orders' indexes. What is stored elsewhere (words, tags,
//! users, releases) is looked up first, as a set of ids, because checking each issue in turn would mean a
//! look into another table for each of them.

use super::within::{self, Hours};
use super::{ISSUE, JOINS, fill, issue, texts};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::Issue;
use crate::issues::sql::filter::{Filter, Lookup, Sort, Word};
use crate::issues::texts::Texts;
use crate::issues::within::{Limits, PartsByIssue};
use crate::projects::issue_prefix;
use crate::store::Page;
use crate::time::Timestamp;
use memchr::memmem::Finder;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

/// Up to this many issues are looked up one by one; for more, the whole order is scanned. (Tests use less.)
const FEW: usize = if cfg!(test) { 2 } else { 4_000 };

/// The page, and how many issues match.
pub fn list(
    c: &Connection,
    texts: &Texts,
    filter: &Filter,
    (sort, page): (Sort, Page),
    now: Timestamp,
) -> Result<(Vec<Issue>, i64)> {
    // How many events an issue has within the limits is found for those of the page, unless it is what they go by.
    let hours = if sort == Sort::Events { Hours::All } else { Hours::One };
    let within = within_limits(c, filter, hours, now)?;
    let (ids, total) = match filter.is_plain() && sort.has_index() {
        true => (page_of(c, filter, sort, page)?, count(c, filter)?),
        false => {
            let mut found = found(c, texts, filter, (sort, within.as_ref()))?;
            let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
            (cut(&mut found, page), total)
        }
    };
    // Rows are large, so only those of the page are read.
    let query = format!("select {ISSUE} from issues i {JOINS} where i.id = ?1");
    let mut statement = c.prepare_cached(&query)?;
    let one = |id: i64| -> Result<Issue> {
        let mut issue = statement.query_row([id], |row| issue(row, now))?;
        fill(c, &mut issue, now)?;
        if let (Some(limits), Some(found)) = (filter.limits(), &within) {
            issue.within = Some(within::of_issue(c, &issue, limits, found, now)?);
        }
        Ok(issue)
    };
    Ok((ids.into_iter().map(one).collect::<Result<_>>()?, total))
}

/// The issues within the limits of the last filter that had any: of several filters, most have the same.
pub type LastFound = Option<(Limits, PartsByIssue)>;

/// How many issues match. Several filters of a project may be counted one after the other.
pub fn total(c: &Connection, texts: &Texts, filter: &Filter, last: &mut LastFound) -> Result<i64> {
    if filter.is_plain() {
        return count(c, filter);
    }
    if let Some(limits) = filter.limits()
        && last.as_ref().is_none_or(|(known, _)| known != limits)
    {
        let found = within::find(c, (filter.project(), limits), Hours::One, Timestamp::now())?;
        *last = Some((limits.clone(), found));
    }
    let within = last.as_ref().filter(|_| filter.limits().is_some()).map(|(_, found)| found);
    let found = found(c, texts, filter, (Sort::LastSeen, within))?;
    Ok(i64::try_from(found.len()).unwrap_or(i64::MAX))
}

/// The issues within the filter's limits, if it has any.
fn within_limits(
    c: &Connection,
    filter: &Filter,
    hours: Hours,
    now: Timestamp,
) -> Result<Option<PartsByIssue>> {
    filter.limits().map(|limits| within::find(c, (filter.project(), limits), hours, now)).transpose()
}

fn count(c: &Connection, filter: &Filter) -> Result<i64> {
    let (count, table) = filter.counted();
    let query = format!("select {count} from {table} i where {}", filter.sql());
    Ok(c.prepare_cached(&query)?.query_row(params_from_iter(filter.values()), |row| row.get(0))?)
}

fn page_of(c: &Connection, filter: &Filter, sort: Sort, page: Page) -> Result<Vec<i64>> {
    let mut values: Vec<Value> = filter.values().to_vec();
    values.extend([page.limit.into(), page.offset.into()]);
    let (column, limit, offset) = (sort.column(), values.len() - 1, values.len());
    let query = format!(
        "select i.id from issues i where {} order by {column} desc, i.id desc limit ?{limit} offset ?{offset}",
        filter.sql()
    );
    let mut statement = c.prepare_cached(&query)?;
    let rows = statement.query_map(params_from_iter(&values), |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The order's value and the id of every issue that matches, in no particular order.
fn found(
    c: &Connection,
    texts: &Texts,
    filter: &Filter,
    (sort, within): (Sort, Option<&PartsByIssue>),
) -> Result<Vec<(i64, i64)>> {
    let chosen = ChosenIssues::of(c, texts, filter, within)?;
    let mut found = match chosen.few() {
        Some(ids) => of_few(c, filter, sort, &ids)?,
        None => of_many(c, filter, sort, &chosen)?,
    };
    if let Some(within) = within {
        for (value, id) in &mut found {
            *value = within.get(id).and_then(|part| part.order(sort)).unwrap_or(*value);
        }
    }
    Ok(found)
}

fn of_few(c: &Connection, filter: &Filter, sort: Sort, ids: &[i64]) -> Result<Vec<(i64, i64)>> {
    let mut values: Vec<Value> = filter.values().to_vec();
    values.push(0.into());
    let at = values.len();
    let query =
        format!("select {}, i.id from issues i where i.id = ?{at} and {}", sort.column(), filter.sql());
    let mut statement = c.prepare_cached(&query)?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        values[at - 1] = (*id).into();
        let mut rows = statement.query(params_from_iter(&values))?;
        if let Some(row) = rows.next()? {
            found.push((row.get(0)?, row.get(1)?));
        }
    }
    Ok(found)
}

fn of_many(c: &Connection, filter: &Filter, sort: Sort, chosen: &ChosenIssues) -> Result<Vec<(i64, i64)>> {
    let query = format!("select {}, i.id from issues i where {}", sort.column(), filter.sql());
    let mut statement = c.prepare_cached(&query)?;
    let mut rows = statement.query(params_from_iter(filter.values()))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get(1)?;
        if chosen.has(id) {
            found.push((row.get(0)?, id));
        }
    }
    Ok(found)
}

/// The ids of a page, in descending order; the id breaks ties, so that pages neither repeat nor skip issues.
fn cut(found: &mut [(i64, i64)], page: Page) -> Vec<i64> {
    let place = |at: i64| usize::try_from(at).unwrap_or(0).min(found.len());
    let (first, end) = (place(page.offset), place(page.offset.saturating_add(page.limit)));
    if end < found.len() {
        found.select_nth_unstable_by(end, |a, b| b.cmp(a));
    }
    found[..end].sort_unstable_by(|a, b| b.cmp(a));
    found[first..end].iter().map(|(_, id)| *id).collect()
}

/// The issues that words and look-ups leave.
struct ChosenIssues {
    /// `None`: all of them.
    within: Option<Ids>,
    without: Ids,
}

impl ChosenIssues {
    fn of(c: &Connection, texts: &Texts, filter: &Filter, limited: Option<&PartsByIssue>) -> Result<Self> {
        let mut chosen = Self { within: None, without: Ids::default() };
        if let Some(found) = limited {
            let mut ids = Ids::default();
            found.keys().for_each(|id| ids.insert(*id));
            chosen.keep(ids);
        }
        for lookup in filter.lookups() {
            let ids = Ids::of(c, lookup)?;
            if lookup.negated { chosen.without.add(&ids) } else { chosen.keep(ids) }
        }
        if !filter.words().is_empty() {
            let ids = with_words(c, texts, filter, &chosen)?;
            chosen.keep(ids);
        }
        Ok(chosen)
    }

    fn keep(&mut self, ids: Ids) {
        match &mut self.within {
            Some(within) => within.keep(&ids),
            None => self.within = Some(ids),
        }
    }

    fn has(&self, id: i64) -> bool {
        self.within.as_ref().is_none_or(|within| within.has(id)) && !self.without.has(id)
    }

    /// The remaining issues, if they are few.
    fn few(&self) -> Option<Vec<i64>> {
        let within = self.within.as_ref().filter(|within| within.len() <= FEW)?;
        Some(within.iter().filter(|id| !self.without.has(*id)).collect())
    }
}

/// The issues whose texts contain all words and none of the negated ones.
fn with_words(c: &Connection, texts: &Texts, filter: &Filter, chosen: &ChosenIssues) -> Result<Ids> {
    let words = filter.words().iter().map(|word| WordQuery::new(c, filter.project(), word));
    let words: Vec<WordQuery<'_>> = words.collect::<Result<_>>()?;
    let fits = |id: IssueId, text: &[u8]| words.iter().all(|word| word.fits(id, text));
    let mut ids = Ids::default();
    if let Some(few) = chosen.few() {
        for id in few {
            if texts::one(c, filter.project(), IssueId(id), |text| fits(IssueId(id), text))? == Some(true) {
                ids.insert(id);
            }
        }
        return Ok(ids);
    }
    texts::each(c, texts, filter.project(), |id, text| {
        if fits(id, text) {
            ids.insert(id.0);
        }
    })?;
    Ok(ids)
}

/// A word to search for.
struct WordQuery<'a> {
    negated: bool,
    finder: Finder<'a>,
    /// The issue with this short id.
    named: Option<IssueId>,
}

impl<'a> WordQuery<'a> {
    fn new(c: &Connection, project: ProjectId, Word { negated, text }: &'a Word) -> Result<Self> {
        let number =
            text.rsplit_once('-').and_then(|(prefix, number)| Some((prefix, number.parse::<i64>().ok()?)));
        let named = match number {
            Some((prefix, number)) => numbered(c, project, prefix, number)?,
            None => None,
        };
        Ok(Self { negated: *negated, finder: Finder::new(text.as_bytes()), named })
    }

    fn fits(&self, id: IssueId, text: &[u8]) -> bool {
        (self.named == Some(id) || self.finder.find(text).is_some()) != self.negated
    }
}

/// The issue with a short id: its project's prefix, in lower case here, and its number.
fn numbered(c: &Connection, project: ProjectId, prefix: &str, number: i64) -> Result<Option<IssueId>> {
    let mut statement = c.prepare_cached(
        "select i.id, p.slug from issues i join projects p on p.id = i.project_id
         where i.project_id = ?1 and i.number = ?2",
    )?;
    let mut rows = statement.query((project.0, number))?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (id, slug): (i64, String) = (row.get(0)?, row.get(1)?);
    Ok(issue_prefix(&slug).eq_ignore_ascii_case(prefix).then_some(IssueId(id)))
}

/// A set of issues with one bit for each, because ids are assigned consecutively.
#[derive(Default)]
struct Ids(Vec<u64>);

impl Ids {
    fn of(c: &Connection, lookup: &Lookup) -> Result<Self> {
        let mut statement = c.prepare_cached(lookup.sql)?;
        let mut rows = statement.query(params_from_iter(&lookup.values))?;
        let mut ids = Self::default();
        while let Some(row) = rows.next()? {
            ids.insert(row.get(0)?);
        }
        Ok(ids)
    }

    /// The position of an id's bit; `None` for ids that no table assigns.
    fn place(id: i64) -> Option<(usize, u64)> {
        let id = u32::try_from(id).ok()?;
        Some((id as usize / 64, 1 << (id % 64)))
    }

    fn insert(&mut self, id: i64) {
        let Some((word, bit)) = Self::place(id) else { return };
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    fn has(&self, id: i64) -> bool {
        Self::place(id).is_some_and(|(word, bit)| self.0.get(word).is_some_and(|bits| bits & bit != 0))
    }

    fn keep(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(bits, others)| *bits &= others);
    }

    fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(bits, others)| *bits |= others);
    }

    fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = i64> {
        let of_word = |(word, bits): (usize, &u64)| {
            let bits = *bits;
            (0..64).filter(move |bit| bits & (1 << bit) != 0).map(move |bit| word as i64 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(of_word)
    }
}
