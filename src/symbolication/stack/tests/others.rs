//! Notations and spellings that few products read, and the members of aggregates.

use super::*;

#[test]
fn zones_behind_a_frame_of_firefox_are_skipped() {
    let text = "total@https://shop.example/main.js:1:2101 [angular]
@https://shop.example/main.js:1:900 [<root> => angular]";
    let frames = ["total|https://shop.example/main.js|1|2101*", "-|https://shop.example/main.js|1|900*"];
    assert_eq!(shorts(&parse(text)), frames);
}

#[test]
fn a_position_alone_is_a_place() {
    let text = "Error: cart is empty, js engine: hermes, stack:\ntotal@1:557290\nglobal@1:549807";
    assert_eq!(shorts(&parse(text)), ["total|-|1|557290*", "global|-|1|549807*"]);
}

#[test]
fn modules_of_deno_and_of_old_node_are_not_the_applications() {
    let text = "Error: aborted
    at abort (/srv/app/dist/pool.js:88:3)
    at Socket.emit (events.js:400:28)
    at #respond (https://deno.land/std@0.208.0/http/server.ts:224:18)";
    let frames = [
        "abort|/srv/app/dist/pool.js|88|3*",
        "Socket.emit|events.js|400|28",
        "#respond|https://deno.land/std@0.208.0/http/server.ts|224|18",
    ];
    assert_parsed(text, Flavor::V8, &frames);
}

#[test]
fn prose_before_a_stack_is_not_a_frame() {
    let python =
        "Traceback (most recent call last):\n  File \"/srv/cart.py\", line 3, in total\nKeyError: 'x'";
    for before in
        ["see app.go:12 run()", "12# of the tasks failed", "1# retry failed", "died at cart.pl line 3"]
    {
        let text = format!("{before}\n{python}");
        assert_parsed(&text, Flavor::Python, &["total|/srv/cart.py|3|-*"]);
    }
    let php = "#0 /srv/app/Cart.php(17): log('x) at y')\n#1 {main}";
    assert_parsed(php, Flavor::Php, &["log|-|-|-*", "{main}|/srv/app/Cart.php|17|-*"]);
}

#[test]
fn zones_behind_a_frame_are_skipped() {
    let text = "Error: cart is empty
    at Cart.total (https://shop.example/main.js:1:2101) [angular]
    at https://shop.example/main.js:1:2044 [angular]
    at Zone.run (https://shop.example/polyfills.js:1:900) [<root> => angular]
    at Object.foo [as bar] (/a.js:1:2)";
    let frames = [
        "Cart.total|https://shop.example/main.js|1|2101*",
        "-|https://shop.example/main.js|1|2044*",
        "Zone.run|https://shop.example/polyfills.js|1|900*",
        "Object.foo [as bar]|/a.js|1|2*",
    ];
    assert_parsed(text, Flavor::V8, &frames);
}

#[test]
fn a_place_right_behind_the_name_is_read() {
    let text = "TypeError: undefined is not an object
   at Cart.eval(webpack:///./src/cart/total.jsx?:29:10)
at render(/home/ada/app/GpsMonitorScene.js:78:24)
at this(C:\\srv\\shop\\a.js:74:41)";
    let frames = [
        "Cart.eval|webpack:///./src/cart/total.jsx?|29|10*",
        "render|/home/ada/app/GpsMonitorScene.js|78|24*",
        "this|C:\\srv\\shop\\a.js|74|41*",
    ];
    assert_parsed(text, Flavor::V8, &frames);
    let java = "x.E: m\n\tat com.acme.Cart.total(Cart.java:12)\n\tat com.acme.Cart.run(Unknown Source:3)";
    assert_eq!(parse(java).platform, Flavor::Java);
}

#[test]
fn places_without_an_address_are_read_between_frames_of_react_native() {
    let text = "value@index.android.bundle:12:1917
onPress@index.android.bundle:12:2336
[native code]
index.android.bundle:29:615
value@[native code]
dispatch@";
    let frames = [
        "value|index.android.bundle|12|1917*",
        "onPress|index.android.bundle|12|2336*",
        "-|-|-|-",
        "-|index.android.bundle|29|615*",
        "value|-|-|-",
        "dispatch|-|-|-",
    ];
    assert_parsed(text, Flavor::JavaScriptCore, &frames);
    let segments = "s@33.js:1:531\nb@1959.js:1:1469932\n102.js:1:2956";
    assert_parsed(
        segments,
        Flavor::JavaScriptCore,
        &["s|33.js|1|531*", "b|1959.js|1|1469932*", "-|102.js|1|2956*"],
    );
}

#[test]
fn hermes_writes_places_without_an_address() {
    let text =
        "Error: x\n    at run (:1:2)\n    at apply (native)\n    at f (address at InternalBytecode.js:1:11)";
    assert_parsed(text, Flavor::Hermes, &["run|-|-|-", "apply|-|-|-", "f|InternalBytecode.js|1|11"]);
}

#[test]
fn modules_of_bun_are_not_in_app() {
    let text = "Error: aborted
    at addChunk (internal:streams/readable:265:47)
    at checkout (/$bunfs/root/shop:2:39)
    at processTicksAndRejections (native:7:39)";
    let frames = [
        "addChunk|internal:streams/readable|265|47",
        "checkout|/$bunfs/root/shop|2|39*",
        "processTicksAndRejections|native|7|39",
    ];
    assert_parsed(text, Flavor::V8, &frames);
}

const GO: [&str; 3] = [
    "example.com/shop/cart.(*Cart).Total|/srv/app/cart/cart.go|17|-*",
    "main.checkout|/srv/app/main.go|31|-*",
    "runtime.main|/usr/local/go/src/runtime/proc.go|283|-",
];

#[test]
fn stacks_of_error_values_of_go_are_read() {
    let pairs = "cart is empty
example.com/shop/cart.(*Cart).Total
\t/srv/app/cart/cart.go:17
main.checkout
\t/srv/app/main.go:31
runtime.main
\t/usr/local/go/src/runtime/proc.go:283";
    assert_parsed(pairs, Flavor::Go, &GO);
    assert_with_message(pairs, "cart is empty", Flavor::Go, &GO);
    let wrapped = format!("{pairs}\ncheckout failed\nmain.checkout\n\t/srv/app/main.go:33");
    assert_parsed(&wrapped, Flavor::Go, &GO);
    let barred = "cart is empty
(1) attached stack trace
  -- stack trace:
  | example.com/shop/cart.(*Cart).Total
  | \t/srv/app/cart/cart.go:17
  | main.checkout
  | \t/srv/app/main.go:31
  | runtime.main
  | \t/usr/local/go/src/runtime/proc.go:283
Wraps: (2) cart is empty";
    assert_parsed(barred, Flavor::Go, &GO);
    let placed_first = "/srv/app/cart/cart.go:17 (0x47b3f0)
\texample.com/shop/cart.(*Cart).Total: return errors.New(\"cart: is empty\")
/srv/app/main.go:31 (0x47b4a1)
\tmain.checkout: return cart.Total()
/usr/local/go/src/runtime/proc.go:283 (0x47b5a1)
\truntime.main: fn()";
    assert_parsed(placed_first, Flavor::Go, &GO);
    let in_one_line = "cart is empty
\texample.com/shop/cart.(*Cart).Total:/srv/app/cart/cart.go:17
\tmain.checkout:/srv/app/main.go:31
\truntime.main:/usr/local/go/src/runtime/proc.go:283";
    assert_parsed(in_one_line, Flavor::Go, &GO);
    let numbered = "Oops: cart is empty
  --- at /srv/app/cart/cart.go:17 cart.Total()
  --- at /srv/app/main.go:31 main.checkout()";
    let frames = ["cart.Total|/srv/app/cart/cart.go|17|-*", "main.checkout|/srv/app/main.go|31|-*"];
    assert_parsed(numbered, Flavor::Go, &frames);
}

#[test]
fn prose_about_go_files_is_not_a_frame() {
    for text in ["cart.go:17: undefined: total", "see main.go:3 for it", "a. b\n\tmain.go:3: bad"] {
        assert_eq!(parse(text).platform, Flavor::Unknown, "{text}");
    }
}

#[test]
fn unity_and_powershell_are_read() {
    let unity = "NullReferenceException: Object reference not set
Shop.Cart.Total (System.Int32 n) (at Assets/Scripts/Cart.cs:12)
Shop.Cart:Update() (at Assets/Scripts/Cart.cs:30)
UnityEngine.Events.InvokableCall.Invoke () (at <a1b2c3>:0)";
    let frames = [
        "Shop.Cart.Total|Assets/Scripts/Cart.cs|12|-*",
        "Shop.Cart:Update|Assets/Scripts/Cart.cs|30|-*",
        "UnityEngine.Events.InvokableCall.Invoke|-|-|-",
    ];
    assert_parsed(unity, Flavor::DotNet, &frames);
    let shell = "at Get-Total, /srv/Cart.ps1: line 12\nat <ScriptBlock>, <No file>: line 1";
    assert_parsed(shell, Flavor::DotNet, &["Get-Total|/srv/Cart.ps1|12|-*", "<ScriptBlock>|-|1|-*"]);
    let declared =
        "System.Exception: x\n   at async Task<int> Shop.Cart.TotalAsync(string s) in /srv/Cart.cs:line 12";
    assert_parsed(declared, Flavor::DotNet, &["Shop.Cart.TotalAsync|/srv/Cart.cs|12|-*"]);
}

#[test]
fn tracebacks_in_the_boxes_of_loggers_are_read() {
    let rich = "╭─────────────── Traceback (most recent call last) ────────────────╮
│ /srv/app/main.py:31 in checkout                                  │
│                                                                  │
│   30 def checkout():                                             │
│ ❱ 31     total()                                                 │
│                                                                  │
│ /srv/app/cart.py:17 in total                                     │
╰──────────────────────────────────────────────────────────────────╯
ValueError: cart is empty";
    assert_parsed(rich, Flavor::Python, &["total|/srv/app/cart.py|17|-*", "checkout|/srv/app/main.py|31|-*"]);
    let loguru = "Traceback (most recent call last):

> File \"/srv/app/main.py\", line 31, in checkout
    total()
    └ <function total at 0x7f>

  File \"/srv/app/cart.py\", line 17, in total
    raise ValueError";
    assert_parsed(
        loguru,
        Flavor::Python,
        &["total|/srv/app/cart.py|17|-*", "checkout|/srv/app/main.py|31|-*"],
    );
}
