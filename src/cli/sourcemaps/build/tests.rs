use super::*;

const ID: &str = "0f3c2d1e-4b5a-4978-8f69-a0b1c2d3e4f5";

/// The map found for each script of a build with these files.
fn found(files: &[(&str, &str)], filter: &Filter) -> Vec<(String, String)> {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let of = |map: MapSource| match map {
        MapSource::File(path) => path.strip_prefix(dir.path()).unwrap().display().to_string(),
        MapSource::Inline => "inline".to_owned(),
        MapSource::Missing(why) => format!("missing: {why}"),
    };
    scripts(dir.path(), filter).unwrap().into_iter().map(|script| (script.served, of(script.map))).collect()
}

fn map_of(files: &[(&str, &str)]) -> String {
    found(files, &Filter::default()).remove(0).1
}

#[test]
fn a_map_is_found_by_comment_header_name_or_id() {
    assert_eq!(map_of(&[("a/x.js", "//# sourceMappingURL=y.map"), ("a/y.map", "")]), "a/y.map");
    assert_eq!(
        map_of(&[("a/x.js", "//# sourceMappingURL=../maps/y.map?v=1"), ("maps/y.map", "")]),
        "maps/y.map"
    );
    assert_eq!(map_of(&[("a/x.js", "//# sourceMappingURL=/maps/y.map"), ("maps/y.map", "")]), "maps/y.map");
    assert_eq!(map_of(&[("x.js", "//# sourceMappingURL=https://cdn/z/%C3%A4.map"), ("ä.map", "")]), "ä.map");
    assert_eq!(map_of(&[("x.js", ""), ("x.js.map", "")]), "x.js.map");
    assert_eq!(map_of(&[("x.js", "//# sourceMappingURL=gone.map"), ("x.js.map", "")]), "x.js.map");
    assert_eq!(map_of(&[("x.js", "//# sourceMappingURL=data:application/json;base64,e30=")]), "inline");
    let headers =
        "/other/*\n  SourceMap: other.map\n/a/*.js\n  Cache-Control: public\n  SourceMap: /maps/y.map\n";
    assert_eq!(map_of(&[("_headers", headers), ("a/x.js", ""), ("maps/y.map", "")]), "maps/y.map");
    let map = format!("{{\"version\":3,\"debugId\":\"{ID}\"}}");
    assert_eq!(
        map_of(&[("x.js", &format!("//# debugId={ID}")), ("private/anything.map", &map)]),
        "private/anything.map"
    );
}

#[test]
fn a_map_outside_the_build_is_not_used() {
    let why = map_of(&[("x.js", "//# sourceMappingURL=../../../etc/passwd")]);
    assert!(why.starts_with("missing: its sourceMappingURL `../../../etc/passwd`"), "{why}");
    assert!(map_of(&[("x.js", "")]).contains("no sourceMappingURL, and there is no x.js.map"));
}

#[test]
fn ignored_files_are_left_out_and_prefixes_stripped() {
    let filter = Filter {
        ignore: vec!["vendor".into(), "*.cjs".into()],
        strip_prefix: vec!["out/".into(), "dist".into()],
    };
    let files = ["out/a.js", "dist/b.mjs", "c.js", "vendor/d.js", "e.cjs", "node_modules/f.js", "g.css"];
    let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "")).collect();
    let served: Vec<String> = found(&files, &filter).into_iter().map(|(served, _)| served).collect();
    assert_eq!(served, ["c.js", "b.mjs", "a.js"]);
}
