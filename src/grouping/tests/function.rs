use super::super::function::clean;

#[track_caller]
fn assert_clean(pairs: &[(&str, &str)]) {
    for (raw, cleaned) in pairs {
        assert_eq!(clean(raw), *cleaned, "{raw}");
    }
}

#[test]
fn markers_of_engines_are_removed() {
    assert_clean(&[
        ("async load", "load"),
        ("Object.foo [as bar]", "foo"),
        ("window.onload", "onload"),
        ("globalThis.Object.foo", "foo"),
        ("Module.render", "render"),
        ("new Foo", "new Foo"),
        ("Foo.bar", "Foo.bar"),
        ("Objective.foo", "Objective.foo"),
    ]);
}

#[test]
fn anonymous_functions_have_no_name() {
    for raw in ["<anonymous>", "anonymous", "Object.<anonymous>", "global code", "module code", "?"] {
        assert_eq!(clean(raw), "", "{raw}");
    }
    assert_clean(&[("4021", ""), ("__webpack_modules__.4021", ""), ("", ""), ("<", "")]);
}

#[test]
fn nested_names_of_firefox_match_those_of_other_engines() {
    assert_clean(&[
        ("foo/<", "foo/<anonymous>"),
        ("foo/</<", "foo/<anonymous>"),
        ("foo/bar<", "foo/bar/<anonymous>"),
        ("foo/bar", "foo/bar"),
    ]);
}

#[test]
fn numbers_of_bundlers_and_compilers_are_removed() {
    assert_clean(&[
        ("render$1", "render"),
        ("lambda$run$0", "lambda$run"),
        ("main.run.func1", "main.run.func"),
        ("main.run.func1.2", "main.run.func"),
        ("shop::total::h0123456789abcdef", "shop::total"),
        ("<p[c1f1a4ba060b9bfa]::Cart>::total", "<p::Cart>::total"),
        ("callback_1699999999", "callback_<num>"),
        ("__webpack_modules__../src/cart.js", "./src/cart.js"),
    ]);
}

#[test]
fn numbers_that_belong_to_names_are_kept() {
    for name in ["step2", "sha256", "es2015", "$1", "v2.run", "<lambda>", "wasm-function[12]"] {
        assert_eq!(clean(name), name);
    }
}
