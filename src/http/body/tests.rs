use super::*;
use std::io::Write as _;

const PLAIN: &[u8] = b"{\"api_key\":\"pk_x\"}";

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn deflate(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_encoding_is_read() {
    // `PLAIN` through `brotli`, since the crate here only decompresses.
    let brotli = [0x8b, 0x08, 0x80].iter().chain(PLAIN).chain(&[0x03]).copied().collect::<Vec<u8>>();
    for (encoding, wire) in [
        (Encoding::Identity, PLAIN.to_vec()),
        (Encoding::Gzip, gzip(PLAIN)),
        (Encoding::Deflate, zlib(PLAIN)),
        (Encoding::Deflate, deflate(PLAIN)),
        (Encoding::Brotli, brotli),
        (Encoding::Zstd, zstd::encode_all(PLAIN, 3).unwrap()),
    ] {
        assert_eq!(decode(encoding, &wire, 1024).unwrap(), PLAIN, "{encoding:?}");
    }
}

#[test]
fn a_decompression_bomb_is_refused_without_unpacking_it() {
    let zeros = vec![0; 64 << 20];
    for (encoding, wire) in [
        (Encoding::Gzip, gzip(&zeros)),
        (Encoding::Deflate, zlib(&zeros)),
        (Encoding::Zstd, zstd::encode_all(&zeros[..], 1).unwrap()),
    ] {
        assert!(matches!(decode(encoding, &wire, 1 << 20), Err(Error::TooLarge(_))), "{encoding:?}");
    }
}

#[test]
fn a_body_that_is_not_compressed_as_declared_is_malformed() {
    for encoding in [Encoding::Gzip, Encoding::Deflate, Encoding::Brotli, Encoding::Zstd] {
        assert!(matches!(decode(encoding, b"\xff\xff{}", 1024), Err(Error::Malformed(_))), "{encoding:?}");
    }
}
