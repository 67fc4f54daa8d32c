//! `multipart/form-data`, as `curl -F` sends it.

/// No part contains it.
const BOUNDARY: &str = "----------------------7a1e5c0b9d3f4e26";

#[derive(Debug, Clone, Default)]
pub(crate) struct Form(Vec<u8>);

impl Form {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn text(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.part(&format!("form-data; name=\"{name}\""), None, value.as_ref())
    }

    pub(crate) fn file(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let disposition = format!("form-data; name=\"{name}\"; filename=\"../../{name}.map\"");
        self.part(&disposition, Some("application/octet-stream"), value.as_ref())
    }

    fn part(mut self, disposition: &str, kind: Option<&str>, value: &[u8]) -> Self {
        let kind = kind.map(|kind| format!("\r\nContent-Type: {kind}")).unwrap_or_default();
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: {disposition}{kind}\r\n\r\n");
        self.0.extend_from_slice(head.as_bytes());
        self.0.extend_from_slice(value);
        self.0.extend_from_slice(b"\r\n");
        self
    }

    pub(crate) fn content_type(&self) -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut body = self.0.clone();
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        body
    }
}
