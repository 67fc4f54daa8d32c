use super::*;
use axum::http::HeaderValue;
use std::convert::Infallible;
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

const LIMIT: usize = 1 << 20;

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn headers(encoding: &'static str) -> HeaderMap {
    HeaderMap::from_iter([(header::CONTENT_ENCODING, HeaderValue::from_static(encoding))])
}

/// The result of `read`, and how often it asked whose the body is.
async fn read_as(encoding: &'static str, wire: Vec<u8>) -> (Result<Bytes>, usize) {
    let asked = AtomicUsize::new(0);
    let whose = |beginning: &[u8]| {
        asked.fetch_add(1, Ordering::Relaxed);
        assert!(beginning.starts_with(b"[{\"key\"") && beginning.len() <= 2 * FREE_PLAIN);
        Arc::new(Share::default())
    };
    let pieces: Vec<_> = wire.chunks(1_000).map(|piece| Ok::<_, Infallible>(piece.to_vec())).collect();
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    let read = read(&headers(encoding), body, LIMIT, whose).await;
    (read, asked.load(Ordering::Relaxed))
}

/// JSON that is hard to compress.
fn plain(length: usize) -> Vec<u8> {
    let mut text = b"[{\"key\":\"".to_vec();
    let mut state = 7_u64;
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push(b'a' + ((state >> 33) % 26) as u8);
    }
    text
}

#[tokio::test]
async fn the_share_matters_only_for_large_bodies() {
    for (length, asks) in [(10, 0), (FREE, 0), (2 * FREE, 1), (LIMIT, 1)] {
        let text = plain(length);
        let (read, asked) = read_as("identity", text.clone()).await;
        assert_eq!((read.unwrap(), asked), (text.into(), asks), "{length}");
    }
    let small = plain(FREE);
    assert_eq!(read_as("gzip", gzip(&small)).await.1, 0);
    // A small body with much in it needs no room for the wire, but a decoder.
    let much = [plain(100), vec![b' '; LIMIT - 200]].concat();
    let (read, asked) = read_as("gzip", gzip(&much)).await;
    assert_eq!((read.unwrap(), asked), (much.into(), 1));
    let (read, asked) = read_as("gzip", gzip(&plain(LIMIT / 2))).await;
    assert_eq!((read.unwrap().len(), asked), (LIMIT / 2, 2), "both");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_in_every_encoding() {
    let (read, _) = read_as("identity", plain(LIMIT + 1)).await;
    assert!(matches!(read, Err(Error::TooLarge(_))), "{read:?}");
    let much = [plain(100), vec![b' '; LIMIT]].concat();
    let (read, _) = read_as("gzip", gzip(&much)).await;
    assert!(matches!(read, Err(Error::TooLarge(_))), "{read:?}");
}

#[tokio::test]
async fn a_broken_body_is_malformed() {
    let whole = gzip(&plain(1_000));
    let (read, _) = read_as("gzip", whole[..whole.len() / 2].to_vec()).await;
    assert!(matches!(read, Err(Error::Malformed(_))), "{read:?}");
}
