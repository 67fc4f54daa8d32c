//! The Web app is baked in from `assets/dist`. So that `cargo check` needs no Node, a placeholder
//! stands there until it is built (`make build`).

use std::fs;
use std::path::Path;

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
    println!("cargo::rerun-if-changed=assets/dist");
    println!("cargo::rerun-if-changed=schema.sql");
}
