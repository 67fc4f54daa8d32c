//! Source maps: conversion, opening, resolving; ours against the `sourcemap` crate and (with
//! `--features bench-peers`) `symbolic-sourcemapcache`, in turn, medians.
//!
//! ```text
//! cargo bench --bench resolve -- [--json] [--quick] [--only mayday]
//! cargo bench --bench resolve --features bench-peers
//! ```
//!
//! Memory is what the allocator was asked for at most, without the upload itself; files are read
//! from a warm page cache. `sourcemap` has nothing to convert to (it parses at each opening) and
//! gives no function names, so its look-up does less.

#![allow(clippy::print_stdout, clippy::expect_used)]

#[path = "support/mapgen.rs"]
mod mapgen;
#[path = "support/memory.rs"]
mod memory;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use mapgen::Bundle;
use mayday::symbolication::map::{Budget, Map, convert};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

const CONTEXT: usize = 5;
/// Distinct frames in the warm set: a hundred issues of ten frames.
const WARM: usize = 1_000;
/// Distinct frames in the scattered set.
const SCATTERED: usize = 50_000;

/// One way to do the work.
trait Contender {
    fn name(&self) -> &'static str;
    /// Writes what is kept after an upload; gives its bytes.
    fn convert(&self, bundle: &Bundle, to: &Path) -> usize;
    /// Opens it, and looks frames up; the warm ones `times` over.
    fn resolve(&self, from: &Path, frames: &[u32], times: usize) -> Resolved;
}

struct Resolved {
    /// Opening and the first look-up, in seconds.
    first: f64,
    /// One look-up among [`WARM`] frames asked for again and again, in seconds.
    each: f64,
    /// One among all frames: nearly each waits for memory.
    scattered: f64,
    /// Context lines and function names that were found, to see that work was done.
    lines: usize,
    functions: usize,
}

struct Ours;

impl Contender for Ours {
    fn name(&self) -> &'static str {
        "mayday"
    }

    fn convert(&self, bundle: &Bundle, to: &Path) -> usize {
        let mut file = std::fs::File::create(to).expect("a file");
        convert(bundle.map.as_bytes(), &Budget::default(), &mut file).expect("a valid map").bytes as usize
    }

    fn resolve(&self, from: &Path, frames: &[u32], times: usize) -> Resolved {
        let one = |map: &Map, column: u32| {
            let Some(location) = map.lookup(1, column + 1) else { return (0, 0) };
            let lines = map.context(&location, CONTEXT).map_or(0, |context| {
                black_box((context.pre(), context.line(), context.post()));
                context.pre().len() + 1 + context.post().len()
            });
            black_box(location.file);
            (lines, usize::from(black_box(location.function).is_some()))
        };
        timed(|| Map::open(from).expect("a map"), one, frames, times)
    }
}

struct SourcemapCrate;

impl Contender for SourcemapCrate {
    fn name(&self) -> &'static str {
        "sourcemap"
    }

    fn convert(&self, bundle: &Bundle, to: &Path) -> usize {
        // What an upload would do: parse to see that it is valid, keep the JSON.
        let parsed = sourcemap::SourceMap::from_slice(bundle.map.as_bytes()).expect("a valid map");
        black_box(parsed.get_token_count());
        std::fs::write(to, &bundle.map).expect("a file");
        bundle.map.len()
    }

    fn resolve(&self, from: &Path, frames: &[u32], times: usize) -> Resolved {
        let open = || {
            let bytes = std::fs::read(from).expect("a file");
            sourcemap::SourceMap::from_slice(&bytes).expect("a valid map")
        };
        let one = |map: &sourcemap::SourceMap, column: u32| {
            let Some(token) = map.lookup_token(0, column) else { return (0, 0) };
            black_box(token.get_source());
            let line = token.get_src_line();
            let Some(view) = token.get_source_view() else { return (0, 0) };
            let first = line.saturating_sub(CONTEXT as u32);
            let lines = (first..=line + CONTEXT as u32).filter_map(|line| black_box(view.get_line(line)));
            (lines.count(), 0)
        };
        timed(open, one, frames, times)
    }
}

#[cfg(feature = "bench-peers")]
struct Symbolic;

#[cfg(feature = "bench-peers")]
impl Contender for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn convert(&self, bundle: &Bundle, to: &Path) -> usize {
        use symbolic_sourcemapcache::SourceMapCacheWriter;
        let writer = SourceMapCacheWriter::new(&bundle.script, &bundle.map).expect("a valid map");
        let mut file = std::io::BufWriter::new(std::fs::File::create(to).expect("a file"));
        writer.serialize(&mut file).expect("written");
        drop(file);
        std::fs::metadata(to).expect("a file").len() as usize
    }

    fn resolve(&self, from: &Path, frames: &[u32], times: usize) -> Resolved {
        use symbolic_sourcemapcache::{ScopeLookupResult, SourceMapCache, SourcePosition};
        let file = std::fs::File::open(from).expect("a file");
        let open = || {
            // SAFETY: nobody touches this file while the benchmark runs.
            #[allow(unsafe_code)]
            let bytes = unsafe { memmap2::Mmap::map(&file) }.expect("mapped");
            // The cache borrows from the bytes; a benchmark may leak a mapping.
            SourceMapCache::parse(Box::leak(Box::new(bytes))).expect("a cache")
        };
        let one = |cache: &SourceMapCache<'static>, column: u32| {
            let Some(found) = cache.lookup(SourcePosition::new(0, column)) else { return (0, 0) };
            let named = matches!(black_box(found.scope()), ScopeLookupResult::NamedScope(_));
            let Some(file) = found.file() else { return (0, usize::from(named)) };
            black_box(file.name());
            let line = found.line() as usize;
            let lines =
                (line.saturating_sub(CONTEXT)..=line + CONTEXT).filter_map(|line| black_box(file.line(line)));
            (lines.count(), usize::from(named))
        };
        timed(open, one, frames, times)
    }
}

fn timed<M>(
    open: impl FnOnce() -> M,
    one: impl Fn(&M, u32) -> (usize, usize),
    frames: &[u32],
    times: usize,
) -> Resolved {
    let start = Instant::now();
    let map = open();
    black_box(one(&map, frames[0]));
    let first = start.elapsed().as_secs_f64();
    let run = |frames: &[u32], times: usize| {
        let (mut lines, mut functions) = (0, 0);
        let start = Instant::now();
        for _ in 0..times {
            for &column in frames {
                let (more, named) = one(&map, column);
                lines += more;
                functions += named;
            }
        }
        let each = start.elapsed().as_secs_f64() / (times * frames.len()) as f64;
        (each, lines / times, functions / times)
    };
    // The first round touches every page.
    let _ = run(frames, 1);
    let (scattered, ..) = run(frames, 1);
    let warm = &frames[..frames.len().min(WARM)];
    let _ = run(warm, 3);
    let (each, lines, functions) = run(warm, times);
    Resolved { first, each, scattered, lines, functions }
}

#[derive(Default)]
struct Samples {
    convert: Vec<f64>,
    peak: usize,
    size: usize,
    first: Vec<f64>,
    each: Vec<f64>,
    scattered: Vec<f64>,
    lines: usize,
    functions: usize,
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn contenders() -> Vec<Box<dyn Contender>> {
    vec![
        Box::new(Ours),
        Box::new(SourcemapCrate),
        #[cfg(feature = "bench-peers")]
        Box::new(Symbolic),
    ]
}

fn measure(bundle: &Bundle, rounds: usize, folder: &Path) -> Vec<(&'static str, Samples)> {
    let only = std::env::args().skip_while(|argument| argument != "--only").nth(1);
    let mut contenders = contenders();
    contenders.retain(|contender| only.as_deref().is_none_or(|name| name == contender.name()));
    let mut samples: Vec<_> = contenders.iter().map(|c| (c.name(), Samples::default())).collect();
    let frames = &bundle.frames[..bundle.frames.len().min(SCATTERED)];
    for _ in 0..rounds {
        for (contender, (name, into)) in contenders.iter().zip(&mut samples) {
            let path: PathBuf = folder.join(*name);
            // Never rewrite a file that is mapped.
            let _ = std::fs::remove_file(&path);
            let start = Instant::now();
            let (size, peak) = memory::peak(|| contender.convert(bundle, &path));
            into.convert.push(start.elapsed().as_secs_f64());
            (into.size, into.peak) = (size, peak);
            let resolved = contender.resolve(&path, frames, 100);
            into.first.push(resolved.first);
            into.each.push(resolved.each);
            into.scattered.push(resolved.scattered);
            (into.lines, into.functions) = (resolved.lines, resolved.functions);
        }
    }
    samples
}

fn main() {
    let flag = |name: &str| std::env::args().any(|argument| argument == name);
    let (json, quick) = (flag("--json"), flag("--quick"));
    let folder = tempfile::tempdir().expect("a folder");
    // (MB, items a module, rounds): modules of some 7 KB, and of some 100 KB (vendored libraries).
    let sizes: &[(usize, usize, usize)] =
        if quick { &[(2, 1, 3)] } else { &[(11, 1, 7), (11, 15, 5), (43, 1, 5)] };
    for &(megabytes, scale, rounds) in sizes {
        let bundle = mapgen::bundle(megabytes * 1_000_000, scale);
        let samples = measure(&bundle, rounds, folder.path());
        match json {
            true => print_json(&bundle, &samples),
            false => print_table(&bundle, &samples, rounds),
        }
    }
}

fn print_table(bundle: &Bundle, samples: &[(&str, Samples)], rounds: usize) {
    let len = bundle.map.len() as f64;
    println!(
        "\nmap of {:.1} MB, {} modules, {} frames, median of {rounds} rounds in turn",
        len / 1e6,
        bundle.modules,
        bundle.frames.len()
    );
    println!(
        "{:<10} {:>11} {:>7} {:>12} {:>9} {:>13} {:>12} {:>10} {:>13} {:>7} {:>9}",
        "",
        "convert ms",
        "MB/s",
        "peak × map",
        "file MB",
        "open+1st ms",
        "look-up ns",
        "per s",
        "scattered ns",
        "lines",
        "functions"
    );
    for (name, s) in samples {
        let convert = median(&s.convert);
        println!(
            "{name:<10} {:>11.1} {:>7.0} {:>12.2} {:>9.1} {:>13.2} {:>12.0} {:>10.0} {:>13.0} {:>7} {:>9}",
            convert * 1e3,
            len / 1e6 / convert,
            s.peak as f64 / len,
            s.size as f64 / 1e6,
            median(&s.first) * 1e3,
            median(&s.each) * 1e9,
            1.0 / median(&s.each),
            median(&s.scattered) * 1e9,
            s.lines,
            s.functions,
        );
    }
    let (_, ours) = &samples[0];
    for (name, s) in &samples[1..] {
        println!(
            "ours against {name}: convert {:.2} × as fast, open + first {:.2} ×, look-up {:.2} ×, scattered {:.2} ×",
            median(&s.convert) / median(&ours.convert),
            median(&s.first) / median(&ours.first),
            median(&s.each) / median(&ours.each),
            median(&s.scattered) / median(&ours.scattered),
        );
    }
}

fn print_json(bundle: &Bundle, samples: &[(&str, Samples)]) {
    for (name, s) in samples {
        let line = serde_json::json!({
            "bench": "resolve",
            "contender": name,
            "map_bytes": bundle.map.len(),
            "convert_ms": median(&s.convert) * 1e3,
            "peak_bytes": s.peak,
            "file_bytes": s.size,
            "open_first_ms": median(&s.first) * 1e3,
            "lookup_ns": median(&s.each) * 1e9,
            "scattered_lookup_ns": median(&s.scattered) * 1e9,
        });
        println!("{line}");
    }
}
