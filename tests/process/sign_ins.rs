//! Many simultaneous sign-ins: each hash needs 19 MiB, so they must not all be computed at the same time.

use crate::resources::memory;
use crate::support::{EMAIL, PASSWORD, World, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Simultaneous sign-ins.
const SIGN_INS: usize = 200;
/// KiB that the process may grow by.
const GROWTH_MAX: u64 = 60 << 10;

/// A sign-in from its own address, so that no throttle refuses it before the hash.
fn sign_in(world: &World, number: usize) -> u16 {
    let (email, password) = match number % 4 {
        0 => (EMAIL.to_owned(), PASSWORD),
        1 => (EMAIL.to_owned(), "wrong"),
        _ => (format!("nobody{number}@example.com"), "wrong"),
    };
    let request = world.anonymous().post("/auth/password/login");
    let request = request.header("x-forwarded-for", &format!("203.0.113.{number}"));
    request.json(&json!({"email": email, "password": password})).try_send().unwrap().status()
}

#[test]
fn two_hundred_simultaneous_sign_ins_need_little_memory_and_are_all_answered() {
    let world = World::start_with(&[("SERVICE_TRUSTED_PROXIES", "127.0.0.1")]);
    // Memory that the first round makes the allocator keep does not count as growth.
    (0..8).for_each(|number| assert!(matches!(sign_in(&world, number), 200 | 401)));
    let before = memory(&world.server);
    let done = AtomicBool::new(false);
    let (statuses, peak) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = before;
            while !done.load(Ordering::Relaxed) {
                peak = peak.max(memory(&world.server));
                std::thread::sleep(Duration::from_millis(2));
            }
            peak
        });
        let one = |number| {
            let world = &world;
            scope.spawn(move || sign_in(world, number))
        };
        let sign_ins: Vec<_> = (0..SIGN_INS).map(one).collect();
        let statuses: Vec<u16> = sign_ins.into_iter().map(|one| one.join().unwrap()).collect();
        done.store(true, Ordering::Relaxed);
        (statuses, watch.join().unwrap())
    });
    assert!(statuses.iter().all(|status| matches!(status, 200 | 401 | 429 | 503)), "{statuses:?}");
    assert!(statuses.contains(&200) && statuses.contains(&401), "{statuses:?}");
    let grown = peak.saturating_sub(before);
    assert!(grown < GROWTH_MAX, "grown by {grown} KiB to {peak} KiB");
    // It is as it was before, for everybody.
    assert_eq!(sign_in(&world, 0), 200);
    world.owner.get("/api/v1/me").send().expect(200);
}
