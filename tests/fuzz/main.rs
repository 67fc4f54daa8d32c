//! The fuzz targets for some seconds, the same inputs each time: seeds as they are, then mutations of
//! them. `MAYDAY_FUZZ_SECONDS` runs each target that long, from `MAYDAY_FUZZ_SEED` on.
//!
//! An input that breaks a promise is written to `target/tmp/fuzz/`; once the fault is mended it belongs into
//! `fuzz/seeds/<target>/`, where it is run first from then on.

#![cfg(debug_assertions)]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod mutate;
mod run;
mod seeds;
#[path = "../../fuzz/targets/mod.rs"]
mod targets;

/// Mutations of a target: about two seconds each.
#[test]
fn compressed_bodies_keep_their_bounds() {
    run::target("bodies", 20_000);
}

#[test]
fn accepted_events_can_be_digested_and_read() {
    run::target("events", 2_500);
}

#[test]
fn a_journal_loses_nothing_in_silence_and_invents_nothing() {
    run::target("journal", 1_000);
}

#[test]
fn batches_of_log_entries_are_parsed_within_their_limits() {
    run::target("log_batch", 15_000);
}

#[test]
fn any_query_of_logs_is_parsed() {
    run::target("log_query", 4_000);
}

#[test]
fn source_maps_answer_as_a_plain_decoder_does() {
    run::target("maps", 900);
}

#[test]
fn payloads_are_restored_or_refused() {
    run::target("payloads", 75_000);
}

#[test]
fn a_feed_of_releases_names_a_release_or_nothing() {
    run::target("release_feed", 20_000);
}

#[test]
fn parts_of_replays_are_parsed_scrubbed_and_kept_or_refused() {
    run::target("replays", 8_000);
}

#[test]
fn stacks_become_frames_and_fingerprints() {
    run::target("stacks", 1_250);
}

#[test]
fn recordings_become_short_steps_without_what_was_entered() {
    run::target("steps", 1_500);
}

/// Each target is run by a test above.
#[test]
fn every_target_has_seeds_and_a_binary() {
    for (name, _) in targets::ALL {
        assert!(seeds::of(name).len() >= 3, "{name} has too few seeds");
        let binary = format!("{}/fuzz/fuzz_targets/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        assert!(std::path::Path::new(&binary).exists(), "{binary}");
        assert!(include_str!("main.rs").contains(&format!("run::target(\"{name}\"")), "{name} is not run");
    }
}
