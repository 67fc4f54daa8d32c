//! Converts an upload to a compact file, in one pass over the output.
//!
//! Not built on the `sourcemap` crate, which the tests use as the oracle: it copies every string and holds
//! every mapping (28 bytes for as few as 2 of the upload), buffers unknown fields, and does not say where a
//! mapping is wrong. Here the upload is borrowed, mappings are checked in a first pass and written in a
//! second, and one source at a time is decoded.

use std::io::Write;

use super::budget::Budget;
use super::error::MapError;
use super::flaws::Flaws;
use super::format::{HEAD, MAGIC, NONE, SECTIONS, TRAILER_LEN, Trailer, VERSION};
use super::json::{self, Part};
use super::mappings::{self, Problem, Scope};
use super::scopes::stack_size;
use super::sink::Sink;
use super::sources::SourceWriter;
use super::strings::{Strings, check};
use super::tokens::{Token, TokenWriter};

/// Encoded mappings are written out in pieces of about this many bytes.
const CHUNK: usize = 64 << 10;

/// What a conversion found in a map.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Sources named by the map.
    pub sources: u64,
    /// How many of these include their text.
    pub with_content: u64,
    /// How many of these have no function scopes: not a script, not parsable, or over the budget for one
    /// source.
    pub without_scopes: u64,
    /// Functions found in the sources.
    pub functions: u64,
    /// Mappings, not counting those replaced by another one at the same position.
    pub mappings: u64,
    /// Bytes of the compact file.
    pub bytes: u64,
    /// The mappings that are wrong and left out.
    pub flaws: Flaws,
}

/// Converts an uploaded source map to the compact form.
///
/// Runs on its own thread (parsing hostile sources needs a deep stack) and returns when that ends. `out` gets
/// large writes, so it needs no buffer; after an error its content is worthless. See [`Budget`] for the
/// memory it takes.
pub fn convert<W: Write + Send>(bytes: &[u8], budget: &Budget, out: &mut W) -> Result<Summary, MapError> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("convert-map".to_owned())
            .stack_size(stack_size(budget))
            .spawn_scoped(scope, || run(bytes, budget, out))
            .map_err(|e| MapError::Thread(format!("no thread: {e}")))?;
        match worker.join() {
            Ok(result) => result,
            Err(_) => Err(MapError::Thread("the converter panicked".to_owned())),
        }
    })
}

fn run<W: Write>(bytes: &[u8], budget: &Budget, out: &mut W) -> Result<Summary, MapError> {
    let parts = json::parts(bytes, budget)?;
    let mut strings = Strings::default();
    let scopes = scopes(&parts, &mut strings, budget)?;
    let (ordered, flaws) = check_mappings(&parts, &scopes, budget)?;

    let mut sink = Sink::new(out);
    let mut sources = SourceWriter::default();
    sink.put(HEAD)?;
    for part in &parts {
        sources.write_part(part, &mut strings, budget, &mut sink)?;
    }
    let start = sink.position();
    let mut tokens = TokenWriter::default();
    match ordered {
        true => stream_tokens(&parts, &scopes, &mut tokens, &mut sink)?,
        false => sort_tokens(&parts, &scopes, &mut tokens),
    }
    tokens.finish();
    tokens.drain(|bytes| sink.put(bytes).map(drop))?;

    let mut trailer = Trailer { version: VERSION, ..Trailer::default() };
    let sections: [_; SECTIONS] = [
        start..sink.position(),
        sink.put(&tokens.index)?,
        sink.put(&strings.bytes)?,
        sink.put(&strings.ends)?,
        sink.put(&sources.records)?,
    ];
    trailer.sections = sections;
    trailer.token_count = tokens.count;
    trailer.function_count = sources.functions as u64;
    trailer.content_count = sources.with_content as u64;
    trailer.total_len = (sink.position() + TRAILER_LEN) as u64;
    sink.put(&trailer.encode_checked_part())?;
    Ok(Summary {
        sources: sources.count as u64,
        with_content: sources.with_content as u64,
        without_scopes: sources.unparsed as u64,
        functions: sources.functions as u64,
        mappings: tokens.count,
        bytes: sink.finish(MAGIC)?,
        flaws,
    })
}

/// Numbers the sources and names of all parts, and stores the names.
fn scopes(parts: &[Part<'_>], strings: &mut Strings, budget: &Budget) -> Result<Vec<Scope>, MapError> {
    let names_len = parts.iter().filter_map(|part| part.names).map(|names| names.get().len()).sum();
    strings.bytes.reserve_exact(names_len);
    let (mut source_base, mut name_base) = (0_u32, 0_u32);
    let mut scopes = Vec::with_capacity(parts.len());
    for part in parts {
        let mut names = 0_u32;
        if let Some(list) = part.names {
            json::each(list, &format!("names{}", part.path), |name| {
                // Some tools write numbers here; such names are never looked up.
                strings.push(&json::text(name).unwrap_or_default());
                names += 1;
                check("names", budget.names, (name_base + names) as usize)
            })?;
        }
        let sources = part.sources.len() as u32;
        scopes.push(Scope { offset: part.offset, sources, names, source_base, name_base });
        source_base += sources;
        name_base += names;
    }
    Ok(scopes)
}

/// Decodes all mappings once to check for errors; returns whether they are in order, and what is wrong with some of them.
///
/// # Errors
/// If one is wrong and no other is usable.
fn check_mappings(parts: &[Part<'_>], scopes: &[Scope], budget: &Budget) -> Result<(bool, Flaws), MapError> {
    let (mut ordered, mut last, mut count, mut usable) = (true, (0, 0), 0_usize, false);
    let (mut flaws, mut first) = (Flaws::default(), None);
    let look = |token: Token| {
        ordered &= last <= token.position();
        last = token.position();
        count += 1;
        usable |= token.source != NONE;
    };
    for_each_token(parts, scopes, look, |part, problem| {
        flaws.add(&part.path, &problem);
        first.get_or_insert_with(|| problem.of(&part.path));
    });
    if !ordered {
        check("mappings out of order", budget.unordered_mappings, count)?;
    }
    match first {
        Some(first) if !usable => Err(first),
        _ => Ok((ordered, flaws)),
    }
}

fn for_each_token<'p>(
    parts: &'p [Part<'p>],
    scopes: &[Scope],
    mut emit: impl FnMut(Token),
    mut flawed: impl FnMut(&'p Part<'p>, Problem),
) {
    for (part, scope) in parts.iter().zip(scopes) {
        mappings::decode(&part.mappings, scope, &mut emit, |problem| flawed(part, problem));
    }
}

fn stream_tokens<W: Write>(
    parts: &[Part<'_>],
    scopes: &[Scope],
    tokens: &mut TokenWriter,
    sink: &mut Sink<'_, W>,
) -> Result<(), MapError> {
    let mut written = Ok(());
    let push = |token: Token| {
        tokens.push(token);
        if tokens.bytes.len() >= CHUNK && written.is_ok() {
            written = tokens.drain(|bytes| sink.put(bytes).map(drop));
        }
    };
    for_each_token(parts, scopes, push, |_, _| {});
    Ok(written?)
}

fn sort_tokens(parts: &[Part<'_>], scopes: &[Scope], tokens: &mut TokenWriter) {
    let mut all = Vec::new();
    for_each_token(parts, scopes, |token| all.push(token), |_, _| {});
    // Stable: of two at the same position the later one wins, as without sorting.
    all.sort_by_key(Token::position);
    all.into_iter().for_each(|token| tokens.push(token));
}
