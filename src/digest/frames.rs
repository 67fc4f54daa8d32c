//! Frames as they are stored and shown: the position in the stack, and the original one from the source map.

use crate::event::accepted::{Accepted, Exception, SentFrame};
use crate::event::frame::Frame;
use crate::symbolication::stack::{self, FrameKind};

/// Bytes of source lines kept for an event's frames, nearest to the throw first: with 250 frames in long
/// lines they could be a hundred times as large as the stack.
pub const CONTEXT_BYTES: usize = 256 << 10;

/// A hash of everything that an event's frames are made of; `None` if frames were sent.
pub fn text_hash(event: &Accepted<'_>) -> Option<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    for image in &event.debug_images {
        hasher.update(&image.debug_id.0);
        hasher.update(&(image.code_file.len() as u64).to_le_bytes());
        hasher.update(image.code_file.as_bytes());
    }
    let mut next = event.exception.as_ref();
    while let Some(exception) = next {
        if !exception.frames.is_empty() {
            return None;
        }
        let text = exception.stack.as_deref();
        let text = text.map(|text| stack::split(text, exception.message.as_deref()));
        for part in [text.map(|text| text.before), text.map(|text| text.after)] {
            // The length prefix distinguishes two texts from one.
            hasher.update(&part.map_or(u64::MAX, |part| part.len() as u64).to_le_bytes());
            hasher.update(part.unwrap_or_default().as_bytes());
        }
        next = exception.cause.as_deref();
    }
    Some(hasher.finalize().into())
}

/// The frames of an exception.
#[derive(Default)]
pub struct ParsedFrames {
    /// Throw first: the frames that were sent, else those of the stack text.
    pub frames: Vec<Frame>,
    /// The platform, recognized by the notation of the text.
    pub platform: Option<&'static str>,
    /// Whether the text has more frames than are kept.
    pub cut: bool,
    /// The number of frames that the text omits: they are at the end of the exception that this one led to.
    pub common: usize,
}

/// The frames of an exception.
pub fn of(exception: &Exception<'_>) -> ParsedFrames {
    if !exception.frames.is_empty() {
        return ParsedFrames {
            frames: exception.frames.iter().map(sent).collect(),
            ..ParsedFrames::default()
        };
    }
    let Some(text) = exception.stack.as_deref() else { return ParsedFrames::default() };
    let parsed = stack::parse_with_message(text, exception.message.as_deref());
    let javascript = parsed.platform.is_javascript();
    let frames = parsed.frames.iter().map(|frame| from_text(frame, javascript)).collect();
    let platform = match parsed.platform {
        stack::Flavor::Unknown => None,
        _ if javascript => Some("javascript"),
        other => Some(other.as_str()),
    };
    ParsedFrames { frames, platform, cut: parsed.cut, common: parsed.common }
}

fn from_text(frame: &stack::Frame<'_>, javascript: bool) -> Frame {
    let position = !matches!(frame.kind, FrameKind::Native | FrameKind::Wasm);
    // Bytecode offsets are counted from 0, columns of maps from 1.
    let column = match frame.kind {
        FrameKind::Bytecode => frame.column.map(|column| column.saturating_add(1)),
        _ => frame.column,
    };
    Frame {
        function: frame.function.map(str::to_owned),
        url: frame.url.map(str::to_owned),
        line: frame.line,
        column,
        in_app: frame.in_app,
        mappable: javascript && position && frame.line.is_some() && frame.url.is_some_and(is_script),
        context_line: frame.context_line.map(str::to_owned),
        ..Frame::default()
    }
}

fn sent(frame: &SentFrame<'_>) -> Frame {
    let own = |text: &std::borrow::Cow<'_, str>| text.clone().into_owned();
    let guess = || stack::in_app(frame.url.as_deref(), frame.function.as_deref());
    Frame {
        function: frame.function.as_ref().map(own),
        url: frame.url.as_ref().or(frame.module.as_ref()).map(own),
        line: frame.line,
        column: frame.column,
        in_app: frame.in_app.unwrap_or_else(guess),
        // Only JavaScript has columns and needs maps.
        mappable: frame.line.is_some()
            && frame.column.is_some()
            && frame.url.as_deref().is_some_and(is_script),
        debug_id: None,
        resolved: None,
        pre_context: frame.pre_context.iter().map(own).collect(),
        context_line: frame.context_line.as_ref().map(own),
        post_context: frame.post_context.iter().map(own).collect(),
    }
}

/// Whether the address could be a script with a source map.
fn is_script(url: &str) -> bool {
    const NEVER: [&str; 12] = [
        "node:",
        "internal/",
        "native",
        "<",
        "[",
        "data:",
        "blob:",
        "wasm:",
        "webpack-internal:",
        "chrome-extension:",
        "moz-extension:",
        "safari-",
    ];
    !url.is_empty() && !NEVER.iter().any(|prefix| url.starts_with(prefix)) && !is_of_another_language(url)
}

/// Whether the address has the extension of a source file that is run as written.
fn is_of_another_language(url: &str) -> bool {
    const ENDINGS: [&str; 14] =
        ["py", "pyc", "rb", "php", "java", "kt", "scala", "go", "rs", "cs", "swift", "ex", "exs", "clj"];
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    bare.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}
