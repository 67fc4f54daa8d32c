//! `mayday healthcheck`: requests the server's `/health`, as a container's `HEALTHCHECK` does, or another service of
//! the stack, from where the server would reach it.

use super::{Options, ended, say};
use crate::config::Config;
use crate::error::{Error, Result};
use bytes::Bytes;
use clap::Args;
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use url::Url;

/// The time limit for everything.
const DEADLINE: Duration = Duration::from_secs(5);
/// Bytes of an answer.
const ANSWER_MAX: usize = 64 << 10;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The server's address, http only [default: where SERVICE_LISTEN says, over loopback]. With a path: any service,
    /// which has to answer 200 there
    #[arg(long, value_name = "URL")]
    url: Option<Url>,
}

pub(super) fn run(options: &Options, arguments: &Arguments) -> ExitCode {
    match options.config() {
        Ok(config) => ended(check(&config, arguments)),
        Err(code) => code,
    }
}

fn check(config: &Config, arguments: &Arguments) -> Result<()> {
    let url = match &arguments.url {
        Some(url) => url.clone(),
        None => own(config.listen)?,
    };
    let fault = |what: &dyn std::fmt::Display| Error::internal(format!("{url}: {what}"));
    if url.scheme() != "http" {
        return Err(fault(&"expected an http:// address, such as http://127.0.0.1:8000"));
    }
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::internal)?;
    let asked = runtime.block_on(async { tokio::time::timeout(DEADLINE, ask(&url)).await });
    // A look-up may still be in progress.
    runtime.shutdown_background();
    let late = |_| fault(&format_args!("no answer within {} s", DEADLINE.as_secs()));
    let (status, body) = asked.map_err(late)?.map_err(|error| fault(&error))?;
    if url.path() != "/" {
        return if status == 200 {
            Ok(())
        } else {
            Err(fault(&format_args!("answers {status}, and not 200")))
        };
    }
    let said: Value = serde_json::from_slice(&body).unwrap_or_default();
    match (status, said["status"].as_str(), said["version"].as_str()) {
        (200, Some("ok"), Some(version)) => {
            say(&format_args!("ok: {url} is Mayday {version}"));
            Ok(())
        }
        (_, Some("degraded"), _) => {
            Err(fault(&format_args!("degraded: {}", said["reason"].as_str().unwrap_or("no reason is given"))))
        }
        _ => Err(fault(&format_args!("answers {status}, but not as Mayday does"))),
    }
}

/// The address that the server listens on, as this machine reaches it.
fn own(listen: SocketAddr) -> Result<Url> {
    if listen.port() == 0 {
        return Err(Error::internal(
            "SERVICE_LISTEN has port 0, which is another one at each start: name the address with --url",
        ));
    }
    let address = match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(address) if address.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        address => address,
    };
    Url::parse(&format!("http://{}", SocketAddr::new(address, listen.port()))).map_err(Error::internal)
}

async fn ask(url: &Url) -> Result<(u16, Bytes), Box<dyn std::error::Error + Send + Sync>> {
    let host = url.host_str().unwrap_or_default();
    let address = format!("{host}:{}", url.port_or_known_default().unwrap_or(80));
    let stream = TcpStream::connect(&address).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // Aborted when this function returns.
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    let path = if url.path() == "/" { "/health" } else { url.path() };
    let request = hyper::Request::get(path).header(HOST, &address).body(Empty::<Bytes>::new())?;
    let answer = sender.send_request(request).await?;
    let status = answer.status().as_u16();
    Ok((status, Limited::new(answer.into_body(), ANSWER_MAX).collect().await?.to_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_asked_over_loopback() {
        let asked = |listen: &str| own(listen.parse().unwrap()).unwrap().to_string();
        assert_eq!(asked("0.0.0.0:8000"), "http://127.0.0.1:8000/");
        assert_eq!(asked("[::]:80"), "http://[::1]/");
        assert_eq!(asked("10.0.0.7:9"), "http://10.0.0.7:9/");
        assert!(own("127.0.0.1:0".parse().unwrap()).is_err());
    }
}
