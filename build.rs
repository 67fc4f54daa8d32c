//! The Web app is baked in from `assets/dist`. So that `cargo check` needs no Node, a placeholder
//! stands there until it is built (`make build`). The API document is baked in without its layout.

use std::path::Path;
use std::{env, fs, io};

/// A test compares it with what the routes declare.
const DOCUMENT: &str = "assets/app/api/openapi.json";

const PLACEHOLDER: &str =
    "<!doctype html><title>Mayday</title><p>The Web app is not built: run <code>make build</code>.";

fn main() {
    let index = Path::new("assets/dist/index.html");
    if !index.exists() {
        let written = fs::create_dir_all("assets/dist").and_then(|()| fs::write(index, PLACEHOLDER));
        if let Err(error) = written {
            println!("cargo::error=assets/dist/index.html cannot be written: {error}");
        }
    }
    if let Err(error) = bake_document() {
        println!("cargo::error={DOCUMENT}: {error}");
    }
    println!("cargo::rerun-if-changed={DOCUMENT}");
    println!("cargo::rerun-if-changed=assets/dist");
    println!("cargo::rerun-if-changed=schema.sql");
}

fn bake_document() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets no OUT_DIR"))?;
    fs::write(Path::new(&out).join("openapi.json"), without_layout(&fs::read_to_string(DOCUMENT)?))
}

/// JSON without the white space outside its strings.
fn without_layout(json: &str) -> String {
    let (mut in_string, mut is_escaped) = (false, false);
    let kept = |c: &char| {
        let is_layout = !in_string && c.is_ascii_whitespace();
        in_string ^= *c == '"' && !is_escaped;
        is_escaped = in_string && *c == '\\' && !is_escaped;
        !is_layout
    };
    json.chars().filter(kept).collect()
}
