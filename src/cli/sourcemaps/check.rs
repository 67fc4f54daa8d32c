//! Checks a script and its source map as the server would.

use crate::event::DebugId;
use crate::symbolication::map::{self, Budget, Map};
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use tempfile::NamedTempFile;

/// The server's default limit for a source map.
const MAP_MAX: usize = 50 << 20;
/// Lines of a script that are compared with its map, at the beginning and beyond its end.
const LINES: usize = 2_000;
const BEYOND: u32 = 200;
/// How far back from a line's end to look for a position with a source.
const SEARCHED: usize = 1 << 20;

/// A script and a map that resolve.
#[derive(Debug)]
pub(in crate::cli) struct Pair {
    /// `sha256:<hex>` of the map.
    pub(in crate::cli) content_hash: String,
    /// Bytes of the map.
    pub(in crate::cli) size: usize,
    pub(in crate::cli) sources: usize,
    pub(in crate::cli) debug_id: Option<DebugId>,
    /// A position in the script that has a source, 1-based; `None` if the script has no code.
    pub(in crate::cli) position: Option<(u32, u32)>,
    /// Problems that do not prevent resolving.
    pub(in crate::cli) warnings: Vec<String>,
}

/// Checks that the map is usable and belongs to this script.
///
/// # Errors
/// A short description of the problem.
pub(in crate::cli) fn pair(script: &str, map: &[u8]) -> Result<Pair, String> {
    if map.len() > MAP_MAX {
        return Err(format!(
            "its source map has {}, and servers take 50 MiB (SERVICE_SOURCEMAP_MAX_MB)",
            crate::text::bytes(map.len() as u64)
        ));
    }
    let mut file = NamedTempFile::new().map_err(|error| error.to_string())?;
    let converted = map::convert(map, &Budget::default(), &mut file);
    let converted = converted.map_err(|error| format!("its source map: {error}"))?;
    file.flush().map_err(|error| error.to_string())?;
    let opened = Map::open(file.path()).map_err(|error| error.to_string())?;
    let position = belongs(script, &opened)?;
    let mut warnings: Vec<String> = Some(&converted.flaws)
        .filter(|flaws| !flaws.is_empty())
        .map(|flaws| format!("its source map: {flaws}"))
        .into_iter()
        .collect();
    if position.is_none() && opened.mapping_count() == 0 {
        warnings.push("its source map has no mappings: nothing of it will resolve".to_owned());
    }
    if opened.content_count() == 0 && opened.source_count() > 0 {
        warnings.push(
            "its source map has no sourcesContent: stacks will have no source lines, and fewer function names".to_owned(),
        );
    }
    Ok(Pair {
        content_hash: content_hash(map),
        size: map.len(),
        sources: opened.source_count(),
        debug_id: map::debug_id(map),
        position,
        warnings,
    })
}

/// `sha256:<hex>`, by which servers know a content.
pub(super) fn content_hash(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// A position with a source, if the mappings stay within the script: those of another build mostly do not.
fn belongs(script: &str, map: &Map) -> Result<Option<(u32, u32)>, String> {
    let (mut position, mut count) = (None, 0_u32);
    for (line, text) in (1..).zip(script.lines()) {
        count = line;
        if line as usize > LINES {
            continue;
        }
        let columns = u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX - 1);
        let (within, all) = (map.lookup(line, columns.saturating_add(1)), map.lookup(line, u32::MAX));
        if within.map(|found| (found.source, found.line, found.column))
            != all.map(|found| (found.source, found.line, found.column))
        {
            return Err(format!(
                "its source map is of another build: it has positions beyond the end of line {line} (column {columns})"
            ));
        }
        position = position.or_else(|| last_with_source(map, line, columns));
    }
    let beyond = (count + 1..=count + BEYOND).find(|line| map.lookup(*line, u32::MAX).is_some());
    match beyond {
        // Bundlers may map the line after the last line break.
        Some(line) if line > count + 1 => Err(format!(
            "its source map is of another build: it has positions on line {line}, and the script has {count} lines"
        )),
        _ if position.is_none() && map.mapping_count() > 0 && count as usize <= LINES => {
            Err("its source map is of another build: it has nothing for any line of the script".to_owned())
        }
        _ => Ok(position),
    }
}

/// The last position on a line that has a source. Code that a bundler adds around a script, and thus at its end, has
/// none.
fn last_with_source(map: &Map, line: u32, columns: u32) -> Option<(u32, u32)> {
    let has_source = |column: &u32| map.lookup(line, *column).is_some_and(|found| !found.file.is_empty());
    (1..=columns.max(1)).rev().take(SEARCHED).find(has_source).map(|column| (line, column))
}

#[cfg(test)]
mod tests {
    use super::pair;

    const SCRIPT: &str = "function t(n){return n.price.amount}t(0);";

    fn map(mappings: &str, content: &str) -> Vec<u8> {
        format!("{{\"version\":3,\"sources\":[\"a.ts\"],\"sourcesContent\":[{content}],\"names\":[],\"mappings\":\"{mappings}\"}}")
            .into_bytes()
    }

    #[test]
    fn a_map_of_this_script_is_fine() {
        let pair = pair(SCRIPT, &map("AAAA,cAAc", "\"x\"")).unwrap();
        assert_eq!((pair.sources, pair.position), (1, Some((1, 41))));
        assert!(pair.warnings.is_empty() && pair.content_hash.starts_with("sha256:"));
    }

    #[test]
    fn the_end_of_a_script_need_not_have_a_source() {
        let ending = |mappings: &str| pair(SCRIPT, &map(mappings, "\"x\"")).unwrap().position;
        assert_eq!(ending("AAAA,cAAc,e"), Some((1, 29)));
        assert_eq!(ending("A,CAAA,C"), Some((1, 2)));
    }

    #[test]
    fn a_map_of_another_script_is_recognized() {
        let wrong = |mappings: &str| pair(SCRIPT, &map(mappings, "\"x\"")).unwrap_err();
        assert!(wrong("AAAA,g0CACA").contains("beyond the end of line 1"), "{}", wrong("AAAA,g0CACA"));
        assert!(wrong("AAAA;;;AACA").contains("on line 4"), "{}", wrong("AAAA;;;AACA"));
        assert!(wrong(";AAAA").contains("for any line"), "{}", wrong(";AAAA"));
    }

    #[test]
    fn an_unreadable_map_says_where_it_is_broken() {
        for (text, part) in [("", "not JSON"), ("{\"version\":2}", "must be 3"), ("[]", "an object")] {
            let error = pair(SCRIPT, text.as_bytes()).unwrap_err();
            assert!(error.starts_with("its source map:") && error.contains(part), "{error}");
        }
        assert!(pair(SCRIPT, &vec![b' '; 51 << 20]).unwrap_err().contains("51.0 MiB"));
    }

    #[test]
    fn minor_problems_are_warnings() {
        assert!(pair(SCRIPT, &map("AAAA", "null")).unwrap().warnings[0].contains("sourcesContent"));
        assert!(pair(SCRIPT, &map("", "\"x\"")).unwrap().warnings[0].contains("no mappings"));
    }
}
