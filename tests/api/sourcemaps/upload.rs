//! Uploads of a source map.

use crate::errors::encodings::{bombs, brotli, gzip, zlib, zstd};
use crate::support::{Form, Project, Value, json, maps};
use sha2::{Digest as _, Sha256};

pub(crate) fn sha256(bytes: &str) -> String {
    let digest = Sha256::digest(bytes.as_bytes());
    format!("sha256:{}", digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn release(project: &Project, version: &str) -> Value {
    project.owner.get(&project.path(&format!("/releases/{version}"))).send().expect(200)
}

#[test]
fn an_upload_answers_with_its_record() {
    let project = Project::new();
    project.make_release("1.0.0");
    let map = maps::cart();
    let made = project.upload("1.0.0", "~/assets/cart.min.js", &map).expect(201);
    assert_eq!(made["url"], "~/assets/cart.min.js");
    assert_eq!(made["content_hash"], sha256(&map));
    assert_eq!(made["file_size"], map.len());
    let path = format!("projects/{}/releases/1.0.0/~/assets/cart.min.js", project.id);
    assert_eq!(made["storage_path"], path);
    let mut fields: Vec<&String> = made.as_object().unwrap().keys().collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        ["content_hash", "created_at", "file_size", "id", "storage_path", "url", "warning_count", "warnings"]
    );
    assert_eq!((&made["warnings"], &made["warning_count"]), (&json!([]), &json!(0)));
    assert_eq!(release(&project, "1.0.0")["source_map_count"], 1);
    let list = project.owner.get(&project.path("/releases/1.0.0/sourcemaps")).send().expect(200);
    assert_eq!(list["source_maps"][0]["id"], made["id"]);
    assert_eq!(list["source_maps"][0]["content_hash"], made["content_hash"]);
}

#[test]
fn an_upload_makes_the_release_with_its_prefix() {
    let project = Project::new();
    project.upload("made", "~/a.js", &maps::cart()).expect(201);
    assert_eq!(release(&project, "made")["url_prefix"], "~/");
    for (version, prefix, url) in [
        ("tilde", "~/static/", "~/static/a.js"),
        ("absolute", "https://cdn.example/", "https://cdn.example/a.js"),
        ("relative", "", "a.js"),
    ] {
        let form = Form::new().text("release", version).text("url", url).text("url_prefix", prefix);
        let form = form.file("sourcemap", maps::cart());
        project.ci().post("/api/v1/sourcemaps").form(&form).send().expect(201);
        let made = release(&project, version);
        assert_eq!((&made["url_prefix"], &made["finalized_at"]), (&json!(prefix), &Value::Null));
    }
}

#[test]
fn the_parts_may_come_in_any_order_and_unknown_ones_are_ignored() {
    let project = Project::new();
    let form = Form::new().text("dist", "x").file("sourcemap", maps::cart()).text("url", "~/a.js");
    let form = form.text("name", "y").text("release", "1.0.0").text("url_prefix", "~/");
    project.ci().post("/api/v1/sourcemaps").form(&form).send().expect(201);
}

#[test]
fn an_upload_may_be_compressed() {
    let project = Project::new();
    for (encoding, encode) in
        [("gzip", gzip as fn(&[u8]) -> Vec<u8>), ("deflate", zlib), ("br", brotli), ("zstd", zstd)]
    {
        let form = Form::new().text("release", "1").text("url", format!("~/{encoding}.js"));
        let form = form.file("sourcemap", maps::cart());
        let upload = project.ci().post("/api/v1/sourcemaps").header("content-encoding", encoding);
        let made = upload.body(&form.content_type(), encode(&form.encode())).send().expect(201);
        assert_eq!(made["content_hash"], sha256(&maps::cart()), "{encoding}");
    }
}

#[test]
fn a_compressed_form_is_held_to_the_same_limits() {
    let project = Project::new();
    let kind = Form::new().content_type();
    let post = |path: &str, encoding: &str, body: Vec<u8>| {
        project.ci().post(path).header("content-encoding", encoding).body(&kind, body).send()
    };
    for (encoding, bomb) in bombs() {
        // A part that never ends, as far as anybody would read.
        assert!(matches!(post("/api/v1/releases", encoding, bomb.clone()).status(), 413 | 422), "{encoding}");
        assert!(matches!(post("/api/v1/sourcemaps", encoding, bomb).status(), 413 | 422), "{encoding}");
    }
    let large =
        Form::new().text("release", "1").text("url", "~/a.js").file("sourcemap", vec![b' '; 51 << 20]);
    for (encoding, encode) in [("gzip", gzip as fn(&[u8]) -> Vec<u8>), ("zstd", zstd)] {
        post("/api/v1/sourcemaps", encoding, encode(&large.encode())).refuse(413, "");
        let whole = encode(&Form::new().text("version", "1").encode());
        post("/api/v1/releases", encoding, whole[..whole.len() / 2].to_vec()).refuse(422, "multipart");
    }
    post("/api/v1/releases", "nonsense", Form::new().text("version", "1").encode())
        .refuse(415, "Content-Encoding");
    assert!(project.is_empty());
}

#[test]
fn a_url_must_start_with_the_releases_prefix() {
    let project = Project::new();
    let form = |prefix: Option<&str>, url: &str| {
        let form = Form::new().text("release", "1.0.0").text("url", url).file("sourcemap", maps::cart());
        let form = prefix.iter().fold(form, |form, prefix| form.text("url_prefix", prefix));
        project.ci().post("/api/v1/sourcemaps").form(&form).send()
    };
    // Nothing is made by an upload that is refused.
    let detail = form(Some("~/static/"), "~/other/a.js").refuse(422, "url:");
    assert!(detail.contains("~/static/") && detail.contains("~/other/a.js"), "{detail}");
    project.owner.get(&project.path("/releases/1.0.0")).send().refuse(404, "not found");

    form(Some("~/static/"), "~/static/a.js").expect(201);
    form(None, "~/static/b.js").expect(201);
    form(None, "~/b.js").refuse(422, "~/static/");
    form(None, "https://shop.example/static/b.js").refuse(422, "~/static/");
    let detail = form(Some("~/"), "~/static/b.js").refuse(422, "url_prefix");
    assert!(detail.contains("`~/static/`") && detail.contains("`~/`"), "{detail}");
    assert_eq!(release(&project, "1.0.0")["source_map_count"], 2);
}

#[test]
fn a_map_without_mappings_is_valid() {
    let project = Project::new();
    project.upload("1", "~/empty.js", r#"{"version":3,"sources":[],"names":[],"mappings":""}"#).expect(201);
    project.upload("1", "~/guard.js", &format!(")]}}'\n{}", maps::cart())).expect(201);
    let sections = json!({"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": maps::map("a.ts", None, &[(1, 1, 1)])}]});
    project.upload("1", "~/sections.js", &sections.to_string()).expect(201);
}

#[test]
fn parallel_uploads_are_all_stored() {
    let project = Project::new();
    std::thread::scope(|scope| {
        for number in 0..12 {
            let project = &project;
            scope
                .spawn(move || project.upload("1.0.0", &format!("~/{number}.js"), &maps::cart()).expect(201));
        }
    });
    assert_eq!(release(&project, "1.0.0")["source_map_count"], 12);
}
