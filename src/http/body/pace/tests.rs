use super::*;
use http_body_util::BodyExt as _;

/// Many pauses, so that a busy machine does not make a client too slow.
const LIMIT: Duration = Duration::from_secs(8);
/// The pause between two pieces.
const PAUSE: Duration = Duration::from_millis(160);

/// A client that sends this many pieces of this size.
fn client(size: usize, pieces: usize) -> Body {
    let bytes = move |sent| async move {
        if sent == pieces {
            return Ok::<_, std::convert::Infallible>(None);
        }
        tokio::time::sleep(PAUSE).await;
        Ok(Some((Bytes::from(vec![b'x'; size]), sent + 1)))
    };
    Body::from_stream(stream::try_unfold(0, bytes))
}

#[tokio::test]
async fn a_slow_client_that_makes_progress_is_read_to_the_end() {
    // In all it takes longer than one piece may.
    let read = paced_by(client(PIECE / 2, 60), LIMIT).collect().await.unwrap();
    assert_eq!(read.to_bytes().len(), 30 * PIECE);
}

#[tokio::test]
async fn a_client_that_sends_byte_by_byte_is_cut_off() {
    let start = Instant::now();
    let error = paced_by(client(1, 1_000), LIMIT).collect().await.unwrap_err();
    assert!(error.to_string().contains("too slowly"), "{error}");
    assert!(start.elapsed() >= LIMIT);
}

#[tokio::test]
async fn a_small_body_may_be_slow_but_must_end() {
    let read = paced_by(client(1, 5), LIMIT).collect().await.unwrap();
    assert_eq!(read.to_bytes().len(), 5);
}

#[tokio::test]
async fn time_spent_by_the_reader_does_not_count() {
    let mut body = paced_by(client(1_000, 5), LIMIT).into_data_stream();
    let mut read = 0;
    while let Some(bytes) = body.next().await {
        read += bytes.unwrap().len();
        tokio::time::sleep(LIMIT / 4).await;
    }
    assert_eq!(read, 5_000);
}
