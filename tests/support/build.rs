//! A build on disk, as a bundler leaves it, and the command line that works on it.

use super::server::{RunToEnd as _, command};
use super::{Project, Value, json, maps};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The minified script of [`maps::cart`], longer than its last mapping.
pub(crate) fn script() -> String {
    format!("{}\n//# sourceMappingURL=cart.min.js.map\n", "c();".repeat(60))
}

pub(crate) struct Build(TempDir);

impl Build {
    /// `assets/cart.min.js` with its map, and a page that loads it.
    pub(crate) fn new() -> Self {
        let build = Self::empty();
        build.add("index.html", "<script type=\"module\" src=\"/assets/cart.min.js\"></script>");
        build.add("assets/cart.min.js", script());
        build.add("assets/cart.min.js.map", maps::cart());
        build
    }

    pub(crate) fn empty() -> Self {
        Self(tempfile::Builder::new().prefix("mayday-build-").tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn add(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap()
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path().join(path)).unwrap();
    }

    /// `mayday …` for a project, in a place where git finds nothing, with the build's directory last.
    pub(crate) fn command(&self, project: &Project, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.arg(self.path()).current_dir(self.path());
        command.env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
        command
    }

    /// Run as people mostly type it: in the directory that contains the build, whose name (`dist`, `dist/`) comes
    /// last.
    pub(crate) fn beside(&self, project: &Project, arguments: &[&str], dir: &str) -> Command {
        let mut command = command(arguments);
        command.arg(dir).current_dir(self.path());
        command.env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
        command
    }

    /// A whole line, as it is copied into a shell in the build's directory.
    pub(crate) fn shell(&self, project: &Project, line: &str) -> CommandOutput {
        let binary = Path::new(env!("CARGO_BIN_EXE_mayday")).parent().unwrap().display().to_string();
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.path());
        command.env("PATH", format!("{binary}:{}", std::env::var("PATH").unwrap_or_default()));
        command.env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
        CommandOutput::of(&command.run())
    }

    #[track_caller]
    pub(crate) fn run(&self, project: &Project, arguments: &[&str]) -> CommandOutput {
        CommandOutput::of(&self.command(project, arguments).run())
    }
}

/// The output of a command.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl CommandOutput {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code().unwrap_or(-1),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Asserts this exit code, and that the output contains these parts.
    #[track_caller]
    pub(crate) fn expect(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        for part in parts {
            assert!(self.out.contains(part) || self.err.contains(part), "no `{part}` in {self:#?}");
        }
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("no JSON ({error}): {self:#?}"))
    }
}

/// A stack of the build's script.
pub(crate) fn thrown(release: &str, url: &str) -> Value {
    let stack = maps::stack("TypeError: no amount", &[("t", url, maps::IN_TOTAL)]);
    json!({"release": release, "exception": {"type": "TypeError", "message": "no amount", "stack": stack}})
}
