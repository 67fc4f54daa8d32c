//! Which version of Mayday this is.
//!
//! So that an update can be rehearsed without compiling twice, a debug build plays a later version if `MAYDAY_REHEARSAL`
//! names one, such as `0.2.0`: it reports that version, and `main.db` has one more step to it. With `0.3.0,failing` that step
//! fails; with `0.4.0,half` it succeeds, and one of `logs.db` fails ([`crate::store`] has the step). A release build contains neither the variable nor the step.

/// The version of this program, `X.Y.Z`.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The version of this program, `X.Y.Z`, or the one that it plays.
#[cfg(debug_assertions)]
pub fn version() -> &'static str {
    rehearsed().map_or(env!("CARGO_PKG_VERSION"), |played| played.version.as_str())
}

/// Which step of the played version to a new schema fails.
#[cfg(debug_assertions)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailingStep {
    /// That of `main.db`, the first.
    Main,
    /// That of `logs.db`, once `main.db` has the new schema.
    Logs,
}

/// A later version that a debug build plays.
#[cfg(debug_assertions)]
#[derive(Debug, PartialEq, Eq)]
pub struct Rehearsed {
    pub version: String,
    pub fails: Option<FailingStep>,
}

/// What `MAYDAY_REHEARSAL` says, read once.
#[cfg(debug_assertions)]
pub fn rehearsed() -> Option<&'static Rehearsed> {
    static PLAYED: std::sync::OnceLock<Option<Rehearsed>> = std::sync::OnceLock::new();
    PLAYED.get_or_init(|| read(&std::env::var("MAYDAY_REHEARSAL").unwrap_or_default())).as_ref()
}

#[cfg(debug_assertions)]
fn read(text: &str) -> Option<Rehearsed> {
    let (version, how) = text.split_once(',').unwrap_or((text, ""));
    let fails = match how {
        "failing" => Some(FailingStep::Main),
        "half" => Some(FailingStep::Logs),
        _ => None,
    };
    (!version.is_empty()).then(|| Rehearsed { version: version.to_owned(), fails })
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_played_unless_it_is_asked_for() {
        assert_eq!(version(), env!("CARGO_PKG_VERSION"));
        assert_eq!(read(""), None);
    }

    #[test]
    fn a_version_may_be_said_to_fail() {
        let played = |version: &str, fails| Some(Rehearsed { version: version.to_owned(), fails });
        assert_eq!(read("0.2.0"), played("0.2.0", None));
        assert_eq!(read("0.3.0,failing"), played("0.3.0", Some(FailingStep::Main)));
        assert_eq!(read("0.4.0,half"), played("0.4.0", Some(FailingStep::Logs)));
    }
}
