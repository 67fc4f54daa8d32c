//! Patterns of `--ignore`.

/// Whether a path (with `/`) matches a pattern: `*` and `?` match within a name, `**` across names. A pattern without
/// `/` matches any name in the path, and one that ends with `/` a directory.
pub(super) fn fits(pattern: &str, path: &str) -> bool {
    let bare = pattern.trim_start_matches("./").trim_end_matches('/');
    if !bare.contains('/') {
        return path.split('/').any(|name| matches(bare.as_bytes(), name.as_bytes()));
    }
    // A directory matches everything in it.
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.into_iter().any(|end| matches(bare.as_bytes(), &path.as_bytes()[..end]))
}

fn matches(pattern: &[u8], text: &[u8]) -> bool {
    // Where to continue after a wildcard that must match one more byte: the positions in pattern and text, and
    // whether it may match a `/`. A later wildcard replaces an earlier one, but a `**` is kept in case a `*` fails.
    let (mut p, mut t, mut deep, mut flat) = (0, 0, None::<(usize, usize)>, None::<(usize, usize)>);
    loop {
        if pattern[p..].starts_with(b"**") {
            p += if pattern[p..].starts_with(b"**/") { 3 } else { 2 };
            (deep, flat) = (Some((p, t)), None);
        } else if pattern.get(p) == Some(&b'*') {
            p += 1;
            flat = Some((p, t));
        } else if p == pattern.len() && t == text.len() {
            return true;
        } else if t < text.len()
            && (pattern.get(p) == Some(&text[t]) || pattern.get(p) == Some(&b'?') && text[t] != b'/')
        {
            (p, t) = (p + 1, t + 1);
        } else if let Some((after, from)) = flat.filter(|(_, from)| *from < text.len() && text[*from] != b'/')
        {
            flat = Some((after, from + 1));
            (p, t) = (after, from + 1);
        } else if let Some((after, from)) = deep.filter(|(_, from)| *from < text.len()) {
            (deep, flat) = (Some((after, from + 1)), None);
            (p, t) = (after, from + 1);
        } else {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_matches_names_and_directories() {
        for (pattern, path) in [
            ("*.min.js", "vendor/jquery.min.js"),
            ("vendor", "assets/vendor/a.js"),
            ("vendor/", "vendor/deep/a.js"),
            ("assets/vendor", "assets/vendor/deep/a.js"),
            ("assets/*.js", "assets/a.js"),
            ("**/a.js", "deep/in/it/a.js"),
            ("**/a.js", "a.js"),
            ("assets/**/v?.js", "assets/x/y/v1.js"),
            ("./assets/*", "assets/a.js"),
            ("a*b*c.js", "aXbYbZc.js"),
        ] {
            assert!(fits(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("*.min.js", "vendor/jquery.js"),
            ("assets/*.js", "assets/deep/a.js"),
            ("vendor", "vendors/a.js"),
            ("v?.js", "v.js"),
            ("assets/vendor", "other/assets/vendor/a.js"),
        ] {
            assert!(!fits(pattern, path), "{pattern} {path}");
        }
    }
}
