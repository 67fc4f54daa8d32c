//! The query language of log searches.
//!
//! | written | finds entries whose message has, or that have |
//! |---|---|
//! | `disk full` | both words |
//! | `"disk full"` | these consecutive words; also `user.created`, a word of several parts |
//! | `time*`, `"timed o"*` | a word with this beginning |
//! | `a OR b`, `a \| b` | one of the two; binds tighter than the AND of spaces: `a b OR c` is `a AND (b OR c)` |
//! | `-a`, `NOT a` | not this |
//! | `(a b) OR c` | at most 16 levels |
//! | `level:error`, `level:warn,error` | a field with this value, or one of these ([`super::facts::field_of`]) |
//! | `logger:"shop db"`, `attributes.order_id:12*` | a quoted value, and any value with this beginning |
//! | `"attributes.my key":42` | an attribute whose path needs quotes |
//!
//! A query of signs alone (`->`, `!=`) finds entries in which they stand alone; one sign of ASCII cannot be searched for, and
//! finds nothing.
//!
//! Text that is not valid as a query is searched for as words, so that a pasted line finds itself: keys that
//! are not fields, unbalanced brackets and quotes, operators without words, a leading wildcard. Case is
//! ignored, except for operators.

mod matches;
mod parse;
mod tokens;

pub use matches::{highlights, matches};
pub use parse::parse;

/// The longest query, in characters.
pub const QUERY_MAX: usize = 2_000;
/// The most words, phrases and fields of a query.
pub const TERMS_MAX: usize = 100;
/// The deepest nesting of brackets; deeper ones are ignored.
pub const DEPTH_MAX: usize = 16;

/// A condition. Lists have at least two parts, phrases at least one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// Consecutive words of the message, as produced by [`super::words`].
    Words {
        words: Vec<String>,
        /// Whether the last one is only the beginning of a word.
        open: bool,
    },
    /// Nothing meets it: a query of signs that cannot be searched for.
    Nothing,
    /// A fact, as produced by [`super::facts`].
    Fact {
        field: String,
        value: String,
        /// Whether the value is only the beginning of one; even then it is not empty.
        open: bool,
    },
}

#[cfg(test)]
mod tests;
