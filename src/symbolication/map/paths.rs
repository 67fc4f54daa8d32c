//! The file name of a source, for display.

/// `source` under `root` (the map's `sourceRoot`), without a leading `webpack://name/` or
/// `turbopack:///[project]/` and without leading `./` and `../`, so that the same file has the same name
/// whatever directory the build ran in. `..` further inside is left alone.
pub(super) fn file_name(root: &str, source: &str) -> String {
    let root = root.trim_end_matches('/');
    let joined = match root.is_empty() || is_absolute(source) {
        true => source.to_owned(),
        false => format!("{root}/{source}"),
    };
    clean(&joined).to_owned()
}

fn is_absolute(source: &str) -> bool {
    let drive = |rest: &str| rest.starts_with(":\\") || rest.starts_with(":/");
    source.starts_with('/') || source.contains("://") || source.get(1..).is_some_and(drive)
}

fn clean(path: &str) -> &str {
    let path = without_loaders(path);
    let path = without_schemes(path);
    let mut rest = path;
    while let Some(shorter) = rest.strip_prefix("./").or_else(|| rest.strip_prefix("../")) {
        rest = shorter.trim_start_matches('/');
    }
    // A source that was nothing but dots keeps its name.
    if rest.is_empty() { path } else { rest }
}

/// Without what loaders of webpack are named around a file: `loader.js!./src/a.ts?lang=ts`, `src/a.js?1a2b`, and
/// `src/a.js + 3 modules`.
fn without_loaders(path: &str) -> &str {
    let loaded =
        path.rsplit_once('!').filter(|(loaders, file)| loaders.contains("loader") && !file.is_empty());
    let file = loaded.map_or(path, |(_, file)| file);
    // A name may have a question mark in it, before its ending.
    let query = file.rsplit_once('?').filter(|(file, query)| !file.is_empty() && !query.contains(['.', '/']));
    let file = query.map_or(file, |(file, _)| file);
    match file.rsplit_once(" + ") {
        Some((module, others)) if others.ends_with(" modules") => module,
        _ => file,
    }
}

/// Without the schemes of bundlers, of which a second one may be inside the first.
fn without_schemes(path: &str) -> &str {
    const DEPTH: usize = 4;
    let mut rest = path;
    for _ in 0..DEPTH {
        let shorter = without_layer(without_turbopack(without_webpack(rest)));
        if shorter == rest {
            break;
        }
        rest = shorter;
    }
    rest
}

/// Next.js writes the layer in front: `(app-pages-browser)/./src/a.tsx`.
fn without_layer(path: &str) -> &str {
    let inner = path.strip_prefix('(').and_then(|rest| rest.split_once(")/"));
    inner
        .filter(|(layer, file)| !layer.contains('/') && file.starts_with("./"))
        .map_or(path, |(_, file)| file)
}

/// `webpack://app/src/a.js`, `webpack:///src/a.js`, `webpack:///./src/a.js` → what follows the slash after
/// the name. The name is that of the package, which contains a slash itself if it is scoped
/// (`webpack://@scope/app/src/a.js`). Without a slash there is no name (`webpack://a.js`).
fn without_webpack(path: &str) -> &str {
    // `webpack:///` with its last slash cut off by a joined root is `webpack:/src/a.js`.
    let rest = path.strip_prefix("webpack:/").or_else(|| path.strip_prefix("webpack-internal:/"));
    let Some(rest) = rest else { return path };
    let Some(rest) = rest.strip_prefix('/') else { return rest };
    let file = behind_slash(rest);
    let file = if rest.starts_with('@') { file.and_then(behind_slash).or(file) } else { file };
    file.unwrap_or(rest)
}

fn behind_slash(path: &str) -> Option<&str> {
    path.split_once('/').map(|(_, rest)| rest).filter(|rest| !rest.is_empty())
}

/// `turbopack:///[project]/src/a.js` → `src/a.js`.
fn without_turbopack(path: &str) -> &str {
    // As above, a joined root removes slashes.
    let rest = path.strip_prefix("turbopack:").map(|rest| rest.trim_start_matches('/'));
    rest.and_then(|rest| rest.strip_prefix("[project]/")).filter(|file| !file.is_empty()).unwrap_or(path)
}
