//! HTTP/1.1 on one kept connection, by hand: the generator shares its cores with what it measures,
//! so it must cost little.

use crate::Result;
use serde_json::Value;
use std::io::ErrorKind;
use std::net::SocketAddr;
use tokio::net::TcpStream;

/// Bytes of an answer that are taken.
const ANSWER_MAX: usize = 16 << 20;

pub(crate) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::with_capacity(8 << 10) })
    }

    /// Sends a whole request; its answer's status, the body left in the buffer.
    pub(crate) async fn send(&mut self, request: &[u8]) -> Result<u16> {
        self.exchange(request).await.map(|(status, _)| status)
    }

    /// Starts a stream: the status, once its first bytes are there. The connection is of no use after.
    pub(crate) async fn start_stream(&mut self, request: &[u8]) -> Result<u16> {
        self.write(request).await?;
        self.read.clear();
        loop {
            let body = self.read.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4);
            if let Some(body) = body
                && self.read.len() > body
            {
                return Ok(std::str::from_utf8(&self.read[9..12])?.parse()?);
            }
            self.more().await?;
        }
    }

    /// The status, and where the body starts in the buffer.
    async fn exchange(&mut self, request: &[u8]) -> Result<(u16, usize)> {
        self.write(request).await?;
        self.read.clear();
        let head = loop {
            if let Some(at) = self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
            self.more().await?;
        };
        let text = std::str::from_utf8(&self.read[..head])?;
        let status = text.get(9..12).ok_or("an answer without a status")?.parse()?;
        let length = content_length(text).ok_or("an answer without a length")?;
        if length > ANSWER_MAX {
            return Err(format!("an answer of {length} bytes").into());
        }
        while self.read.len() < head + length {
            self.more().await?;
        }
        Ok((status, head))
    }

    async fn write(&self, mut rest: &[u8]) -> Result<()> {
        while !rest.is_empty() {
            match self.stream.try_write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.stream.writable().await?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    async fn more(&mut self) -> Result<()> {
        let mut piece = [0; 8 << 10];
        loop {
            self.stream.readable().await?;
            match self.stream.try_read(&mut piece) {
                Ok(0) => return Err("the server closed the connection".into()),
                Ok(length) => {
                    self.read.extend_from_slice(&piece[..length]);
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// A request that must succeed, and its answer's JSON.
    pub(crate) async fn json(&mut self, request: &Request<'_>) -> Result<Value> {
        let body = self.body(request).await?;
        Ok(if body.is_empty() { Value::Null } else { serde_json::from_slice(body)? })
    }

    /// A request that must succeed, and its answer's body.
    pub(crate) async fn body(&mut self, request: &Request<'_>) -> Result<&[u8]> {
        let (status, head) = self.exchange(&request.bytes()).await?;
        let body = &self.read[head..];
        if !(200..300).contains(&status) {
            let text = String::from_utf8_lossy(body);
            return Err(format!("{} {}: {status} {text}", request.method, request.path).into());
        }
        Ok(body)
    }
}

fn content_length(head: &str) -> Option<usize> {
    let value = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then_some(value)
    });
    value?.trim().parse().ok()
}

pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) bearer: Option<&'a str>,
    pub(crate) content_type: &'a str,
    pub(crate) body: &'a [u8],
}

impl Request<'_> {
    /// The body of a whole request.
    pub(crate) fn body_of(bytes: &[u8]) -> &[u8] {
        let head = bytes.windows(4).position(|window| window == b"\r\n\r\n").map_or(0, |at| at + 4);
        &bytes[head..]
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Self { method, path, content_type, .. } = self;
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n",
            self.body.len()
        );
        if let Some(token) = self.bearer {
            head.push_str("authorization: Bearer ");
            head.push_str(token);
            head.push_str("\r\n");
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(self.body);
        bytes
    }
}
