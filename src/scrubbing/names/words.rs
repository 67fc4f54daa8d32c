//! What the words of a name make of `token` and `secret` in it: `max_new_tokens` counts, `admin_tokens` are secrets.
//!
//! Only names with such a part get here, so that most names cost nothing.

/// Words anywhere in a name that make its `tokens` a count.
const QUANTITIES: [&str; 8] = ["max", "maximum", "min", "minimum", "num", "total", "count", "budget"];
/// Words directly before `tokens` that make it a count: language models are paid by them.
const COUNTED: [&str; 18] = [
    "prompt",
    "completion",
    "input",
    "output",
    "cached",
    "reasoning",
    "thinking",
    "prediction",
    "text",
    "image",
    "audio",
    "video",
    "remaining",
    "billed",
    "billable",
    "n",
    "nb",
    "avg",
];
/// The same where the words are not kept apart (`maxtokens`). None may be the end of another word: `min` is that of
/// `admin`, and `used` that of `unused`.
const COUNTED_JOINED: [&str; 14] = [
    "max",
    "total",
    "prompt",
    "completion",
    "input",
    "output",
    "cached",
    "reasoning",
    "thinking",
    "prediction",
    "audio",
    "budget",
    "remaining",
    "billed",
];
/// Words directly after `tokens` that make it a count.
const COUNTING: [&str; 8] = ["in", "out", "left", "used", "per", "remaining", "consumed", "spent"];
/// Words directly after `token` or `tokens` that measure it.
const MEASURES: [&str; 13] = [
    "count", "counts", "counter", "limit", "limits", "limiter", "budget", "budgets", "usage", "length",
    "lengths", "size", "sizes",
];
/// What follows `token` in a word that counts them or cuts texts into them: `tokenizer`, `tokencount`.
const ENDS_JOINED: [&str; 12] = [
    "count",
    "limit",
    "budget",
    "usage",
    "length",
    "size",
    "sused",
    "sper",
    "sremaining",
    "ize",
    "ization",
    "ise",
];
/// Words directly before `token` that make it one of a language model's vocabulary: `eos_token_id`.
const VOCABULARY: [&str; 7] = ["bos", "eos", "pad", "unk", "sep", "cls", "mask"];

const TOKEN: &str = "token";
const SECRET: &str = "secret";

/// What a part of a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// Nothing secret.
    Harmless,
    /// Secrets, unless the value is a number: then it counts something.
    Tokens,
    Secret,
}

/// What `token` means in a name that contains it; the least harmless if it is there more than once.
pub(super) fn of_token(name: &str) -> Meaning {
    let counts = Words::of(name).any(|word| is_one_of(word, &QUANTITIES));
    let mut words = Words::of(name).peekable();
    let (mut before, mut meaning) = (&b""[..], None);
    while let Some(word) = words.next() {
        let after = words.peek().copied().unwrap_or_default();
        let all = places(word, TOKEN).map(|at| of_place(word, at, before, after, counts));
        meaning = meaning.max(all.max());
        before = word;
    }
    // If no word contains it, words form it together.
    meaning.unwrap_or(Meaning::Secret)
}

/// What `secret` means in a name that contains it: `secretary` is another word.
pub(super) fn of_secret(name: &str) -> Meaning {
    let mut rests =
        Words::of(name).flat_map(|word| places(word, SECRET).map(move |at| &word[at + SECRET.len()..]));
    let is_person = |rest: &[u8]| begins(rest, "ary") || begins(rest, "aria");
    // If no word contains it, words form it together.
    let first = rests.next().is_some_and(is_person);
    if first && rests.all(is_person) { Meaning::Harmless } else { Meaning::Secret }
}

/// What the `token` at `at` of a word means, between the words before and after it.
fn of_place(word: &[u8], at: usize, before: &[u8], after: &[u8], counts: bool) -> Meaning {
    let (head, rest) = (&word[..at], &word[at + TOKEN.len()..]);
    let is_plural = begins(rest, "s");
    let is_whole = rest.is_empty() || rest.eq_ignore_ascii_case(b"s");
    let is_counted = is_plural && COUNTED_JOINED.iter().any(|joined| ends(head, joined));
    if is_counted || !is_whole && ENDS_JOINED.iter().any(|joined| begins(rest, joined)) {
        return Meaning::Harmless;
    }
    if !is_whole {
        return Meaning::Secret;
    }
    let is_own_word = head.is_empty();
    let is_measured = is_one_of(after, &MEASURES) || is_own_word && is_one_of(before, &VOCABULARY);
    let is_count = counts || is_own_word && is_one_of(before, &COUNTED) || is_one_of(after, &COUNTING);
    if is_measured || is_plural && is_count {
        Meaning::Harmless
    } else if is_plural {
        Meaning::Tokens
    } else {
        Meaning::Secret
    }
}

/// Where a word contains a text, whatever its case.
fn places<'w>(word: &'w [u8], text: &'static str) -> impl Iterator<Item = usize> + 'w {
    let windows = word.windows(text.len()).enumerate();
    windows.filter(move |(_, window)| window.eq_ignore_ascii_case(text.as_bytes())).map(|(at, _)| at)
}

fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|it| word.eq_ignore_ascii_case(it.as_bytes()))
}

fn begins(text: &[u8], with: &str) -> bool {
    text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with.as_bytes()))
}

fn ends(text: &[u8], with: &str) -> bool {
    let from = text.len().checked_sub(with.len());
    from.is_some_and(|from| text[from..].eq_ignore_ascii_case(with.as_bytes()))
}

/// The words of a name, which case, digits and anything but letters keep apart: `maxTokens2_of-USER` has five.
struct Words<'n> {
    rest: &'n [u8],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
    Other,
}

impl<'n> Words<'n> {
    fn of(name: &'n str) -> Self {
        Self { rest: name.as_bytes() }
    }
}

impl<'n> Iterator for Words<'n> {
    type Item = &'n [u8];

    fn next(&mut self) -> Option<&'n [u8]> {
        let start = self.rest.iter().position(|byte| kind(*byte) != Kind::Other)?;
        let rest = &self.rest[start..];
        let run = |from: usize, of: Kind| rest[from..].iter().take_while(|byte| kind(**byte) == of).count();
        let first = kind(rest[0]);
        let same = run(0, first);
        let lower = if first == Kind::Upper { run(same, Kind::Lower) } else { 0 };
        let length = match (same, lower) {
            (_, 0) => same,
            (1, lower) => 1 + lower,
            // The last capital of `MAXTokens` begins the next word.
            (capitals, _) => capitals - 1,
        };
        let (word, left) = rest.split_at(length);
        self.rest = left;
        Some(word)
    }
}

/// Bytes of letters beyond ASCII count as lower case.
fn kind(byte: u8) -> Kind {
    match byte {
        b'A'..=b'Z' => Kind::Upper,
        b'a'..=b'z' | 128.. => Kind::Lower,
        b'0'..=b'9' => Kind::Digit,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_all(names: &str, meaning: Meaning) {
        names.split(' ').for_each(|name| assert_eq!(of_token(name), meaning, "{name}"));
    }

    #[test]
    fn names_are_split_at_case_digits_and_signs() {
        for (name, expected) in [
            ("max_new_tokens", "max new tokens"),
            ("maxNewTokens", "max New Tokens"),
            ("MAX-Tokens.per minute", "MAX Tokens per minute"),
            ("HTTPToken2x", "HTTP Token 2 x"),
            ("__tökens__", "tökens"),
            ("X", "X"),
            ("_-.", ""),
            ("", ""),
        ] {
            let words: Vec<_> = Words::of(name).map(|word| std::str::from_utf8(word).unwrap()).collect();
            assert_eq!(words.join(" "), expected, "{name}");
        }
    }

    #[test]
    fn tokens_that_are_counted_are_harmless() {
        assert_all("max_new_tokens min_tokens num_tokens text_tokens image_tokens", Meaning::Harmless);
        assert_all(
            "tokens_in tokens_left tokensUsed MAX_TOKENS maxtokens maxOutputTokens",
            Meaning::Harmless,
        );
        assert_all("llm.usage.total_tokens token_count tokenLimit tokens_per_second", Meaning::Harmless);
        assert_all("tokenizer TOKENIZERS_PARALLELISM eos_token_id padToken", Meaning::Harmless);
    }

    #[test]
    fn other_tokens_in_the_plural_are_secrets_unless_a_number_counts_them() {
        assert_all("tokens Tokens admin_tokens adminTokens unusedTokens read_tokens", Meaning::Tokens);
        assert_all("proof_tokens text_aware_tokens apitokens user[tokens] tokens_inside", Meaning::Tokens);
    }

    #[test]
    fn a_single_token_is_a_secret() {
        assert_all(
            "token access_token accessToken max_token input_token token_id id_token_hint",
            Meaning::Secret,
        );
        assert_all("to_ken token_in tokenizer_token geos_token token_country theos_token", Meaning::Secret);
    }

    #[test]
    fn a_secretary_is_no_secret() {
        for name in ["secretary", "Secretary_name", "secretariat", "SECRETARY"] {
            assert_eq!(of_secret(name), Meaning::Harmless, "{name}");
        }
        for name in ["secret", "secret_ary", "secretArray", "secretary_secret", "se_cret"] {
            assert_eq!(of_secret(name), Meaning::Secret, "{name}");
        }
    }
}
