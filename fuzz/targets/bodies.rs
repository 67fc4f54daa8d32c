//! Compressed bodies: both ways of unpacking keep their bounds and agree with each other.

use super::steer;
use axum::body::Body;
use futures_util::StreamExt as _;
use mayday::error::Error;
use mayday::http::body::{Encoding, decode, unpacked};
use std::io::Write as _;
use std::sync::LazyLock;
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().build().unwrap());
const LIMITS: [usize; 4] = [0, 1_000, 64 << 10, 1 << 20];

/// The first byte names the encoding and the limit; the rest is what came over the wire.
pub(crate) fn target(data: &[u8]) {
    let ([head], wire) = steer(data);
    let limit = LIMITS[usize::from(head >> 4) % LIMITS.len()];
    let encoding = match head & 7 {
        0 => Encoding::Identity,
        1 => Encoding::Gzip,
        2 => Encoding::Deflate,
        3 => Encoding::Brotli,
        4 => Encoding::Zstd,
        packed => return round_trip(packed, wire),
    };
    agree(encoding, wire, limit);
}

/// What is unpacked whole, and what is unpacked as it is read.
fn agree(encoding: Encoding, wire: &[u8], limit: usize) {
    let whole = decode(encoding, wire, limit);
    let streamed = streamed(encoding, wire, limit);
    match (&whole, &streamed) {
        (Ok(plain), Ok(streamed)) if encoding != Encoding::Identity => {
            assert!(plain.len() <= limit, "{} bytes over the limit of {limit}", plain.len());
            assert!(
                streamed == plain,
                "{encoding:?}: {} bytes whole, {} streamed",
                plain.len(),
                streamed.len()
            );
        }
        (Err(Error::Malformed(_) | Error::TooLarge(_)), _) | (Ok(_), _) => {}
        (Err(error), _) => panic!("a body's fault is the client's: {error:?}"),
    }
    if let Ok(streamed) = &streamed {
        assert!(streamed.len() <= limit + 1, "{} bytes over the limit of {limit}", streamed.len());
    }
    if let (Ok(plain), Err(error)) = (&whole, &streamed)
        && wire.len() <= limit
    {
        panic!("{encoding:?}: whole {} bytes, streamed {error}", plain.len());
    }
}

fn streamed(encoding: Encoding, wire: &[u8], limit: usize) -> Result<Vec<u8>, axum::Error> {
    let body = unpacked(encoding, Body::from(wire.to_vec()), limit);
    RUNTIME.block_on(async {
        let mut pieces = body.into_data_stream();
        let mut all = Vec::new();
        while let Some(piece) = pieces.next().await {
            let piece = piece?;
            assert!(!piece.is_empty(), "an empty piece would end a chunked body");
            all.extend_from_slice(&piece);
        }
        Ok(all)
    })
}

/// What was packed comes out as it went in.
fn round_trip(how: u8, plain: &[u8]) {
    let level = flate2::Compression::fast();
    let (encoding, wire) = match how {
        5 => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(plain).unwrap();
            (Encoding::Gzip, encoder.finish().unwrap())
        }
        6 => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(plain).unwrap();
            (Encoding::Deflate, encoder.finish().unwrap())
        }
        _ => (Encoding::Zstd, zstd::encode_all(plain, 1).unwrap()),
    };
    let limit = plain.len().max(wire.len());
    assert!(decode(encoding, &wire, limit).unwrap() == plain, "{encoding:?} whole");
    assert!(streamed(encoding, &wire, limit).unwrap() == plain, "{encoding:?} streamed");
    if !plain.is_empty() {
        assert!(matches!(decode(encoding, &wire, plain.len() - 1), Err(Error::TooLarge(_))), "{encoding:?}");
    }
}
