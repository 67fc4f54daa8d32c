use super::*;

#[test]
fn firefox_stack_is_read_in_order() {
    let text = "computeTotal@https://shop.example/assets/index-BxY12Abc.js:14:20931
checkout/</<@https://shop.example/assets/index-BxY12Abc.js:14:21003
onClick<@https://shop.example/assets/index-BxY12Abc.js:15:2
async*submit@https://shop.example/assets/index-BxY12Abc.js:16:8
promise callback*load@https://shop.example/a.js:1:2
setTimeout handler*@https://shop.example/a.js:1:9
@https://shop.example/:12:5
";
    let url = "https://shop.example/assets/index-BxY12Abc.js";
    assert_parsed(
        text,
        Flavor::SpiderMonkey,
        &[
            &format!("computeTotal|{url}|14|20931*"),
            &format!("checkout/</<|{url}|14|21003*"),
            &format!("onClick<|{url}|15|2*"),
            &format!("submit|{url}|16|8~*"),
            "load|https://shop.example/a.js|1|2~*",
            "-|https://shop.example/a.js|1|9~*",
            "-|https://shop.example/|12|5*",
        ],
    );
}

#[test]
fn firefox_eval_has_the_position_of_the_calling_line() {
    let text = "f@https://x/a.js line 3 > eval:1:1
g@https://x/a.js line 5 > Function line 1 > eval:2:2
anonymous@https://x/a b.js line 7 > Function:3:4
@https://x/a.js:9:1
";
    assert_parsed(
        text,
        Flavor::SpiderMonkey,
        &[
            "f|https://x/a.js|3|-*",
            "g|https://x/a.js|5|-*",
            "anonymous|https://x/a b.js|7|-*",
            "-|https://x/a.js|9|1*",
        ],
    );
    assert_eq!(parse(text).frames[0].kind, FrameKind::Eval);
}

#[test]
fn firefox_of_old_has_no_columns() {
    let text = "f@http://x:8080/a.js:12\n@http://x:8080/:3\n";
    assert_parsed(text, Flavor::SpiderMonkey, &["f|http://x:8080/a.js|12|-*", "-|http://x:8080/|3|-*"]);
}

#[test]
fn at_signs_in_addresses_and_names_do_not_part_them() {
    let text = "f@https://cdn.example/x@1.2.3/y.js:1:2
@https://cdn.example/@scope/pkg@1.2.3/y.js:3:4
[\"@weird\"]/g@https://cdn.example/z.js:5:6
";
    assert_parsed(
        text,
        Flavor::SpiderMonkey,
        &[
            "f|https://cdn.example/x@1.2.3/y.js|1|2*",
            "-|https://cdn.example/@scope/pkg@1.2.3/y.js|3|4*",
            "[\"@weird\"]/g|https://cdn.example/z.js|5|6*",
        ],
    );
}

#[test]
fn safari_stack_is_read_in_order() {
    let text = "computeTotal@https://shop.example/assets/index-BxY12Abc.js:14:20931
https://shop.example/assets/index-BxY12Abc.js:14:21003
https://cdn.example/x@1.2.3/y.js:1:2
reduce@[native code]
[native code]
eval code@[native code]
async load@https://shop.example/a.js:1:2
module code@https://shop.example/a.js:1:9
global code@https://shop.example/:12:5";
    let url = "https://shop.example/assets/index-BxY12Abc.js";
    assert_parsed(
        text,
        Flavor::JavaScriptCore,
        &[
            &format!("computeTotal|{url}|14|20931*"),
            &format!("-|{url}|14|21003*"),
            "-|https://cdn.example/x@1.2.3/y.js|1|2*",
            "reduce|-|-|-",
            "-|-|-|-",
            "eval code|-|-|-",
            "load|https://shop.example/a.js|1|2~*",
            "module code|https://shop.example/a.js|1|9*",
            "global code|https://shop.example/|12|5*",
        ],
    );
}

#[test]
fn without_a_marker_the_last_line_distinguishes_firefox_from_safari() {
    let line = "f@https://x/a.js:1:2";
    assert_parsed(&format!("{line}\n"), Flavor::SpiderMonkey, &["f|https://x/a.js|1|2*"]);
    assert_parsed(line, Flavor::JavaScriptCore, &["f|https://x/a.js|1|2*"]);
}

#[test]
fn extensions_of_firefox_and_safari_are_foreign() {
    let firefox = "a@moz-extension://0a1b/x.js:1:2\n";
    assert_parsed(firefox, Flavor::SpiderMonkey, &["a|moz-extension://0a1b/x.js|1|2"]);
    let safari = "a@safari-web-extension://0A1B/x.js:1:2\n";
    assert_parsed(safari, Flavor::JavaScriptCore, &["a|safari-web-extension://0A1B/x.js|1|2"]);
}

#[test]
fn message_equal_to_a_function_does_not_take_its_frame() {
    let text = "foo@https://x/a.js:1:2\n";
    let parsed = parse_with_message(text, Some("foo"));
    assert_eq!(shorts(&parsed), ["foo|https://x/a.js|1|2*"]);
}

#[test]
fn mail_addresses_in_messages_are_not_frames() {
    let text = "Error: cannot reach joe@example.com:25\n    at send (/srv/mail.js:3:4)";
    assert_parsed(text, Flavor::V8, &["send|/srv/mail.js|3|4*"]);
    assert!(parse("cannot reach joe@example.com:25").frames.is_empty());
    assert!(parse("see https://example.com/help").frames.is_empty());
}
