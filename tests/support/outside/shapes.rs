//! The services' answers, and their checks of credentials.

use super::{Ticket, Value, json};

pub(super) fn github_issue(one: &Ticket) -> Value {
    let state = if one.is_closed { "closed" } else { "open" };
    let url = format!("https://github.example/acme/shop/issues/{}", one.number);
    json!({"number": one.number, "title": one.title, "body": one.text, "state": state, "html_url": url})
}

pub(super) fn gitlab_issue(one: &Ticket) -> Value {
    let state = if one.is_closed { "closed" } else { "opened" };
    let (short, full) = (format!("#{}", one.number), format!("acme/shop#{}", one.number));
    json!({"id": one.number + 900, "iid": one.number, "project_id": 1, "title": one.title, "description": one.text,
        "state": state, "web_url": format!("https://gitlab.example/acme/shop/-/issues/{}", one.number),
        "references": {"short": short, "relative": short, "full": full}})
}

pub(super) fn gitea_issue(one: &Ticket) -> Value {
    let state = if one.is_closed { "closed" } else { "open" };
    let url = format!("https://gitea.example/acme/shop/issues/{}", one.number);
    json!({"id": one.number + 900, "number": one.number, "title": one.title, "body": one.text, "state": state,
        "html_url": url})
}

pub(super) fn pull_request(number: usize) -> Value {
    json!({"number": number, "state": "open", "html_url": format!("https://github.example/acme/shop/pull/{number}")})
}

pub(super) fn linear_issue(one: &Ticket) -> Value {
    let (name, kind) = if one.is_closed { ("Done", "completed") } else { ("Todo", "unstarted") };
    json!({"id": one.id, "identifier": format!("SHP-{}", one.number), "title": one.title,
        "url": format!("https://linear.example/acme/issue/SHP-{}", one.number), "state": {"name": name, "type": kind},
        "team": {"id": "team-1", "name": "Shop"}})
}

pub(super) fn jira_issue(one: &Ticket) -> Value {
    let (name, key) = if one.is_closed { ("Done", "done") } else { ("To Do", "new") };
    json!({"id": one.id, "key": format!("SHOP-{}", one.number), "fields": {"summary": one.title,
        "status": {"name": name, "statusCategory": {"key": key}}, "project": {"id": "10", "name": "Shop"}}})
}

pub(super) fn repositories() -> Value {
    let url = "https://github.example/acme/shop.git";
    json!({"total_count": 2, "repositories": [
        {"id": 99, "full_name": "acme/shop", "clone_url": url, "default_branch": "trunk", "private": true},
        {"id": 98, "full_name": "../../evil", "clone_url": url, "default_branch": "main", "private": false},
    ]})
}

pub(super) fn slack(method: &str, body: &Value) -> Value {
    match method {
        "auth.test" => json!({"ok": true, "team": "Acme chat", "user": "mayday"}),
        "conversations.list" => {
            json!({"ok": true, "channels": [{"id": "C1", "name": "alerts"}], "response_metadata": {"next_cursor": ""}})
        }
        "chat.postMessage" if body["channel"] == "C1" => json!({"ok": true, "ts": "1.2"}),
        "chat.postMessage" => json!({"ok": false, "error": "channel_not_found"}),
        _ => json!({"ok": false, "error": "unknown_method"}),
    }
}

/// Of `ada@example.com` with this token.
pub(super) fn basic(token: &str) -> String {
    use base64::Engine as _;
    base64::prelude::BASE64_STANDARD.encode(format!("ada@example.com:{token}"))
}

/// Whether this is a valid token of the app: signed with its key, and of this time.
pub(super) fn is_of_app(proof: &str) -> bool {
    use base64::Engine as _;
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
    use ring::signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
    let pem = include_str!("../../fixtures/keys/host-app.pem");
    let der: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let pair = RsaKeyPair::from_pkcs8(&BASE64_STANDARD.decode(der).unwrap()).unwrap();
    let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public_key().as_ref());
    let Some(token) = proof.strip_prefix("Bearer ") else { return false };
    let Some((signed, signature)) = token.rsplit_once('.') else { return false };
    let read = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).unwrap_or_default();
    let claims = signed.split('.').nth(1).and_then(|body| serde_json::from_slice::<Value>(&read(body)).ok());
    let claims = claims.unwrap_or_default();
    let lasts = claims["exp"].as_i64().unwrap_or(0) - claims["iat"].as_i64().unwrap_or(0);
    key.verify(signed.as_bytes(), &read(signature)).is_ok()
        && claims["iss"] == "12345"
        && (1..=600).contains(&lasts)
}

/// Two commits of `acme/shop`, with 102 between them.
pub(crate) const BASE: &str = "ba5e000000000000000000000000000000000000";
pub(crate) const HEAD: &str = "4ead000000000000000000000000000000000000";
const BETWEEN: usize = 102;

/// The commit of that number, from 1; the last one is [`HEAD`].
fn commit(number: usize) -> Value {
    let sha = if number == BETWEEN { HEAD.to_owned() } else { format!("{number:040x}") };
    let author = json!({"name": "Ada", "email": "ada@example.com", "date": "2026-11-20T10:00:00Z"});
    json!({"sha": sha, "html_url": format!("https://github.example/acme/shop/commit/{sha}"),
        "commit": {"message": format!("Change {number}\n\nWhy."), "author": author},
        "author": if number == 1 { Value::Null } else { json!({"login": "ada"}) }})
}

/// A page of the comparison, the oldest commit first, as the host has them; files are on the first page only.
pub(super) fn compared(query: &str) -> Value {
    let page = if query.contains("page=2") { 101..=BETWEEN } else { 1..=100 };
    let files =
        ["README.md", "apps/web/src/price.ts"].map(|name| json!({"filename": name, "status": "modified"}));
    let files = if query.contains("page=2") { json!([]) } else { json!(files) };
    json!({"status": "ahead", "total_commits": BETWEEN, "commits": page.map(commit).collect::<Value>(), "files": files})
}

/// The newest commits that changed a file: one of them before the comparison.
pub(super) fn commits_of_file(query: &str) -> Value {
    if !query.contains(&format!("sha={HEAD}")) || !query.contains("path=apps%2Fweb%2Fsrc%2Fprice%2Ets") {
        return json!([]);
    }
    let old = json!({"sha": "01d", "html_url": "https://github.example/x", "commit": {"message": "Old"}, "author": null});
    json!([commit(BETWEEN), commit(7), old])
}
