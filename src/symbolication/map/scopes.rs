//! The function scopes of one source, as boundaries for a binary search.

use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use oxc_allocator::Allocator;
use oxc_ast_visit::Visit;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;

use super::budget::Budget;
use super::format::NONE;
use super::guard::stack_need;
use super::lines::Positions;
use super::names::{Function, Namer};
use super::strings::Strings;

/// Stack kept free for the frames around the parser, in bytes.
const STACK_MARGIN: usize = 2 << 20;

/// Stack to run [`ScopeFinder::find`] on, in bytes.
pub(super) fn stack_size(budget: &Budget) -> usize {
    budget.scope_stack_bytes.saturating_add(2 * STACK_MARGIN)
}

/// Parses sources one after another in one arena.
#[derive(Default)]
pub(super) struct ScopeFinder {
    arena: Allocator,
    /// Sum of [`stack_need`] so far.
    total_need: usize,
}

/// The functions of one source.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scopes {
    /// Encoded boundaries: line, column (0-based, UTF-16), name, u32 each, ascending.
    pub(super) bytes: Vec<u8>,
    pub(super) functions: usize,
}

impl ScopeFinder {
    /// The scopes of `text`. `None` if it is not a script, is over the budget, or does not parse. Must run on
    /// a thread with [`stack_size`].
    pub(super) fn find(
        &mut self,
        file: &str,
        text: &str,
        strings: &mut Strings,
        budget: &Budget,
    ) -> Option<Scopes> {
        if text.is_empty() || text.len() > budget.scope_source_bytes {
            return None;
        }
        let need = stack_need(text);
        self.total_need = self.total_need.saturating_add(need);
        if need > budget.scope_stack_bytes || self.total_need > budget.scope_total_stack_bytes {
            return None;
        }
        if budget.scope_time.left().is_zero() {
            return None;
        }
        let start = Instant::now();
        let functions = self.parse(file, text, strings, budget);
        budget.scope_time.spend(start.elapsed());
        let functions = functions?;
        Some(Scopes { functions: functions.len(), bytes: encode(functions, text) })
    }

    /// In the first language that fits.
    fn parse(
        &mut self,
        file: &str,
        text: &str,
        strings: &mut Strings,
        budget: &Budget,
    ) -> Option<Vec<Function>> {
        kinds(file).iter().find_map(|&(kind, strict)| {
            self.arena.reset();
            let arena = &self.arena;
            // The parser is not ours: if it panics, this source gets no names.
            let run = || functions(arena, text, kind, strict, strings, budget);
            catch_unwind(AssertUnwindSafe(run)).ok().flatten()
        })
    }
}

/// The languages to try, in order, and whether syntax errors rule one out.
fn kinds(file: &str) -> &'static [(SourceType, bool)] {
    const TS: SourceType = SourceType::ts();
    const TSX: SourceType = SourceType::tsx();
    const JSX: SourceType = SourceType::jsx().with_unambiguous(true);
    let path = file.split(['?', '#']).next().unwrap_or(file);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "ts" | "mts" | "cts" => &[(TS, false)],
        "tsx" => &[(TSX, false)],
        // Some code bases keep Flow's or TypeScript's types in `.js`.
        "js" | "jsx" | "mjs" | "cjs" | "es6" | "" => &[(JSX, true), (TSX, true), (JSX, false)],
        "css" | "scss" | "sass" | "less" | "styl" | "json" | "html" | "svg" | "md" | "mdx" | "txt"
        | "graphql" | "gql" | "wasm" | "glsl" | "hbs" | "pug" => &[],
        // `.vue`, `.svelte`: the map may contain only the script part.
        _ => &[(TS, true)],
    }
}

fn functions(
    arena: &Allocator,
    text: &str,
    kind: SourceType,
    strict: bool,
    strings: &mut Strings,
    budget: &Budget,
) -> Option<Vec<Function>> {
    let options = ParseOptions {
        allow_return_outside_function: true,
        preserve_parens: false,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(arena, text, kind).with_options(options).parse();
    if parsed.panicked || (strict && !parsed.diagnostics.is_empty()) {
        return None;
    }
    let mut namer = Namer::new(strings, budget.scope_stack_bytes);
    namer.visit_program(&parsed.program);
    Some(namer.functions)
}

/// Turns nested extents into boundaries: from each boundary on, its name applies.
fn encode(mut functions: Vec<Function>, text: &str) -> Vec<u8> {
    // Stable, so that of two with the same extent the outer stays first.
    functions.sort_by_key(|function| (function.start, Reverse(function.end)));
    let mut boundaries: Vec<(u32, u32)> = Vec::with_capacity(functions.len() * 2);
    let mut open: Vec<Function> = Vec::new();
    for function in functions {
        close(&mut open, &mut boundaries, function.start);
        mark(&mut boundaries, function.start, function.name);
        open.push(function);
    }
    close(&mut open, &mut boundaries, u32::MAX);
    let mut positions = Positions::new(text);
    let mut bytes = Vec::with_capacity(boundaries.len() * super::format::SCOPE_ENTRY);
    for (offset, name) in boundaries {
        let (line, column) = positions.at(offset);
        for value in [line, column, name] {
            bytes.extend_from_slice(&value.to_le_bytes());
        }
    }
    bytes
}

/// Closes functions that end at or before `offset`; the name of the enclosing function applies again.
fn close(open: &mut Vec<Function>, boundaries: &mut Vec<(u32, u32)>, offset: u32) {
    while let Some(inner) = open.pop_if(|function| function.end <= offset) {
        mark(boundaries, inner.end, open.last().map_or(NONE, |outer| outer.name));
    }
}

fn mark(boundaries: &mut Vec<(u32, u32)>, offset: u32, name: u32) {
    match boundaries.last_mut() {
        Some(last) if last.0 >= offset => last.1 = name,
        _ => boundaries.push((offset, name)),
    }
}
