//! The queries on the index: a page of the newest entries, counts over time, templates, the entries around
//! one.

use super::fields::{EntryId, time_at};
use super::hits::CompiledQuery;
use super::nearest::{Docs, Nearest};
use super::order::{Hit, Order};
use super::terms::{EVERYWHERE, NAMES, names_in, prefix, value_of};
use super::view::{Segment, Span, View};
use crate::error::{Error, Result};
use crate::event::log_entry::Level;
use crate::ids::ProjectId;
use crate::search::query::Node;
use crate::time::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId};

/// How long a search may take.
const DEADLINE: Duration = Duration::from_secs(5);

/// The entries to search.
#[derive(Debug, Clone)]
pub struct Scope {
    pub project: ProjectId,
    /// Both ends are inclusive.
    pub start: Timestamp,
    pub end: Timestamp,
    /// `None`: all entries.
    pub query: Option<Node>,
}

struct Search<'v> {
    spans: Vec<Span>,
    asked: CompiledQuery,
    view: &'v View,
}

impl View {
    fn search(&self, scope: &Scope) -> Result<Search<'_>> {
        let asked = CompiledQuery::new(self, scope.query.as_ref(), Instant::now() + DEADLINE)?;
        Ok(Search { spans: self.spans(scope.project, scope.start, scope.end), asked, view: self })
    }

    /// Entries, starting with the newest (or the oldest), and their total number.
    ///
    /// # Errors
    /// 503 if it takes over 5 s; or if the index is damaged.
    pub fn page(
        &self,
        scope: &Scope,
        order: Order,
        offset: usize,
        limit: usize,
    ) -> Result<(Vec<EntryId>, u64)> {
        let search = self.search(scope)?;
        let (found, total) = search.first(order, offset + limit, None)?;
        let ids = found.into_iter().skip(offset).map(|(_, id)| id).collect();
        Ok((ids, total))
    }

    /// Up to `before` entries before one and `after` entries after it, in chronological order.
    ///
    /// # Errors
    /// As [`View::page`].
    pub fn around(&self, scope: &Scope, at: Hit, before: usize, after: usize) -> Result<[Vec<EntryId>; 2]> {
        let earlier = self.beside(scope, at, Order::Newest, before)?;
        let later = self.beside(scope, at, Order::Oldest, after)?;
        Ok([earlier, later].map(|side| side.into_iter().map(|(_, id)| id).collect()))
    }

    /// The nearest entries on one side, in chronological order.
    fn beside(&self, scope: &Scope, at: Hit, order: Order, most: usize) -> Result<Vec<Hit>> {
        if most == 0 {
            return Ok(Vec::new());
        }
        let time = time_at(at.0);
        let side = match order {
            Order::Newest => Scope { end: time.min(scope.end), ..scope.clone() },
            Order::Oldest => Scope { start: time.max(scope.start), ..scope.clone() },
        };
        let (mut found, _) = self.search(&side)?.first(order, most, Some(at))?;
        if order == Order::Newest {
            found.reverse();
        }
        Ok(found)
    }

    /// Counts entries by time and level: a row of six counts for each of the intervals that begin at
    /// `starts`.
    ///
    /// # Errors
    /// As [`View::page`].
    pub fn histogram(&self, scope: &Scope, starts: &[Timestamp]) -> Result<Vec<[u64; Level::ALL.len()]>> {
        let search = self.search(scope)?;
        let mut counts = vec![[0; Level::ALL.len()]; starts.len()];
        for span in &search.spans {
            let borders: Vec<DocId> = starts
                .iter()
                .skip(1)
                .map(|start| {
                    span.segment.first_from(super::fields::key(scope.project, *start), span.docs.clone())
                })
                .collect();
            let (mut step, mut levels) = (0, [0; COLLECT_BLOCK_BUFFER_LEN]);
            search.asked.each(span, |docs| {
                let levels = &mut levels[..docs.len()];
                span.segment.levels.get_vals(docs, levels);
                for (doc, level) in docs.iter().zip(levels) {
                    while borders.get(step).is_some_and(|border| border <= doc) {
                        step += 1;
                    }
                    let level = *level as usize;
                    if let Some(count) = counts.get_mut(step).and_then(|step| step.get_mut(level)) {
                        *count += 1;
                    }
                }
            })?;
        }
        Ok(counts)
    }

    /// How many entries each template has, with the newest of them.
    ///
    /// # Errors
    /// As [`View::page`].
    pub fn templates(&self, scope: &Scope) -> Result<HashMap<Vec<u8>, (u64, Hit)>> {
        let search = self.search(scope)?;
        let mut all: HashMap<Vec<u8>, (u64, Hit)> = HashMap::new();
        for span in &search.spans {
            let segment = &span.segment;
            let mut counts: HashMap<u64, (u64, DocId)> = HashMap::new();
            search.asked.each(span, |docs| {
                for doc in docs {
                    let count = counts.entry(segment.template_ords.get_val(*doc)).or_default();
                    *count = (count.0 + 1, *doc);
                }
            })?;
            for (ord, (count, last)) in counts {
                let mut id = Vec::new();
                segment.templates.ord_to_bytes(ord, &mut id).map_err(Error::internal)?;
                let newest = found(segment, last);
                let sum = all.entry(id).or_insert((0, newest));
                *sum = (sum.0 + count, sum.1.max(newest));
            }
        }
        Ok(all)
    }

    /// How many entries have each value of a field; up to `most` values are examined in each segment.
    ///
    /// # Errors
    /// As [`View::page`].
    pub fn values(&self, scope: &Scope, field: &str, most: usize) -> Result<Counts> {
        self.search(scope)?.counts(&prefix(field), most, |value| [value_of(value)])
    }

    /// How many entries have each field; up to `most` fields and sets of fields are examined in each segment.
    ///
    /// # Errors
    /// As [`View::page`].
    pub fn names(&self, scope: &Scope, most: usize) -> Result<Counts> {
        let mut names = self.search(scope)?.counts(NAMES, most, names_in)?;
        if names.entries > 0 {
            names.by_text.extend(EVERYWHERE.map(|name| (name.to_owned(), names.entries)));
        }
        Ok(names)
    }
}

/// How many entries have each of some texts: the values of a field, or the names of fields.
#[derive(Debug, Default)]
pub struct Counts {
    pub by_text: HashMap<String, u64>,
    /// The number of entries searched, with such a text or without.
    pub entries: u64,
    /// Whether a segment has more texts than were examined: some are missing, or counted in part.
    pub is_cut: bool,
}

fn found(segment: &Segment, doc: DocId) -> Hit {
    let place = (segment.keys.get_val(doc), segment.rests.get_val(doc));
    (place, EntryId(segment.ids.get_val(doc).cast_signed()))
}

/// Spans with the entries at their near ends, ordered by those: what comes after everything wanted is not
/// read, so the first spans are searched first. No entry of a span has a key before that of the entry at its
/// near end.
pub(super) fn in_order(spans: &[Span], order: Order) -> Vec<(Hit, &Span)> {
    let near = |span: &Span| match order {
        Order::Newest => span.docs.end - 1,
        Order::Oldest => span.docs.start,
    };
    let mut spans: Vec<_> = spans.iter().map(|span| (found(&span.segment, near(span)), span)).collect();
    spans.sort_unstable_by(|(a, _), (b, _)| order.compare(a, b));
    spans
}

impl Search<'_> {
    /// The first `most` in an order, only those after `behind` if it is given; and the total, including that
    /// entry and those before it.
    fn first(&self, order: Order, most: usize, behind: Option<Hit>) -> Result<(Vec<Hit>, u64)> {
        let (mut nearest, mut hits, mut total) = (Nearest::new(order, most, behind), Vec::new(), 0);
        for (((key, _), _), span) in in_order(&self.spans, order) {
            // The rest is only counted.
            let is_wanted = !nearest.is_past(key);
            if self.asked.is_all() {
                total += span.count();
                if is_wanted {
                    nearest.look(span, Docs::Run(span.docs.clone()));
                }
                continue;
            }
            hits.clear();
            self.asked.each(span, |found| {
                total += found.len() as u64;
                if is_wanted {
                    hits.extend_from_slice(found);
                }
            })?;
            nearest.look(span, Docs::Hits(&hits));
        }
        Ok((nearest.into_sorted(), total))
    }

    /// Counts the entries with each term that begins with `prefix`, by the texts in the rest of the term.
    fn counts<T>(&self, prefix: &[u8], most: usize, texts_in: impl Fn(&[u8]) -> T) -> Result<Counts>
    where
        T: IntoIterator<Item = String>,
    {
        let mut counts = Counts::default();
        for span in &self.spans {
            let wanted = MatchSet::of(&self.asked, span)?;
            counts.entries += wanted.size();
            let facts =
                span.segment.reader.inverted_index(self.view.fields.facts).map_err(Error::internal)?;
            let mut terms = facts.terms().range().ge(prefix).into_stream().map_err(Error::internal)?;
            let mut examined = 0;
            while terms.advance() && terms.key().starts_with(prefix) {
                if examined == most {
                    counts.is_cut = true;
                    break;
                }
                examined += 1;
                let count = wanted.count(&facts, terms.value())?;
                if count > 0 {
                    for text in texts_in(&terms.key()[prefix.len()..]) {
                        *counts.by_text.entry(text).or_default() += count;
                    }
                }
                self.asked.check()?;
            }
            self.asked.check()?;
        }
        Ok(counts)
    }
}

/// The documents of a span that match a query, to intersect with those of a term.
enum MatchSet<'s> {
    All(&'s Span),
    Some(&'s Span, Vec<u64>),
}

impl<'s> MatchSet<'s> {
    fn of(asked: &CompiledQuery, span: &'s Span) -> Result<Self> {
        if asked.is_all() {
            return Ok(Self::All(span));
        }
        let first = span.docs.start;
        let mut bits = vec![0_u64; ((span.docs.end - first) as usize).div_ceil(64)];
        asked.each(span, |docs| {
            for doc in docs {
                let at = (doc - first) as usize;
                bits[at / 64] |= 1 << (at % 64);
            }
        })?;
        Ok(Self::Some(span, bits))
    }

    /// How many documents match.
    fn size(&self) -> u64 {
        match self {
            Self::All(span) => span.count(),
            Self::Some(_, bits) => bits.iter().map(|bits| u64::from(bits.count_ones())).sum(),
        }
    }

    /// How many of a term's documents match.
    fn count(
        &self,
        facts: &Arc<tantivy::InvertedIndexReader>,
        term: &tantivy::postings::TermInfo,
    ) -> Result<u64> {
        use tantivy::DocSet as _;
        let (Self::All(span) | Self::Some(span, _)) = self;
        if matches!(self, Self::All(_)) && span.is_segment() {
            return Ok(term.doc_freq.into());
        }
        let basic = tantivy::schema::IndexRecordOption::Basic;
        let mut postings = facts.read_postings_from_terminfo(term, basic).map_err(Error::internal)?;
        let mut doc = postings.doc();
        if doc < span.docs.start {
            doc = postings.seek(span.docs.start);
        }
        let mut count = 0;
        while doc < span.docs.end {
            let at = (doc - span.docs.start) as usize;
            count += match self {
                Self::All(span) => u64::from(!span.lacks(doc)),
                Self::Some(_, bits) => bits[at / 64] >> (at % 64) & 1,
            };
            doc = postings.advance();
        }
        Ok(count)
    }
}
