//! A connection to a host that the repository allows. It must be TLS and name the requested host in its
//! `ClientHello`, because one address of a provider may serve all of its customers' sites.

use crate::cli::runner::protocol::Figures;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf, copy_bidirectional};
use tokio_rustls::rustls::server::Acceptor;

/// The longest `ClientHello`; one with keys for every algorithm has a few thousand bytes.
const GREETING_MAX: usize = 64 << 10;
/// How long the agent may take to send it.
const PATIENCE: Duration = Duration::from_secs(30);

/// The bytes forwarded in each direction.
#[derive(Debug, Default)]
pub(super) struct Carried {
    out: AtomicU64,
    back: AtomicU64,
}

impl std::fmt::Display for Carried {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [out, back] = [&self.out, &self.back].map(|bytes| bytes.load(Ordering::Relaxed));
        write!(f, "{out} bytes out, {back} bytes back")
    }
}

impl Carried {
    pub(super) fn figures(&self) -> Figures {
        let [out, back] = [&self.out, &self.back].map(|bytes| bytes.load(Ordering::Relaxed));
        Figures { bytes_out: Some(out), bytes_back: Some(back), ..Figures::default() }
    }
}

/// Forwards both directions until one side closes.
///
/// # Errors
/// If the agent does not name the host, or the connection breaks.
pub(super) async fn carry<I, O>(
    mut inside: I,
    mut outside: O,
    host: &str,
    carried: &Carried,
) -> Result<(), String>
where
    I: AsyncRead + AsyncWrite + Unpin,
    O: AsyncRead + AsyncWrite + Unpin,
{
    let late = |_| "nothing was said".to_owned();
    let greeting = tokio::time::timeout(PATIENCE, greeting(&mut inside, host)).await.map_err(late)??;
    outside.write_all(&greeting).await.map_err(text)?;
    carried.out.fetch_add(greeting.len() as u64, Ordering::Relaxed);
    copy_bidirectional(&mut inside, &mut CountedStream { outside, carried }).await.map(drop).map_err(text)
}

/// Reads the agent's `ClientHello`, and checks that it names the host.
async fn greeting(inside: &mut (impl AsyncRead + Unpin), host: &str) -> Result<Vec<u8>, String> {
    let (mut read, mut acceptor) = (Vec::new(), Acceptor::default());
    let mut piece = [0; 4096];
    while read.len() < GREETING_MAX {
        let length = inside.read(&mut piece).await.map_err(text)?;
        let mut bytes = &piece[..length];
        read.extend_from_slice(bytes);
        if length == 0 {
            break;
        }
        while !bytes.is_empty() {
            acceptor.read_tls(&mut bytes).map_err(text)?;
            let heard = acceptor.accept().map_err(|(error, _)| format!("it is no TLS ({error})"))?;
            let Some(heard) = heard else { continue };
            let greeted = heard.client_hello().server_name().unwrap_or_default().to_ascii_lowercase();
            return if greeted == host { Ok(read) } else { Err(format!("it greets `{greeted}`")) };
        }
    }
    Err("it is no TLS".to_owned())
}

fn text(error: std::io::Error) -> String {
    error.to_string()
}

struct CountedStream<'a, S> {
    outside: S,
    carried: &'a Carried,
}

impl<S: AsyncRead + Unpin> AsyncRead for CountedStream<'_, S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.outside).poll_read(cx, buffer);
        let read = buffer.filled().len() - before;
        self.carried.back.fetch_add(read as u64, Ordering::Relaxed);
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for CountedStream<'_, S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let polled = Pin::new(&mut self.outside).poll_write(cx, bytes);
        if let Poll::Ready(Ok(written)) = polled {
            self.carried.out.fetch_add(written as u64, Ordering::Relaxed);
        }
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.outside).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.outside).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use tokio_rustls::rustls::crypto::ring::default_provider;
    use tokio_rustls::rustls::pki_types::ServerName;
    use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore};

    fn greeting_of(name: &str) -> Vec<u8> {
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        let name = ServerName::try_from(name.to_owned()).unwrap();
        let mut bytes = Vec::new();
        ClientConnection::new(Arc::new(config), name).unwrap().write_tls(&mut bytes).unwrap();
        bytes
    }

    /// Sends `pieces` as the agent. Returns what the host got, what the agent got, and the outcome.
    async fn say(pieces: &[&[u8]], host: &str) -> (Vec<u8>, String) {
        let ((mut agent, inside), (outside, mut site)) =
            (tokio::io::duplex(1 << 20), tokio::io::duplex(1 << 20));
        for piece in pieces {
            agent.write_all(piece).await.unwrap();
        }
        agent.shutdown().await.unwrap();
        let carried = Carried::default();
        let site = tokio::spawn(async move {
            let mut heard = Vec::new();
            site.read_to_end(&mut heard).await.unwrap();
            drop(site.write_all(b"answer").await);
            heard
        });
        let end = carry(inside, outside, host, &carried).await;
        (site.await.unwrap(), end.map_or_else(|why| why, |()| carried.to_string()))
    }

    #[tokio::test]
    async fn a_connection_that_names_the_host_is_forwarded_and_counted() {
        let greeting = greeting_of("registry.example");
        let (first, rest) = greeting.split_at(7);
        let (heard, end) = say(&[first, rest, b"more"], "registry.example").await;
        assert_eq!(heard, [&greeting[..], b"more"].concat());
        assert_eq!(end, format!("{} bytes out, 6 bytes back", greeting.len() + 4));
    }

    #[tokio::test]
    async fn a_connection_that_names_another_host_or_none_is_refused() {
        let (other, address) = (greeting_of("evil.example"), greeting_of("192.0.2.1"));
        for (said, why) in [
            (&other[..], "it greets `evil.example`"),
            (&address[..], "it greets ``"),
            (b"GET / HTTP/1.1\r\nhost: registry.example\r\n\r\n", "it is no TLS"),
            (b"", "it is no TLS"),
            (&other[..20], "it is no TLS"),
            (&[0x16, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xff], "it is no TLS"),
        ] {
            let (heard, end) = say(&[said], "registry.example").await;
            assert!(heard.is_empty() && end.starts_with(why), "{end}");
        }
    }
}
