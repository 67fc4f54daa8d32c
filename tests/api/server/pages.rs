//! How the Web app's files are served: the policy with its nonce, and the script for other sites.

use crate::support::{Response, Server};
use std::collections::HashSet;
use tempfile::TempDir;

const PLACEHOLDER: &str = "__CSP_NONCE__";
const PAGE: &str = "<meta property=csp content=__CSP_NONCE__><style nonce=__CSP_NONCE__></style>";
const SCRIPT: &str = "reportErrors()";
/// Other bytes, so that it shows which file was sent.
const PACKED: &str = "what the build compressed";

/// A folder with the output of a build: files with their compressed forms beside them.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
        for extension in ["br", "gz"] {
            std::fs::write(folder.path().join(format!("{name}.{extension}")), PACKED).unwrap();
        }
    }
    folder
}

fn serving(folder: &TempDir) -> Server {
    Server::start_with(&[("WEB_DIST_DIR", folder.path().to_str().unwrap())])
}

fn policy(response: &Response) -> &str {
    response.header("content-security-policy").unwrap()
}

/// The nonce of a policy's styles.
fn nonce(response: &Response) -> String {
    let styles = policy(response).split("; ").find(|rule| rule.starts_with("style-src ")).unwrap();
    let nonce = styles.strip_prefix("style-src 'self' 'nonce-").and_then(|rest| rest.strip_suffix('\''));
    nonce.unwrap_or_else(|| panic!("{styles}")).to_owned()
}

#[test]
fn each_page_has_its_own_nonce() {
    let folder = folder(&[("index.html", PAGE)]);
    let server = serving(&folder);
    let mut seen = HashSet::new();
    for path in ["/", "/login", "/projects/1/issues/2", "/index.html", "/"] {
        let page = server.anonymous().get(path).send();
        let nonce = nonce(&page);
        // 22 characters of 62 are over 128 bits.
        assert!(nonce.len() >= 22 && nonce.bytes().all(|b| b.is_ascii_alphanumeric()), "{nonce}");
        assert_eq!(page.text(), PAGE.replace(PLACEHOLDER, &nonce), "{path}");
        assert_eq!(page.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        assert_eq!(page.header("etag"), None, "{path}");
        assert!(seen.insert(nonce), "{path}: a nonce twice");
    }
}

#[test]
fn a_page_with_a_nonce_is_never_the_one_that_the_build_compressed() {
    let folder = folder(&[("index.html", PAGE)]);
    let server = serving(&folder);
    let page = server.anonymous().get("/").header("accept-encoding", "br").send();
    assert_eq!(
        (page.header("content-encoding"), page.text()),
        (None, PAGE.replace(PLACEHOLDER, &nonce(&page)))
    );
    let page = server.anonymous().get("/").header("accept-encoding", "br, gzip").send();
    assert_eq!(page.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(page.bytes()), &mut text).unwrap();
    assert_eq!(text, PAGE.replace(PLACEHOLDER, &nonce(&page)));
    let head = server.anonymous().request("HEAD", "/").send();
    assert_eq!((head.status(), head.text()), (200, String::new()));
    assert!(nonce(&head).len() >= 22);
}

#[test]
fn a_page_without_the_placeholder_is_served_as_it_was_built() {
    let folder = folder(&[("index.html", "<p>plain")]);
    let server = serving(&folder);
    let page = server.anonymous().get("/").send();
    assert_eq!(page.text(), "<p>plain");
    assert!(page.header("etag").is_some() && !policy(&page).contains("nonce-"), "{page:?}");
    let page = server.anonymous().get("/").header("accept-encoding", "br").send();
    assert_eq!((page.header("content-encoding"), page.text()), (Some("br"), PACKED.to_owned()));
}

#[test]
fn every_response_has_a_policy() {
    let folder = folder(&[("index.html", PAGE), ("client.js", SCRIPT), ("plain.html", SCRIPT)]);
    let server = serving(&folder);
    for path in ["/client.js", "/health", "/api/v1/me", "/assets/none.js"] {
        assert_eq!(
            policy(&server.anonymous().get(path).send()),
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            "{path}"
        );
    }
    let policy_of_pages = "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; style-src 'self'; \
                           style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; manifest-src 'self'; \
                           frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'";
    let page = server.anonymous().get("/").send();
    let styles = format!("style-src 'self' 'nonce-{}';", nonce(&page));
    assert_eq!(policy(&page).replace(&styles, "style-src 'self';"), policy_of_pages);
    assert_eq!(
        policy(&server.anonymous().get("/plain.html").send()),
        policy_of_pages,
        "a page without a nonce"
    );
}

#[test]
fn the_scripts_of_the_client_may_be_loaded_by_any_site() {
    let names = ["client.js", "client-replay.js"];
    let folder = folder(&[
        ("index.html", PAGE),
        (names[0], SCRIPT),
        (names[1], SCRIPT),
        ("client.js.map", "{}"),
        ("client-replay.js.map", "{}"),
    ]);
    let server = serving(&folder);
    for name in names {
        may_be_loaded_by_any_site(&server, &format!("/{name}"));
    }
}

fn may_be_loaded_by_any_site(server: &Server, path: &str) {
    let get = |path: &str, name: &str, value: &str| server.anonymous().get(path).header(name, value).send();
    let shared = |answer: &Response| {
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{answer:?}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("cross-origin"), "{answer:?}");
        assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"), "{answer:?}");
        assert_eq!(answer.header("vary"), Some("accept-encoding"), "{answer:?}");
    };
    let script = get(path, "origin", "https://shop.example");
    assert_eq!((script.status(), script.text()), (200, SCRIPT.to_owned()));
    assert!(script.header("content-type").unwrap().starts_with("text/javascript"), "{script:?}");
    assert_eq!(script.header("access-control-allow-credentials"), None);
    shared(&script);
    let known = get(path, "if-none-match", script.header("etag").unwrap());
    assert_eq!((known.status(), known.text()), (304, String::new()));
    shared(&known);
    for (offer, encoding) in [("gzip, br", "br"), ("gzip", "gzip")] {
        let packed = get(path, "accept-encoding", offer);
        assert_eq!((packed.header("content-encoding"), packed.text()), (Some(encoding), PACKED.to_owned()));
        shared(&packed);
    }
    let head = server.anonymous().request("HEAD", path).send();
    assert_eq!((head.status(), head.text()), (200, String::new()));
    shared(&head);
    // Its source map is a file like any other.
    let map = get(&format!("{path}.map"), "origin", "https://shop.example");
    assert_eq!((map.status(), map.header("access-control-allow-origin")), (200, None));
    assert_eq!(map.header("cache-control"), Some("no-cache"));
}

#[test]
fn the_document_of_the_replay_player_runs_nothing_and_fetches_nothing() {
    let folder = folder(&[("index.html", PAGE), ("replay-frame.html", "<body>")]);
    let server = serving(&folder);
    let frame = server.anonymous().get("/replay-frame.html").send();
    assert_eq!((frame.status(), frame.text()), (200, "<body>".to_owned()));
    assert_eq!(
        policy(&frame),
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'; \
         base-uri 'none'; form-action 'none'; sandbox allow-same-origin"
    );
    assert_eq!(frame.header("x-frame-options"), Some("SAMEORIGIN"));
    let known =
        server.anonymous().get("/replay-frame.html").header("if-none-match", frame.header("etag").unwrap());
    let known = known.send();
    assert_eq!((known.status(), policy(&known)), (304, policy(&frame)));
    // All other pages can be framed by nobody, and frame only our own.
    let page = server.anonymous().get("/").send();
    assert_eq!(page.header("x-frame-options"), Some("DENY"));
    assert!(policy(&page).contains("frame-src 'self'; frame-ancestors 'none'"), "{}", policy(&page));
}

#[test]
fn files_beside_the_web_app_are_not_served() {
    let folder = folder(&[("index.html", PAGE)]);
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("secrets.env"), "secret").unwrap();
    std::fs::write(folder.path().join(".env"), "secret").unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("assets")).unwrap();
    let server = serving(&folder);
    for path in ["/.env", "/assets/secrets.env"] {
        let answer = server.anonymous().get(path).send();
        assert_eq!((answer.status(), answer.text().contains("secret")), (404, false), "{path}");
    }
}

#[test]
fn private_answers_are_not_cached() {
    let world = crate::support::world();
    for path in ["/api/v1/me", "/api/v1/organizations", "/api/v1/none", "/auth/none"] {
        let answer = world.owner.get(path).send();
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
    let refused = world.anonymous().post("/auth/password/login").json(&serde_json::json!({})).send();
    assert_eq!(refused.header("cache-control"), Some("no-store"));
}

#[test]
fn browsers_must_stay_with_https_if_there_is_https() {
    let told = |server: &Server, path: &str| {
        let answer = server.anonymous().get(path).send();
        answer.header("strict-transport-security").map(str::to_owned)
    };
    let plain = Server::start();
    let secure = Server::start_with(&[("API_BASE_URL", "https://errors.example")]);
    for path in ["/", "/health", "/api/v1/me", "/none.js"] {
        assert_eq!(told(&plain, path), None, "{path}");
        assert_eq!(told(&secure, path).as_deref(), Some("max-age=31536000"), "{path}");
    }
}
