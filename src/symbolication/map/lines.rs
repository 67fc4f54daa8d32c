//! Lines of a source text and UTF-16 columns in them.

/// Byte offsets at which the lines of `text` start: always 0 first, then after each `\n`, `\r\n`
/// or lone `\r`. A text that ends with a line end has an empty last line.
pub(super) fn line_starts(text: &str) -> impl Iterator<Item = u32> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::once(0).chain(std::iter::from_fn(move || {
        let end = at + bytes[at..].iter().position(|&byte| byte == b'\n' || byte == b'\r')?;
        let crlf = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
        at = end + 1 + usize::from(crlf);
        Some(at as u32)
    }))
}

/// Turns ascending byte offsets into 0-based (line, UTF-16 column), in one pass over the text.
pub(super) struct Positions<'a> {
    text: &'a str,
    ascii: bool,
    starts: Vec<u32>,
    line: usize,
    /// The last offset and column returned, both on `line`.
    last: (usize, u32),
}

impl<'a> Positions<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let starts = line_starts(text).collect();
        Self { text, ascii: text.is_ascii(), starts, line: 0, last: (0, 0) }
    }

    /// `offset` must not be smaller than the one before; an offset past the end counts as the end.
    pub(super) fn at(&mut self, offset: u32) -> (u32, u32) {
        let before = self.line;
        while self.starts.get(self.line + 1).is_some_and(|&start| start <= offset) {
            self.line += 1;
        }
        if self.line != before {
            self.last = (self.starts[self.line] as usize, 0);
        }
        let (from, column) = self.last;
        let to = (offset as usize).min(self.text.len()).max(from);
        let units = match self.ascii {
            true => to - from,
            false => self.text.get(from..to).map_or(0, |text| text.encode_utf16().count()),
        };
        self.last = (to, column + units as u32);
        (self.line as u32, self.last.1)
    }
}
