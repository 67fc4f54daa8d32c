//! Breaks promises on purpose, so that the tests of a promise can be seen to fail.
//!
//! A debug build reads `MAYDAY_SABOTAGE` once: names separated by commas. The one place in the code that
//! keeps a promise calls [`on`], and if it returns true, does the wrong thing. In a release build it is a
//! constant `false`, so the program contains neither the variable nor what it would do.

/// Whether the promise behind `name` is to be broken.
#[cfg(debug_assertions)]
pub fn on(name: &str) -> bool {
    switched().iter().any(|switch| switch == name)
}

#[cfg(not(debug_assertions))]
#[inline(always)]
pub const fn on(_name: &str) -> bool {
    false
}

// A release build that could be sabotaged does not compile.
#[cfg(not(debug_assertions))]
const _: () = assert!(!on("anything"));

/// Logs what is switched on; called once at the start.
pub fn warn() {
    #[cfg(debug_assertions)]
    if !switched().is_empty() {
        tracing::warn!(
            switched = switched().join(","),
            "MAYDAY_SABOTAGE is set: promises are broken on purpose"
        );
    }
}

#[cfg(debug_assertions)]
fn switched() -> &'static [String] {
    static SWITCHED: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    SWITCHED.get_or_init(|| names(&std::env::var("MAYDAY_SABOTAGE").unwrap_or_default()))
}

#[cfg(debug_assertions)]
fn names(list: &str) -> Vec<String> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
