//! Style sheets in bundles, and `GET /api/v1/projects/{project_id}/stylesheets`.

use super::sharing::{stored, unique_map};
use super::upload::sha256;
use crate::support::project::{SCRIPT_URL, encoded, fresh_id};
use crate::support::{Bundle, Client, Project, Response, Value, json};

/// A style sheet that no other test uploads.
fn unique() -> String {
    format!("h1 {{ color: rgb(1, 2, 3) }} /* {} */", fresh_id())
}

/// A bundle with style sheets alone.
fn bundle(release: &str, styles: &[(&str, &str)]) -> Vec<u8> {
    let files = styles.iter().zip(0..).map(|((url, _), at)| json!({"url": url, "file": format!("{at}.css")}));
    let manifest = json!({"release": release, "files": [], "styles": files.collect::<Vec<_>>()});
    let named = styles.iter().zip(0..);
    let add = |bundle: Bundle, ((_, text), at): (&(&str, &str), i32)| bundle.file(&format!("{at}.css"), text);
    named.fold(Bundle::new().manifest(&manifest), add).encode()
}

fn path(project: &Project, release: &str, url: &str) -> String {
    project.path(&format!("/stylesheets?release={}&url={}", encoded(release), encoded(url)))
}

fn read(client: &Client, project: &Project, release: &str, url: &str) -> Response {
    client.get(&path(project, release, url)).send()
}

#[test]
fn a_style_sheet_is_read_by_the_address_that_a_page_named() {
    let project = Project::new();
    let (app, odd) = (unique(), unique());
    let styles = [("~/assets/app.css", app.as_str()), ("~/a b/[id].css", odd.as_str())];
    let made = project.upload_bundle(bundle("1.4.2", &styles)).expect(201);
    assert_eq!(made["styles"], json!({"stored": 2, "unchanged": 0}));
    assert_eq!((&made["stored"], &made["release"]["source_map_count"]), (&json!(0), &json!(0)));
    let again = project.upload_bundle(bundle("1.4.2", &styles)).expect(200);
    assert_eq!(again["styles"], json!({"stored": 0, "unchanged": 2}));

    for (url, text) in [
        ("https://cdn.example/assets/app.css", &app),
        ("http://localhost:1/assets/app.css?v=1#x", &app),
        ("https://cdn.example/a%20b/%5Bid%5D.css", &odd),
    ] {
        let answer = read(&project.owner, &project, "1.4.2", url);
        assert_eq!((answer.status(), &answer.text()), (200, text), "{url}");
    }
    for (release, url) in [
        ("1.4.2", "https://cdn.example/other.css"),
        ("1.4.2", "app.css"),
        ("1.4.2", ""),
        ("1.4.3", "https://cdn.example/assets/app.css"),
        ("\u{1f511}", "\u{1f511}"),
    ] {
        let answer = read(&project.owner, &project, release, url);
        assert_eq!((answer.expect(204), answer.text()), (Value::Null, String::new()), "{release} {url}");
    }
    project.owner.get(&project.path("/stylesheets?release=1.4.2")).send().refuse(422, "url");
}

#[test]
fn it_is_answered_as_text_that_nobody_runs_and_revalidated_by_its_content() {
    let project = Project::new();
    let text = "</style><script>alert(1)</script>";
    project.upload_bundle(bundle("1", &[("~/a.css", text)])).expect(201);
    let answer = read(&project.owner, &project, "1", "https://x.example/a.css");
    assert_eq!((answer.status(), answer.text().as_str()), (200, text));
    for (name, value) in [
        ("content-type", "text/css; charset=utf-8"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cache-control", "private, no-cache"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    let tag = answer.header("etag").unwrap().to_owned();
    let ask = |tag: &str| {
        let request = project.owner.get(&path(&project, "1", "https://x.example/a.css"));
        request.header("if-none-match", tag).send()
    };
    for tag in [tag.clone(), format!("W/{tag}")] {
        let answer = ask(&tag);
        assert_eq!((answer.status(), answer.text()), (304, String::new()), "{tag}");
        assert_eq!(answer.header("content-security-policy"), Some("default-src 'none'; sandbox"));
    }
    project.upload_bundle(bundle("1", &[("~/a.css", "a{}")])).expect(201);
    assert_eq!((ask(&tag).status(), ask(&tag).text().as_str()), (200, "a{}"));
}

#[test]
fn only_people_and_keys_that_read_the_project_read_its_style_sheets() {
    let project = Project::new();
    project.upload_bundle(bundle("1", &[("~/a.css", &unique())])).expect(201);
    let url = "https://x.example/a.css";
    let by_key = |scope: &str| read(&project.world.bearer(&project.key_for(&[scope])), &project, "1", url);
    assert_eq!(by_key("read").status(), 200);
    by_key("ingest").refuse(403, "");
    read(&project.world.anonymous(), &project, "1", url).refuse(401, "");
    let other = project.other();
    assert_eq!(read(&other.owner, &other, "1", url).status(), 204);
    let their_key = project.world.bearer(&other.key_for(&["read"]));
    read(&their_key, &project, "1", url).refuse(403, "access to this project");
}

#[test]
fn what_the_project_has_is_not_sent_again_and_is_no_source_map() {
    let project = Project::new();
    let text = unique();
    project.upload_bundle(bundle("1", &[("~/a.css", &text)])).expect(201);
    let hash = sha256(&text);
    let ask = json!({"content_hashes": [hash]});
    let answer = project.ci().post("/api/v1/sourcemaps/missing").json(&ask).send().expect(200);
    assert_eq!(answer["missing"], json!([]));
    let by_hash = |list: &str| {
        let mut manifest = json!({"release": "2", "files": [], "styles": []});
        manifest[list] = json!([{"url": "~/b.css", "content_hash": hash}]);
        Bundle::new().manifest(&manifest).encode()
    };
    project.upload_bundle(by_hash("files")).refuse(422, "no such source map");
    project.other().upload_bundle(by_hash("styles")).refuse(422, "no such style sheet");
    assert_eq!(project.upload_bundle(by_hash("styles")).expect(201)["styles"]["stored"], 1);
    assert_eq!(read(&project.owner, &project, "2", "https://x.example/b.css").text(), text);
}

#[test]
fn a_bundle_that_is_refused_leaves_nothing() {
    let project = Project::alone();
    let before = stored(&project.world);
    let large = " ".repeat((4 << 20) + 1);
    let detail = project.upload_bundle(bundle("1", &[("~/ok.css", &unique()), ("~/a.css", &large)]));
    let detail = detail.refuse(413, "~/a.css");
    assert!(detail.contains("style sheet: at most 4 MiB"), "{detail}");
    project.upload_bundle(bundle("1", &[("https://x.example/a.css", "a{}")])).refuse(422, "url_prefix");
    let broken = Bundle::new()
        .manifest(&json!({"release": "1", "files": [{"url": SCRIPT_URL, "file": "a.map"}],
            "styles": [{"url": "~/a.css", "file": "a.css"}]}))
        .file("a.css", unique())
        .file("a.map", "{");
    project.upload_bundle(broken.encode()).refuse(422, SCRIPT_URL);
    assert!(project.is_empty());
    assert_eq!(stored(&project.world), before);
}

#[test]
fn a_finalized_release_keeps_its_style_sheets_and_takes_new_ones() {
    let project = Project::new();
    let text = unique();
    project.upload_bundle(bundle("1", &[("~/a.css", &text)])).expect(201);
    project.ci().post("/api/v1/releases/1/finalize").send().expect(200);
    let detail = project.upload_bundle(bundle("1", &[("~/a.css", &unique())])).refuse(409, "~/a.css");
    assert!(detail.contains("different style sheet"), "{detail}");
    let more = bundle("1", &[("~/a.css", &text), ("~/b.css", &unique())]);
    assert_eq!(project.upload_bundle(more).expect(201)["styles"], json!({"stored": 1, "unchanged": 1}));
}

#[test]
fn a_release_has_room_for_so_many() {
    let project = Project::new();
    let urls: Vec<String> = (0..2_000).map(|at| format!("~/{at}.css")).collect();
    let many = |urls: &[String]| {
        let styles = urls.iter().map(|url| json!({"url": url, "file": "a"})).collect::<Vec<_>>();
        let manifest = json!({"release": "1", "files": [], "styles": styles});
        Bundle::new().manifest(&manifest).file("a", "a{}").encode()
    };
    assert_eq!(project.upload_bundle(many(&urls)).expect(201)["styles"]["stored"], 2_000);
    project.upload_bundle(many(&["~/more.css".to_owned()])).refuse(422, "at most 2000 style sheets");
    assert_eq!(read(&project.owner, &project, "1", "https://x.example/more.css").status(), 204);
}

#[test]
fn a_content_is_one_file_until_the_last_release_or_project_with_it_is_gone() {
    let project = Project::alone();
    let other = project.other();
    let (text, map) = (unique(), unique_map());
    let before = stored(&project.world);
    for (project, version) in [(&project, "1"), (&project, "2"), (&other, "1")] {
        project.upload_bundle(bundle(version, &[("~/a.css", &text), ("~/b.css", &text)])).expect(201);
    }
    assert_eq!(stored(&project.world).len(), before.len() + 1);
    // A source map in the same release goes with it, and the other way around.
    project.upload("1", SCRIPT_URL, &map).expect(201);
    project.owner.delete(&project.path("/releases/1")).send().expect(204);
    project.owner.delete(&project.path("/releases/2")).send().expect(204);
    assert_eq!(read(&project.owner, &project, "1", "https://x.example/a.css").status(), 204);
    assert_eq!(read(&other.owner, &other, "1", "https://x.example/a.css").text(), text);
    // One that is replaced is gone as well.
    let new = unique();
    other.upload_bundle(bundle("1", &[("~/a.css", &new), ("~/b.css", &new)])).expect(201);
    assert_eq!(stored(&project.world).len(), before.len() + 1);
    other.owner.delete(&other.path("")).send().expect(204);
    assert_eq!(stored(&project.world), before);
}

#[test]
fn a_file_that_is_damaged_is_mended_by_the_next_upload() {
    let project = Project::alone();
    let before = stored(&project.world);
    let text = unique();
    project.upload_bundle(bundle("1", &[("~/a.css", &text)])).expect(201);
    let files = stored(&project.world);
    let file = files.iter().find(|file| !before.contains(file)).unwrap();
    std::fs::write(file, "damaged").unwrap();
    let url = "https://x.example/a.css";
    assert_eq!(read(&project.owner, &project, "1", url).status(), 204);
    project.upload_bundle(bundle("1", &[("~/a.css", &text)])).expect(200);
    assert_eq!(read(&project.owner, &project, "1", url).text(), text);
}
