//! Finds certain bytes in a text that has many of them: eight bytes are compared at once, and a hit costs
//! little. (`memchr` starts over after each hit.)

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

/// Eight bytes.
#[derive(Clone, Copy)]
pub(super) struct Word(u64);

/// For each of eight bytes, whether it is one of those searched for.
#[derive(Clone, Copy)]
pub(super) struct Hits(u64);

impl Word {
    /// The highest bit of each byte that equals `byte`; possibly also that of the byte after one.
    pub(super) fn are(self, byte: u8) -> Hits {
        let differs = self.0 ^ (ONES * u64::from(byte));
        Hits(differs.wrapping_sub(ONES) & !differs & HIGH)
    }

    pub(super) fn in_lower_case(self) -> Self {
        Self(self.0 | (ONES * 0x20))
    }
}

impl std::ops::BitOr for Hits {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The positions of the bytes that `look` finds, and possibly of some bytes after them.
pub(super) fn positions<F: Fn(Word) -> Hits>(bytes: &[u8], look: F) -> Positions<'_, F> {
    Positions { bytes, word: 0, next: 0, hits: 0, look }
}

pub(super) struct Positions<'b, F> {
    bytes: &'b [u8],
    /// Where the eight bytes of `hits` begin, and the eight after them.
    word: usize,
    next: usize,
    /// Hits not yet returned.
    hits: u64,
    look: F,
}

impl<F: Fn(Word) -> Hits> Iterator for Positions<'_, F> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.hits == 0 {
            let rest = self.bytes.get(self.next..).filter(|rest| !rest.is_empty())?;
            let word = rest.first_chunk().copied().unwrap_or_else(|| {
                let mut last = [0; 8];
                last[..rest.len()].copy_from_slice(rest);
                last
            });
            self.hits = (self.look)(Word(u64::from_le_bytes(word))).0;
            (self.word, self.next) = (self.next, self.next + 8);
        }
        let at = self.word + self.hits.trailing_zeros() as usize / 8;
        self.hits &= self.hits - 1;
        if at < self.bytes.len() { Some(at) } else { None }
    }
}
