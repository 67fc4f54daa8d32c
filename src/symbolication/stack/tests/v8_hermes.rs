use super::*;

/// Node 20.20.
const NODE: &str = "Error: multi
line at foo (fake.js:1:2)
    at fake (fake.js:1:2)
    at /tmp/rec/a.js:2:121
    at Array.map (<anonymous>)
    at Foo.bar (/tmp/rec/a.js:2:104)
    at Object.<anonymous> (/tmp/rec/a.js:4:17)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)
    at node:internal/main/run_main_module:28:49";

const NODE_FRAMES: [&str; 7] = [
    "-|/tmp/rec/a.js|2|121*",
    "Array.map|-|-|-",
    "Foo.bar|/tmp/rec/a.js|2|104*",
    "Object.<anonymous>|/tmp/rec/a.js|4|17*",
    "Module._compile|node:internal/modules/cjs/loader|1521|14",
    "Function.executeUserEntryPoint [as runMain]|node:internal/modules/run_main|164|12",
    "-|node:internal/main/run_main_module|28|49",
];

#[test]
fn known_message_with_lines_like_frames_is_taken_off() {
    let message = "multi\nline at foo (fake.js:1:2)\n    at fake (fake.js:1:2)";
    let parsed = parse_with_message(NODE, Some(message));
    assert_eq!(shorts(&parsed), NODE_FRAMES);
    assert_eq!(parsed.platform, Flavor::V8);
}

#[test]
fn message_cut_short_by_the_client_still_matches_the_header() {
    let parsed = parse_with_message(NODE, Some("multi\nline at foo (fake"));
    assert_eq!(parsed.frames[0].function, Some("fake"));
    assert_eq!(shorts(&parsed)[1..], NODE_FRAMES);
}

#[test]
fn unknown_message_loses_only_lines_indented_like_frames() {
    let parsed = parse(NODE);
    assert_eq!(parsed.frames[0].function, Some("fake"));
    assert_eq!(shorts(&parsed)[1..], NODE_FRAMES);
}

#[test]
fn message_of_one_line_is_not_taken_for_a_frame() {
    let text = "at foo (fake.js:1:2)\n    at real (/a.js:3:4)";
    assert_parsed(text, Flavor::V8, &["real|/a.js|3|4*"]);
}

#[test]
fn chrome_stack_is_read_in_order() {
    let text = "TypeError: Cannot read properties of undefined (reading 'price')
    at t.computeTotal (https://shop.example/assets/index-BxY12Abc.js:14:20931)
    at https://shop.example/assets/index-BxY12Abc.js:14:21003
    at Array.reduce (<anonymous>)
    at async onClick (https://shop.example/assets/checkout-Dk3v_9aZ.js?v=2:1:455)
    at HTMLButtonElement.<anonymous> (https://shop.example/:12:5)";
    assert_parsed(
        text,
        Flavor::V8,
        &[
            "t.computeTotal|https://shop.example/assets/index-BxY12Abc.js|14|20931*",
            "-|https://shop.example/assets/index-BxY12Abc.js|14|21003*",
            "Array.reduce|-|-|-",
            "onClick|https://shop.example/assets/checkout-Dk3v_9aZ.js?v=2|1|455~*",
            "HTMLButtonElement.<anonymous>|https://shop.example/|12|5*",
        ],
    );
}

#[test]
fn unindented_and_windows_line_ends_are_read() {
    let text = "Error: x\r\nat a (https://x/a.js:1:2)\r\nat https://x/b.js:3:4\r\n";
    assert_parsed(text, Flavor::V8, &["a|https://x/a.js|1|2*", "-|https://x/b.js|3|4*"]);
}

#[test]
fn async_frames_are_marked() {
    assert_v8("async Promise.all (index 0)", "Promise.all|-|-|-~");
    assert_v8("async /tmp/rec/a.js:14:19", "-|/tmp/rec/a.js|14|19~*");
    assert_v8("async outer (/tmp/rec/a.js:15:39)", "outer|/tmp/rec/a.js|15|39~*");
}

#[test]
fn constructors_and_aliases_keep_their_raw_names() {
    assert_v8("new Foo (/a.js:1:2)", "new Foo|/a.js|1|2*");
    assert_v8("new Promise (<anonymous>)", "new Promise|-|-|-");
    assert_v8("Object.foo [as bar] (/a.js:1:2)", "Object.foo [as bar]|/a.js|1|2*");
    assert_v8("get y [as y] (/a.js:2:60)", "get y [as y]|/a.js|2|60*");
}

#[test]
fn eval_frames_have_the_position_of_the_outermost_call_in_a_script() {
    let inner = "eval at <anonymous> (/tmp/a.js:8:7)";
    assert_v8(&format!("eval ({inner}, <anonymous>:1:6)"), "eval|/tmp/a.js|8|7*");
    let nested = format!("eval (eval at <anonymous> ({inner}), <anonymous>:1:6)");
    assert_v8(&nested, "eval|/tmp/a.js|8|7*");
    let deep = format!("f (eval at g ({inner}, <anonymous>:3:1), <anonymous>:1:6)");
    assert_v8(&deep, "f|/tmp/a.js|8|7*");
    assert_eq!(parse(&format!("Error\n    at {deep}")).frames[0].kind, FrameKind::Eval);
    assert_v8("eval (webpack-internal:///./src/x.js:3:7)", "eval|webpack-internal:///./src/x.js|3|7*");
    assert_v8(
        "eval (eval at ./src/x.js (http://localhost:8080/main.js:20:1), <anonymous>:3:7)",
        "eval|http://localhost:8080/main.js|20|1*",
    );
}

#[test]
fn addresses_with_colons_parentheses_and_spaces_stay_whole() {
    for url in [
        "file:///srv/app/x.mjs",
        "C:\\x\\y.js",
        "C:\\Program Files (x86)\\app\\y.js",
        "webpack-internal:///./src/x.js",
        "webpack-internal:///(app-pages-browser)/./src/app/page.tsx",
        "https://x.example/a(1)/b (2).js",
        "https://x.example:8443/a.js?t=12:30&u=(1)",
        "http://[::1]:3000/a.js",
        "https://x.example/a b.js?x=1:2",
        "https://x.example/@scope/pkg@1.2.3/y.js#/route:7",
        "blob:https://x.example/0a1b2c3d-0000-4000-8000-0123456789ab",
        "capacitor://localhost/main.js",
        "\\\\server\\share\\y.js",
        "./src/x.js",
    ] {
        assert_v8(&format!("fn ({url}:10:20)"), &format!("fn|{url}|10|20*"));
        assert_v8(&format!("{url}:10:20"), &format!("-|{url}|10|20*"));
    }
}

#[test]
fn names_with_parentheses_stay_whole() {
    assert_v8("we ird (x) (/tmp/rec/a.js:10:40)", "we ird (x)|/tmp/rec/a.js|10|40*");
    assert_v8("Object.it works (twice) (/t.js:1:2)", "Object.it works (twice)|/t.js|1|2*");
}

#[test]
fn extensions_and_consoles_are_foreign() {
    let url = "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn/inpage.js";
    assert_v8(&format!("a ({url}:1:2)"), &format!("a|{url}|1|2"));
    assert_v8("<anonymous>:1:2", "-|<anonymous>|1|2");
    assert_v8("<anonymous>", "-|-|-|-");
}

#[test]
fn data_addresses_end_at_the_comma() {
    let text = "data:text/javascript,export default 1; throw new Error(\"data\"):1:25";
    assert_v8(text, "-|data:text/javascript,|1|25*");
    let long = format!("f (data:text/javascript;base64,{}:1:25)", "QUJD".repeat(5000));
    assert_v8(&long, "f|data:text/javascript;base64,|1|25*");
}

#[test]
fn wasm_frames_have_the_byte_offset_as_column() {
    assert_v8("wasm://wasm/0145fffe:wasm-function[0]:0x1e", "wasm-function[0]|wasm://wasm/0145fffe|1|30*");
    assert_v8(
        "game.update (wasm://wasm/game.wasm-0145fffe:wasm-function[12]:0x1a)",
        "game.update|wasm://wasm/game.wasm-0145fffe|1|26*",
    );
    let parsed = parse("RuntimeError: x\n    at wasm://wasm/0145fffe:wasm-function[0]:0x1e");
    assert_eq!(parsed.frames[0].kind, FrameKind::Wasm);
}

#[test]
fn prose_in_messages_is_not_a_frame() {
    for line in ["at 12:30:15", "at the end of line:1:2", "at least one", "at line 3", "at x:1"] {
        let parsed = parse(line);
        assert_eq!((parsed.platform, parsed.frames.len()), (Flavor::Unknown, 0), "{line}");
    }
}

#[test]
fn the_cause_printed_below_is_left_out() {
    let text = "Error: outer\n    at a (/a.js:1:2)\n  [cause]: Error: inner\n    at b (/b.js:1:2)";
    assert_parsed(text, Flavor::V8, &["a|/a.js|1|2*"]);
}

#[test]
fn hermes_bytecode_addresses_are_read() {
    let text = "TypeError: undefined is not a function
    at onPress (address at index.android.bundle:1:312345)
    at apply (native)
    at anonymous (address at index.android.bundle:1:98)
    at renderItem (http://localhost:8081/index.bundle?platform=ios&dev=true:1203:17)
    ... skipping 12 frames
    at global (address at /data/app/~~x==/base.apk/InternalBytecode.js:1:11)";
    assert_parsed(
        text,
        Flavor::Hermes,
        &[
            "onPress|index.android.bundle|1|312345*",
            "apply|-|-|-",
            "anonymous|index.android.bundle|1|98*",
            "renderItem|http://localhost:8081/index.bundle?platform=ios&dev=true|1203|17*",
            "global|/data/app/~~x==/base.apk/InternalBytecode.js|1|11",
        ],
    );
    let frames = parse(text).frames;
    assert_eq!(frames[0].kind, FrameKind::Bytecode);
    assert_eq!(frames[1].kind, FrameKind::Native);
    assert_eq!(frames[3].kind, FrameKind::Script);
}

#[test]
fn hermes_source_positions_are_recognized_by_the_bundle() {
    let text = "Error: x\n    at anonymous (index.android.bundle:1:2345)";
    assert_parsed(text, Flavor::Hermes, &["anonymous|index.android.bundle|1|2345*"]);
}
