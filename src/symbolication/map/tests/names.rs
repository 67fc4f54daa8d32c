//! The names of functions. `@` marks a position; its function has the expected name.

use super::{compact, identity};

/// The function around the first `@` of `source` (which is itself part of the text, as a comment
/// `/*@*/` would be: the marker is cut out first).
fn name_in(file: &str, marked: &str) -> Option<String> {
    let at = marked.find('@').expect("a marker");
    let source = marked.replacen('@', "", 1);
    let map = compact(&identity(file, &source)).open();
    let generated = marked[..at].encode_utf16().count() as u32 + 1;
    let location = map.lookup(1, generated).expect("mapped");
    location.function.map(str::to_owned)
}

fn check(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for &(source, expected) in cases {
        let got = name_in("src/a.ts", source);
        if got.as_deref() != Some(expected) {
            wrong.push(format!("{source}\n  expected {expected}, got {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_have_their_own_name() {
    check(&[
        ("function foo() { @x() }", "foo"),
        ("async function* foo() { @x() }", "foo"),
        ("export async function foo() { @x() }", "foo"),
        ("const bar = function foo() { @x() }", "foo"),
        ("function outer() { function inner() { @x() } }", "inner"),
        ("function outer() { function inner() { x() } @y() }", "outer"),
        ("namespace N { function foo() { @x() } }", "foo"),
        ("function foo(a = @x()) {}", "foo"),
    ]);
}

#[test]
fn variables_name_what_they_are_assigned() {
    check(&[
        ("const foo = () => @x()", "foo"),
        ("let foo = async function () { @x() }", "foo"),
        ("export const foo: T<U> = <V,>(a: V) => { @x() }", "foo"),
        ("const foo = (() => { @x() }) as Handler", "foo"),
        ("const foo = (() => { @x() }) satisfies Handler", "foo"),
        ("const foo = a ? () => 1 : () => { @x() }", "foo"),
        ("const foo = a || function () { @x() }", "foo"),
        ("foo = () => { @x() }", "foo"),
        ("foo ??= () => { @x() }", "foo"),
        ("a = b = function () { @x() }", "b"),
        ("const { foo = () => { @x() } } = y", "foo"),
        ("function outer(foo = () => { @x() }) {}", "foo"),
        ("[foo = () => { @x() }] = y", "foo"),
        ("const foo = function () { @x() }.bind(this)", "foo"),
    ]);
}

#[test]
fn members_carry_their_path() {
    check(&[
        ("a.b = function () { @x() }", "a.b"),
        ("a.b.c = () => @x()", "a.b.c"),
        ("a['b'] = () => @x()", "a.b"),
        ("a[b] = () => @x()", "a.<computed>"),
        ("(a as any).b = () => @x()", "a.b"),
        ("get().b = () => @x()", "b"),
        ("Foo.prototype.bar = function () { @x() }", "Foo.bar"),
        ("Foo.prototype = { bar() { @x() } }", "Foo.bar"),
        ("module.exports = function () { @x() }", "module.exports"),
        ("exports.foo = function () { @x() }", "exports.foo"),
        ("class A { constructor() { this.foo = () => { @x() } } }", "A.foo"),
        ("function f() { this.foo = () => { @x() } }", "foo"),
        ("class A { m() { function f() { this.foo = () => { @x() } } } }", "foo"),
    ]);
}

#[test]
fn objects_name_their_members() {
    check(&[
        ("const obj = { foo() { @x() } }", "obj.foo"),
        ("const obj = { foo: () => { @x() } }", "obj.foo"),
        ("const obj = { foo: function () { @x() } }", "obj.foo"),
        ("const obj = { foo: function own() { @x() } }", "own"),
        ("const obj = { a: { foo() { @x() } } }", "obj.a.foo"),
        ("const obj = { get foo() { return @x() } }", "get obj.foo"),
        ("const obj = { set foo(v) { @x() } }", "set obj.foo"),
        ("const obj = { 'foo-bar'() { @x() } }", "obj.foo-bar"),
        ("const obj = { 1() { @x() } }", "obj.1"),
        ("const obj = { [Symbol.iterator]() { @x() } }", "obj.[Symbol.iterator]"),
        ("const obj = { [foo]() { @x() } }", "obj.[foo]"),
        ("const obj = { [a + b]() { @x() } }", "obj.<computed>"),
        ("a.b = { foo() { @x() } }", "a.b.foo"),
        ("call({ foo() { @x() } })", "foo"),
        ("call({ foo: { bar() { @x() } } })", "foo.bar"),
        ("export default { foo() { @x() } }", "foo"),
        ("const obj = { foo: memo(() => { @x() }) }", "obj.foo"),
    ]);
}

#[test]
fn classes_name_their_members() {
    check(&[
        ("class Foo { bar() { @x() } }", "Foo.bar"),
        ("class Foo { static bar() { @x() } }", "Foo.bar"),
        ("class Foo { async *bar() { @x() } }", "Foo.bar"),
        ("class Foo { #bar() { @x() } }", "Foo.#bar"),
        ("class Foo { constructor() { @x() } }", "new Foo"),
        ("class Foo { get bar() { return @x() } }", "get Foo.bar"),
        ("class Foo { static set bar(v) { @x() } }", "set Foo.bar"),
        ("class Foo { bar = () => { @x() } }", "Foo.bar"),
        ("class Foo { static bar = async () => { @x() } }", "Foo.bar"),
        ("class Foo { private readonly bar = debounce(() => { @x() }) }", "Foo.bar"),
        ("class Foo { [Symbol.iterator]() { @x() } }", "Foo.[Symbol.iterator]"),
        ("const Foo = class { bar() { @x() } }", "Foo.bar"),
        ("const Foo = class Own { bar() { @x() } }", "Own.bar"),
        ("export default class { bar() { @x() } }", "default.bar"),
        ("export default class Foo { bar() { @x() } }", "Foo.bar"),
        ("mixin(class { bar() { @x() } })", "bar"),
        ("abstract class Foo<T> extends Bar<T> { protected bar(): void { @x() } }", "Foo.bar"),
    ]);
}

#[test]
fn wrapped_functions_take_the_name_of_the_result() {
    check(&[
        ("const Foo = memo(() => { @x() })", "Foo"),
        ("const Foo = React.memo(function () { @x() })", "Foo"),
        ("const Foo = React.forwardRef<A, B>((props, ref) => { @x() })", "Foo"),
        ("const Foo = memo(forwardRef((props, ref) => { @x() }))", "Foo"),
        ("const Foo = memo(function Own() { @x() })", "Own"),
        ("function App() { const onClick = useCallback(() => { @x() }, []) }", "onClick"),
        ("export default memo(() => { @x() })", "default"),
        ("const Foo = connect(state)(() => { @x() })", "Foo"),
        ("const Foo = withRouter(() => { @x() })", "Foo"),
        ("const load = createAsyncThunk('load', async () => { @x() })", "load"),
        ("const list = items.map(() => { @x() })", "<anonymous>"),
        ("const list = without(() => { @x() })", "<anonymous>"),
    ]);
}

#[test]
fn functions_without_a_name_take_the_outer_one() {
    check(&[
        ("items.map(() => { @x() })", "<anonymous>"),
        ("(function () { @x() })()", "<anonymous>"),
        ("export default () => { @x() }", "default"),
        ("export default function () { @x() }", "default"),
        ("export default async function foo() { @x() }", "foo"),
        ("function foo() { items.map(() => { @x() }) }", "foo/<anonymous>"),
        ("function foo() { a(() => { b(() => { @x() }) }) }", "foo/<anonymous>"),
        ("class A { m() { a(() => { @x() }) } }", "A.m/<anonymous>"),
        ("const foo = () => () => { @x() }", "foo/<anonymous>"),
        ("a(() => { b(() => { @x() }) })", "<anonymous>"),
    ]);
}

#[test]
fn top_level_code_has_no_function() {
    let cases = [
        "@x()",
        "function foo() {} @x()",
        "const foo = () => {}; @x()",
        "class A { static { @x() } }",
        "class A extends @x() {}",
        "const o = { [@x()]() {} }",
    ];
    for source in cases {
        assert_eq!(name_in("a.ts", source), None, "{source}");
    }
}

#[test]
fn the_language_follows_the_extension() {
    let jsx = "const App = () => <p>don't {items.map(() => @x())}</p>";
    for file in ["a.js", "a.jsx", "a.tsx", "webpack://app/./a.tsx?1234", "noext"] {
        assert_eq!(name_in(file, jsx).as_deref(), Some("App/<anonymous>"), "{file}");
    }
    let ts = "const foo = <T>(a: T): a is T => { return <any>@x() }";
    for file in ["a.ts", "a.mts", "a.cts", "a.vue", "a.svelte"] {
        assert_eq!(name_in(file, ts).as_deref(), Some("foo"), "{file}");
    }
    let typed = "const foo = (a: number): number => @x()";
    assert_eq!(name_in("a.js", typed).as_deref(), Some("foo"), "types in .js");
    assert_eq!(name_in("a.css", "function foo() { @x() }"), None);
    assert_eq!(name_in("a.vue", "<script>function foo() { @x() }</script>"), None);
}

#[test]
fn a_source_that_does_not_parse_has_no_functions() {
    let compact = compact(&identity("a.ts", "function foo() { x( }"));
    assert_eq!(compact.summary.without_scopes, 1);
    assert_eq!(compact.summary.functions, 0);
    assert_eq!(compact.open().lookup(1, 18).expect("mapped").function, None);
}

#[test]
fn names_count_in_utf16_over_several_lines() {
    let source = "const s = '😀é'; const foo = () => {\n  '😀'; @x()\n}; y()";
    assert_eq!(name_in("a.ts", source).as_deref(), Some("foo"));
    let source = "const s = '😀é'; const foo = () => {\n  '😀'; x()\n}; @y()";
    assert_eq!(name_in("a.ts", source), None);
    // The very edges: the function is from its first to its last character.
    assert_eq!(name_in("a.ts", "/*😀*/@function f() {}").as_deref(), Some("f"));
    assert_eq!(name_in("a.ts", "/*😀*/function f() {@}").as_deref(), Some("f"));
    assert_eq!(name_in("a.ts", "/*😀*/function f() {}@;"), None);
}

#[test]
fn long_names_are_cut_at_the_front() {
    let key = "ä".repeat(90);
    let source = format!("const o = {{ {key}: {{ {key}: {{ end() {{ @x() }} }} }} }}");
    let name = name_in("a.ts", &source).expect("a name");
    assert!(name.len() <= 200 && name.ends_with("ä.end"), "{name}");
}
