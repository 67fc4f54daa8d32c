//! Files of `NAME=value` lines, read the way systemd's `EnvironmentFile=` and Docker's `--env-file` read
//! simple ones: values are literal. Nothing is expanded, and `#` starts a comment only at the beginning of a
//! line.

use std::fmt;
use std::path::Path;

/// What is wrong with a file. It does not quote the file, whose text may be secret.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("line {line}: expected NAME=value, got {got}")]
    Line { line: usize, got: Malformed },
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Malformed {
    NoAssignment,
    NoName,
    NotText,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoAssignment => "no `=`",
            Self::NoName => "a name with characters other than letters, digits and `_`",
            Self::NotText => "bytes that are not UTF-8",
        })
    }
}

/// The assignments of a file, in order; if a name occurs twice, the last one counts.
pub(super) fn read(path: &Path) -> Result<Vec<(String, String)>, Fault> {
    parse(&std::fs::read(path)?)
}

/// The same of its text.
pub(super) fn parse(file: &[u8]) -> Result<Vec<(String, String)>, Fault> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let mut pairs = Vec::new();
    for (number, line) in file.split(|byte| *byte == b'\n').enumerate() {
        let fault = |got| Fault::Line { line: number + 1, got };
        let line = std::str::from_utf8(line).map_err(|_| fault(Malformed::NotText))?.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, value) = line.split_once('=').ok_or_else(|| fault(Malformed::NoAssignment))?;
        let name = name.trim_end();
        if !is_name(name) {
            return Err(fault(Malformed::NoName));
        }
        pairs.push((name.to_owned(), unquoted(value.trim_start()).to_owned()));
    }
    Ok(pairs)
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Without one pair of surrounding quotes.
fn unquoted(value: &str) -> &str {
    let inner = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(value)
}

#[cfg(test)]
mod tests;
