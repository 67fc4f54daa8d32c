use super::*;
use crate::event::log_entry::tests::plain;
use crate::event::log_entry::{Entry, Level};

/// A condition in short notation: `&(a |(b -c))`, phrases as `a+b`, open ends as `*`.
fn shown(node: &Node) -> String {
    let list = |parts: &[Node]| parts.iter().map(shown).collect::<Vec<_>>().join(" ");
    let star = |open: bool| if open { "*" } else { "" };
    match node {
        Node::Nothing => "nothing".to_owned(),
        Node::All(parts) => format!("&({})", list(parts)),
        Node::Any(parts) => format!("|({})", list(parts)),
        Node::Not(inner) => format!("-{}", shown(inner)),
        Node::Words { words, open } => words.join("+") + star(*open),
        Node::Fact { field, value, open } => format!("{field}={value}{}", star(*open)),
    }
}

fn read(query: &str) -> String {
    parse(query).unwrap().as_ref().map_or("everything".to_owned(), shown)
}

#[track_caller]
fn assert_read(pairs: &[(&str, &str)]) {
    for (query, expected) in pairs {
        assert_eq!(read(query), *expected, "{query}");
    }
}

#[test]
fn words_and_operators() {
    assert_read(&[
        ("Disk", "disk"),
        ("disk full", "&(disk full)"),
        ("disk AND full && now", "&(disk full now)"),
        ("a b OR c", "&(a |(b c))"),
        ("a OR b c | d", "&(|(a b) |(c d))"),
        ("a|b||c", "|(a b c)"),
        ("(a b) OR c", "|(&(a b) c)"),
        ("a (b OR (c d))", "&(a |(b &(c d)))"),
        ("-a NOT b c", "&(-a -b c)"),
        ("-(a b) OR -c", "|(-&(a b) -c)"),
        ("--a NOT NOT b", "&(a b)"),
        ("or and not", "&(or and not)"),
        ("東京", "東+京"),
    ]);
}

#[test]
fn phrases_and_beginnings() {
    assert_read(&[
        ("\"disk full\" now", "&(disk+full now)"),
        ("\"Disk  FULL!\"", "disk+full"),
        ("time* \"timed o\"* \"timed out \"*", "&(time* timed+o* timed+out)"),
        ("user.cre*", "user+cre*"),
        ("user.*", "user"),
        ("user.created a-b ann@example.org", "&(user+created a+b ann+example+org)"),
        ("\"say \\\"hi\\\"\" x", "&(say+hi x)"),
        ("\"a OR b\"", "a+or+b"),
        ("a\"b c\"d", "&(a b+c d)"),
    ]);
}

#[test]
fn fields() {
    assert_read(&[
        ("level:ERROR", "level=error"),
        ("level:warning,error", "|(level=warn level=error)"),
        ("-level:debug x", "&(-level=debug x)"),
        ("logger:Shop.DB user:42", "&(logger=shop.db user=42)"),
        ("logger:\"shop db\" \"x\"", "&(logger=shop db x)"),
        ("file:\"a,b\"*", "file=a,b*"),
        ("attributes.order_id:12* attr.a.B:Yes", "&(attributes.order_id=12* attributes.a.B=yes)"),
        ("attr.n:2.0,3", "|(|(attributes.n=2.0 attributes.n=2) attributes.n=3)"),
        ("attr.n:2.0*", "attributes.n=2.0*"),
        ("env:prod OR env:test", "|(environment=prod environment=test)"),
        ("(level:error)|trace:ab", "|(level=error trace=ab)"),
        ("function:run() (function:f)", "&(function=run() function=f)"),
        ("file:http://x/y", "file=http://x/y"),
        ("level:,error, level:a,,b", "&(level=error |(level=a level=b))"),
        ("\"attributes.my key\":42 x", "&(attributes.my key=42 x)"),
        ("-\"attr.a:\\\"b\\\"\":\"c d\"*", "-attributes.a:\"b\"=c d*"),
    ]);
}

#[test]
fn text_that_is_not_a_query_is_searched_as_words() {
    assert_read(&[
        ("http://x foo:bar", "&(http+x foo+bar)"),
        ("level: x", "&(level x)"),
        ("\"level\":\"error\"", "&(level error)"),
        ("\"attributes.a b\": x", "&(attributes+a+b x)"),
        ("level:* logger:*db user:\"\"", "&(level logger+db user)"),
        ("(a b", "&(a b)"),
        ("a) b (", "&(a b)"),
        (")(a", "a"),
        ("\"a b", "&(a b)"),
        ("a - b", "&(a b)"),
        ("*a ?b", "&(a b)"),
        ("/fo+.*bar/", "fo+bar"),
        ("a OR", "a"),
        ("OR a AND", "a"),
        ("a () b", "&(a b)"),
        ("OR", "or"),
        ("AND (NOT) OR", "&(and not or)"),
        ("connect() failed (111: Connection refused)", "&(connect failed &(111 connection refused))"),
    ]);
    assert_read(&[("", "everything"), (" \t ", "everything")]);
}

#[test]
fn a_query_of_signs_never_means_everything() {
    assert_read(&[
        ("->", "->"),
        ("***", "***"),
        ("!!! ???", "&(!!! ???)"),
        ("\"!=\"", "!="),
        ("()", "()"),
        ("-", "nothing"),
        ("\"", "nothing"),
        ("- -", "nothing"),
        ("…", "nothing"),
        ("\"\"", "nothing"),
        ("-> -", "nothing"),
        ("*********", "nothing"),
        ("🔥🔥", "🔥"),
        ("\"->\" OR \"!=\"", "nothing"),
        ("NOT ->", "nothing"),
        ("trace:-*", "trace=-*"),
        ("level:warn|level:error", "|(level=warn level=error)"),
        ("\"payment 🔥 failed\"", "&(payment+failed 🔥)"),
        ("⚠️ disk", "&(⚠ disk)"),
    ]);
    assert_read(&[
        ("trace:a3ce929d*", "|(trace=a3ce929d* trace=0000000000000000a3ce929d*)"),
        (
            "trace:4BF92F35-77B3*",
            "|(trace=4bf92f35-77b3* trace=00000000000000004bf92f3577b3* trace=4bf92f3577b3*)",
        ),
        ("trace:req_01*", "trace=req_01*"),
    ]);
}

#[test]
fn only_length_is_an_error() {
    let refused = |query: &str| parse(query).unwrap_err().to_string();
    assert_eq!(refused(&"é".repeat(2_001)), "search: expected at most 2000 characters, got 2001");
    assert!(parse(&"é".repeat(2_000)).is_ok());
    assert_eq!(refused(&"a ".repeat(101)), "search: expected at most 100 terms, got 101");
    assert!(parse(&"a ".repeat(100)).is_ok());
    let levels = format!("level:{}", ["info"; 101].join(","));
    assert_eq!(refused(&levels), "search: expected at most 100 terms, got 101");
}

#[test]
fn brackets_have_sixteen_levels() {
    let nested = |levels: usize| format!("{}a b{} c", "x (".repeat(levels), ")".repeat(levels));
    assert_eq!(read(&nested(16)).matches('&').count(), 17);
    assert_eq!(read(&nested(17)).matches('&').count(), 17, "deeper ones are passed over");
    for hostile in ["(", ")", "-", "NOT ", "(-", "\"", "a:(", "OR(", "-\"", "|", "\\\""] {
        let query = hostile.repeat(QUERY_MAX / hostile.len());
        let refused = parse(&query).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.is_empty() || refused.contains("at most 100 terms"), "{hostile}: {refused}");
    }
}

fn entry() -> Entry<'static> {
    Entry {
        level: Level::Error,
        user_id: Some("42".into()),
        user_email: Some("ann@example.org".into()),
        attributes: Some(r#"{"order":{"id":1234}}"#.into()),
        ..plain("Disk full: user.created for 東京 timed out")
    }
}

#[test]
fn entries_are_found() {
    let found = |query: &str| matches(&parse(query).unwrap().unwrap(), "production", Some("V1"), &entry());
    for query in [
        "disk",
        "FULL disk",
        "\"disk full\"",
        "user.created",
        "\"created for\"",
        "京",
        "東京",
        "time*",
        "\"full us\"*",
        "nope OR full",
        "-nope",
        "level:error",
        "level:warn,error",
        "level:err*",
        "user:42 user:ANN@example.org",
        "attr.order.id:1234",
        "attr.order.id:12*",
        "release:v1 env:production",
        "(nope OR disk) -level:info",
        "\"timed out\"",
    ] {
        assert!(found(query), "{query}");
    }
    for query in [
        "nope",
        "dis",
        "\"full disk\"",
        "created.user",
        "-disk",
        "level:info",
        "user:4",
        "attr.order.id:123",
        "京東",
        "NOT (nope OR disk)",
        "\"timed out x\"",
        "level:nonsense",
        "attr.Order.id:1234",
        "disk -level:error",
        "\"disk full\"* -out",
    ] {
        assert!(!found(query), "{query}");
    }
    let empty = plain("");
    assert!(!matches(&parse("a").unwrap().unwrap(), "", None, &empty));
    assert!(matches(&parse("-a").unwrap().unwrap(), "", None, &empty));
}

#[test]
fn matches_are_highlighted() {
    let marked = |query: &str, message: &str| {
        let mut marked = message.to_owned();
        for range in highlights(&parse(query).unwrap().unwrap(), message).into_iter().rev() {
            marked.insert(range.end, ']');
            marked.insert(range.start, '[');
        }
        marked
    };
    assert_eq!(marked("disk level:error", "Disk full, disk"), "[Disk] full, [disk]");
    assert_eq!(marked("\"disk full\" OR fu*", "x Disk: Full. full"), "x [Disk: Full]. [full]");
    assert_eq!(marked("a -b", "a b"), "[a] b");
    assert_eq!(marked("\"a b\" \"b c\"", "a b c"), "[a b c]");
    assert_eq!(marked("東京", "É東京x東"), "É[東京]x東");
    assert_eq!(marked("nope", "a b"), "a b");
}
