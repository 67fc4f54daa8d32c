use super::*;
use crate::event::log_entry::tests::plain;

fn of(entry: &Entry<'_>) -> Vec<String> {
    let mut found = Vec::new();
    facts("Production", Some("V1"), entry, |field, value| found.push(format!("{field}={value}")));
    found
}

fn attributes(json: &str) -> Vec<String> {
    let entry = Entry { attributes: Some(json.into()), ..plain("x") };
    let given = of(&entry).into_iter();
    given.filter_map(|fact| fact.strip_prefix(ATTRIBUTES).map(str::to_owned)).collect()
}

#[test]
fn every_field_is_given_in_lower_case() {
    let entry = Entry {
        level: Level::Warn,
        user_id: Some("U42".into()),
        user_email: Some("Ann@Example.ORG".into()),
        account_id: Some("7".into()),
        account_name: Some("ÄCME".into()),
        logger_name: Some("Shop.DB".into()),
        trace_id: Some("AB".into()),
        span_id: Some("".into()),
        file_path: Some("Src/a.rs".into()),
        function_name: Some("runIt".into()),
        ..plain("hello")
    };
    let id = format!("template={}", template_id("hello"));
    let mut expected = vec![
        "level=warn",
        &id,
        "environment=production",
        "release=v1",
        "logger=shop.db",
        "user=u42",
        "user=ann@example.org",
        "account=7",
        "account=acme",
        "trace=ab",
        "file=src/a.rs",
        "function=runit",
    ];
    let mut found = of(&entry);
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "what is empty is no fact");
    assert_eq!(template_id("hello").len(), 16);
    assert_ne!(template_id("hello"), template_id("hello "));
}

#[test]
fn every_leaf_of_the_attributes_is_given_under_its_path() {
    let found = attributes(
        r#"{"order_id":1234,"a":{"B":{"c":"Yes"},"d":[1,[true],{"e":2.50}]},"n":null,"z":1e3,"neg":-5,"\u0041":"\u00c9","":{"":"x"}}"#,
    );
    assert_eq!(
        found,
        ["order_id=1234", "a.B.c=yes", "a.d=1", "a.d=true", "a.d.e=2.5", "z=1000", "neg=-5", "A=e", "=x"]
    );
    assert_eq!(attributes("{}"), Vec::<String>::new());
    assert_eq!(attributes(r#"{"a":"","b":1}"#), ["b=1"]);
}

#[test]
fn a_number_is_spelled_in_one_way_however_it_was_sent() {
    let spellings = [
        ("2.0", "2"),
        ("-0.0", "0"),
        ("-0", "0"),
        ("-2.50", "-2.5"),
        ("1E3", "1000"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("9007199254740993.0", "9007199254740992"),
        ("123456789012345678901", "123456789012345680000"),
        ("1e21", "1e+21"),
        ("-1.25e300", "-1.25e+300"),
        ("0.000001", "0.000001"),
        ("0.0000001", "1e-7"),
        // The nearest double, which a parser without care misses.
        ("123456789012345678901234", "1.2345678901234569e+23"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("2.2250738585072014e-308", "2.2250738585072014e-308"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("8.442911973260991817129021309e-309", "8.44291197326099e-309"),
    ];
    for (sent, spelled) in spellings {
        assert_eq!(attributes(&format!("{{\"n\":{sent}}}")), [format!("n={spelled}")], "{sent}");
        let asked = asked_number("attributes.n", sent);
        assert_eq!(asked.as_deref(), (sent != spelled).then_some(spelled), "{sent}");
    }
    for text in ["", "x", "2.", "1e", "0x10", "1e999", "NaN", " 2.0", "2.0 ", "true", "\"2.0\"", "[2.0]"] {
        assert_eq!(asked_number("attributes.n", text), None, "{text}");
    }
    assert_eq!(asked_number("user", "2.0"), None, "an id of a user is text");
}

#[test]
fn an_entry_gives_a_hundred_leaves_and_values_are_cut() {
    let many: Vec<String> = (0..10_000).map(|number| format!("\"k{number}\":{number}")).collect();
    assert_eq!(attributes(&format!("{{{}}}", many.join(","))).len(), LEAVES_MAX);
    assert_eq!(attributes(&format!("{{\"a\":\"{}\"}}", "é".repeat(101))), [format!("a={}", "e".repeat(101))]);
    assert_eq!(attributes(&format!("{{\"a\":\"{}\"}}", "x".repeat(201))), [format!("a={}", "x".repeat(200))]);
    let (fits, long) = ("p".repeat(PATH_MAX), "q".repeat(PATH_MAX + 1));
    assert_eq!(attributes(&format!("{{\"{long}\":1,\"{fits}\":2}}")), [format!("{fits}=2")]);
}

#[test]
fn keys_of_queries_mean_fields() {
    let pairs = [
        ("level", "level"),
        ("LEVEL", "level"),
        ("logger_name", "logger"),
        ("user", "user"),
        ("user.email", "user"),
        ("user_id", "user"),
        ("account.name", "account"),
        ("trace_id", "trace"),
        ("span", "span"),
        ("env", "environment"),
        ("release", "release"),
        ("file_path", "file"),
        ("function", "function"),
        ("template", "template"),
        ("attributes.a.B", "attributes.a.B"),
        ("Attr.order", "attributes.order"),
    ];
    for (name, field) in pairs {
        assert_eq!(field_of(name).as_deref(), Some(field), "{name}");
    }
    let long = format!("attr.{}", "x".repeat(PATH_MAX + 1));
    for name in ["", "http", "attributes", "attributes.", "attr.", "attré.x", "foo", "levels", &long] {
        assert_eq!(field_of(name), None, "{name}");
    }
    assert_eq!(asked_value("level", "WARNING"), "warn");
    assert_eq!(asked_value("logger", "Warning"), "warning");
}
