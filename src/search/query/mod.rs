//! The language that logs are searched in.
//!
//! | written | finds entries whose message has, or that have |
//! |---|---|
//! | `disk full` | both words |
//! | `"disk full"` | the words one behind the other; also `user.created`, a word of several parts |
//! | `time*`, `"timed o"*` | a word that begins so |
//! | `a OR b`, `a \| b` | one of the two; binds tighter than the AND of spaces: `a b OR c` is `a AND (b OR c)` |
//! | `-a`, `NOT a` | not |
//! | `(a b) OR c` | at most 16 levels |
//! | `level:error`, `level:warn,error` | a field with this value, or one of these ([`super::facts::field_of`]) |
//! | `logger:"shop db"`, `attributes.order_id:12*` | quoted, and any that begins so |
//! | `"attributes.my key":42` | an attribute whose path needs quotes |
//!
//! What is no query is searched as words, so that a pasted line finds itself: keys that are no fields, brackets
//! and quotes without their other half, operators without words, a wildcard at the front. Case never counts, but
//! for the operators.

mod matches;
mod parse;
mod tokens;

pub use matches::{highlights, matches};
pub use parse::parse;

/// Characters of a query.
pub const QUERY_MAX: usize = 2_000;
/// Words, phrases and fields of a query.
pub const TERMS_MAX: usize = 100;
/// Levels of brackets; those inside of these are passed over.
pub const DEPTH_MAX: usize = 16;

/// A condition. Lists have at least two parts, phrases at least one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    /// Words of the message, one behind the other, as [`super::words`] gives them.
    Words {
        words: Vec<String>,
        /// The last one is only the beginning of a word.
        open: bool,
    },
    /// A fact, as [`super::facts`] gives it.
    Fact {
        field: String,
        value: String,
        /// The value is only the beginning of one. Then, too, it is not empty.
        open: bool,
    },
}

#[cfg(test)]
mod tests;
