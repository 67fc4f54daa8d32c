use super::*;
use crate::ids::{ReleaseId, SourceMapId};
use std::sync::OnceLock;

fn release(prefix: &str, urls: &[&str]) -> ReleaseMaps {
    let maps = urls.iter().zip(1..).map(|(url, id)| ((*url).to_owned(), (SourceMapId(id), [0; 32])));
    ReleaseMaps {
        id: ReleaseId(1),
        url_prefix: prefix.into(),
        uploads: 0,
        maps: maps.collect(),
        decoded: OnceLock::new(),
    }
}

fn found(prefix: &str, url: &str, address: &str) -> Result<bool, Rule> {
    release(prefix, &[url]).find(address).map(|found| found.without_query)
}

#[test]
fn a_tilde_prefix_matches_any_host() {
    assert_eq!(found("~/", "~/assets/app.js", "https://cdn.example:8443/assets/app.js"), Ok(false));
    assert_eq!(found("~/", "~/assets/app.js", "http://localhost/assets/app.js"), Ok(false));
    assert_eq!(found("~/", "~/srv/app/main.js", "file:///srv/app/main.js"), Ok(false));
    assert_eq!(found("~/", "~/srv/app/main.js", "/srv/app/main.js"), Ok(false));
    assert_eq!(found("~/static/", "~/static/app.js", "https://cdn.example/assets/app.js"), Err(Rule::Prefix));
    assert_eq!(found("~/", "~/app.js", "app.js"), Err(Rule::Prefix));
    assert_eq!(found("~/", "~/app.js", "https://cdn.example"), Err(Rule::Prefix));
}

#[test]
fn the_rest_must_equal_the_url_exactly() {
    assert_eq!(found("~/", "~/assets/app.js", "https://cdn.example/assets/app.js.map"), Err(Rule::Url));
    assert_eq!(found("~/", "~/app.js", "https://cdn.example/assets/app.js"), Err(Rule::Url));
    assert_eq!(found("~/", "~/App.js", "https://cdn.example/app.js"), Err(Rule::Url));
}

#[test]
fn percent_encoded_characters_match_decoded_ones() {
    for (url, address) in [
        ("~/app/[id]/page.js", "https://x/app/%5Bid%5D/page.js"),
        ("~/app/%5Bid%5D/page.js", "https://x/app/[id]/page.js"),
        ("~/app/%5Bid%5D/page.js", "https://x/app/%5bid%5d/page.js"),
        ("~/caf\u{e9}/a b.js", "https://x/caf%C3%A9/a%20b.js"),
    ] {
        assert_eq!(found("~/", url, address), Ok(false), "{url} {address}");
        assert_eq!(found("~/", url, &format!("{address}?v=%31")), Ok(true), "{url} {address}");
    }
    assert_eq!(found("~/[id]/", "~/[id]/a.js", "https://x/%5Bid%5D/a.js"), Ok(false));
    assert_eq!(found("~/", "~/a%FF.js", "https://x/a.js"), Err(Rule::Url));
    let both = release("~/", &["~/[id].js", "~/%5Bid%5D.js"]);
    assert_eq!(both.find("https://x/%5Bid%5D.js").unwrap().id, SourceMapId(2), "as written comes first");
}

#[test]
fn an_absolute_prefix_matches_absolute_addresses() {
    let prefix = "https://cdn.example/assets/";
    assert_eq!(
        found(prefix, "https://cdn.example/assets/app.js", "https://cdn.example/assets/app.js"),
        Ok(false)
    );
    assert_eq!(
        found(prefix, "https://cdn.example/assets/app.js", "https://other.example/assets/app.js"),
        Err(Rule::Prefix)
    );
    assert_eq!(found("app:///", "app:///index.bundle", "app:///index.bundle"), Ok(false));
}

#[test]
fn an_empty_prefix_matches_relative_addresses_only() {
    assert_eq!(found("", "assets/app.js", "assets/app.js"), Ok(false));
    assert_eq!(found("", "assets/app.js", "https://cdn.example/assets/app.js"), Err(Rule::Prefix));
}

#[test]
fn an_exact_match_is_preferred_to_one_without_query() {
    let both = release("~/", &["~/a.js", "~/a.js?v=1"]);
    assert_eq!(both.find("https://x/a.js?v=1").unwrap().id, SourceMapId(2));
    let found = both.find("https://x/a.js?v=2#top").unwrap();
    assert_eq!((found.id, found.without_query), (SourceMapId(1), true));
}

#[test]
fn an_address_in_a_query_is_not_a_scheme() {
    for address in ["/a.js?u=http://x/y", "https://h/a.js?u=http://x/y", "/a.js#http://x/y"] {
        assert_eq!(found("~/", "~/a.js", address), Ok(true), "{address}");
    }
    assert_eq!(found("~/", "~/y", "https://h?u=/y"), Err(Rule::Prefix), "a path in a query is no path");
    assert_eq!(found("~/", "~/y", "a.js?u=http://x/y"), Err(Rule::Prefix));
    assert_eq!(found("", "a.js", "a.js?u=http://x/y"), Ok(true), "relative");
    assert_eq!(found("https://h/", "https://h/a.js", "https://h/a.js?u=http://x/y"), Ok(true));
    for no_scheme in ["1a://h/a.js", "://h/a.js", "a b://h/a.js"] {
        assert_eq!(found("~/", "~/a.js", no_scheme), Err(Rule::Prefix), "{no_scheme}");
    }
    assert_eq!(found("~/", "~/a.js", "web+app-2.0://h/a.js"), Ok(false));
}

#[test]
fn versions_prefixes_and_urls_have_their_bounds() {
    assert!(check_version("version", &"ü".repeat(128)).is_ok());
    for version in ["", "a\0b", &"v".repeat(129)] {
        assert!(check_version("version", version).is_err(), "{version:?}");
    }
    assert!(check_version("version", "../../etc/passwd").is_ok(), "never part of a path");
    for prefix in ["", "~/", "~", "https://cdn.example/", "app:///"] {
        assert!(check_url_prefix(prefix).is_ok(), "{prefix}");
    }
    for prefix in ["/static", "static/", "~/\n", &format!("~/{}", "x".repeat(511))] {
        assert!(check_url_prefix(prefix).is_err(), "{prefix}");
    }
    assert!(check_url("~/a.js", "~/").is_ok());
    for url in ["", "/a.js", "~/\0", &format!("~/{}", "x".repeat(2047))] {
        assert!(check_url(url, "~/").is_err(), "{url}");
    }
}

#[test]
fn style_sheets_are_found_as_source_maps_are() {
    let styles = ReleaseMaps {
        id: ReleaseId(1),
        url_prefix: "~/static/".into(),
        uploads: 0,
        maps: [("~/static/a b.css".to_owned(), [1; 32]), ("~/static/app.css".to_owned(), [2_u8; 32])].into(),
        decoded: OnceLock::new(),
    };
    for (address, expected) in [
        ("https://cdn.example/static/app.css", Some((2, false))),
        ("https://cdn.example/static/app.css?v=7#x", Some((2, true))),
        ("https://cdn.example/static/a%20b.css", Some((1, false))),
        ("https://cdn.example/app.css", None),
        ("https://cdn.example/static/other.css", None),
        ("data:text/css,a", None),
        ("", None),
    ] {
        let found = styles.look_up(address).ok().map(|(content, without_query)| (content[0], without_query));
        assert_eq!(found, expected, "{address}");
    }
}
