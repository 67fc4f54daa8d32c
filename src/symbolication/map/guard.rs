//! Keeps a hostile source text from overflowing the stack, which would end the process.
//!
//! The parser recurses once for each nested construct (`((((`, `!!!!`, `a=>a=>`, `if(a)if(a)`) and has no
//! limit of its own. Whether brackets are balanced cannot be determined without parsing (a `/` may start a
//! regular expression, a `'` may be part of JSX text), so [`stack_need`] assumes that nothing is ever closed:
//! an upper bound that costs ordinary sources nothing, because reserved stack takes memory only when it is
//! touched.

/// Without optimization the parser's frames are this many times as large (measured: up to 8).
const SLOWDOWN: usize = if cfg!(debug_assertions) { 10 } else { 1 };
/// Stack for the level that one of [`WORDS`] opens, in bytes. These weights are upper bounds over
/// every construct of `tests/guard.rs`, measured there with oxc 0.146; the test fails when a new
/// version needs more.
const WORD: usize = 1500;

/// Words followed by an expression, a statement or a type that may begin with the same word again.
const WORDS: [&str; 22] = [
    "async", "asserts", "await", "case", "class", "delete", "do", "else", "extends", "for", "if", "import",
    "infer", "is", "keyof", "new", "readonly", "typeof", "unique", "void", "while", "yield",
];

/// More stack than parsing `text` can take, in bytes.
pub(super) fn stack_need(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut need = 0;
    let mut word_start = None;
    for (at, &byte) in bytes.iter().enumerate() {
        let weight = WEIGHTS[byte as usize];
        if weight == IN_WORD {
            word_start = word_start.or(Some(at));
            continue;
        }
        need += weight as usize;
        if let Some(start) = word_start.take()
            && is_prefix_word(&bytes[start..at])
        {
            need += WORD;
        }
    }
    need.saturating_mul(SLOWDOWN)
}

fn is_prefix_word(word: &[u8]) -> bool {
    (2..=8).contains(&word.len()) && WORDS.iter().any(|known| known.as_bytes() == word)
}

/// Marks the bytes that make up words.
const IN_WORD: u16 = u16::MAX;
/// Stack that each byte may cost, in bytes.
const WEIGHTS: [u16; 256] = weights();

/// Zero for what closes (`)`, `]`, `}`, `>`), separates (`,`, `;`, `.`), or is parsed in a loop (`&`, `|`,
/// `/`, `%`, `^`, quotes); any other punctuation can open another level.
const fn weights() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80.. => IN_WORD,
            b'(' | b'[' | b'{' | b'<' => 2400,
            b'=' => 1200,
            b'?' => 1000,
            b':' => 700,
            b'!' | b'~' | b'+' | b'-' | b'*' | b'@' => 500,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// Measures how deep a walk over a syntax tree has gone: left-leaning trees (`a.b.c…`, `a+b+c…`) are parsed
/// in a loop but walked by recursion.
pub(super) struct Depth {
    base: usize,
    limit: usize,
}

impl Depth {
    /// Counts from the caller's frame; `limit` in bytes.
    pub(super) fn here(limit: usize) -> Self {
        Self { base: stack_address(), limit }
    }

    /// Whether more than the limit is in use.
    #[inline]
    pub(super) fn exceeded(&self) -> bool {
        self.base.abs_diff(stack_address()) > self.limit
    }
}

#[inline(always)]
fn stack_address() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}
