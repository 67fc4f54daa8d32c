//! Frames that the client sends itself, and stacks that become frames.

use crate::support::{Project, Value, json};

#[test]
fn sent_frames_are_kept_with_their_source() {
    let project = Project::new();
    let event = project.digest(&json!({"platform": "python", "exception": {"type": "KeyError", "message": "'total'",
        "frames": [
            {"function": "checkout", "filename": "shop/cart.py", "abs_path": "/srv/shop/cart.py", "lineno": 42,
                "in_app": true, "module": "shop.cart", "pre_context": ["def checkout(cart):"],
                "context_line": "    return cart['total']", "post_context": ["", "def other():"]},
            {"function": "run", "filename": "/usr/lib/python3/site-packages/flask/app.py", "lineno": 7, "in_app": false},
        ]}}));
    let frames = event["exception"]["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 2);
    let first = &frames[0];
    assert_eq!((&first["function"], &first["url"]), (&json!("checkout"), &json!("/srv/shop/cart.py")));
    assert_eq!(
        (&first["line"], &first["column"], &first["in_app"]),
        (&json!(42), &Value::Null, &json!(true))
    );
    assert_eq!(first["pre_context"], json!(["def checkout(cart):"]));
    assert_eq!(first["context_line"], "    return cart['total']");
    assert_eq!(first["post_context"], json!(["", "def other():"]));
    // There is nothing to resolve in Python.
    assert_eq!((&first["resolved"], &first["unresolved"]), (&Value::Null, &Value::Null));
    assert_eq!(frames[1]["in_app"], false);
}

#[test]
fn a_python_traceback_brings_its_lines_of_source_without_secrets() {
    let project = Project::new();
    let stack = "Traceback (most recent call last):
  File \"/srv/shop/main.py\", line 9, in <module>
    pay(cart, \"Bearer canary.abc.DEF-123_456\")
    ~~~^^^^^^
  File \"/srv/shop/cart.py\", line 3, in pay
    return cart['total']
           ~~~~^^^^^^^^^
  File \"<string>\", line 1, in <module>
KeyError: 'total'\n";
    let event = project.digest(
        &json!({"platform": "python", "exception": {"type": "KeyError", "message": "'total'", "stack": stack}}),
    );
    let frames = event["exception"]["frames"].as_array().unwrap();
    let lines: Vec<_> = frames.iter().map(|frame| frame["context_line"].clone()).collect();
    assert_eq!(
        lines,
        [Value::Null, json!("return cart['total']"), json!("pay(cart, \"Bearer [Filtered]\")")]
    );
    assert_eq!((&frames[1]["pre_context"], &frames[1]["post_context"]), (&json!([]), &json!([])));
}

#[test]
fn variables_of_frames_are_the_events_own_and_shown_without_secrets() {
    let project = Project::new();
    let send = |total: i64| {
        project.digest(&json!({"platform": "python", "exception": {"type": "KeyError", "message": "'total'",
        "frames": [
            {"function": "checkout", "filename": "shop/cart.py", "lineno": 42,
                "vars": {"cart": {"total": total, "items": ["coat"]}, "password": "hunter2"}},
            {"function": "run", "filename": "shop/main.py", "lineno": 7},
        ]}}))
    };
    let (first, second) = (send(1), send(2));
    assert_eq!(first["issue_id"], second["issue_id"]);
    for (event, total) in [(&first, 1), (&second, 2)] {
        let frames = &event["exception"]["frames"];
        assert_eq!(frames[0]["vars"]["cart"], json!({"total": total, "items": ["coat"]}));
        assert_eq!(frames[0]["vars"]["password"], "[Filtered]");
        assert_eq!(frames[1]["vars"], Value::Null);
    }
}

#[test]
fn frames_beside_a_stack_count_and_the_text_is_kept() {
    let project = Project::new();
    let stack = "Error: x\n    at other (https://shop.example/other.js:9:9)";
    let event = project.digest(&json!({"exception": {"type": "Error", "message": "x", "stack": stack,
        "frames": [{"function": "mine", "filename": "https://shop.example/mine.js", "lineno": 1, "colno": 2}]}}));
    let exception = &event["exception"];
    assert_eq!(exception["stack"], stack);
    assert_eq!(exception["frames"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&exception["frames"][0]["function"], &exception["frames"][0]["column"]),
        (&json!("mine"), &json!(2))
    );
}

#[test]
fn stacks_of_both_engines_become_frames_the_throw_first() {
    let project = Project::new();
    let v8 = "TypeError: x\n    at new Cart (https://shop.example/a.js:1:20)\n    at async Promise.all (index 0)\n    at https://shop.example/b.js:3:4";
    let firefox = "add@https://shop.example/a.js:1:20\n@https://shop.example/b.js:3:4\n";
    for (stack, function) in [(v8, "new Cart"), (firefox, "add")] {
        let event =
            project.digest(&json!({"exception": {"type": "TypeError", "message": "x", "stack": stack}}));
        let frames = event["exception"]["frames"].as_array().unwrap();
        let (first, last) = (&frames[0], &frames[frames.len() - 1]);
        assert_eq!(first["function"], function, "{event}");
        assert_eq!(
            (&first["url"], &first["line"], &first["column"]),
            (&json!("https://shop.example/a.js"), &json!(1), &json!(20))
        );
        assert_eq!(
            (&last["url"], &last["line"], &last["column"]),
            (&json!("https://shop.example/b.js"), &json!(3), &json!(4))
        );
        assert_eq!(last["function"], Value::Null);
    }
}

#[test]
fn an_unreadable_stack_is_kept_as_text() {
    let project = Project::new();
    for stack in ["no stack at all", "\u{0}\u{1}", "    at", "@@@@:::\n@", "at at at (((((", "\n\n\n"] {
        let event = project.digest(&json!({"exception": {"type": "E", "message": stack, "stack": stack}}));
        assert_eq!(event["exception"]["stack"], stack);
        assert!(event["exception"]["frames"].is_array(), "{event}");
    }
}

#[test]
fn causes_in_the_text_become_causes() {
    let project = Project::new();
    let stack = "java.lang.E: outer\n\tat com.acme.A.x(A.java:1)\n\tSuppressed: java.lang.S: not this\n\t\tat com.acme.S.s(S.java:1)\nCaused by: java.lang.F: inner\n\tat app//com.acme.B.y(B.java:3)\n\tat app//org.springframework.C.z(C.java:3)\n\t... 1 more\n";
    let event =
        project.digest(&json!({"exception": {"type": "java.lang.E", "message": "outer", "stack": stack}}));
    let exception = &event["exception"];
    assert_eq!((&exception["stack"], exception["frames"].as_array().unwrap().len()), (&json!(stack), 1));
    let cause = &exception["cause"];
    assert_eq!((&cause["type"], &cause["message"]), (&json!("java.lang.F"), &json!("inner")));
    let frames: Vec<_> = cause["frames"].as_array().unwrap().iter().map(|frame| &frame["in_app"]).collect();
    assert_eq!(frames, [&json!(true), &json!(false), &json!(true)]);
    assert_eq!(cause["frames"][2]["function"], "com.acme.A.x");
    assert_eq!(cause["cause"], Value::Null);
}

#[test]
fn errors_of_an_aggregate_error_are_siblings() {
    let project = Project::new();
    let stack = "AggregateError: All promises were rejected\n    at run (/srv/shop/run.js:1:2) {\n  [errors]: [\n    TypeError: first\n        at a (/srv/shop/a.js:3:4),\n    RangeError: second\n        at b (/srv/shop/b.js:5:6)\n  ]\n}";
    let of = |kind: &str| json!({"exception": {"type": kind, "message": "All promises were rejected", "stack": stack}});
    let exception = &project.digest(&of("AggregateError"))["exception"];
    let kinds = |of: &Value| of.as_array().unwrap().iter().map(|one| one["type"].clone()).collect::<Vec<_>>();
    assert_eq!(kinds(&exception["causes"]), ["TypeError", "RangeError"]);
    for (member, function) in exception["causes"].as_array().unwrap().iter().zip(["a", "b"]) {
        assert_eq!(member["frames"][0]["function"], function);
        assert_eq!((&member["cause"], &member["causes"]), (&Value::Null, &json!([])));
    }
    assert_eq!(exception["cause"]["type"], "TypeError");
    assert_eq!(exception["cause"]["cause"]["type"], "RangeError", "those who follow the causes meet all");
    let chained = project.digest(&json!({"exception": {"type": "Error", "message": "outer",
        "cause": {"type": "Error", "message": "inner", "cause": of("AggregateError")["exception"]}}}));
    let inner = &chained["exception"]["cause"];
    assert_eq!((&chained["exception"]["causes"], &inner["causes"]), (&json!([]), &json!([])));
    assert_eq!(kinds(&inner["cause"]["causes"]), ["TypeError", "RangeError"]);
}

#[test]
fn a_stack_cut_to_its_innermost_frames_is_named() {
    let project = Project::new();
    let lines = |frames: usize| "\n    at f (https://shop.example/a.js:1:2)".repeat(frames);
    for (frames, truncated) in [(250, json!([])), (251, json!(["exception.frames"]))] {
        let stack = format!("Error: x{}", lines(frames));
        let event = project.digest(&json!({"exception": {"type": "Error", "message": "x", "stack": stack}}));
        assert_eq!(event["exception"]["frames"].as_array().unwrap().len(), 250);
        assert_eq!(event["truncated"], truncated);
    }
}

#[test]
fn stacks_of_other_languages_become_frames() {
    let project = Project::new();
    for (kind, stack, frames) in [
        ("ArgumentError", "/a.rb:3:in `foo': bad (ArgumentError)\n\tfrom /a.rb:7:in `<main>'", 2),
        ("ArgumentError", "/a.rb:3:in 'Object#foo': bad (ArgumentError)", 1),
        ("Exception", "Exception: bad in /srv/a.php:3\nStack trace:\n#0 /srv/b.php(9): A->b()\n#1 {main}", 2),
        ("System.E", "System.E: bad\n   at A.B.C(String s) in /srv/C.cs:line 3\n   at System.D.E()", 2),
        ("Fatal", "a/main.swift:5: Fatal error: bad", 1),
        ("panic", "thread 'main' panicked at src/main.rs:4:5:\nbad", 1),
    ] {
        let exception = json!({"type": kind, "message": "bad", "stack": stack});
        let event = project.digest(&json!({"exception": exception}));
        let found = event["exception"]["frames"].as_array().unwrap();
        assert_eq!(found.len(), frames, "{stack}");
        if kind == "Exception" {
            let functions: Vec<&Value> = found.iter().map(|frame| &frame["function"]).collect();
            assert_eq!(functions, ["A->b", "{main}"]);
        }
        assert_eq!((&found[0]["in_app"], found[0]["line"].is_number()), (&json!(true), true), "{stack}");
    }
}
