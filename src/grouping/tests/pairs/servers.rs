//! Languages of servers and phones.

use super::{ONE, Pair, TWO};

pub(super) const PAIRS: &[Pair] = &[
    (
        "numbers of Java's lambdas",
        ONE,
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.Cart$$Lambda$14/0x0000000800066840.run(Unknown Source)\n\tat com.acme.Cart.lambda$total$0(Cart.java:3)",
        ],
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.Cart$$Lambda$201/0x00007f1c8c000a00.run(Unknown Source)\n\tat com.acme.Cart.lambda$total$3(Cart.java:5)",
        ],
    ),
    (
        "numbers of Java's proxies",
        ONE,
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.$Proxy12.save(Unknown Source)\n\tat com.acme.Cart.save(Cart.java:3)",
        ],
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.$Proxy97.save(Unknown Source)\n\tat com.acme.Cart.save(Cart.java:3)",
        ],
    ),
    (
        "numbers of anonymous classes",
        ONE,
        ["java.lang.E", "m", "java.lang.E: m\n\tat com.acme.Cart$1.run(Cart.java:3)"],
        ["java.lang.E", "m", "java.lang.E: m\n\tat com.acme.Cart$2.run(Cart.java:9)"],
    ),
    (
        "names of Spring's subclasses",
        ONE,
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.Cart$$EnhancerBySpringCGLIB$$1a2b3c4d.save(Cart.java:3)",
        ],
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.Cart$$EnhancerBySpringCGLIB$$99e0ff12.save(Cart.java:3)",
        ],
    ),
    (
        "class loaders",
        ONE,
        ["java.lang.E", "m", "java.lang.E: m\n\tat app//com.acme.Cart.save(Cart.java:3)"],
        ["java.lang.E", "m", "java.lang.E: m\n\tat com.acme.Cart.save(Cart.java:3)"],
    ),
    (
        "classes of one name",
        TWO,
        ["java.lang.E", "m", "java.lang.E: m\n\tat com.acme.shop.Service.run(Service.java:3)"],
        ["java.lang.E", "m", "java.lang.E: m\n\tat com.acme.mail.Service.run(Service.java:3)"],
    ),
    (
        "frames of frameworks",
        ONE,
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat org.springframework.util.Assert.notNull(Assert.java:201)\n\tat com.acme.Cart.save(Cart.java:3)",
        ],
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat org.hibernate.internal.SessionImpl.flush(SessionImpl.java:9)\n\tat app//com.acme.Cart.save(Cart.java:3)",
        ],
    ),
    (
        "causes of one wrapped error",
        ONE,
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.Cart.save(Cart.java:3)\nCaused by: java.io.IOException: disk\n\tat com.acme.Disk.write(Disk.java:1)\n\t... 1 more",
        ],
        [
            "java.lang.E",
            "m",
            "java.lang.E: m\n\tat com.acme.Cart.save(Cart.java:3)\nCaused by: java.net.SocketException: gone\n\tat com.acme.Net.send(Net.java:7)\n\t... 1 more",
        ],
    ),
    (
        "lambdas of C#",
        ONE,
        [
            "System.E",
            "m",
            "System.E: m\n   at Shop.Program.<>c.<Main>b__0_0(String s) in /srv/Program.cs:line 12",
        ],
        [
            "System.E",
            "m",
            "System.E: m\n   at Shop.Program.<>c__DisplayClass3_0.<Main>b__1(String s) in /srv/Program.cs:line 19",
        ],
    ),
    (
        "state machines of C#",
        ONE,
        [
            "System.E",
            "m",
            "System.E: m\n   at Shop.Cart.<SaveAsync>d__12.MoveNext() in /srv/Cart.cs:line 12\n--- End of stack trace from previous location ---\n   at Shop.Program.Main() in /srv/Program.cs:line 3",
        ],
        [
            "System.E",
            "m",
            "System.E: m\n   at Shop.Cart.SaveAsync() in /srv/Cart.cs:line 14\n   at Shop.Program.Main() in /srv/Program.cs:line 3",
        ],
    ),
    (
        "local functions of C#",
        TWO,
        ["System.E", "m", "System.E: m\n   at Shop.Cart.<Save>g__Check|0_0() in /srv/Cart.cs:line 12"],
        ["System.E", "m", "System.E: m\n   at Shop.Cart.<Save>g__Write|0_1() in /srv/Cart.cs:line 12"],
    ),
    (
        "inner exceptions of C#",
        ONE,
        [
            "System.E",
            "m",
            "System.E: m\n ---> System.IO.IOException: disk\n   at Shop.Disk.Write()\n   --- End of inner exception stack trace ---\n   at Shop.Cart.Save() in /srv/Cart.cs:line 12",
        ],
        ["System.E", "m", "System.E: m\n   at Shop.Cart.Save() in /srv/Cart.cs:line 12"],
    ),
    (
        "Ruby before and since 3.4",
        ONE,
        [
            "ArgumentError",
            "bad",
            "/srv/cart.rb:3:in `total': bad (ArgumentError)\n\tfrom /srv/main.rb:8:in `block in run'",
        ],
        [
            "ArgumentError",
            "bad",
            "/srv/cart.rb:3:in 'Cart#total': bad (ArgumentError)\n\tfrom /srv/main.rb:8:in 'block in Shop#run'",
        ],
    ),
    (
        "where Ruby throws",
        TWO,
        [
            "ArgumentError",
            "bad",
            "/srv/cart.rb:3:in `total': bad (ArgumentError)\n\tfrom /srv/main.rb:8:in `run'",
        ],
        [
            "ArgumentError",
            "bad",
            "/srv/cart.rb:9:in `clear': bad (ArgumentError)\n\tfrom /srv/main.rb:8:in `run'",
        ],
    ),
    (
        "blocks of blocks, and compiled templates",
        ONE,
        [
            "E",
            "m",
            "/srv/app/views/show.html.erb:3:in `block (2 levels) in _app_views_show_html_erb___123456789_70123': m (E)",
        ],
        [
            "E",
            "m",
            "/srv/app/views/show.html.erb:3:in `block in _app_views_show_html_erb__99887766_80456': m (E)",
        ],
    ),
    (
        "closures of PHP",
        ONE,
        [
            "Exception",
            "m",
            "Exception: m in /srv/Cart.php:3\nStack trace:\n#0 /srv/Cart.php(9): {closure:/srv/Cart.php:12}()\n#1 {main}",
        ],
        [
            "Exception",
            "m",
            "Exception: m in /srv/Cart.php:3\nStack trace:\n#0 /srv/Cart.php(9): {closure}()\n#1 {main}",
        ],
    ),
    (
        "anonymous classes of PHP",
        ONE,
        [
            "Exception",
            "m",
            "Exception: m in /srv/Cart.php:3\nStack trace:\n#0 /srv/Cart.php(9): class@anonymous/srv/Cart.php:3$0->save()\n#1 {main}",
        ],
        [
            "Exception",
            "m",
            "Exception: m in /srv/Cart.php:3\nStack trace:\n#0 /srv/Cart.php(9): class@anonymous/srv/Cart.php:7$a2->save()\n#1 {main}",
        ],
    ),
    (
        "packages of PHP",
        ONE,
        [
            "Exception",
            "m",
            "Exception: m in /srv/vendor/symfony/http-kernel/Kernel.php:3\nStack trace:\n#0 /srv/Cart.php(9): Kernel->handle()\n#1 {main}",
        ],
        [
            "Exception",
            "m",
            "Exception: m in /srv/vendor/guzzle/Client.php:80\nStack trace:\n#0 /srv/Cart.php(9): Kernel->handle()\n#1 {main}",
        ],
    ),
    (
        "what is built into PHP",
        ONE,
        [
            "Exception",
            "m",
            "Exception: m in /srv/Cart.php:3\nStack trace:\n#0 /srv/Cart.php(3): DateTime->__construct('x')\n#1 /srv/main.php(9): Cart->total()\n#2 {main}",
        ],
        [
            "Exception",
            "m",
            "Exception: m in /srv/Cart.php:5\nStack trace:\n#0 /srv/Cart.php(5): DateTimeZone->__construct('x')\n#1 /srv/main.php(9): Cart->total()\n#2 {main}",
        ],
    ),
    (
        "places of panics",
        TWO,
        [
            "panic",
            "oops",
            "thread 'main' panicked at src/cart.rs:3:5:\noops\nnote: run with `RUST_BACKTRACE=1`",
        ],
        [
            "panic",
            "oops",
            "thread 'main' panicked at src/user.rs:3:5:\noops\nnote: run with `RUST_BACKTRACE=1`",
        ],
    ),
    (
        "two panics of one file",
        TWO,
        ["panic", "no such cart", "thread 'main' panicked at src/cart.rs:3:5:\nno such cart"],
        ["panic", "the cart is empty", "thread 'main' panicked at src/cart.rs:90:5:\nthe cart is empty"],
    ),
    (
        "closures of Rust",
        ONE,
        [
            "panic",
            "m",
            "stack backtrace:\n   0: shop::cart::total::{{closure}}::h0123456789abcdef\n             at ./src/cart.rs:1:2",
        ],
        [
            "panic",
            "m",
            "stack backtrace:\n   0: shop::cart::total::{closure#0}\n             at ./src/cart.rs:1:2",
        ],
    ),
    (
        "closures of Go",
        ONE,
        ["panic", "m", "goroutine 1 [running]:\nmain.run.func1(0x1)\n\t/srv/main.go:3 +0x1d"],
        ["panic", "m", "goroutine 7 [running]:\nmain.run.func2(0xc0000)\n\t/srv/main.go:9 +0x2d"],
    ),
    (
        "folders of Python's packages",
        ONE,
        [
            "KeyError",
            "'a'",
            "Traceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 3, in total\n  File \"/usr/lib/python3.11/json/decoder.py\", line 9, in decode\nKeyError: 'a'",
        ],
        [
            "KeyError",
            "'a'",
            "Traceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 4, in total\n  File \"/venv/lib/python3.12/site-packages/ujson/x.py\", line 1, in loads\nKeyError: 'a'",
        ],
    ),
    (
        "what Python's exception came from",
        ONE,
        [
            "ValueError",
            "bad",
            "Traceback (most recent call last):\n  File \"/srv/shop/a.py\", line 1, in load\nKeyError: 'k'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 3, in total\nValueError: bad",
        ],
        [
            "ValueError",
            "bad",
            "Traceback (most recent call last):\n  File \"/srv/shop/cart.py\", line 3, in total\nValueError: bad",
        ],
    ),
    (
        "closures of Swift",
        ONE,
        ["Fatal", "m", "0 0x0000000104f3c1a8 closure #1 in Cart.total() + 12 in shop at /srv/Cart.swift:5:3"],
        ["Fatal", "m", "0 0x0000000104f99999 closure #2 in Cart.total() + 40 in shop at /srv/Cart.swift:9:3"],
    ),
    (
        "offsets of Apple's frames",
        ONE,
        ["Fatal", "m", "0   Shop   0x0000000104f3c1a8 Cart.total() + 184 (Cart.swift:12)"],
        ["Fatal", "m", "0   Shop   0x00000001aaaaaaaa Cart.total() + 20 (Cart.swift:14)"],
    ),
];
