//! The entries of a span that match a query.

use super::fields::Fields;
use super::view::{Span, View};
use crate::error::{Error, Result};
use crate::search::query::Node;
use std::ops::Range;
use std::time::Instant;
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, EnableScoring, Occur, PhrasePrefixQuery, PhraseQuery, Query,
    RegexQuery, TermQuery, Weight,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{COLLECT_BLOCK_BUFFER_LEN, DocId, DocSet as _, TERMINATED};

/// The most words that the open end of a phrase expands to.
const EXPANSIONS_MAX: u32 = 1_000;

/// A query, ready to run on each segment.
pub(super) struct CompiledQuery {
    /// `None`: everything matches.
    weight: Option<Box<dyn Weight>>,
    deadline: Instant,
}

impl CompiledQuery {
    /// # Errors
    /// None that a query of ours could cause.
    pub(super) fn new(view: &View, node: Option<&Node>, deadline: Instant) -> Result<Self> {
        let weight = match node {
            None => None,
            Some(node) => {
                let query = query(&view.fields, node)?;
                let scoring = EnableScoring::disabled_from_searcher(&view.searcher);
                Some(query.weight(scoring).map_err(unreadable)?)
            }
        };
        Ok(Self { weight, deadline })
    }

    /// Whether it matches every entry.
    pub(super) fn is_all(&self) -> bool {
        self.weight.is_none()
    }

    /// Passes on the matching documents of a span, ascending, some at a time.
    ///
    /// # Errors
    /// 503 if the deadline has passed; or if the index is damaged.
    pub(super) fn each(&self, span: &Span, mut give: impl FnMut(&[DocId])) -> Result<()> {
        if span.is_whole() {
            return self.each_of_run(span, give);
        }
        let mut kept = Vec::with_capacity(COLLECT_BLOCK_BUFFER_LEN);
        self.each_of_run(span, |docs| {
            kept.clear();
            kept.extend(docs.iter().filter(|doc| !span.lacks(**doc)));
            give(&kept);
        })
    }

    fn each_of_run(&self, span: &Span, mut give: impl FnMut(&[DocId])) -> Result<()> {
        let Some(weight) = &self.weight else { return self.every(&span.docs, give) };
        let mut scorer = weight.scorer(&span.segment.reader, 1.0).map_err(Error::internal)?;
        if scorer.doc() < span.docs.start {
            scorer.seek(span.docs.start);
        }
        let mut buffer = [0; COLLECT_BLOCK_BUFFER_LEN];
        for round in 1_u32.. {
            let found = scorer.fill_buffer(&mut buffer);
            let within = buffer[..found].partition_point(|doc| *doc < span.docs.end);
            give(&buffer[..within]);
            if within < buffer.len() || scorer.doc() == TERMINATED {
                break;
            }
            if round % 1024 == 0 {
                self.check()?;
            }
        }
        Ok(())
    }

    fn every(&self, docs: &Range<DocId>, mut give: impl FnMut(&[DocId])) -> Result<()> {
        let mut buffer = [0; COLLECT_BLOCK_BUFFER_LEN];
        let mut next = docs.start;
        while next < docs.end {
            let found = buffer.len().min((docs.end - next) as usize);
            buffer[..found].iter_mut().zip(next..).for_each(|(place, doc)| *place = doc);
            give(&buffer[..found]);
            next += found as DocId;
        }
        self.check()
    }

    /// # Errors
    /// 503 if the deadline has passed.
    pub(super) fn check(&self) -> Result<()> {
        if Instant::now() < self.deadline {
            return Ok(());
        }
        Err(Error::overloaded(
            "The search took too long and was stopped. Narrow its range of time and try again.",
        ))
    }
}

fn query(fields: &Fields, node: &Node) -> Result<Box<dyn Query>> {
    Ok(match node {
        Node::All(nodes) => {
            let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
            for node in nodes {
                match node {
                    Node::Not(inner) => clauses.push((Occur::MustNot, query(fields, inner)?)),
                    _ => clauses.push((Occur::Must, query(fields, node)?)),
                }
            }
            if clauses.iter().all(|(occur, _)| *occur == Occur::MustNot) {
                clauses.push((Occur::Must, Box::new(AllQuery)));
            }
            Box::new(BooleanQuery::new(clauses))
        }
        Node::Any(nodes) => {
            let clauses = nodes.iter().map(|node| Ok((Occur::Should, query(fields, node)?)));
            Box::new(BooleanQuery::new(clauses.collect::<Result<_>>()?))
        }
        Node::Not(inner) => Box::new(BooleanQuery::new(vec![
            (Occur::Must, Box::new(AllQuery)),
            (Occur::MustNot, query(fields, inner)?),
        ])),
        Node::Words { words, open } => phrase(fields, words, *open)?,
        Node::Nothing => Box::new(EmptyQuery),
        Node::Fact { field, value, open: false } => basic(fields.fact(field, value)),
        Node::Fact { field, value, open: true } => {
            let ranges = fields.facts_from(field, value).into_iter();
            let clauses = ranges.map(|range| (Occur::Should, Box::new(range) as Box<dyn Query>));
            Box::new(BooleanQuery::new(clauses.collect()))
        }
    })
}

fn phrase(fields: &Fields, words: &[String], open: bool) -> Result<Box<dyn Query>> {
    let terms = || words.iter().map(|word| fields.word(word)).collect::<Vec<_>>();
    Ok(match (words, open) {
        ([word], false) => basic(fields.word(word)),
        ([word], true) => starting(&regex_of(word), fields.words)?,
        (_, false) => Box::new(PhraseQuery::new(terms())),
        (_, true) => {
            let mut query = PhrasePrefixQuery::new(terms());
            query.set_max_expansions(EXPANSIONS_MAX);
            Box::new(query)
        }
    })
}

fn basic(term: tantivy::Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

/// Terms that begin with a pattern.
fn starting(pattern: &str, field: tantivy::schema::Field) -> Result<Box<dyn Query>> {
    let query = RegexQuery::from_pattern(&format!("{pattern}(.|\n)*"), field).map_err(unreadable)?;
    Ok(Box::new(query))
}

/// No query of ours is known to cause this; in any case, it is not damage of the index.
fn unreadable(error: tantivy::TantivyError) -> Error {
    Error::invalid(format!("search: the index cannot run this query: {error}"))
}

/// A pattern that matches only this text.
fn regex_of(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() && !c.is_ascii_alphanumeric() {
            pattern.push_str(&format!("\\x{:02x}", u32::from(c)));
        } else {
            pattern.push(c);
        }
    }
    pattern
}
