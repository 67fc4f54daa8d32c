//! The answer to a connection for which there is no place.

use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

const ANSWER: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
    connection: close\r\ncontent-length: 65\r\n\r\n\
    {\"detail\":\"Too many connections at once. Try again in a second.\"}";
/// Refusals sent at once; further connections are closed without an answer.
const AT_ONCE: usize = 64;
/// How long a client may take to receive it.
const HEARD: Duration = Duration::from_secs(1);

pub(super) struct Refusals(Arc<Semaphore>);

impl Default for Refusals {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Refusals {
    pub(super) fn refuse(&self, stream: TcpStream) {
        if let Ok(place) = self.0.clone().try_acquire_owned() {
            tokio::spawn(async move {
                let _ = tokio::time::timeout(HEARD, answer(stream)).await;
                drop(place);
            });
        }
    }
}

/// Also reads what arrives, because closing a connection with unread data resets it, and the answer is lost.
async fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    stream.write_all(ANSWER).await?;
    stream.shutdown().await?;
    let mut passed_over = [0; 1 << 10];
    while stream.read(&mut passed_over).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::ANSWER;

    #[test]
    fn the_answer_has_the_right_content_length() {
        let text = std::str::from_utf8(ANSWER).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
        assert!(serde_json::from_str::<serde_json::Value>(body).is_ok());
    }
}
