//! Caches limited by the bytes they hold, based on `quick_cache`, which keeps entries that are used again and evicts
//! those used once. (`moka` would do as well, but is several times as large, and its additional features, lifetimes
//! and listeners, are not needed.)
//!
//! Code that remembers values in another way says why.

use quick_cache::sync::{Cache as Shards, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use std::hash::Hash;

/// Shared by threads; look-ups clone the value.
pub type Cache<K, V> = Shards<K, V, Bytes>;

/// A value with a size in bytes.
pub trait Size {
    fn bytes(&self) -> u64;
}

/// Weighs values by their bytes, but each by at least a fixed share of the total, which limits their number, too.
#[derive(Debug, Clone)]
pub struct Bytes {
    least: u64,
}

impl<K, V: Size> Weighter<K, V> for Bytes {
    fn weight(&self, _: &K, value: &V) -> u64 {
        value.bytes().max(self.least)
    }
}

/// A cache of at most `bytes` bytes and at most `values` values. A value that takes nearly all of the bytes
/// is not kept.
///
/// It has one shard: with several, each would have its part of the bytes, and accept no value larger than
/// that part.
#[expect(clippy::expect_used, reason = "what has to be there is there")]
pub fn bounded<K, V>(bytes: u64, values: u64) -> Cache<K, V>
where
    K: Hash + Eq,
    V: Size + Clone,
{
    let mut options = OptionsBuilder::new();
    options.shards(1).weight_capacity(bytes).estimated_items_capacity(values as usize);
    let options = options.build().expect("both capacities are given");
    let weigher = Bytes { least: (bytes / values.max(1)).max(1) };
    Cache::with_options(options, weigher, DefaultHashBuilder::default(), DefaultLifecycle::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Blob(u64);

    impl Size for Blob {
        fn bytes(&self) -> u64 {
            self.0
        }
    }

    #[test]
    fn neither_bytes_nor_values_grow_beyond_the_bound() {
        let cache = bounded(10_000, 100);
        for key in 0..1_000 {
            cache.insert(key, Blob(0));
        }
        assert!((90..=100).contains(&cache.len()), "{}", cache.len());
        for key in 0..1_000 {
            cache.insert(key, Blob(1_000));
            assert!(cache.weight() <= 10_000);
        }
        assert!((8..=10).contains(&cache.len()), "{}", cache.len());
    }

    #[test]
    fn one_value_may_have_most_of_the_bytes() {
        let cache = bounded(10_000, 100);
        cache.insert("large", Blob(9_000));
        assert!(cache.get("large").is_some());
        cache.insert("whole", Blob(10_001));
        assert!(cache.get("whole").is_none());
    }

    #[test]
    fn entries_used_again_outlive_many_used_once() {
        let cache = bounded(10_000, 100);
        cache.insert(0, Blob(100));
        for key in 1..10_000 {
            assert!(cache.get(&0).is_some(), "after {key}");
            cache.insert(key, Blob(100));
        }
    }
}
