#![no_main]
#![allow(dead_code, reason = "each binary has one target")]

#[path = "../targets/mod.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::steps::target(data));
