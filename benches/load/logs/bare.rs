//! The limit that logs are held against: the same entries into a bare tantivy index by two threads, with the
//! same terms, positions and columns, without HTTP, parsing, scrubbing or `logs.db`; and the layouts that were
//! tried: documents in the order of arrival, searched as tantivy's own collectors do, and sorted ones.

use super::ends;
use super::entries::Pool;
use crate::Result;
use crate::disk::folder_bytes;
use crate::drive::percentile;
use crate::report::table;
use serde_json::Value;
use std::ops::Bound;
use std::path::Path;
use std::time::Instant;
use tantivy::collector::{Count, TopDocs};
use tantivy::indexer::IndexWriterOptions;
use tantivy::query::{BooleanQuery, Occur, Query, RangeQuery, TermQuery};
use tantivy::schema::{BytesOptions, FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, IndexSettings, IndexSortByField, IndexWriter, Order, TantivyDocument, Term};

const MEMORY: usize = 48 << 20;
/// Batches of the layouts that were tried, and of one commit.
const LAYOUT: usize = 10_000;
const COMMITTED: usize = 500;
const TIMES: usize = 50;

/// Entries a second until they are committed.
pub(crate) fn rate(folder: &Path, batches: usize) -> Result<f64> {
    let (schema, fields) = fields();
    let documents = fields.documents(&mut Pool::new("pk_bare", 7), batches)?;
    let count = documents.len();
    let mut writer = writer(&open(folder, schema, false)?)?;
    let started = Instant::now();
    for document in documents {
        writer.add_document(document)?;
    }
    writer.commit()?;
    let elapsed = started.elapsed();
    writer.wait_merging_threads()?;
    Ok(count as f64 / elapsed.as_secs_f64())
}

fn writer(index: &Index) -> Result<IndexWriter> {
    let options =
        IndexWriterOptions::builder().memory_budget_per_thread(MEMORY).num_worker_threads(2).build();
    Ok(index.writer_with_options(options)?)
}

fn open(folder: &Path, schema: Schema, sorted: bool) -> Result<Index> {
    std::fs::create_dir_all(folder)?;
    let sort_by_field = sorted.then(|| IndexSortByField { field: "key".to_owned(), order: Order::Asc });
    let settings = IndexSettings { sort_by_field, ..IndexSettings::default() };
    Ok(Index::builder().schema(schema).settings(settings).create_in_dir(folder)?)
}

/// What each layout costs, and what the first one's searches take.
pub(crate) fn layouts(folder: &Path) -> Result<()> {
    let mut rows = Vec::new();
    for (name, sorted) in [("in the order of arrival", false), ("sorted by project and time", true)] {
        let folder = folder.join(if sorted { "sorted" } else { "plain" });
        let (schema, fields) = fields();
        let index = open(&folder, schema, sorted)?;
        let mut writer = writer(&index)?;
        let mut pool = Pool::spread("pk_bare", 7, ends(), (LAYOUT * super::entries::BATCH) as u64);
        let mut seconds = 0.0;
        for _ in 0..LAYOUT / COMMITTED {
            let documents = fields.documents(&mut pool, COMMITTED)?;
            let started = Instant::now();
            for document in documents {
                writer.add_document(document)?;
            }
            writer.commit()?;
            seconds += started.elapsed().as_secs_f64();
        }
        let merging = Instant::now();
        writer.wait_merging_threads()?;
        seconds += merging.elapsed().as_secs_f64();
        let entries = (LAYOUT * super::entries::BATCH) as f64;
        let bytes = folder_bytes(&folder) as f64 / entries;
        let searched = if sorted { Default::default() } else { fields.searched(&index)? };
        let [hour, week, word] = searched.map(|ms: f64| format!("{ms:.2}"));
        rows.push([
            name.to_owned(),
            format!("{:.0}", entries / seconds),
            format!("{bytes:.0}"),
            hour,
            week,
            word,
        ]);
    }
    table(
        &format!(
            "Layouts: {} entries, bare tantivy with its own collectors, p50 in ms (0: see the queries below)",
            LAYOUT * 100
        ),
        &[
            "",
            "entries/s with merges",
            "bytes an entry",
            "newest of an hour",
            "of a week",
            "a common word, a week",
        ],
        &rows,
    );
    Ok(())
}

struct Fields {
    words: Field,
    facts: Field,
    key: Field,
    id: Field,
    level: Field,
    template: Field,
}

fn fields() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let positions = TextFieldIndexing::default()
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let fields = Fields {
        words: schema.add_text_field("words", TextOptions::default().set_indexing_options(positions)),
        facts: schema.add_bytes_field("facts", BytesOptions::default().set_indexed()),
        key: schema.add_u64_field("key", FAST),
        id: schema.add_u64_field("id", FAST),
        level: schema.add_u64_field("level", FAST),
        template: schema.add_bytes_field("template", BytesOptions::default().set_fast()),
    };
    (schema.build(), fields)
}

impl Fields {
    fn documents(&self, pool: &mut Pool, batches: usize) -> Result<Vec<TantivyDocument>> {
        let mut documents = Vec::new();
        for batch in 0..batches {
            let body: Value = serde_json::from_slice(&pool.body())?;
            for (place, entry) in body["logs"].as_array().ok_or("no entries")?.iter().enumerate() {
                documents.push(self.document(entry, (batch * 128 + place) as u64));
            }
        }
        Ok(documents)
    }

    fn document(&self, entry: &Value, id: u64) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        let time = entry["timestamp"].as_f64().unwrap_or_default() * 1e3;
        document.add_u64(self.key, time as u64);
        document.add_u64(self.id, id);
        document.add_u64(self.level, id % 6);
        document.add_bytes(self.template, entry["level"].as_str().unwrap_or_default().as_bytes());
        document.add_text(self.words, entry["message"].as_str().unwrap_or_default());
        leaves("", entry, &mut |fact| document.add_bytes(self.facts, fact));
        for (name, value) in [("environment", "production"), ("release", "shop@4.2.1"), ("project", "1")] {
            document.add_bytes(self.facts, format!("{name}\0{value}").as_bytes());
        }
        document
    }

    /// The newest 100 and how many there are: of an hour, of a week, with a common word of a week.
    fn searched(&self, index: &Index) -> Result<[f64; 3]> {
        let searcher = index.reader()?.searcher();
        let end = ends().1;
        let project = || -> Box<dyn Query> {
            Box::new(TermQuery::new(
                Term::from_field_bytes(self.facts, b"project\x001"),
                IndexRecordOption::Basic,
            ))
        };
        let since = |millis: u64| -> Box<dyn Query> {
            let bound = |time: u64| Bound::Included(Term::from_field_u64(self.key, time));
            Box::new(RangeQuery::new(bound(end - millis), bound(end)))
        };
        let word: Box<dyn Query> = Box::new(TermQuery::new(
            Term::from_field_text(self.words, super::entries::COMMON_WORD),
            IndexRecordOption::Basic,
        ));
        let (hour, week) = (3_600_000, 7 * 86_400_000);
        let queries =
            [vec![project(), since(hour)], vec![project(), since(week)], vec![project(), since(week), word]];
        let mut found = [0.0; 3];
        for (clauses, found) in queries.into_iter().zip(&mut found) {
            let query = BooleanQuery::new(clauses.into_iter().map(|clause| (Occur::Must, clause)).collect());
            let mut samples = Vec::new();
            for _ in 0..TIMES {
                let started = Instant::now();
                let newest = TopDocs::with_limit(100).order_by_fast_field::<u64>("key", Order::Desc);
                searcher.search(&query, &(newest, Count))?;
                samples.push(u32::try_from(started.elapsed().as_micros()).unwrap_or(u32::MAX));
            }
            samples.sort_unstable();
            *found = percentile(&samples, 0.5) / 1e3;
        }
        Ok(found)
    }
}

/// What Mayday makes facts of.
fn leaves(path: &str, value: &Value, emit: &mut impl FnMut(&[u8])) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if !["message", "timestamp", "line_number"].contains(&name.as_str()) {
                    leaves(&format!("{path}.{name}"), value, emit);
                }
            }
        }
        Value::String(text) => emit(format!("{path}\0{text}").as_bytes()),
        Value::Number(number) => emit(format!("{path}\0{number}").as_bytes()),
        _ => {}
    }
}
