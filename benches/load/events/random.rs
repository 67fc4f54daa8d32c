//! Numbers that look random and are the same in every run.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 20) % limit
    }

    pub(crate) fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }

    pub(crate) fn hex(&mut self, length: usize) -> String {
        format!("{:016x}{:016x}", self.next(), self.next())[..length].to_owned()
    }

    /// From 0 to 1.
    fn uniform(&mut self) -> f64 {
        self.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// One of `count` with a long tail: the one of rank r comes about r times as rarely as the first.
    pub(crate) fn rank(&mut self, count: usize) -> usize {
        ((count as f64).powf(self.uniform()) as usize).clamp(1, count) - 1
    }

    /// Log-normal, of this median; `spread` is the standard deviation of its logarithm.
    pub(crate) fn log_normal(&mut self, median: f64, spread: f64) -> f64 {
        let normal = (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0;
        median * (normal * spread).exp()
    }
}
