use super::facet::Facet;
use super::query::{Kind, Term, parse};
use super::*;

fn known(version: &str, created_at: Option<i64>) -> ReleaseAge<'_> {
    ReleaseAge { version, created_at: created_at.map(Timestamp::from_millis) }
}

#[test]
fn releases_are_ordered_by_semantic_version_if_both_have_one() {
    for (event, fixed, older) in [
        ("1.9.0", "1.10.0", true),
        ("1.10.0", "1.9.0", false),
        ("v1.2.2", "web@1.2.3", true),
        ("1.2.3-rc.1", "1.2.3", true),
        ("1.2.3+build.1", "1.2.3+build.2", false),
        ("1.2.3", "1.2.3", false),
    ] {
        // Created in the other order, which must not matter.
        assert_eq!(is_older(known(event, Some(2)), known(fixed, Some(1))), older, "{event} {fixed}");
    }
}

#[test]
fn other_releases_are_ordered_by_creation_and_unknown_ones_are_not_older() {
    assert!(is_older(known("abc", Some(1)), known("def", Some(2))));
    assert!(!is_older(known("abc", Some(2)), known("def", Some(1))));
    assert!(!is_older(known("abc", None), known("def", Some(2))));
    assert!(!is_older(known("abc", Some(1)), known("1.0.0", None)));
}

#[test]
fn only_unresolved_issues_have_a_substatus() {
    let now = Timestamp::from_millis(100 * DAY);
    let days_ago = |days: i64| now.plus(-days * DAY);
    let of = |status, first, regressed: Option<i64>| {
        Substatus::of(status, days_ago(first), regressed.map(days_ago), None, now)
    };
    assert_eq!(of(Status::Unresolved, 1, None), Some(Substatus::New));
    assert_eq!(of(Status::Unresolved, 8, None), Some(Substatus::Ongoing));
    assert_eq!(of(Status::Unresolved, 8, Some(1)), Some(Substatus::Regressed));
    assert_eq!(of(Status::Unresolved, 20, Some(8)), Some(Substatus::Ongoing));
    assert_eq!(of(Status::Resolved, 1, None), None);
    let escalating = |status| Substatus::of(status, days_ago(1), Some(days_ago(1)), Some(now), now);
    assert_eq!(escalating(Status::Unresolved), Some(Substatus::Escalating), "before regressed and new");
    assert_eq!(escalating(Status::Ignored), None);
}

fn terms(query: &str) -> Vec<String> {
    let show = |Term { negated, kind }| {
        let sign = if negated { "-" } else { "" };
        match kind {
            Kind::Word(word) => format!("{sign}[{word}]"),
            Kind::Field { key, value } => format!("{sign}{key}=[{value}]"),
        }
    };
    parse(query).unwrap().into_iter().map(show).collect()
}

#[test]
fn a_query_consists_of_words_and_fields() {
    assert_eq!(
        terms(r#"TypeError is:unresolved -level:info tag.Plan:"pro plus" "two words" -"not these""#),
        [
            "[typeerror]",
            "is=[unresolved]",
            "-level=[info]",
            "tag.Plan=[pro plus]",
            "[two words]",
            "-[not these]"
        ]
    );
}

#[test]
fn a_context_is_named_in_any_case() {
    assert_eq!(
        terms(r#"contexts.os.name:Linux -Contexts.Browser.Version:"141.0 beta""#),
        ["contexts.os.name=[Linux]", "-contexts.browser.version=[141.0 beta]"]
    );
}

#[test]
fn text_that_is_not_a_filter_is_a_word() {
    assert_eq!(terms("TypeError: x is undefined"), ["[typeerror:]", "[x]", "[is]", "[undefined]"]);
    assert_eq!(terms("https://a.example/b std::fmt"), ["[https://a.example/b]", "[std::fmt]"]);
    assert_eq!(
        terms(r#"9:1 a/Shop:cart "Shop:cart" Failed:"#),
        ["[9:1]", "[a/shop:cart]", "[shop:cart]", "[failed:]"]
    );
    assert_eq!(terms(r#"- "open -"#), ["[-]", "[open]", "[-]"]);
    assert!(terms("   ").is_empty());
    assert_eq!(parse(&"a ".repeat(10_000)).unwrap().len(), query::TERMS_MAX);
}

#[test]
fn text_that_looks_like_a_filter_but_is_not_is_refused() {
    for (query, wrong) in [
        ("TypeError relase:1.0", "there is no field `relase`"),
        ("Colour:red", "there is no field `Colour`"),
        ("-browser.name:Chrome", "there is no field `browser.name`"),
        ("contexts.os.name:", "`contexts.os.name:` has no value"),
        ("level:", "`level:` has no value"),
        ("is: unresolved", "`is:` has no value"),
        (r#"release:"" x"#, "`release:` has no value"),
        ("tag.plan:", "`tag.plan:` has no value"),
    ] {
        let refused = parse(query).unwrap_err().to_string();
        assert!(refused.contains(wrong) && refused.contains("is, has, status"), "{query}: {refused}");
    }
}

#[test]
fn whoever_asks_for_a_context_that_is_no_field_is_told_of_those_that_are() {
    for name in ["contexts.device.name", "Contexts.x"] {
        let refused = parse(&format!("-{name}:phone")).unwrap_err().to_string();
        let wrong = format!(
            "there is no field `{name}`. Only these properties of contexts can be searched: contexts.app.app_name, "
        );
        assert!(refused.contains(&wrong) && !refused.contains("is, has, status"), "{refused}");
    }
}

#[test]
fn a_condition_needs_its_status() {
    let change = |json: &str| serde_json::from_str::<Change>(json).unwrap().check();
    assert!(change("{}").is_err());
    assert!(change(r#"{"ignore_events": 5}"#).is_err());
    assert!(change(r#"{"status": "ignored", "ignore_events": 0}"#).is_err());
    assert!(change(r#"{"status": "ignored", "ignore_events": 5}"#).is_ok());
    assert!(change(r#"{"status": "unresolved", "resolved_in_release": "next"}"#).is_err());
    assert!(change(r#"{"assignee": null}"#).is_ok());
}

#[test]
fn a_facet_is_named_before_its_first_colon() {
    for (text, name, value) in [
        ("environment:production", "environment", "production"),
        ("release:web@1.2.3", "release", "web@1.2.3"),
        ("tag.url:https://shop.example:8080/", "tag.url", "https://shop.example:8080/"),
        ("user: \"Ada\" ", "user", " \"Ada\" "),
        ("contexts.os.name:Linux", "contexts.os.name", "Linux"),
    ] {
        assert_eq!(Facet::parse(text).unwrap(), Facet { name: name.to_owned(), value: value.to_owned() });
    }
    for text in [
        "",
        "user",
        "user:",
        "tag.:x",
        "browser:Chrome",
        "level:error",
        "contexts.state.route:/cart",
        &format!("user:{}", "x".repeat(996)),
    ] {
        assert!(Facet::parse(text).is_err(), "{text}");
    }
}
