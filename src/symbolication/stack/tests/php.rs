//! Which function each place of a PHP trace is inside of, whatever is missing from the trace.

use super::*;

/// A trace with its place of the throw, as it is and after its message was removed.
#[track_caller]
fn assert_php(place: &str, trace: &str, frames: &[&str]) {
    let text = format!("Exception: m in {place}\nStack trace:\n{trace}");
    assert_parsed(&text, Flavor::Php, frames);
    assert_with_message(&text, "m", Flavor::Php, frames);
    assert_parsed(&format!("PHP Fatal error:  Uncaught {text}"), Flavor::Php, frames);
}

#[test]
fn the_throw_is_inside_the_function_of_the_first_line() {
    assert_php(
        "/app/src/Cart.php:57",
        "#0 /app/src/CartController.php(33): App\\Cart->average()
#1 /app/public/index.php(12): App\\CartController->show()
#2 {main}
  thrown in /app/src/Cart.php on line 57",
        &[
            "App\\Cart->average|/app/src/Cart.php|57|-*",
            "App\\CartController->show|/app/src/CartController.php|33|-*",
            "{main}|/app/public/index.php|12|-*",
        ],
    );
}

#[test]
fn without_the_place_of_the_throw_its_function_has_none() {
    let own = "#0 /app/src/Checkout.php(34): Cart->total(Array)\n#1 {main}";
    assert_parsed(own, Flavor::Php, &["Cart->total|-|-|-*", "{main}|/app/src/Checkout.php|34|-*"]);
    let library = "#0 /app/vendor/a/b/Pool.php(34): A\\Connection->open()\n#1 /app/a.php(3): A\\Pool->get()";
    let frames =
        ["A\\Connection->open|-|-|-", "A\\Pool->get|/app/vendor/a/b/Pool.php|34|-", "-|/app/a.php|3|-*"];
    assert_parsed(library, Flavor::Php, &frames);
}

#[test]
fn the_function_around_the_end_of_a_cut_trace_is_unknown() {
    let cut = "#0 /app/b.php(2): f()\n#1 /app/c.php(3): g()";
    assert_php("/app/a.php:1", cut, &["f|/app/a.php|1|-*", "g|/app/b.php|2|-*", "-|/app/c.php|3|-*"]);
    let internal = "#0 /app/b.php(2): f()\n#1 [internal function]: g()";
    assert_php("/app/a.php:1", internal, &["f|/app/a.php|1|-*", "g|/app/b.php|2|-*"]);
}

#[test]
fn functions_are_not_given_to_places_across_a_gap() {
    assert_php(
        "/app/a.php:1",
        "#0 /app/b.php(2): f()\n#3 /app/c.php(3): g()\n#4 {main}",
        &["f|/app/a.php|1|-*", "-|/app/b.php|2|-*", "g|-|-|-*", "{main}|/app/c.php|3|-*"],
    );
}

#[test]
fn a_trace_ends_at_its_main() {
    let two = "#0 /app/b.php(2): f()\n#1 {main}\n#0 /app/c.php(3): g()\n#1 {main}";
    assert_php("/app/a.php:1", two, &["f|/app/a.php|1|-*", "{main}|/app/b.php|2|-*"]);
}

#[test]
fn what_php_calls_itself_has_no_caller() {
    let callback =
        "#0 [internal function]: {closure}(1)\n#1 /app/a.php(5): array_map(Object(Closure), Array)";
    let frames = ["{closure}|/app/a.php|3|-*", "array_map|-|-|-", "{main}|/app/a.php|5|-*"];
    assert_php("/app/a.php:3", &format!("{callback}\n#2 {{main}}"), &frames);
    let at_the_end = "#0 [internal function]: stop()\n#1 {main}";
    assert_php("/app/a.php:3", at_the_end, &["stop|/app/a.php|3|-*"]);
}

#[test]
fn closures_keep_the_method_they_are_in() {
    assert_php(
        "/app/a.php:3",
        "#0 [internal function]: App\\{closure:App\\Cart::total():3}(1)
#1 /app/a.php(5): array_map(Object(Closure), Array)
#2 /app/a.php(9): {closure:{closure:/app/a.php:8}:9}('{closure:}')
#3 /app/b.php(2): f('{closure:a(}')
#4 {main}",
        &[
            "App\\{closure:App\\Cart::total():3}|/app/a.php|3|-*",
            "array_map|-|-|-",
            "{closure:{closure:/app/a.php:8}:9}|/app/a.php|5|-*",
            "f|/app/a.php|9|-*",
            "{main}|/app/b.php|2|-*",
        ],
    );
}

/// The place of the throw is then where the function was called.
#[test]
fn what_is_built_in_throws_at_no_place() {
    assert_php(
        "/app/a.php:3",
        "#0 /app/a.php(3): DateTime->__construct('x')\n#1 /app/b.php(7): load()\n#2 {main}",
        &["DateTime->__construct|-|-|-", "load|/app/a.php|3|-*", "{main}|/app/b.php|7|-*"],
    );
}

/// Unlike what is built in, a closure may be on the line that passes it on or calls it.
#[test]
fn a_closure_of_one_line_throws_at_its_line() {
    let frames = ["{closure}|/app/a.php|5|-*", "array_map|-|-|-", "{main}|/app/a.php|5|-*"];
    let passed = "#0 [internal function]: {closure}(1)\n#1 /app/a.php(5): array_map(Object(Closure), Array)";
    assert_php("/app/a.php:5", &format!("{passed}\n#2 {{main}}"), &frames);
    let called = "#0 /app/a.php(5): {closure:/app/a.php:5}()\n#1 {main}";
    let frames = ["{closure:/app/a.php:5}|/app/a.php|5|-*", "{main}|/app/a.php|5|-*"];
    assert_php("/app/a.php:5", called, &frames);
    assert_php(
        "/app/a.php:5",
        "#0 [internal function]: {closure}('x', 2)
#1 /app/vendor/a/b/Arr.php(560): array_map(Object(Closure), Array, Array)
#2 /app/a.php(5): Arr->map(Object(Closure))
#3 {main}",
        &[
            "{closure}|/app/a.php|5|-*",
            "array_map|-|-|-",
            "Arr->map|/app/vendor/a/b/Arr.php|560|-",
            "{main}|/app/a.php|5|-*",
        ],
    );
}

#[test]
fn what_is_built_in_and_called_by_php_throws_at_no_place() {
    assert_php(
        "/app/a.php:5",
        "#0 [internal function]: intdiv(1, 0)\n#1 /app/a.php(5): array_map('intdiv', Array, Array)\n#2 {main}",
        &["intdiv|-|-|-", "array_map|-|-|-", "{main}|/app/a.php|5|-*"],
    );
}

#[test]
fn a_function_that_called_itself_throws_at_the_line_of_its_call() {
    assert_php(
        "/app/a.php:5",
        "#0 /app/b.php(3): Tree->visit()
#1 /app/a.php(5): Node->accept()
#2 /app/c.php(9): Tree->visit()
#3 {main}",
        &[
            "Tree->visit|/app/a.php|5|-*",
            "Node->accept|/app/b.php|3|-*",
            "Tree->visit|/app/a.php|5|-*",
            "{main}|/app/c.php|9|-*",
        ],
    );
}

/// As Laravel does: the error has the place of the warning, and the trace that of the handler.
#[test]
fn a_warning_is_inside_the_function_that_caused_it() {
    assert_php(
        "/app/a.php:12",
        "#0 /app/vendor/laravel/framework/src/Handle.php(256): Handle->handleError(2, 'Undefined varia...')
#1 /app/a.php(12): Handle->{closure}(2, 'Undefined varia...')
#2 /app/b.php(5): Cart->total()
#3 {main}",
        &[
            "Handle->handleError|-|-|-",
            "Handle->{closure}|/app/vendor/laravel/framework/src/Handle.php|256|-",
            "Cart->total|/app/a.php|12|-*",
            "{main}|/app/b.php|5|-*",
        ],
    );
}

/// As in Laravel 8 and later; PHP may be told to print no arguments.
#[test]
fn a_warning_of_a_built_in_function_is_inside_the_function_that_called_it() {
    for (error, path) in [("2, 'file_get_conten...', '/app/Foo.php', 12", "'x'"), ("", "")] {
        let trace = format!(
            "#0 /app/vendor/laravel/framework/src/HandleExceptions.php(255): Handle->handleError({error})
#1 [internal function]: Handle->{{closure}}({error})
#2 /app/Foo.php(12): file_get_contents({path})
#3 /app/b.php(5): Foo->read()
#4 {{main}}"
        );
        let frames = [
            "Handle->handleError|-|-|-",
            "Handle->{closure}|/app/vendor/laravel/framework/src/HandleExceptions.php|255|-",
            "file_get_contents|-|-|-",
            "Foo->read|/app/Foo.php|12|-*",
            "{main}|/app/b.php|5|-*",
        ];
        assert_php("/app/Foo.php:12", &trace, &frames);
    }
}

#[test]
fn a_closure_that_handles_a_warning_has_no_place() {
    assert_php(
        "/app/a.php:12",
        "#0 /app/a.php(12): {closure}(2, 'Undefined varia...', '/app/a.php', 12)
#1 /app/b.php(5): {closure}()
#2 {main}",
        &["{closure}|-|-|-", "{closure}|/app/a.php|12|-*", "{main}|/app/b.php|5|-*"],
    );
}

#[test]
fn deep_php_traces_keep_the_innermost() {
    let lines: String =
        (0..1000).map(|index| format!("#{index} /app/a.php({index}): f{index}()\n")).collect();
    let text = format!("Exception: m in /app/b.php:1\nStack trace:\n{lines}");
    let parsed = parse(&text);
    assert_eq!((parsed.frames.len(), parsed.cut), (MAX_FRAMES, true));
    assert_eq!(short(&parsed.frames[0]), "f0|/app/b.php|1|-*");
    assert_eq!(short(&parsed.frames[MAX_FRAMES - 1]), "f249|/app/a.php|248|-*");
}
