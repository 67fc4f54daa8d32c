//! Resolves names to addresses.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;

pub type Resolved<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>>;

/// Resolves names; tests have their own implementation.
pub trait Resolver: Send + Sync {
    /// Every address of a name, each with the port.
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a>;
}

/// The operating system's resolver.
#[derive(Debug, Clone, Copy)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str, port: u16) -> Resolved<'a> {
        Box::pin(async move { Ok(tokio::net::lookup_host((host, port)).await?.collect()) })
    }
}
