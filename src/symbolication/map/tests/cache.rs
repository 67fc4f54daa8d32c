//! The cache of opened maps.

use std::sync::Arc;

use super::super::{Cache, OpenError};
use super::{Compact, compact, identity};

fn key(n: u8) -> [u8; 32] {
    [n; 32]
}

fn one() -> Compact {
    compact(&identity("a.ts", "x()"))
}

fn path(of: &Compact) -> std::path::PathBuf {
    of.path.clone()
}

#[test]
fn a_map_is_opened_once() {
    let file = one();
    let cache = Cache::new(1 << 20);
    let first = cache.get(key(1), || path(&file)).expect("opens");
    let second = cache.get(key(1), || unreachable!("held")).expect("held");
    assert!(Arc::ptr_eq(&first, &second));
    let bytes = file.bytes.len() as u64;
    assert!(cache.len() == 1 && (bytes..bytes + 1024).contains(&cache.bytes()), "{bytes}: {cache:?}");
}

#[test]
fn used_maps_stay_and_unused_ones_are_evicted() {
    let file = one();
    let room = 4 * file.bytes.len() as u64;
    let cache = Cache::new(room);
    cache.get(key(0), || path(&file)).expect("opens");
    for n in 1..100 {
        cache.get(key(0), || unreachable!("used all the time")).expect("held");
        cache.get(key(n), || path(&file)).expect("opens");
        assert!(cache.bytes() <= room);
    }
    let mut opened = 0;
    for n in 1..100 {
        let open = || {
            opened += 1;
            path(&file)
        };
        cache.get(key(n), open).expect("opens");
    }
    assert!(opened >= 95, "{opened} of 99");
}

#[test]
fn a_map_larger_than_the_cache_is_given_but_not_kept() {
    let file = one();
    let cache = Cache::new(10);
    assert!(cache.get(key(1), || path(&file)).expect("opens").lookup(1, 1).is_some());
    assert!(cache.is_empty());
}

#[test]
fn a_removed_map_stays_usable_for_its_holders() {
    let file = one();
    let cache = Cache::new(1 << 20);
    let map = cache.get(key(1), || path(&file)).expect("opens");
    cache.remove(&key(1));
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
    assert!(map.lookup(1, 1).is_some());
    let error = cache.get(key(1), || "/nowhere/at/all".into()).expect_err("not held any more");
    assert!(matches!(error, OpenError::Io(_)));
}

#[test]
fn opening_one_does_not_block_another() {
    let file = one();
    let cache = Cache::new(1 << 20);
    cache
        .get(key(1), || {
            // While a map is being opened, the cache still answers.
            std::thread::scope(|scope| {
                let other = scope.spawn(|| cache.get(key(2), || path(&file)).map(|_| ()));
                other.join().expect("no deadlock").expect("opens");
            });
            path(&file)
        })
        .expect("opens");
    assert_eq!(cache.len(), 2);
}

#[test]
fn threads_share_it() {
    let file = one();
    let cache = Cache::new(3 * file.bytes.len() as u64);
    std::thread::scope(|scope| {
        for thread in 0..4_u8 {
            let (cache, file) = (&cache, &file);
            scope.spawn(move || {
                for n in 0..200_u8 {
                    let map = cache.get(key((n ^ thread) % 6), || path(file)).expect("opens");
                    assert!(map.lookup(1, 1).is_some());
                }
            });
        }
    });
    assert!(cache.len() <= 3 && cache.bytes() <= 3 * file.bytes.len() as u64);
}
