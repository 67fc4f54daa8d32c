//! Runs a target on its seeds and on mutations of them, and keeps an input that fails.

use super::mutate::mutate;
use super::seeds;
use super::targets::{ALL, Numbers, Target};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time limit of an input, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The input that is being tried, and since when.
type Trying = Arc<Mutex<(Instant, Vec<u8>)>>;

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}: expected a whole number, got `{text}`")))
}

/// Runs a target for `rounds` mutations, or for as long as `MAYDAY_FUZZ_SECONDS` says.
pub(crate) fn target(name: &str, rounds: u64) {
    let target = ALL.iter().find(|(known, _)| *known == name).expect("a target of this name").1;
    let seeds = seeds::of(name);
    let trying: Trying = Arc::new(Mutex::new((Instant::now(), Vec::new())));
    watch(name, &trying);
    for seed in &seeds {
        try_one(name, target, &trying, seed, "a seed as it is");
    }
    let first = variable("MAYDAY_FUZZ_SEED").unwrap_or(1);
    let seconds = variable("MAYDAY_FUZZ_SECONDS").map(Duration::from_secs);
    let (start, mut number) = (Instant::now(), 0);
    while seconds.map_or(number < rounds, |seconds| start.elapsed() < seconds) {
        let input = mutate(&mut Numbers::new(first.wrapping_add(number)), &seeds);
        try_one(name, target, &trying, &input, &format!("MAYDAY_FUZZ_SEED={}", first.wrapping_add(number)));
        number += 1;
    }
    eprintln!("{name}: {} seeds, {number} mutations in {:?}", seeds.len(), start.elapsed());
}

fn try_one(name: &str, target: Target, trying: &Trying, input: &[u8], origin: &str) {
    *trying.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), input.to_vec());
    let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(input))) else { return };
    let path = keep(name, input);
    eprintln!(
        "{name} failed on {} bytes ({origin}), kept as {}:\n{}",
        input.len(),
        path.display(),
        input[..input.len().min(2_000)].escape_ascii()
    );
    resume_unwind(panic);
}

/// Ends the process when an input takes too long, because an endless loop fails in no other way.
fn watch(name: &str, trying: &Trying) {
    let (name, trying) = (name.to_owned(), Arc::downgrade(trying));
    std::thread::spawn(move || {
        while let Some(trying) = trying.upgrade() {
            let (since, input) = trying.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if since.elapsed() > PATIENCE {
                let path = keep(&name, &input);
                eprintln!("{name} takes more than {PATIENCE:?} for an input, kept as {}", path.display());
                std::process::abort();
            }
            drop(trying);
            std::thread::sleep(Duration::from_secs(1));
        }
    });
}

fn keep(name: &str, input: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).unwrap();
    let hash = blake3::hash(input).to_hex();
    let path = folder.join(format!("{name}-{}", &hash[..12]));
    std::fs::write(&path, input).unwrap();
    path
}
