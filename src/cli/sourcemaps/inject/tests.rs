use super::*;

const ID: &str = "0f3c2d1e-4b5a-4978-8f69-a0b1c2d3e4f5";

fn id() -> DebugId {
    DebugId::parse(ID).unwrap()
}

#[test]
fn the_snippet_is_the_first_line() {
    let changed = with_snippet("x();\n//# sourceMappingURL=x.map\n", id());
    let lines: Vec<&str> = changed.lines().collect();
    assert!(lines[0].starts_with("!function(){try{") && lines[0].contains(ID), "{changed}");
    assert_eq!(lines[1..], ["x();", &format!("//# debugId={ID}"), "//# sourceMappingURL=x.map"]);
    assert_eq!(Comments::of(&changed).debug_id, Some(id()));
    // A `#!` line stays first.
    let changed = with_snippet("#!/usr/bin/env node\n'use strict';\"use x\"\nx()", id());
    let lines: Vec<&str> = changed.lines().collect();
    assert_eq!(lines[0], "#!/usr/bin/env node");
    assert!(lines[1].starts_with("'use strict';\"use x\";!function"), "{changed}");
    assert_eq!(lines[2..], ["'use strict';\"use x\"", "x()", &format!("//# debugId={ID}")]);
}

#[test]
fn a_string_at_the_beginning_is_not_always_a_directive() {
    for script in
        ["\"use strict\".length;x()", "'hello';x()", "\"use strict", "x();'use strict'", "'use a' + b"]
    {
        assert_eq!(directives(script), Vec::<&str>::new(), "{script}");
    }
    assert_eq!(directives(" 'use strict'\nx()"), ["'use strict'"]);
}

#[test]
fn mappings_move_one_line_down() {
    let shifted = |map: Value, line| {
        let mut map = map;
        shift(map.as_object_mut().unwrap(), line).unwrap();
        map
    };
    assert_eq!(shifted(json!({"mappings": "AAAA;AACA"}), 0)["mappings"], ";AAAA;AACA");
    assert_eq!(shifted(json!({"mappings": "AAAA;AACA"}), 1)["mappings"], "AAAA;;AACA");
    assert_eq!(shifted(json!({"mappings": ""}), 1)["mappings"], ";");
    let section =
        |line: u64| json!({"offset": {"line": line, "column": 0}, "map": {"mappings": "AAAA;AACA"}});
    let map = shifted(json!({"sections": [section(0), section(7)]}), 1);
    assert_eq!(
        map["sections"][0],
        json!({"offset": {"line": 0, "column": 0}, "map": {"mappings": "AAAA;;AACA"}})
    );
    assert_eq!(map["sections"][1]["offset"]["line"], 8);
}

/// A build with a script and its map, after injecting.
fn injected(dir: &Path) -> (String, Value, bool) {
    let scripts = build::scripts(dir, &Filter::default()).unwrap();
    let (_, is_new) = inject(&scripts[0], false).unwrap();
    let script = &build::scripts(dir, &Filter::default()).unwrap()[0];
    let map = serde_json::from_slice(&script.read_map().unwrap()).unwrap();
    (fs::read_to_string(&script.file).unwrap(), map, is_new)
}

#[test]
fn script_and_map_get_the_same_id_once() {
    let dir = tempfile::tempdir().unwrap();
    let json = json!({"version": 3, "sources": ["a.ts"], "names": [], "mappings": "AAAA"});
    let encoded = format!(
        "x()\n//# sourceMappingURL=data:application/json;base64,{}\n",
        STANDARD.encode(json.to_string())
    );
    for (script, external) in [("x()\n//# sourceMappingURL=a.js.map\n", true), (encoded.as_str(), false)] {
        fs::write(dir.path().join("a.js"), script).unwrap();
        if external {
            fs::write(dir.path().join("a.js.map"), json.to_string()).unwrap();
        }
        let (script, map, is_new) = injected(dir.path());
        let own = Comments::of(&script).debug_id.unwrap();
        assert!(is_new);
        assert_eq!((&map["debugId"], &map["debug_id"]), (&json!(own), &json!(own)));
        assert_eq!(map["mappings"], ";AAAA");
        // A second run changes nothing.
        assert_eq!(injected(dir.path()), (script, map, false));
    }
}
