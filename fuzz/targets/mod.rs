//! What is fuzzed: a plain function a target, which panics where a promise is broken. The same
//! functions run shortly in `make test` (`tests/fuzz`) and under libFuzzer (`fuzz_targets`).

pub(crate) mod blowup;
pub(crate) mod bodies;
pub(crate) mod events;
pub(crate) mod journal;
pub(crate) mod log_batch;
pub(crate) mod log_query;
pub(crate) mod maps;
pub(crate) mod naive;
pub(crate) mod payloads;
pub(crate) mod release_feed;
pub(crate) mod replays;
pub(crate) mod stacks;
pub(crate) mod steps;

pub(crate) type Target = fn(&[u8]);

/// Each target by its name, which is also that of its folder of seeds.
pub(crate) const ALL: [(&str, Target); 11] = [
    ("bodies", bodies::target),
    ("events", events::target),
    ("journal", journal::target),
    ("log_batch", log_batch::target),
    ("log_query", log_query::target),
    ("maps", maps::target),
    ("payloads", payloads::target),
    ("release_feed", release_feed::target),
    ("replays", replays::target),
    ("stacks", stacks::target),
    ("steps", steps::target),
];

/// The first bytes as numbers that steer a target, and the rest.
pub(crate) fn steer<const N: usize>(data: &[u8]) -> ([u8; N], &[u8]) {
    let mut head = [0; N];
    let taken = data.len().min(N);
    head[..taken].copy_from_slice(&data[..taken]);
    (head, &data[taken..])
}

/// Numbers from a seed (xorshift64*).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end.max(1)
    }
}
