//! Stack text to frames.
//!
//! A pure step of the digest: text in, frames out, no store and no clock. Every frame borrows from
//! the text. Browsers and servers write stacks in seventeen notations; [`parse`] finds out which one a
//! text uses (the first recognized line decides) and reads the whole text in that one notation.
//!
//! What the result promises:
//!
//! * **Throw first.** Frames stand in the order of the stack text, which for all but two notations has the
//!   throwing function at the top. Python and the numbered form of Ruby print it last; their frames are
//!   reversed, so that `frames[0]` is the throwing one in every notation.
//! * **One exception.** Only the frames of the exception itself are returned: Java's `Caused by:`, the
//!   tracebacks Python prints before "the above exception", and the other goroutines of Go do not belong to
//!   it. [`causes`] finds those that led to it.
//! * **As sent.** Function, url, line and column are those of the text. Only markers of the notation are
//!   removed (`async `, `address at `, ` line 3 > eval`); tidying names is up to grouping.
//! * **Inside.** A frame's place is inside its function, in PHP, too, which prints a function where it was called.
//! * **With its source.** What a text prints of the source stays with its frame.
//! * **Bounded.** At most [`MAX_FRAMES`] frames, the innermost; [`MAX_LINES`] lines; names and
//!   addresses cut at [`MAX_FUNCTION`] and [`MAX_URL`] bytes. Time is linear in the text, whatever
//!   it holds, and no text makes it panic.
//! * **Honest.** Text in no known notation gives [`Flavor::Unknown`] and no frames.

mod cause;
mod causes;
mod dart;
mod detect;
mod dotnet;
mod elixir;
mod frameworks;
mod go;
mod header;
mod hermes;
mod in_app;
mod java;
mod javascriptcore;
mod line;
mod location;
mod lua;
mod message;
mod native;
mod node;
mod paths;
mod perl;
mod php;
mod python;
mod ruby;
mod rust;
mod spidermonkey;
mod swift;
mod v8;

#[cfg(test)]
mod tests;

pub use cause::Cause;
pub use causes::causes;
pub use in_app::{in_app, in_app_of_version_1};
pub use java::is_root_first;
pub use message::{Text, split};

/// Most frames kept of one stack: those nearest the throw. Deeper ones are nearly always the same
/// recursion again.
pub const MAX_FRAMES: usize = 250;

/// Frames that are read; one more than is kept shows that some were cut.
const READ_FRAMES: usize = MAX_FRAMES + 1;

/// The most lines of a text that are read, from its top (in Python from the last traceback on).
pub const MAX_LINES: usize = 10_000;

/// Longest function name kept, in bytes; the rest is cut off.
pub const MAX_FUNCTION: usize = 1024;

/// Longest address kept, in bytes; the rest is cut off. `data:` addresses end at their comma.
pub const MAX_URL: usize = 2048;

/// Longest line of source kept, in characters; the rest is cut off.
pub const MAX_SOURCE: usize = 512;

/// The notation a stack is written in, named after the engine or language that prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flavor {
    /// Chrome, Edge, Node, Deno, Electron.
    V8,
    /// Firefox.
    SpiderMonkey,
    /// Safari, Bun, WebKit views.
    JavaScriptCore,
    /// React Native.
    Hermes,
    /// CPython and what copies its traceback.
    Python,
    /// Ruby, both the plain and the numbered, reversed form.
    Ruby,
    /// Java, Kotlin, Scala and others on the JVM.
    Java,
    /// The first goroutine of a Go dump.
    Go,
    /// A backtrace of Rust's standard library (also by `anyhow` and `eyre`), or the place of a panic.
    Rust,
    /// PHP, in the form of `Throwable` and of `error_log`.
    Php,
    /// C# and others on .NET and Mono.
    DotNet,
    /// Swift's own backtraces, and those of Apple's systems.
    Swift,
    /// Dart, as its own machine prints it.
    Dart,
    /// Elixir and Erlang.
    Elixir,
    /// C, C++ and Kotlin compiled to machine code, of sanitizers, debuggers and run-times.
    Native,
    /// Perl's Carp.
    Perl,
    /// Lua.
    Lua,
    /// None of these; no frames.
    Unknown,
}

impl Flavor {
    /// The name stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V8 => "v8",
            Self::SpiderMonkey => "spidermonkey",
            Self::JavaScriptCore => "javascriptcore",
            Self::Hermes => "hermes",
            Self::Python => "python",
            Self::Ruby => "ruby",
            Self::Java => "java",
            Self::Go => "go",
            Self::Rust => "rust",
            Self::Php => "php",
            Self::DotNet => "csharp",
            Self::Swift => "swift",
            Self::Dart => "dart",
            Self::Elixir => "elixir",
            Self::Native => "native",
            Self::Perl => "perl",
            Self::Lua => "lua",
            Self::Unknown => "unknown",
        }
    }

    /// Whether frames of this notation can be resolved through JavaScript source maps.
    pub fn is_javascript(self) -> bool {
        matches!(self, Self::V8 | Self::SpiderMonkey | Self::JavaScriptCore | Self::Hermes)
    }
}

/// What the position of a frame means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameKind {
    /// Line and column of a source or script, both counted from 1.
    Script,
    /// Code created at run time by `eval` or `new Function`; url and position are those of the outermost call
    /// in a real script (Firefox gives no column).
    Eval,
    /// Built into the engine: no url, no position.
    Native,
    /// WebAssembly: line 1, and the column is the byte offset in the module as printed, from 0.
    Wasm,
    /// Hermes bytecode (`address at`): the column is the bytecode offset as printed, from 0.
    Bytecode,
}

/// One frame, borrowed from the stack text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The name as printed (`Object.foo [as bar]`, `new Foo`, `foo/bar<`), or none.
    pub function: Option<&'a str>,
    /// Address or path of the script or source, without position; none for native frames.
    pub url: Option<&'a str>,
    /// See [`FrameKind`] for how it counts.
    pub line: Option<u32>,
    /// See [`FrameKind`] for how it counts.
    pub column: Option<u32>,
    /// What url and position mean.
    pub kind: FrameKind,
    /// Whether the engine marked the frame as resumed later, rather than called by the one above it.
    pub is_async: bool,
    /// The guess of [`in_app`] from what the text says; ask again once the frame is resolved.
    pub in_app: bool,
    /// The line of source that the text prints beside the frame, without its indentation. Only Python does, and Node
    /// for one frame.
    pub context_line: Option<&'a str>,
}

/// What [`parse`] made of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The notation found, [`Flavor::Unknown`] exactly when there are no frames.
    pub platform: Flavor,
    /// Throw first, at most [`MAX_FRAMES`].
    pub frames: Vec<Frame<'a>>,
    /// Whether there were more frames than that.
    pub cut: bool,
    /// The number of frames that Java omits because the exception above has the same at its end
    /// (`... 8 more`).
    pub common: usize,
}

impl<'a> Parsed<'a> {
    fn new(platform: Flavor, mut frames: Vec<Frame<'a>>) -> Self {
        let cut = frames.len() > MAX_FRAMES;
        frames.truncate(MAX_FRAMES);
        let platform = if frames.is_empty() { Flavor::Unknown } else { platform };
        Self { platform, frames, cut, common: 0 }
    }

    /// The same with another frame nearest the throw.
    fn thrown_at(self, platform: Flavor, frame: Frame<'a>) -> Self {
        let mut frames = self.frames;
        frames.insert(0, frame);
        let parsed = Self::new(platform, frames);
        Self { cut: self.cut || parsed.cut, ..parsed }
    }
}

/// Parses a stack text whose message is not known.
///
/// Lines of the message that look like frames are taken for frames; use [`parse_with_message`] if there is a
/// message.
pub fn parse(text: &str) -> Parsed<'_> {
    parse_with_message(text, None)
}

/// Parses a stack text after removing the exception's own message.
///
/// Engines repeat the message at the top of the stack (V8, Hermes, Java, Rust, Go, Ruby, PHP) or at its end
/// (Python), and the message may quote another stack. A message that the client cut short works, too.
pub fn parse_with_message<'a>(text: &'a str, message: Option<&str>) -> Parsed<'a> {
    let text = split(text, message);
    header::with_throw(detect::parse(text.rest()), &text)
}
