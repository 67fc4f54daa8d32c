//! What the index contains of an entry, and in which layout.
//!
//! Entries of a segment are sorted by project and time ([`key`]). So in each segment, the entries of a
//! project within a range of time are one run of document numbers, found by bisection: counting them is a
//! subtraction, the newest are at the end of the run, and old segments cost one look. Only the entry's id is
//! stored; what is shown is read from `logs.db`.
//!
//! A key has room for milliseconds: its entries share one *moment*, and a second column has the microseconds
//! within it.

use crate::ids::ProjectId;
use crate::search::words::indexed;
use crate::time::Timestamp;
use std::ops::Bound;
use tantivy::query::{BooleanQuery, Occur, RangeQuery};
use tantivy::schema::{
    BytesOptions, FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{IndexSettings, IndexSortByField, Order, Term};

/// Changes with the fields, the words or the facts; an index with another format is rebuilt.
pub(super) const FORMAT: u32 = 8;

/// Bits of an entry's id for its place in the batch.
const PLACE_BITS: u32 = 7;
/// Bits of a key for milliseconds; the rest is for the project.
const TIME_BITS: u32 = 44;
/// Up to this time, the year 2248, a key has milliseconds; after it, seconds.
const EXACT: u64 = 1 << 43;
/// The most projects that can have logs.
pub const PROJECTS_MAX: i64 = 1 << (64 - TIME_BITS);

/// The id of an entry: its batch and its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub i64);

impl EntryId {
    pub fn new(batch: i64, place: usize) -> Self {
        Self((batch << PLACE_BITS) | place as i64)
    }

    pub fn batch(self) -> i64 {
        self.0 >> PLACE_BITS
    }

    pub fn place(self) -> usize {
        (self.0 & ((1 << PLACE_BITS) - 1)) as usize
    }
}

/// What entries are sorted by.
pub(super) fn key(project: ProjectId, time: Timestamp) -> u64 {
    let millis = time.millis().unsigned_abs();
    let time = if millis < EXACT { millis } else { EXACT + (millis - EXACT) / 1000 };
    (project.0.unsigned_abs() << TIME_BITS) | time
}

/// An entry's place in the order of time: its key, and microseconds after the beginning of the key's moment.
pub type SortPosition = (u64, u64);

pub fn place(project: ProjectId, time: Timestamp) -> SortPosition {
    let key = key(project, time);
    (key, time.micros().abs_diff(time_of(key).micros()))
}

/// The time of a place.
pub(super) fn time_at((key, rest): SortPosition) -> Timestamp {
    Timestamp::from_micros(time_of(key).micros().saturating_add_unsigned(rest))
}

/// The time of a key.
pub(super) fn time_of(key: u64) -> Timestamp {
    let time = key & ((1 << TIME_BITS) - 1);
    let millis = if time < EXACT { time } else { EXACT + (time - EXACT) * 1000 };
    Timestamp::from_millis(millis.cast_signed())
}

#[derive(Debug, Clone, Copy)]
pub struct Fields {
    pub key: Field,
    pub id: Field,
    pub level: Field,
    pub rest: Field,
    pub template: Field,
    pub words: Field,
    pub facts: Field,
}

/// Names of the columns.
pub(super) const KEY: &str = "key";
pub(super) const ID: &str = "id";
pub(super) const LEVEL: &str = "level";
pub(super) const REST: &str = "rest";
pub(super) const TEMPLATE: &str = "template";
const WORDS: &str = "words";

impl Fields {
    pub fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        let number = NumericOptions::from(FAST);
        let positions = TextFieldIndexing::default()
            .set_tokenizer(WORDS)
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let fields = Self {
            key: schema.add_u64_field(KEY, number.clone()),
            id: schema.add_u64_field(ID, number.clone()),
            level: schema.add_u64_field(LEVEL, number.clone()),
            rest: schema.add_u64_field(REST, number),
            template: schema.add_bytes_field(TEMPLATE, BytesOptions::default().set_fast()),
            words: schema.add_text_field(WORDS, TextOptions::default().set_indexing_options(positions)),
            facts: schema.add_bytes_field("facts", BytesOptions::default().set_indexed()),
        };
        (schema.build(), fields)
    }

    pub fn settings() -> IndexSettings {
        let sort_by_field = Some(IndexSortByField { field: KEY.to_owned(), order: Order::Asc });
        IndexSettings { sort_by_field, docstore_compress_dedicated_thread: false, ..IndexSettings::default() }
    }

    pub fn tokenizers() -> TokenizerManager {
        let manager = TokenizerManager::default();
        manager.register(WORDS, TextAnalyzer::from(Words::default()));
        manager
    }

    pub fn word(&self, word: &str) -> Term {
        Term::from_field_text(self.words, word)
    }

    /// All entries of a project.
    pub fn project(&self, project: ProjectId) -> RangeQuery {
        let first = key(project, Timestamp::from_millis(0));
        let bound = |key| Bound::Included(Term::from_field_u64(self.key, key));
        RangeQuery::new(bound(first), bound(first | ((1 << TIME_BITS) - 1)))
    }
}

impl Fields {
    /// The entries of a project in the batches up to one.
    pub fn project_through(&self, project: ProjectId, batch: i64) -> BooleanQuery {
        let last = EntryId(((batch + 1) << PLACE_BITS) - 1);
        let bound = |id: EntryId| Bound::Included(Term::from_field_u64(self.id, id.0.cast_unsigned()));
        let ids = RangeQuery::new(bound(EntryId(0)), bound(last));
        BooleanQuery::new(vec![(Occur::Must, Box::new(self.project(project))), (Occur::Must, Box::new(ids))])
    }
}

/// [`indexed`] as a tantivy tokenizer.
#[derive(Clone, Default)]
struct Words {
    text: String,
    /// The position of each word, and its range in `text`.
    places: Vec<(usize, usize, usize)>,
    token: Token,
}

struct Stream<'a> {
    words: &'a mut Words,
    next: usize,
}

impl Tokenizer for Words {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        self.text.clear();
        self.places.clear();
        self.token.reset();
        let (all, places) = (&mut self.text, &mut self.places);
        indexed(text, |word, position| {
            all.push_str(word);
            places.push((position, all.len() - word.len(), all.len()));
        });
        // Signs come last, and belong between the words.
        places.sort_by_key(|(position, ..)| *position);
        Stream { words: self, next: 0 }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        let Words { text, places, token } = &mut *self.words;
        let Some((position, start, end)) = places.get(self.next).copied() else { return false };
        token.text.clear();
        token.text.push_str(&text[start..end]);
        token.position = position;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.words.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.words.token
    }
}

#[cfg(test)]
mod tests;
