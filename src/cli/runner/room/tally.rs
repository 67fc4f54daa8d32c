//! Reads the token counts in a model's answer while it passes: a JSON document, or a stream of events with one in
//! each.

use hyper::StatusCode;

/// The names of the counts. The highest value of each in an answer is used, because streams repeat them.
const COUNTS: [(&str, usize); 7] = [
    ("input_tokens", 0),
    ("prompt_tokens", 0),
    ("output_tokens", 1),
    ("completion_tokens", 1),
    ("cache_creation_input_tokens", 2),
    ("cache_read_input_tokens", 3),
    ("total_tokens", TOTAL),
];
/// The index of the total, which is used if the answer has no other.
const TOTAL: usize = 4;
/// The highest plausible number of tokens of an answer.
const TOKENS_MAX: f64 = 1e8;
/// LiteLLM's error type for an exhausted budget.
const OVER: &str = "budget_exceeded";
/// The depth of nested objects that is searched.
const LEVELS: usize = 3;
/// Bytes kept of a name or a value.
const WORD_MAX: usize = 40;

/// The state of reading an answer.
#[derive(Debug, Default)]
pub(super) struct Tally {
    most: [u64; 5],
    is_error: bool,
    is_over_budget: bool,
    is_background: bool,
    /// The names of the enclosing objects, and their depth.
    names: [String; LEVELS],
    depth: usize,
    /// Within a string; after a backslash.
    is_string: bool,
    is_escaped: bool,
    /// The current string or other value.
    word: Vec<u8>,
    has_string: bool,
    /// The last byte ended a line.
    is_line: bool,
}

impl Tally {
    pub(super) fn new(status: StatusCode) -> Self {
        Self { is_error: status.is_client_error() || status.is_server_error(), ..Self::default() }
    }

    pub(super) fn read(&mut self, piece: &[u8]) {
        piece.iter().for_each(|byte| self.next(*byte));
    }

    /// Marks the end of the answer.
    pub(super) fn end(&mut self) {
        self.value();
    }

    pub(super) fn tokens(&self) -> u64 {
        let sum = self.most[..TOTAL].iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
        if sum > 0 { sum } else { self.most[TOTAL] }
    }

    pub(super) fn is_over_budget(&self) -> bool {
        self.is_over_budget
    }

    /// Whether the model continues after this answer.
    pub(super) fn is_background(&self) -> bool {
        self.is_background
    }

    fn next(&mut self, byte: u8) {
        if self.is_string {
            return self.next_of_string(byte);
        }
        match byte {
            b'\n' if std::mem::replace(&mut self.is_line, true) => self.depth = 0,
            b'\n' | b'\r' | b' ' | b'\t' => return,
            b'"' => {
                self.word.clear();
                self.is_string = true;
            }
            b':' => self.name(),
            b',' => self.value(),
            b'{' | b'[' => {
                self.clear();
                if let Some(name) = self.names.get_mut(self.depth) {
                    // Members of an array have no name that matters.
                    *name = if byte == b'[' { "[".to_owned() } else { String::new() };
                }
                self.depth += 1;
            }
            b'}' | b']' => {
                self.value();
                self.depth = self.depth.saturating_sub(1);
            }
            byte if self.word.len() < WORD_MAX => self.word.push(byte),
            _ => {}
        }
        self.is_line = false;
    }

    fn next_of_string(&mut self, byte: u8) {
        match byte {
            // A JSON string never contains a line break.
            b'\n' => (self.is_string, self.is_escaped, self.is_line) = (false, false, true),
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = true,
            b'"' => (self.is_string, self.has_string) = (false, true),
            byte if self.word.len() < WORD_MAX => self.word.push(byte),
            _ => {}
        }
    }

    fn clear(&mut self) {
        self.word.clear();
        self.has_string = false;
    }

    /// Uses what was read as a name.
    fn name(&mut self) {
        if self.has_string
            && let Some(name) = self.depth.checked_sub(1).and_then(|at| self.names.get_mut(at))
        {
            *name = String::from_utf8_lossy(&self.word).into_owned();
        }
        self.clear();
    }

    /// Uses what was read as a value.
    fn value(&mut self) {
        let word = String::from_utf8_lossy(&self.word).into_owned();
        let names: Vec<&str> = self.names.iter().take(self.depth).map(String::as_str).collect();
        match names[..] {
            _ if self.depth > LEVELS || word.is_empty() => {}
            ["usage", name] | ["message" | "response", "usage", name] if !self.has_string => {
                let kind = COUNTS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
                let count = word.parse::<f64>().ok().filter(|count| (0.0..=TOKENS_MAX).contains(count));
                if let (Some(kind), Some(count)) = (kind, count) {
                    self.most[kind] = self.most[kind].max(count.ceil() as u64);
                }
            }
            ["error", "type"] if self.has_string => self.is_over_budget |= self.is_error && word == OVER,
            ["background"] | ["response", "background"] if !self.has_string => {
                self.is_background |= word == "true";
            }
            _ => {}
        }
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(answer: &str, piece: usize) -> Tally {
        let mut tally = Tally::new(StatusCode::OK);
        answer.as_bytes().chunks(piece).for_each(|piece| tally.read(piece));
        tally.end();
        tally
    }

    fn tokens(answer: &str) -> u64 {
        let whole = tally(answer, usize::MAX).tokens();
        for piece in [1, 2, 3, 7, 64] {
            assert_eq!(tally(answer, piece).tokens(), whole, "{piece}: {answer}");
        }
        whole
    }

    #[test]
    fn tokens_are_counted_in_every_form_of_answer() {
        let openai = r#"{"choices":[{"message":{"content":"I say \"input_tokens\":99"}}],
            "usage": {"prompt_tokens": 120, "completion_tokens" : 30, "total_tokens": 150,
                "completion_tokens_details": {"output_tokens": 900}}}"#;
        assert_eq!(tokens(openai), 150);
        let anthropic = concat!(
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":25,",
            "\"cache_creation_input_tokens\":7,\"cache_read_input_tokens\":1000,\"output_tokens\":1}}}\n\n",
            "event: content_block_delta\ndata: {\"delta\":{\"text\":\"broken off\n\n",
            "event: message_delta\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":15}}\n\n"
        );
        assert_eq!(tokens(anthropic), 25 + 7 + 1000 + 15);
        let responses = "data: {\"type\":\"response.completed\",\"response\":{\"usage\":{\"input_tokens\":4,\"output_tokens\":3}}}\n\n";
        assert_eq!(tokens(responses), 7);
        assert_eq!(tokens(r#"{"usage":{"total_tokens":70}}"#), 70);
        assert_eq!(tokens(r#"{"usage":{"prompt_tokens":9.5e2,"completion_tokens":1e3}}"#), 1950);
    }

    #[test]
    fn other_numbers_in_an_answer_are_ignored() {
        for answer in [
            "",
            r#"{"usage":{"prompt_tokens":"#,
            r#"{"usage":{"prompt_tokens":-5}}"#,
            r#"{"usage":{"prompt_tokens":"12"}}"#,
            r#"{"usage":{"prompt_tokens":1e300}}"#,
            r#"{"usage":null}"#,
            // The arguments of a tool call are written by the model.
            r#"{"content":[{"type":"tool_use","input":{"usage":{"input_tokens":999}}}]}"#,
            r#"{"content":[{"usage":{"input_tokens":999}}]}"#,
            r#"{"input":{"input_tokens":999}}"#,
            r#"{"a":{"b":{"usage":{"input_tokens":999}}}}"#,
        ] {
            assert_eq!(tokens(answer), 0, "{answer}");
        }
    }

    #[test]
    fn background_work_and_exhausted_budgets_are_noticed() {
        assert!(tally(r#"{"id":"x","background": true,"usage":null}"#, 3).is_background());
        assert!(
            !tally(r#"{"output":[{"arguments":{"background":true}}],"background":false}"#, 3).is_background()
        );
        let over = r#"{"error":{"message":"Budget has been exceeded!","type":"budget_exceeded"}}"#;
        assert!(!tally(over, 5).is_over_budget(), "an answer may say so");
        let mut refused = Tally::new(StatusCode::BAD_REQUEST);
        refused.read(over.as_bytes());
        assert!(refused.is_over_budget());
    }
}
