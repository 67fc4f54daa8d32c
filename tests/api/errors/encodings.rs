//! Compressed bodies.

use crate::support::project::fresh_id;
use crate::support::{Project, json};
use std::io::Write as _;

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn bare_deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// Brotli of up to 64 KiB that is stored uncompressed, because the crate here only decompresses. A bit for the
/// window, then the header of a block, from the lowest bit: not the last one, the length in four digits, the length
/// minus one, uncompressed; then an empty last block.
pub(crate) fn brotli(plain: &[u8]) -> Vec<u8> {
    let length = u32::try_from(plain.len() - 1).unwrap();
    assert!(length < 1 << 16, "one block");
    let header = (length << 4) | (1 << 20);
    let mut stream = header.to_le_bytes()[..3].to_vec();
    stream.extend_from_slice(plain);
    stream.push(0b11);
    stream
}

pub(crate) fn zstd(plain: &[u8]) -> Vec<u8> {
    zstd::encode_all(plain, 3).unwrap()
}

/// 64 MiB of spaces, through brotli.
const BROTLI_BOMB: &str = "cbffff3ff82540e2b14020f7fe8fffff7ff04b00c4611180eefd1fffffffe0970088c30200ddfb3ffeffffc12f0\
    110870500baf77ffcffff835f02200e0b0074effff8ffff07bf04401c1600e8defff1ffff0f7e0980382c00d0bdffcbffff3ffc120071580\
    0a07bff07";

/// Small bodies that would be 64 MiB, by encoding.
pub(crate) fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let spaces = vec![b' '; 64 << 20];
    let digit = |at: usize| u8::from_str_radix(&BROTLI_BOMB[at..at + 2], 16).unwrap();
    let brotli = (0..BROTLI_BOMB.len()).step_by(2).map(digit).collect();
    vec![
        ("gzip", gzip(&spaces)),
        ("deflate", zlib(&spaces)),
        ("br", brotli),
        ("zstd", zstd::encode_all(&spaces[..], 1).unwrap()),
    ]
}

#[test]
fn every_encoding_is_accepted() {
    let project = Project::new();
    for (encoding, encode) in [
        ("gzip", gzip as fn(&[u8]) -> Vec<u8>),
        ("x-gzip", gzip),
        ("GZIP", gzip),
        ("deflate", zlib),
        ("deflate", bare_deflate),
        ("br", brotli),
        ("zstd", zstd),
        ("identity", <[u8]>::to_vec),
    ] {
        let id = fresh_id();
        let event = project.with_key(&json!({"event_id": id, "message": encoding}));
        let post = project.world.anonymous().post("/api/v1/errors").header("content-encoding", encoding);
        post.body("application/json", encode(event.to_string().as_bytes())).send().expect(202);
        assert_eq!(project.event(&id)["message"], encoding);
    }
}

#[test]
fn a_batch_may_be_compressed() {
    let project = Project::new();
    let (first, second) = (fresh_id(), fresh_id());
    let batch = json!([
        project.with_key(&json!({"event_id": first, "message": "a"})),
        project.with_key(&json!({"event_id": second, "message": "b"})),
    ]);
    let post = project.world.anonymous().post("/api/v1/errors/batch").header("content-encoding", "gzip");
    let answer = post.body("application/json", gzip(batch.to_string().as_bytes())).send();
    assert_eq!(answer.expect(202), json!({"accepted": 2, "dropped": 0}));
    assert_eq!(project.event(&second)["message"], "b");
}

#[test]
fn an_unknown_encoding_is_refused() {
    let project = Project::new();
    let event = project.with_key(&json!({"message": "x"})).to_string();
    for encoding in ["compress", "gzip, br", "lz4", "nonsense"] {
        let post = project.world.anonymous().post("/api/v1/errors").header("content-encoding", encoding);
        post.body("application/json", event.clone()).send().refuse(415, "Content-Encoding");
    }
    assert!(project.is_empty());
}

#[test]
fn a_body_that_cannot_be_decompressed_is_malformed() {
    let project = Project::new();
    let event = project.with_key(&json!({"message": "x"})).to_string();
    for (encoding, encode, name) in [
        ("gzip", gzip as fn(&[u8]) -> Vec<u8>, "gzip"),
        ("deflate", zlib, "deflate"),
        ("br", brotli, "Brotli"),
        ("zstd", zstd, "Zstandard"),
    ] {
        let whole = encode(event.as_bytes());
        let cut = |end: usize| whole[..end].to_vec();
        for wire in [event.clone().into_bytes(), cut(whole.len() / 2), cut(whole.len() - 1), b"\xff".to_vec()]
        {
            for path in ["/api/v1/errors", "/api/v1/errors/batch", "/api/v1/logs/batch"] {
                let post = project.world.anonymous().post(path).header("content-encoding", encoding);
                let words = format!("The body is not valid {name}: ");
                post.body("application/json", wire.clone()).send().refuse(400, &words);
            }
        }
    }
    assert!(project.is_empty());
}

#[test]
fn a_bomb_is_too_large() {
    let project = Project::new();
    for (encoding, bomb) in bombs() {
        assert!(bomb.len() < 100_000, "{encoding}: {} bytes", bomb.len());
        for path in ["/api/v1/errors", "/api/v1/errors/batch"] {
            let post = project.world.anonymous().post(path).header("content-encoding", encoding);
            post.body("application/json", bomb.clone()).send().refuse(413, "too large");
        }
    }
    assert!(project.is_empty());
}
