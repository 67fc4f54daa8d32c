use super::super::{GroupFrame, name};

#[track_caller]
fn assert_named(file: &str, pairs: &[(&str, &str)]) {
    for (raw, named) in pairs {
        let frame = GroupFrame { function: Some(raw), file: Some(file), in_app: true, resolved: false };
        assert_eq!(name::of(&frame), *named, "{raw}");
    }
}

#[test]
fn script_methods_lose_their_classes() {
    assert_named(
        "https://x.example/app.js",
        &[
            ("Cart.total", "total"),
            ("shop.Cart.prototype.total", "total"),
            ("new Cart", "Cart"),
            ("get total [as total]", "total"),
            ("async Object.load", "load"),
            ("Cart.#total", "#total"),
            ("Cart.[Symbol.iterator]", "[Symbol.iterator]"),
            ("Cart.<anonymous>", ""),
            ("checkout/total<", ""),
            ("checkout/</<", ""),
            ("checkout/total", "total"),
            ("./src/cart.js", "./src/cart.js"),
            ("Object.it handles 1.5 items", "it handles 1.5 items"),
            ("_callee12$", "_callee$"),
        ],
    );
}

#[test]
fn names_generated_by_compilers_are_removed() {
    assert_named(
        "X.java",
        &[
            ("app//a.B$$Lambda$14/0x0000000800066840.run", "a.B$$Lambda.run"),
            ("a.B$$Lambda/0x00007f1c8c000a00.run", "a.B$$Lambda.run"),
            ("jdk.proxy2/jdk.proxy2.$Proxy31.save", "jdk.proxy.$Proxy.save"),
            ("com.sun.proxy.$Proxy12.save", "com.sun.proxy.$Proxy.save"),
            (
                "jdk.internal.reflect.GeneratedMethodAccessor12.invoke",
                "jdk.internal.reflect.GeneratedMethodAccessor.invoke",
            ),
            ("a.B$$SpringCGLIB$$0.save", "a.B$$SpringCGLIB$$.save"),
            ("a.B$1$2.run", "a.B$$.run"),
            ("a.B.lambda$main$0", "a.B.lambda$main"),
        ],
    );
    assert_named(
        "x.cs",
        &[
            ("A.P.<>c.<Main>b__0_0", "A.P.<Main>b__"),
            ("A.P.<>c__DisplayClass3_0`1.<Main>b__1", "A.P.<Main>b__"),
            ("A.P.<RunAsync>d__12.MoveNext", "A.P.RunAsync"),
            ("A.P.<Main>g__Add|0_0", "A.P.<Main>g__Add"),
        ],
    );
    assert_named(
        "x.php",
        &[
            ("{closure:/srv/x.php:12}", "{closure}"),
            ("class@anonymous/srv/x.php:3$0->save", "class@anonymous->save"),
        ],
    );
    assert_named(
        "x.rs",
        &[("a::b::{closure#12}", "a::b::{{closure}}"), ("a::b::{{closure}}", "a::b::{{closure}}")],
    );
    assert_named("x.swift", &[("closure #12 in total()", "closure in total()")]);
}

#[test]
fn ruby_methods_lose_classes_and_blocks() {
    assert_named(
        "x.rb",
        &[
            ("Cart#total", "total"),
            ("Shop::Cart.total", "total"),
            ("block (2 levels) in Cart#total", "total"),
            ("rescue in total", "total"),
            ("<main>", "<main>"),
            ("block in <class:Cart>", "<class:Cart>"),
        ],
    );
}

#[test]
fn names_in_other_languages_are_kept() {
    for (file, name) in [
        ("x.py", "Cart.total"),
        ("x.go", "main.(*Cart).total"),
        ("x.rs", "<shop::Cart>::total"),
        ("x.php", "Acme\\Cart->total"),
        ("Cart.java", "com.acme.Cart.total"),
    ] {
        assert_named(file, &[(name, name)]);
    }
}
