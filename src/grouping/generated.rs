//! Removes from function names what compilers and run-times generate: numbers of lambdas, proxies and
//! closures, which change with each build or even with each start.

use std::borrow::Cow;

/// The name without them; borrowed if there are none.
pub(super) fn without_generated(name: &str) -> Cow<'_, str> {
    let bytes = name.as_bytes();
    if !bytes.iter().any(|byte| b"$<{@_#(".contains(byte) || byte.is_ascii_digit()) {
        return Cow::Borrowed(name);
    }
    let mut kept: Option<String> = None;
    let (mut copied, mut at) = (0, 0);
    while at < name.len() {
        let Some(Part { length, instead }) = part(name, at) else {
            at += 1;
            continue;
        };
        let kept = kept.get_or_insert_with(|| String::with_capacity(name.len()));
        kept.push_str(&name[copied..at]);
        kept.push_str(instead);
        at += length.max(1);
        copied = at;
    }
    match kept {
        Some(kept) => Cow::Owned(kept + &name[copied..]),
        None => Cow::Borrowed(name),
    }
}

/// A generated part: its length in bytes, and its replacement.
struct Part<'a> {
    length: usize,
    instead: &'a str,
}

/// The generated part that begins here; it starts and ends with ASCII.
fn part(name: &str, at: usize) -> Option<Part<'_>> {
    let rest = name.get(at..)?;
    match rest.as_bytes()[0] {
        b'$' => of_jvm(rest),
        b'<' => of_dotnet(rest),
        b'{' => of_closure(rest),
        b'_' => of_underscore(rest),
        b'@' => of_anonymous_class(rest),
        b'p' if rest.starts_with("proxy") && name[..at].ends_with("jdk.") => numbered(rest, "proxy", digits),
        b'A' => numbered(rest, "Accessor", digits),
        b'C' => numbered(rest, "CGLIB$$", word),
        b'c' => numbered(rest, "closure #", digits).map(|part| Part { instead: "closure", ..part }),
        b'b' => of_block(rest),
        _ => None,
    }
}

fn run(text: &str, is: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is(*byte)).count()
}

fn digits(text: &str) -> usize {
    run(text, |byte| byte.is_ascii_digit())
}

fn word(text: &str) -> usize {
    run(text, |byte| byte.is_ascii_alphanumeric())
}

/// A marker and the number that follows it.
fn numbered<'a>(rest: &'a str, mark: &'static str, count: fn(&str) -> usize) -> Option<Part<'a>> {
    let counted = count(rest.strip_prefix(mark)?);
    (counted > 0).then_some(Part { length: mark.len() + counted, instead: mark })
}

/// `$$Lambda$14/0x0800` → `$$Lambda`, `$Proxy12` → `$Proxy`, `Cart$1.run` → `Cart$.run`.
fn of_jvm(rest: &str) -> Option<Part<'_>> {
    const LAMBDA: &str = "$$Lambda";
    if let Some(behind) = rest.strip_prefix(LAMBDA) {
        let number = behind.strip_prefix('$').map_or(0, |number| 1 + digits(number));
        let address = behind[number..].strip_prefix('/').map_or(0, |address| 1 + word(address));
        return Some(Part { length: LAMBDA.len() + number + address, instead: LAMBDA });
    }
    for mark in ["$ByteBuddy$", "$MockitoMock$", "$HibernateProxy$", "$$FastClass$$"] {
        if let Some(part) = numbered(rest, mark, word) {
            return Some(part);
        }
    }
    let counted = digits(&rest[1..]);
    let ends = rest[1 + counted..].starts_with(['.', '$']);
    numbered(rest, "$Proxy", digits)
        .or_else(|| (counted > 0 && ends).then_some(Part { length: 1 + counted, instead: "$" }))
}

/// `<>c__DisplayClass3_0.<Run>b__1` → `<Run>b__`, `<Run>d__12.MoveNext` → `Run`, `<Main>g__Add|0_0` →
/// `<Main>g__Add`.
fn of_dotnet(rest: &str) -> Option<Part<'_>> {
    const NAME: usize = 200;
    let counted = |text: &str| run(text, |byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'`'));
    if let Some(behind) = rest.strip_prefix("<>c") {
        let class = behind.strip_prefix("__DisplayClass").map_or(0, |number| 14 + counted(number));
        let dot = usize::from(behind[class..].starts_with(['.', '+']));
        return Some(Part { length: 3 + class + dot, instead: "" });
    }
    let end = rest.as_bytes().iter().take(NAME).position(|byte| *byte == b'>')?;
    let behind = &rest[end + 1..];
    if let Some(number) = behind.strip_prefix("d__") {
        let length = end + 4 + counted(number);
        let next = if rest[length..].starts_with(".MoveNext") { ".MoveNext".len() } else { 0 };
        return Some(Part { length: length + next, instead: &rest[1..end] });
    }
    if let Some(number) = behind.strip_prefix("b__") {
        return Some(Part { length: end + 4 + counted(number), instead: &rest[..end + 4] });
    }
    let local = behind.strip_prefix("g__")?;
    let name = run(local, |byte| byte != b'|');
    if name == local.len() {
        return None;
    }
    let length = end + 4 + name;
    Some(Part { length: length + 1 + counted(&local[name + 1..]), instead: &rest[..length] })
}

/// Rust's `{closure#0}`, and PHP's `{closure:/srv/x.php:12}`.
fn of_closure(rest: &str) -> Option<Part<'_>> {
    let instead = match rest.as_bytes().get(..9)? {
        b"{closure#" => "{{closure}}",
        b"{closure:" => "{closure}",
        _ => return None,
    };
    Some(Part { length: rest.find('}')? + 1, instead })
}

/// `_callee12$` of regenerator, and the ids of compiled templates: `_show_html_erb___123456_7890`.
fn of_underscore(rest: &str) -> Option<Part<'_>> {
    if let Some(part) = numbered(rest, "_callee", digits) {
        return Some(part);
    }
    let lines = run(rest, |byte| byte == b'_');
    (lines > 1 && digits(&rest[lines..]) >= 5).then_some(Part { length: lines, instead: "_" })
}

/// PHP's `class@anonymous`, followed by its file and number.
fn of_anonymous_class(rest: &str) -> Option<Part<'_>> {
    const MARK: &str = "@anonymous";
    let behind = rest.strip_prefix(MARK)?;
    let end = ["->", "::"].iter().filter_map(|call| behind.find(call)).min().unwrap_or(behind.len());
    (end > 0).then_some(Part { length: MARK.len() + end, instead: MARK })
}

/// Ruby's `block (2 levels) in run` → `block in run`.
fn of_block(rest: &str) -> Option<Part<'_>> {
    let number = rest.strip_prefix("block (")?;
    let counted = digits(number);
    let behind = number[counted..].strip_prefix(" levels)")?;
    Some(Part { length: rest.len() - behind.len(), instead: "block" })
}
