//! The authorities that a TLS connection trusts.

use std::sync::Arc;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Mozilla's authorities, and those of the operating system or of `SSL_CERT_FILE`.
pub(super) fn roots() -> RootCertStore {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let native = rustls_native_certs::load_native_certs();
    for error in &native.errors {
        tracing::debug!(%error, "some of the system's certificates cannot be read");
    }
    roots.add_parsable_certificates(native.certs);
    roots
}

/// HTTP/1.1 over TLS 1.2 or 1.3.
///
/// # Panics
/// Never: the provider used here supports both versions.
#[expect(clippy::expect_used, reason = "the provider knows these versions")]
pub(super) fn connector(roots: RootCertStore) -> TlsConnector {
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring knows TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    TlsConnector::from(Arc::new(config))
}
