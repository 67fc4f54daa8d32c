//! Stacks as the runtimes write them.

use super::random::Random;
use crate::mapgen::Bundle;
use serde_json::{Value, json};

/// Frames of a stack.
pub(crate) const FRAMES: usize = 10;
pub(crate) const SCRIPT: &str = "~/assets/main.js";
const ADDRESS: &str = "https://shop.example.com/assets/main.js";
/// Places of a bundle that issues of their own start at; what calls them comes after.
const CALLERS: usize = 2_000;

/// What an event comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runtime {
    /// V8, every frame in a script that has a source map.
    Browser,
    Python,
    Go,
    Java,
    /// A message without an exception.
    Message,
}

impl Runtime {
    /// Of twenty issues, fourteen are thrown in browsers.
    pub(crate) fn of_issue(issue: usize) -> Self {
        match issue % 20 {
            3 | 13 => Self::Python,
            7 => Self::Go,
            11 => Self::Java,
            17 | 19 => Self::Message,
            _ => Self::Browser,
        }
    }

    pub(crate) fn platform(self) -> &'static str {
        match self {
            Self::Browser | Self::Message => "javascript",
            Self::Python => "python",
            Self::Go => "go",
            Self::Java => "java",
        }
    }
}

/// Where an issue is thrown.
pub(crate) enum Origin {
    /// In functions that only the source map knows.
    Mapped(usize),
    /// In scripts without a map, called by those that have one: what throws is told by its words.
    Named,
}

/// An exception of this type.
pub(crate) fn exception(
    random: &mut Random,
    (runtime, origin, words): (Runtime, &Origin, [&str; 3]),
    (kind, message): (&str, &str),
    bundle: &Bundle,
) -> Value {
    let callers = random.below(3) as usize;
    let stack = match runtime {
        Runtime::Python => python(words, callers) + &format!("{kind}: {message}"),
        Runtime::Go => go(words, callers, message),
        Runtime::Java => java(words, callers, kind, message),
        Runtime::Browser | Runtime::Message => {
            format!("{kind}: {message}") + &browser(origin, words, callers, bundle)
        }
    };
    let mechanism = if runtime == Runtime::Browser { "onerror" } else { "middleware" };
    json!({"type": kind, "message": message, "stack": stack,
        "mechanism": {"type": mechanism, "handled": false}})
}

fn browser(origin: &Origin, [first, second, file]: [&str; 3], callers: usize, bundle: &Bundle) -> String {
    let column = |place: usize| bundle.frames[place % bundle.frames.len()] + 1;
    let frame = |at: usize| match origin {
        // Issues differ near the throw and share their callers.
        Origin::Mapped(issue) if at < 4 => mapped(at, column(issue * 4 + at)),
        Origin::Named if at < 3 => {
            let function = [format!("{first}.{second}"), format!("on{second}"), format!("{first}Of")];
            format!(
                "\n    at {} (https://shop.example.com/widgets/{file}.js:1:{})",
                function[at],
                1_200 + at * 77
            )
        }
        Origin::Mapped(issue) => mapped(at, column(CALLERS + (issue % 40 + callers * 40) * 8 + at)),
        Origin::Named => mapped(at, column(CALLERS + callers * 8 + at)),
    };
    (0..FRAMES).map(frame).collect()
}

fn mapped(at: usize, column: u32) -> String {
    format!("\n    at {} ({ADDRESS}:1:{column})", ["n", "Object.t", "e.render", "i"][at % 4])
}

fn python([first, second, file]: [&str; 3], callers: usize) -> String {
    let outer = ["checkout", "billing", "search"][callers];
    let library = "/srv/venv/lib/python3.12/site-packages/django/core/handlers";
    format!(
        "Traceback (most recent call last):\n  \
         File \"{library}/exception.py\", line 55, in inner\n    response = get_response(request)\n  \
         File \"{library}/base.py\", line 197, in _get_response\n    response = wrapped(request, *args)\n  \
         File \"/srv/shop/{outer}/views.py\", line 88, in post\n    return self.complete(request)\n  \
         File \"/srv/shop/{outer}/views.py\", line 131, in complete\n    total = {file}.{first}(self.basket)\n  \
         File \"/srv/shop/{file}/{first}.py\", line 42, in {first}\n    return self.{second}_{first}(lines)\n  \
         File \"/srv/shop/{file}/{second}.py\", line 203, in {second}_{first}\n    raise Failed(repr({second}))\n"
    )
}

fn go([first, second, file]: [&str; 3], callers: usize, message: &str) -> String {
    let outer = ["checkout", "billing", "search"][callers];
    let root = "/src/shop/internal";
    format!(
        "panic: {message}\n\ngoroutine 4711 [running]:\n\
         example.com/shop/internal/{file}.(*{first}).{second}(0xc000128a80, 0x2a)\n\t{root}/{file}/{second}.go:{line} +0x1d\n\
         example.com/shop/internal/{file}.{first}All({{0xc0001, 0x3, 0x4}})\n\t{root}/{file}/all.go:31 +0x88\n\
         example.com/shop/internal/{outer}.(*Service).Complete(0xc00007a000)\n\t{root}/{outer}/service.go:118 +0x1f4\n\
         net/http.HandlerFunc.ServeHTTP(0xc0000b2000)\n\t/usr/local/go/src/net/http/server.go:2171 +0x29\n\
         net/http.(*conn).serve(0xc0000c4000)\n\t/usr/local/go/src/net/http/server.go:2009 +0x5f4\n",
        line = 70 + callers
    )
}

fn java([first, second, file]: [&str; 3], callers: usize, kind: &str, message: &str) -> String {
    let outer = ["Checkout", "Billing", "Search"][callers];
    format!(
        "com.example.{kind}: {message}\n\
         \tat com.example.{file}.{first}.{second}({first}.java:77)\n\
         \tat com.example.{file}.{first}.all({first}.java:31)\n\
         \tat com.example.{file}.{second}.run({second}.java:12)\n\
         \tat com.example.shop.{outer}Service.complete({outer}Service.java:118)\n\
         \tat org.springframework.web.servlet.FrameworkServlet.service(FrameworkServlet.java:897)\n\
         \tat jakarta.servlet.http.HttpServlet.service(HttpServlet.java:658)\n\
         \tat java.base/java.lang.Thread.run(Thread.java:1583)\n"
    )
}
