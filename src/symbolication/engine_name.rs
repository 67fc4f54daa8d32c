//! The engine's name of a function, if it is worth showing. Used where a source map has no sources, and so no
//! names of its own.

/// The length from which a name is taken for one that a person chose; minifiers use the shortest names first.
const READABLE: usize = 3;

/// A function's name without markers and without a meaningless owner; `None` if an engine, minifier or
/// bundler made it up.
pub(crate) fn readable(name: &str) -> Option<&str> {
    let name = name.trim();
    let name = name.strip_prefix("async ").unwrap_or(name);
    let name = name.split(" [as ").next().unwrap_or(name);
    // `Cart.total`; in Firefox also `checkout/total`, and `checkout/<` for an unnamed function.
    let (owner, last) = name.rsplit_once(['.', '/']).unwrap_or(("", name));
    if !is_given(last) {
        return None;
    }
    let tells =
        owner.is_empty() || owner.split(['.', '/']).all(|part| is_given(part) && !is_any_object(part));
    Some(if tells { name } else { last })
}

/// Whether a person chose the name: `e$1`, `_a` and `t23` are short without the suffixes that make names
/// unique.
fn is_given(name: &str) -> bool {
    const KINDS: [&str; 3] = ["new ", "get ", "set "];
    const MADE_UP: [&str; 6] =
        ["anonymous", "<anonymous>", "eval", "global code", "module code", "eval code"];
    let name = KINDS.iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or(name);
    let name = name.trim_end_matches('<');
    let core =
        name.trim_start_matches(['_', '$', '#']).trim_end_matches(|c: char| c.is_ascii_digit() || c == '$');
    // Obfuscators count in hexadecimal: `_0x3fa1`.
    core.chars().count() >= READABLE && !name.starts_with("_0x") && !MADE_UP.contains(&name)
}

fn is_any_object(owner: &str) -> bool {
    matches!(owner, "Object" | "Module" | "Window" | "window" | "globalThis" | "exports")
}

#[cfg(test)]
mod tests;
