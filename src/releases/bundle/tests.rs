use super::*;
use serde_json::json;

fn refusal(manifest: serde_json::Value) -> String {
    let manifest: Manifest = serde_json::from_value(manifest).unwrap();
    manifest.check().unwrap_err().to_string()
}

#[test]
fn a_manifest_says_for_each_url_where_its_map_comes_from() {
    let hash = format!("sha256:{}", "0a".repeat(32));
    let manifest: Manifest = serde_json::from_value(json!({"release": "1", "files": [
        {"url": "~/a.js", "file": "../../etc/passwd"},
        {"url": "~/b.js", "content_hash": hash},
    ]}))
    .unwrap();
    manifest.check().unwrap();
    assert_eq!(manifest.files[0].origin(), Ok(Origin::Archive("../../etc/passwd")));
    assert_eq!(manifest.files[1].origin(), Ok(Origin::Known([10; 32])));
}

#[test]
fn a_manifest_that_is_wrong_is_refused_with_the_field() {
    let with = |file| json!({"release": "1", "files": [file]});
    assert!(refusal(json!({"release": "", "files": [{"url": "a"}]})).starts_with("release:"));
    assert!(refusal(json!({"release": "1", "files": []})).starts_with("files: expected 1 to"));
    assert!(refusal(with(json!({"url": "~/a.js"}))).starts_with("files[0].file:"));
    assert!(refusal(with(json!({"url": "~/a.js", "file": "a", "content_hash": "b"}))).contains("not both"));
    for hash in [
        "",
        "sha256:",
        "md5:0a",
        &format!("sha256:{}", "x".repeat(64)),
        &format!("sha256:{}", "+1".repeat(32)),
    ] {
        let text = refusal(with(json!({"url": "~/a.js", "content_hash": hash})));
        assert!(text.starts_with("files[0].content_hash:"), "{hash}: {text}");
    }
    let twice =
        json!({"release": "1", "files": [{"url": "~/a.js", "file": "a"}, {"url": "~/a.js", "file": "b"}]});
    assert!(refusal(twice).contains("listed twice"));
}

#[test]
fn style_sheets_may_come_with_source_maps_or_alone() {
    let styles = |list: serde_json::Value| json!({"release": "1", "files": [], "styles": list});
    let one = styles(json!([{"url": "~/a.css", "file": "a"}]));
    let manifest: Manifest = serde_json::from_value(one).unwrap();
    manifest.check().unwrap();
    let all: Vec<_> = manifest.all().map(|(file, is_style)| (file.url.as_str(), is_style)).collect();
    assert_eq!(all, [("~/a.css", true)]);
    assert!(refusal(styles(json!([{"url": "~/a.css"}]))).starts_with("styles[0].file:"));
    let many: Vec<_> = (0..=FILES_MAX).map(|at| json!({"url": format!("~/{at}.css"), "file": "a"})).collect();
    assert!(refusal(styles(json!(many))).starts_with("styles: expected at most 2000, got 2001"));
    let mut both = styles(json!([{"url": "~/a.css", "file": "a"}]));
    both["files"] = json!([{"url": "~/a.js", "file": "a"}]);
    assert!(refusal(both).contains("`a` is a source map's file, too"));
}
