//! Serves the Web app, built into the binary or from `WEB_DIST_DIR`, at every path that is not part of the
//! API.

mod folder;
mod unpacked;

pub use folder::Folder;

use crate::accounts::people::People;
use crate::config::WebApp;
use crate::crypto::token;
use crate::error::Error;
use crate::http::fallback::no_such_route;
use crate::http::layers::policy_with;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use memchr::memmem;
use percent_encoding::percent_decode_str;
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::io::Write as _;
use std::sync::Arc;

/// Where the Web app comes from.
#[derive(Clone)]
pub struct Pages {
    pub people: Arc<People>,
    pub folder: Arc<Folder>,
}

/// Scripts and style sheets are only embedded as the build compressed them: nearly every client takes them that way.
#[derive(RustEmbed)]
#[folder = "assets/dist"]
#[exclude = "*.js"]
#[exclude = "*.css"]
struct EmbeddedFiles;

/// The content of a file with a hashed name never changes.
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// First path segments of everything that is not a page; `llm` is the model gateway's, behind Caddy.
const API: [&str; 10] =
    ["api", "auth", "webhooks", "desktop", "health", "meta", "metrics", "mcp", "llm", ".well-known"];

/// A file of the Web app, or its `index.html` for the app's own paths.
pub async fn serve(State(pages): State<Pages>, request: Request<Body>) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    if API.contains(&first) || pages.people.config.web_app == WebApp::None {
        return no_such_route();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return crate::http::fallback::method_not_allowed().await.into_response();
    }
    let store = Files { from: &pages.people.config.web_app, folder: &pages.folder };
    if let Some(why) = missing_page(&pages.people, path) {
        return told_missing(&store, why, request.headers());
    }
    if let Some(file) = store.file(path, request.headers()) {
        return file;
    }
    if is_file(path) || climbs(path) {
        return no_such_route();
    }
    store.file("index.html", request.headers()).unwrap_or_else(no_such_route)
}

/// Why a page of the Web app does not exist on this instance.
fn missing_page(people: &People, path: &str) -> Option<&'static str> {
    match path.trim_end_matches('/') {
        "register" if !people.config.sign_in.password_enabled => Some("Email sign-in is not enabled."),
        "setup" if !people.single_org => Some("This instance has many organizations and is not claimed."),
        _ => None,
    }
}

/// The answer for a missing page, in JSON; a browser gets the Web app, which has its own text.
fn told_missing(store: &Files<'_>, why: &'static str, headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match store.file("index.html", headers).filter(|_| accepted.contains("text/html")) {
        Some(mut page) => {
            *page.status_mut() = StatusCode::NOT_FOUND;
            page
        }
        None => Error::not_found(why).into_response(),
    }
}

/// Whether a path without a file looks like a missing file. Any other path is for the app's router to decide;
/// versions in its paths contain dots, too.
fn is_file(path: &str) -> bool {
    path.starts_with("assets/") || (path.contains('.') && !path.contains('/'))
}

/// Whether a path contains a `.` or `..` segment, escaped or not: browsers do not send these, and no page has
/// one.
fn climbs(path: &str) -> bool {
    let path = percent_decode_str(path).decode_utf8_lossy();
    path.split('/').any(|part| matches!(part, "." | ".."))
}

/// The placeholder in `index.html` for the response's nonce.
const NONCE_PLACEHOLDER: &[u8] = b"__CSP_NONCE__";
/// Characters of a nonce, 5.95 bits each: more than 128 bits.
const NONCE_LENGTH: usize = 22;

/// The files that other sites load: the client, and what it imports to record replays.
const CLIENT: [&str; 2] = ["client.js", "client-replay.js"];
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The document in which a replay is shown. A frame without an address would have the policy of the page around it;
/// this one has its own, under which nothing runs and nothing is fetched, whatever a recording contains.
const REPLAY_FRAME: &str = "replay-frame.html";
const REPLAY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'; \
     base-uri 'none'; form-action 'none'; sandbox allow-same-origin",
);

struct Files<'a> {
    from: &'a WebApp,
    folder: &'a Folder,
}

/// The stored forms of a file.
enum StoredFile {
    Plain(Bytes),
    /// Only compressed, by the build.
    Gzipped(Bytes),
}

impl StoredFile {
    fn bytes(&self) -> &Bytes {
        match self {
            Self::Plain(bytes) | Self::Gzipped(bytes) => bytes,
        }
    }
}

impl Files<'_> {
    fn file(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let stored = self.stored(path)?;
        if path == "index.html" && memmem::find(stored.bytes(), NONCE_PLACEHOLDER).is_some() {
            return Some(with_nonce(stored.bytes(), headers));
        }
        let etag = format!("\"{}\"", &blake3::hash(stored.bytes()).to_hex()[..32]);
        let cache = match path {
            "index.html" => NO_STORE,
            path if CLIENT.contains(&path) => AN_HOUR,
            path if path.starts_with("assets/") => FOREVER,
            _ => REVALIDATE,
        };
        let known =
            headers.get(header::IF_NONE_MATCH).is_some_and(|given| given.as_bytes() == etag.as_bytes());
        let mut response = match known {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => self.packed(path, stored, headers),
        };
        let answer = response.headers_mut();
        answer.insert(header::CONTENT_TYPE, kind(path)?);
        answer.insert(header::CACHE_CONTROL, cache);
        answer.insert(header::ETAG, HeaderValue::from_str(&etag).ok()?);
        answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if CLIENT.contains(&path) {
            answer.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            answer.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
        }
        if path == REPLAY_FRAME {
            answer.insert(header::CONTENT_SECURITY_POLICY, REPLAY_POLICY);
            answer.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
        }
        Some(response)
    }

    /// The file as compressed by the build, if the client accepts that.
    fn packed(&self, path: &str, stored: StoredFile, headers: &HeaderMap) -> Response {
        for (encoding, extension) in [("br", ".br"), ("gzip", ".gz")] {
            if accepts(headers, encoding)
                && let Some(packed) = self.read(&format!("{path}{extension}"))
            {
                return ([(header::CONTENT_ENCODING, encoding)], packed).into_response();
            }
        }
        match stored {
            StoredFile::Plain(bytes) => bytes.into_response(),
            StoredFile::Gzipped(bytes) => {
                unpacked::of(path, &bytes).map_or_else(no_such_route, IntoResponse::into_response)
            }
        }
    }

    /// A file as it is kept.
    fn stored(&self, path: &str) -> Option<StoredFile> {
        match self.read(path) {
            Some(bytes) => Some(StoredFile::Plain(bytes)),
            None if matches!(self.from, WebApp::Embedded) => {
                self.read(&format!("{path}.gz")).map(StoredFile::Gzipped)
            }
            None => None,
        }
    }

    /// A file's bytes, shared by all responses.
    fn read(&self, path: &str) -> Option<Bytes> {
        match self.from {
            WebApp::Embedded => EmbeddedFiles::get(path).map(|file| match file.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => bytes.into(),
            }),
            WebApp::None => None,
            WebApp::Folder(root) => self.folder.read(root, path),
        }
    }
}

/// A page made for this response only: it can use neither the compressed file from the build nor a validator.
fn with_nonce(page: &[u8], headers: &HeaderMap) -> Response {
    let nonce = token::random_base62(NONCE_LENGTH);
    let mut plain = Vec::with_capacity(page.len() + 256);
    let mut rest = page;
    while let Some(at) = memmem::find(rest, NONCE_PLACEHOLDER) {
        plain.extend_from_slice(&rest[..at]);
        plain.extend_from_slice(nonce.as_bytes());
        rest = &rest[at + NONCE_PLACEHOLDER.len()..];
    }
    plain.extend_from_slice(rest);
    let shared = [
        (header::CONTENT_TYPE, HTML),
        (header::CACHE_CONTROL, NO_STORE),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let policy = [(header::CONTENT_SECURITY_POLICY, policy_with(&nonce))];
    match accepts(headers, "gzip").then(|| gzipped(&plain)).flatten() {
        Some(packed) => (shared, policy, [(header::CONTENT_ENCODING, "gzip")], packed).into_response(),
        None => (shared, policy, plain).into_response(),
    }
}

/// Compresses a page on the fly, since it is only a few KB.
fn gzipped(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).and_then(|()| encoder.finish()).ok()
}

fn kind(path: &str) -> Option<HeaderValue> {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let text = if kind.type_() == "text" { format!("{kind}; charset=utf-8") } else { kind.to_string() };
    HeaderValue::from_str(&text).ok()
}

fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        parts.next() == Some(encoding)
            && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}
