use super::*;

async fn pieces(encoding: Encoding, wire: Vec<u8>, limit: usize) -> Vec<Bytes> {
    let body = unpacked(encoding, Body::from(wire), limit);
    body.into_data_stream().map(Result::unwrap).collect().await
}

fn packed(plain: &[u8]) -> [(Encoding, Vec<u8>); 3] {
    let best = flate2::Compression::best();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), best);
    gzip.write_all(plain).unwrap();
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), best);
    zlib.write_all(plain).unwrap();
    [
        (Encoding::Gzip, gzip.finish().unwrap()),
        (Encoding::Deflate, zlib.finish().unwrap()),
        (Encoding::Zstd, zstd::encode_all(plain, 3).unwrap()),
    ]
}

#[tokio::test]
async fn a_decompression_bomb_in_one_piece_is_never_held_whole() {
    for (encoding, wire) in packed(&vec![0; 32 << 20]) {
        let pieces = pieces(encoding, wire, 16 << 20).await;
        let longest = pieces.iter().map(Bytes::len).max().unwrap();
        assert!(longest <= 2 << 20, "{encoding:?}: {longest}");
        assert_eq!(pieces.iter().map(Bytes::len).sum::<usize>(), (16 << 20) + 1, "{encoding:?}");
    }
}

#[tokio::test]
async fn a_body_is_unpacked_unchanged() {
    let plain: Vec<u8> = (0..300_000_u32).flat_map(|n| n.wrapping_mul(n).to_le_bytes()).collect();
    for (encoding, wire) in packed(&plain) {
        assert_eq!(pieces(encoding, wire, 4 << 20).await.concat(), plain, "{encoding:?}");
    }
    assert_eq!(pieces(Encoding::Identity, plain.clone(), 4 << 20).await.concat(), plain);
    // `hello` through `brotli`, since the crate here only decompresses.
    let brotli = b"\x0b\x02\x80hello\x03".to_vec();
    assert_eq!(pieces(Encoding::Brotli, brotli, 1 << 20).await.concat(), b"hello");
}

#[tokio::test]
async fn data_after_the_end_of_a_deflate_stream_is_ignored() {
    let plain = b"an event".repeat(1_000);
    for (name, mut wire) in [("zlib", deflated(&plain, true)), ("bare", deflated(&plain, false))] {
        wire.extend(b"what follows".repeat(200));
        assert_eq!(super::super::decode(Encoding::Deflate, &wire, 1 << 20).unwrap(), plain, "{name}");
        assert_eq!(pieces(Encoding::Deflate, wire, 1 << 20).await.concat(), plain, "{name}");
    }
}

fn deflated(plain: &[u8], zlib: bool) -> Vec<u8> {
    let level = flate2::Compression::fast();
    if zlib {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(plain).unwrap();
        return encoder.finish().unwrap();
    }
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}
