//! The three matching rules: release, prefix, url.

use crate::support::{Form, Project, Value, json, maps};

/// Uploads the cart's map for a release of this prefix and throws from `address`: the throw's frame.
fn throw(prefix: &str, url: &str, address: &str) -> Value {
    let project = Project::new();
    let form = Form::new().text("release", "1").text("url_prefix", prefix).text("url", url);
    project.ci().post("/api/v1/sourcemaps").form(&form.file("sourcemap", maps::cart())).send().expect(201);
    let stack = maps::stack("Error: x", &[("t", address, maps::IN_TOTAL)]);
    let event = json!({"release": "1", "exception": {"type": "Error", "message": "x", "stack": stack}});
    project.digest(&event)["exception"]["frames"][0].clone()
}

#[test]
fn scheme_and_host_become_a_tilde() {
    for (prefix, url, address) in [
        ("~/", "~/a.js", "https://shop.example/a.js"),
        ("~/", "~/a.js", "http://localhost:8080/a.js"),
        ("~/", "~/a.js", "https://user@shop.example:8443/a.js"),
        ("~/static/", "~/static/js/a.js", "https://cdn.example/static/js/a.js"),
        ("~/", "~/srv/app/a.js", "/srv/app/a.js"),
        ("~/", "~/srv/app/a.js", "file:///srv/app/a.js"),
        ("~/", "~/a.js", "app://obsidian.md/a.js"),
    ] {
        let frame = throw(prefix, url, address);
        assert_eq!(frame["resolved"]["function"], "total", "{prefix} {url} {address}: {frame}");
        assert_eq!(frame["url"], address.replace("user@", "[Filtered]@"));
    }
}

#[test]
fn absolute_prefixes_match_absolute_urls_and_empty_ones_relative_urls() {
    for (prefix, url, address, rule) in [
        ("https://cdn.example/", "https://cdn.example/a.js", "https://cdn.example/a.js", None),
        ("https://cdn.example/", "https://cdn.example/a.js", "https://other.example/a.js", Some("prefix")),
        ("https://cdn.example/", "https://cdn.example/a.js", "http://cdn.example/a.js", Some("prefix")),
        ("https://cdn.example/", "https://cdn.example/a.js", "/a.js", Some("prefix")),
        ("", "dist/a.js", "dist/a.js", None),
        ("", "dist/a.js", "https://cdn.example/dist/a.js", Some("prefix")),
        ("", "dist/a.js", "other/a.js", Some("url")),
    ] {
        let frame = throw(prefix, url, address);
        match rule {
            None => assert_eq!(frame["resolved"]["function"], "total", "{prefix} {address}: {frame}"),
            Some(rule) => assert_eq!(frame["unresolved"]["rule"], rule, "{prefix} {address}: {frame}"),
        }
    }
}

#[test]
fn a_query_and_a_fragment_count_only_when_the_exact_url_is_not_there() {
    let without = throw("~/", "~/a.js", "https://shop.example/a.js?v=5#x");
    assert_eq!(
        (&without["resolved"]["function"], &without["resolved"]["matched_without_query"]),
        (&json!("total"), &json!(true))
    );
    let exact = throw("~/", "~/a.js?v=5", "https://shop.example/a.js?v=5");
    assert_eq!(
        (&exact["resolved"]["function"], &exact["resolved"]["matched_without_query"]),
        (&json!("total"), &json!(false))
    );
    let other = throw("~/", "~/a.js?v=5", "https://shop.example/a.js?v=6");
    assert_eq!(other["unresolved"]["rule"], "url");
}

#[test]
fn the_url_must_be_equal() {
    for address in [
        "https://shop.example/A.js",
        "https://shop.example/x/a.js",
        "https://shop.example/a.jsx",
        "https://shop.example/./a.js",
        "https://shop.example//a.js",
        "https://shop.example/%62.js",
        "https://shop.example/a.js.map",
    ] {
        let frame = throw("~/", "~/a.js", address);
        assert_eq!(
            (&frame["resolved"], &frame["unresolved"]["rule"]),
            (&Value::Null, &json!("url")),
            "{address}"
        );
    }
    // Browsers and servers encode the same address differently.
    assert_eq!(throw("~/", "~/a.js", "https://shop.example/%61.js")["resolved"]["function"], "total");
}

#[test]
fn the_prefix_must_be_the_beginning() {
    let frame = throw("~/static/", "~/static/a.js", "https://shop.example/other/static/a.js");
    assert_eq!(frame["unresolved"]["rule"], "prefix");
    let detail = frame["unresolved"]["detail"].as_str().unwrap();
    assert!(detail.contains("~/other/static/a.js") && detail.contains("~/static/"), "{detail}");
}
