//! Reads what a script says about its source map.

use crate::event::DebugId;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;

/// The comments at the end of a script.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Comments<'a> {
    /// The value of `//# sourceMappingURL=…`; the last one counts.
    pub(super) url: Option<&'a str>,
    /// The value of `//# debugId=…`.
    pub(super) debug_id: Option<DebugId>,
}

/// The comments are searched in so many bytes at a script's end. An inline map is longer and begins before that.
const TAIL: usize = 4 << 10;

impl<'a> Comments<'a> {
    pub(super) fn of(script: &'a str) -> Self {
        let mut comments = Self::default();
        let from = inline_start(script).unwrap_or_else(|| floor(script, script.len().saturating_sub(TAIL)));
        let from = floor(script, from.saturating_sub(TAIL));
        for line in script[from..].lines() {
            let line = line.trim();
            if let Some(url) = value(line, "sourceMappingURL=") {
                comments.url = Some(url);
            } else if let Some(id) = value(line, "debugId=") {
                comments.debug_id = DebugId::parse(id);
            }
        }
        comments
    }
}

/// Where an inline map's comment begins, if the script ends with one.
fn inline_start(script: &str) -> Option<usize> {
    let at = script.rfind("sourceMappingURL=data:")?;
    (!script[at..].trim_end().contains('\n')).then_some(at)
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The value of a comment such as `//# name=value`, `//@ name=value` or `/*# name=value */`; it may follow code.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let at = ["//# ", "//@ ", "/*# ", "/*@ "].iter().filter_map(|mark| line.rfind(mark)).max()?;
    let rest = line[at + 4..].strip_prefix(name)?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '*')).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|value| !value.is_empty())
}

/// The source map in a `data:` URL.
pub(super) fn inline(url: &str) -> Option<Vec<u8>> {
    let (kind, data) = url.strip_prefix("data:")?.split_once(',')?;
    if kind.ends_with(";base64") {
        return STANDARD.decode(percent_decode_str(data).collect::<Vec<u8>>()).ok();
    }
    Some(percent_decode_str(data).collect())
}

#[cfg(test)]
mod tests {
    use super::{Comments, inline};
    use crate::event::DebugId;

    const ID: &str = "0f3c2d1e-4b5a-4978-8f69-a0b1c2d3e4f5";

    #[test]
    fn every_form_of_comment_is_found() {
        for (script, url) in [
            ("x()\n//# sourceMappingURL=a.js.map", Some("a.js.map")),
            ("x()\n//@ sourceMappingURL=a.js.map\n\n", Some("a.js.map")),
            ("x()\r\n/*# sourceMappingURL=a.js.map */", Some("a.js.map")),
            ("x() //# sourceMappingURL=a.js.map", Some("a.js.map")),
            ("//# sourceMappingURL=old.map\nx()\n//# sourceMappingURL=new.map\n", Some("new.map")),
            ("x(\"//# sourceMappingURL=\")", None),
            ("x()", None),
            ("", None),
        ] {
            assert_eq!(Comments::of(script).url, url, "{script}");
        }
        let script = format!("é\n//# debugId={ID}\n//# sourceMappingURL=a.map\n");
        assert_eq!(Comments::of(&script), Comments { url: Some("a.map"), debug_id: DebugId::parse(ID) });
    }

    #[test]
    fn an_inline_map_may_be_long() {
        let json = "{\"version\":3}".to_owned() + &" ".repeat(50_000);
        let encoded = base64::Engine::encode(&super::STANDARD, &json);
        let script = format!(
            "x()\n//# debugId={ID}\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,{encoded}\n"
        );
        let comments = Comments::of(&script);
        assert_eq!(inline(comments.url.unwrap()).unwrap(), json.as_bytes());
        assert_eq!(comments.debug_id, DebugId::parse(ID));
        assert_eq!(inline("data:application/json,%7B%7D").unwrap(), b"{}");
        assert_eq!(inline("data:application/json;base64,!"), None);
    }
}
