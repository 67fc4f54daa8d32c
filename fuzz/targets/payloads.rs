//! Stored payloads: what was packed comes back, what was not is refused, and no more is held than said.

use super::steer;
use mayday::store::{Dictionary, Packer, compress, decompress, unpack};
use std::sync::{Arc, LazyLock};

static DICTIONARY: LazyLock<Arc<Dictionary>> = LazyLock::new(|| {
    let sample = |number: usize| {
        let text = format!(
            r#"{{"event_id":"e-{number}","timestamp":17950{number},"type":"exception","level":"error",
            "environment":"production","exception":{{"type":"TypeError","message":"number {number} is no function"}}}}"#
        );
        text.into_bytes()
    };
    let samples: Vec<Vec<u8>> = (0..2_000).map(sample).collect();
    let dictionary = Arc::new(Dictionary::train(&samples).unwrap());
    Packer::know(dictionary.clone());
    dictionary
});

/// The first two bytes say what is done with the rest, and how much may come out.
pub(crate) fn target(data: &[u8]) {
    let ([how, most], rest) = steer(data);
    let most = usize::from(most) << 8;
    let dictionary = LazyLock::force(&DICTIONARY);
    match how % 4 {
        0 => bounded(rest, most),
        1 => same(&compress(rest).unwrap(), rest),
        2 => same(&dictionary.pack(rest).unwrap(), rest),
        _ => damaged(dictionary, rest, most),
    }
}

/// Whatever lies there, no more comes out than was said.
fn bounded(packed: &[u8], most: usize) {
    for plain in [unpack(packed, most), decompress(packed, most)].into_iter().flatten() {
        assert!(plain.len() <= most, "{} bytes of at most {most}", plain.len());
    }
}

fn same(packed: &[u8], plain: &[u8]) {
    assert!(unpack(packed, plain.len()).unwrap() == plain, "it comes back as it was");
    if !plain.is_empty() {
        assert!(unpack(packed, plain.len() - 1).is_err(), "a byte more than is taken");
    }
}

/// A payload of a dictionary, with a part of it changed or cut.
fn damaged(dictionary: &Dictionary, rest: &[u8], most: usize) {
    let ([at, mask], plain) = steer(rest);
    let mut packed = dictionary.pack(plain).unwrap();
    let at = usize::from(at) % packed.len();
    match mask {
        0 => packed.truncate(at),
        mask => packed[at] ^= mask,
    }
    bounded(&packed, most);
    bounded(&packed, plain.len());
}
