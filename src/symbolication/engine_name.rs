//! What an engine calls a function, as far as that is worth showing: asked where a source map has no sources, and so
//! no names of its own.

/// Characters from which on a name is taken for one that somebody gave: minifiers begin with the shortest.
const READABLE: usize = 3;

/// A function's name without marks and without an owner that says nothing; `None` where an engine, a minifier or a
/// bundler made it up.
pub(crate) fn readable(name: &str) -> Option<&str> {
    let name = name.trim();
    let name = name.strip_prefix("async ").unwrap_or(name);
    let name = name.split(" [as ").next().unwrap_or(name);
    // `Cart.total`, and of Firefox `checkout/total` and, for a function without a name, `checkout/<`.
    let (owner, last) = name.rsplit_once(['.', '/']).unwrap_or(("", name));
    if !is_given(last) {
        return None;
    }
    let tells =
        owner.is_empty() || owner.split(['.', '/']).all(|part| is_given(part) && !is_any_object(part));
    Some(if tells { name } else { last })
}

/// Whether somebody gave a name: `e$1`, `_a` and `t23` are short once what keeps names apart is gone.
fn is_given(name: &str) -> bool {
    const KINDS: [&str; 3] = ["new ", "get ", "set "];
    const MADE_UP: [&str; 6] =
        ["anonymous", "<anonymous>", "eval", "global code", "module code", "eval code"];
    let name = KINDS.iter().find_map(|kind| name.strip_prefix(kind)).unwrap_or(name);
    let name = name.trim_end_matches('<');
    let core =
        name.trim_start_matches(['_', '$', '#']).trim_end_matches(|c: char| c.is_ascii_digit() || c == '$');
    // Obfuscators count on in hexadecimal: `_0x3fa1`.
    core.chars().count() >= READABLE && !name.starts_with("_0x") && !MADE_UP.contains(&name)
}

fn is_any_object(owner: &str) -> bool {
    matches!(owner, "Object" | "Module" | "Window" | "window" | "globalThis" | "exports")
}

#[cfg(test)]
mod tests;
