//! Whether a frame is the application's own code: a guess from its file and function.

use super::frameworks;
use super::paths::{extension, segments};

/// False for everything an application merely builds on: engine built-ins, Node's own modules, packages,
/// browser extensions, bundler runtimes, and the standard libraries, package folders and known frameworks of
/// each language. True for everything else, because mistaking an own frame for a foreign one hides the place
/// of the error, and the reverse costs little.
///
/// `file` is the source a frame was resolved to, or else the url or path of the stack text. A language's
/// rules apply by the file's extension. Without a file the function decides, which says little in JavaScript:
/// keep the parsed frame's own answer there.
pub fn in_app(file: Option<&str>, function: Option<&str>) -> bool {
    in_app_of_version_1(file, function) && !frameworks::is_one(file, function)
}

/// The same without the frameworks and languages that were added with version 2 of the fingerprint: the rule
/// of version 1.
pub fn in_app_of_version_1(file: Option<&str>, function: Option<&str>) -> bool {
    let function = function.unwrap_or_default();
    let Some(file) = file.filter(|file| !file.is_empty()) else {
        return !(is_java_platform(function) || is_rust_runtime(function) || is_native(function));
    };
    if is_built_in(file) {
        return false;
    }
    let path = file.split('?').next().unwrap_or(file);
    match extension(path) {
        "py" | "pyx" => !is_python_package(path),
        "rb" => !is_ruby_gem(path),
        "go" | "s" => !is_go_library(path, function),
        "rs" | "c" | "S" => !(is_rust_library(path) || is_rust_runtime(function)),
        "java" | "kt" | "scala" | "groovy" | "clj" => !is_java_platform(function),
        _ => !is_package(path),
    }
}

/// `[native code]`, Hermes' and old Node's `native`.
fn is_native(text: &str) -> bool {
    matches!(text, "native" | "[native code]" | "native code")
}

/// What the start of a file or address reveals in any language.
fn is_built_in(file: &str) -> bool {
    const STARTS: [&str; 11] = [
        "node:",
        "internal/",
        "native ",
        "chrome-extension:",
        "moz-extension:",
        "safari-extension:",
        "safari-web-extension:",
        "chrome:",
        "resource:",
        "webkit-masked-url:",
        "extensions::",
    ];
    match file.as_bytes()[0] {
        // `<anonymous>`, `<frozen importlib._bootstrap>`, `<internal:kernel>`; and `\0`, which
        // marks the virtual modules of bundlers.
        b'<' | 0 => true,
        b'n' | b'i' | b'c' | b'm' | b's' | b'r' | b'w' | b'e' | b'[' => {
            STARTS.iter().any(|start| file.starts_with(start)) || is_native(file)
        }
        _ => false,
    }
}

/// JavaScript: package folders anywhere in the path, and the runtimes of bundlers.
fn is_package(path: &str) -> bool {
    let foreign = segments(path).any(|segment| {
        matches!(
            segment,
            "node_modules"
                | "bower_components"
                | "jspm_packages"
                | "@vite"
                | "@react-refresh"
                | "(webpack)"
                | "[turbopack]"
        )
    });
    foreign || is_bundler_runtime(path)
}

/// `webpack/bootstrap abc`, `webpack/runtime/…`, `vite/preload-helper.js`: as bundlers name them in their
/// maps. A site that happens to be served under `/vite/` does not count.
fn is_bundler_runtime(path: &str) -> bool {
    const STARTS: [&str; 6] = [
        "webpack/bootstrap",
        "webpack/runtime",
        "webpack/buildin",
        "webpack/universalModuleDefinition",
        "vite/",
        "\0",
    ];
    let named = match path.split_once("://") {
        // The host of a bundler's address is the name of the package.
        Some(("webpack" | "webpack-internal" | "turbopack" | "vite" | "rollup", rest)) => {
            rest.split_once('/').map_or(rest, |(_, rest)| rest)
        }
        Some(_) => return false,
        None => path,
    };
    let named = named.trim_start_matches("../").trim_start_matches("./");
    STARTS.iter().any(|start| named.starts_with(start))
}

/// Installed packages, the standard library, and code without a file.
fn is_python_package(path: &str) -> bool {
    let mut previous = "";
    for segment in segments(path) {
        let python = |name: &str| {
            name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("python"))
                && name[6..].starts_with(|next: char| next.is_ascii_digit())
        };
        let library = previous.eq_ignore_ascii_case("lib") && python(segment)
            || python(previous) && segment.eq_ignore_ascii_case("lib");
        if library || matches!(segment, "site-packages" | "dist-packages") {
            return true;
        }
        previous = segment;
    }
    false
}

/// Gems, bundled ones too, and Ruby's own library.
fn is_ruby_gem(path: &str) -> bool {
    let mut previous = "";
    for segment in segments(path) {
        let pair = matches!(
            (previous, segment),
            ("lib", "ruby") | ("vendor", "bundle") | ("bundle", "ruby") | ("bundler", "gems")
        );
        // `gems` alone may be a folder of the application (`app/models/gems`).
        let version = previous == "gems" && segment.contains(|digit: char| digit.is_ascii_digit());
        if pair || version {
            return true;
        }
        previous = segment;
    }
    false
}

/// The module cache, vendored modules, and the standard library, recognized by the function's package, whose
/// first part has no dot and is one of the standard ones.
fn is_go_library(path: &str, function: &str) -> bool {
    let mut previous = "";
    for segment in segments(path) {
        if segment == "vendor" || (previous == "pkg" && segment == "mod") {
            return true;
        }
        previous = segment;
    }
    const STANDARD: [&str; 46] = [
        "archive",
        "bufio",
        "bytes",
        "cmp",
        "compress",
        "container",
        "context",
        "crypto",
        "database",
        "debug",
        "embed",
        "encoding",
        "errors",
        "expvar",
        "flag",
        "fmt",
        "hash",
        "html",
        "image",
        "internal",
        "io",
        "iter",
        "log",
        "maps",
        "math",
        "mime",
        "net",
        "os",
        "panic",
        "path",
        "plugin",
        "reflect",
        "regexp",
        "runtime",
        "slices",
        "sort",
        "strconv",
        "strings",
        "sync",
        "syscall",
        "testing",
        "text",
        "time",
        "unicode",
        "unique",
        "unsafe",
    ];
    let package = function.split(['/', '.', '(']).next().unwrap_or_default();
    // A dot in the first part of a path (`github.com/…`) makes it a host.
    let is_host = function.find('/').is_some_and(|slash| function[..slash].contains('.'));
    !is_host && STANDARD.binary_search(&package).is_ok()
}

/// The toolchain's own sources, the registry's and git checkouts.
fn is_rust_library(path: &str) -> bool {
    if path.starts_with("/rustc/") || path.starts_with("library/") {
        return true;
    }
    let mut previous = "";
    for segment in segments(path) {
        let pair = matches!(
            (previous, segment),
            (".cargo", "registry" | "git") | ("cargo", "registry") | ("lib", "rustlib")
        );
        if pair {
            return true;
        }
        previous = segment;
    }
    false
}

/// Rust's standard library and what the linker puts around `main`.
fn is_rust_runtime(function: &str) -> bool {
    // After `[` follows a crate's hash, as in full backtraces.
    const CRATES: [&str; 3] = ["std", "core", "alloc"];
    const STARTS: [&str; 5] = ["rust_begin_unwind", "__rust", "__libc_start", "test::run_test", "clone3"];
    let inner = function.trim_start_matches('<');
    let library = CRATES
        .iter()
        .filter_map(|name| inner.strip_prefix(name))
        .any(|rest| rest.starts_with("::") || rest.starts_with('['));
    let bare = matches!(function, "_start" | "main" | "start_thread" | "__clone" | "<unknown>");
    library || bare || STARTS.iter().any(|start| function.starts_with(start))
}

/// Packages of the JVM and of the languages on it; a module may stand in front (`java.base/`).
fn is_java_platform(function: &str) -> bool {
    const STARTS: [&str; 13] = [
        "java.",
        "javax.",
        "jakarta.",
        "sun.",
        "jdk.",
        "com.sun.",
        "kotlin.",
        "kotlinx.",
        "scala.",
        "groovy.lang.",
        "android.",
        "androidx.",
        "com.android.",
    ];
    let name = function.rsplit_once('/').map_or(function, |(_, name)| name);
    STARTS.iter().any(|start| name.starts_with(start))
}
