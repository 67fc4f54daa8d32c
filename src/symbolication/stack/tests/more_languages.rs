//! Machine code, Dart, Elixir and Erlang, Perl and Lua.

use super::*;

#[test]
fn machine_code_is_read() {
    let sanitizer = "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60
READ of size 4 at 0x602 thread T0
    #0 0x55d0c1 in Cart::total(int) const /srv/src/cart.cpp:17:5
    #1 0x55d0c2 in main /srv/src/main.cpp:3
    #2 0x7f01d2 in __libc_start_main (/lib/x86_64-linux-gnu/libc.so.6+0x2409a)

freed by thread T0 here:
    #0 0x4a in operator delete(void*) (/srv/shop+0x4f)";
    let frames = [
        "Cart::total(int) const|/srv/src/cart.cpp|17|5*",
        "main|/srv/src/main.cpp|3|-*",
        "__libc_start_main|-|-|-",
    ];
    assert_parsed(sanitizer, Flavor::Native, &frames);
    let gdb = "#0  0x0000555555555131 in Cart::total (this=0x0, n=3) at /srv/src/cart.cpp:17
#1  main () at main.cpp:3";
    assert_parsed(gdb, Flavor::Native, &["Cart::total|/srv/src/cart.cpp|17|-*", "main|main.cpp|3|-*"]);
    let lldb = "* thread #1, stop reason = EXC_BAD_ACCESS
  * frame #0: 0x0000000100003f5c shop`Cart::total(this=0x0) at cart.cpp:17:5
    frame #1: 0x0000000100003f9c shop`main at main.cpp:3:1";
    assert_parsed(lldb, Flavor::Native, &["Cart::total|cart.cpp|17|5*", "main|main.cpp|3|1*"]);
    let standard =
        " 0# Cart::total(int) at /srv/src/cart.cpp:17\n 1# 0x0000555 in /srv/shop\n 2# main at main.cpp:3";
    let parsed = parse(standard);
    assert_eq!(parsed.platform, Flavor::Native);
    assert_eq!(shorts(&parsed)[0], "Cart::total(int)|/srv/src/cart.cpp|17|-*");
    let glibc = "./shop(_ZN4Cart5totalEv+0x1a) [0x55d]\n/lib/x86_64-linux-gnu/libc.so.6(abort+0x12b) [0x7f]";
    assert_parsed(glibc, Flavor::Native, &["_ZN4Cart5totalEv|-|-|-*", "abort|-|-|-"]);
    let android =
        "      #00 pc 000000000001f35c  /data/app/lib/arm64/libshop.so (Cart::total()+12) (BuildId: 1a2b)
      #01 pc 0000000000082f34  /apex/com.android.runtime/lib64/bionic/libc.so (abort+164)";
    assert_parsed(android, Flavor::Native, &["Cart::total()|-|-|-*", "abort|-|-|-"]);
    let windows = "shop!Cart::total+0x1d [C:\\src\\cart.cpp @ 17]\nshop!main+0x10 [C:\\src\\main.cpp @ 3]\nntdll!RtlUserThreadStart+0x21";
    let frames =
        ["Cart::total|C:\\src\\cart.cpp|17|-*", "main|C:\\src\\main.cpp|3|-*", "RtlUserThreadStart|-|-|-"];
    assert_parsed(windows, Flavor::Native, &frames);
    let kotlin = "kotlin.IllegalStateException: cart is empty
    at 0   shop.kexe       0x104a1b2c3  kfun:kotlin.Throwable#<init>(kotlin.String?){} + 111
    at 1   shop.kexe       0x104a1b2d3  kfun:com.shop.Cart#total(){}kotlin.Int + 123 (/srv/src/Cart.kt:12:5)";
    let parsed = parse(kotlin);
    assert_eq!(parsed.platform, Flavor::Native);
    assert_eq!(shorts(&parsed)[1], "com.shop.Cart#total|/srv/src/Cart.kt|12|5*");
}

#[test]
fn debuggers_print_the_library_of_a_frame() {
    let gdb = "#0  cart_total (cart=0x0) at src/cart.c:17
#1  0x000055555555517c in main (id=7) at src/main.c:31
#2  0x00007ffff7c29d90 in __libc_start_call_main () from /lib/x86_64-linux-gnu/libc.so.6";
    let frames = ["cart_total|src/cart.c|17|-*", "main|src/main.c|31|-*", "__libc_start_call_main|-|-|-"];
    assert_parsed(gdb, Flavor::Native, &frames);
    let lldb = "  * frame #0: 0x0000000100003f10 shop`cart_total(cart=0x0000000000000000) at cart.c:17:18
    frame #1: 0x0000000100003f60 shop`main at main.c:31:5
    frame #2: 0x00000001a5b13f28 dyld`start + 2236";
    let frames = ["cart_total|cart.c|17|18*", "main|main.c|31|5*", "start|-|-|-"];
    assert_parsed(lldb, Flavor::Native, &frames);
    let windbg = " # Child-SP          RetAddr               Call Site
00 000000c1`7b6ff8d0 00007ff6`3a2b1163     shop!cart_total+0x1a [C:\\src\\shop\\cart.cpp @ 17]
01 000000c1`7b6ff990 00000000`00000000     KERNEL32!BaseThreadInitThunk+0x14";
    let frames = ["cart_total|C:\\src\\shop\\cart.cpp|17|-*", "BaseThreadInitThunk|-|-|-"];
    assert_parsed(windbg, Flavor::Native, &frames);
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    use std::time::{Duration, Instant};
    let barred = format!(
        "{}x{}\n  File \"x.py\", line 3, in f\n",
        " ".repeat(120_000),
        "Traceback (most recent call last):".repeat(3_500)
    );
    let erlang = ",[{file,\"".repeat(25_000);
    for text in [barred, erlang] {
        let start = Instant::now();
        let _parsed = parse(&text);
        assert!(start.elapsed() < Duration::from_secs(1), "{} took {:?}", &text[..20], start.elapsed());
    }
}

#[test]
fn elixir_and_erlang_are_read() {
    let text = "** (ArgumentError) cart is empty
    :erlang.binary_to_integer(\"x\")
    (shop 0.1.0) lib/shop/cart.ex:17: Shop.Cart.total/1
    (elixir 1.15.0) lib/enum.ex:2510: Enum.\"-reduce/3-lists^foldl/2-0-\"/3
    (stdlib 5.0) gen_server.erl:1123: :gen_server.try_handle_call/4
    scripts/run.exs:3: (file)";
    let frames = [
        "Shop.Cart.total/1|lib/shop/cart.ex|17|-*",
        "Enum.\"-reduce/3-lists^foldl/2-0-\"/3|lib/enum.ex|2510|-",
        ":gen_server.try_handle_call/4|gen_server.erl|1123|-",
        "-|scripts/run.exs|3|-*",
    ];
    assert_parsed(text, Flavor::Elixir, &frames);
    let shell = "** exception error: no match of right hand side value 0
     in function  shop_cart:total/1 (src/shop_cart.erl, line 17)
     in call from shop:main/0 (src/shop.erl, line 3)";
    let frames = ["shop_cart:total/1|src/shop_cart.erl|17|-*", "shop:main/0|src/shop.erl|3|-*"];
    assert_parsed(shell, Flavor::Elixir, &frames);
    let term = "[{shop_cart,total,1,[{file,\"src/shop_cart.erl\"},{line,17}]},{shop,main,0,[{file,\"src/shop.erl\"},{line,3}]}]";
    let frames = ["shop_cart,total,1|src/shop_cart.erl|17|-*", "shop,main,0|src/shop.erl|3|-*"];
    assert_parsed(term, Flavor::Elixir, &frames);
}

#[test]
fn arguments_of_erlang_are_not_part_of_a_name() {
    let text = "{badarg,[{shop_cart,total,[<<\"ada\">>,{a,b}],[{file,\"src/shop_cart.erl\"},{line,17}]},
 {shop,main,0,[{file,\"src/shop.erl\"},{line,3}]}]}";
    assert_parsed(
        text,
        Flavor::Elixir,
        &["shop_cart,total|src/shop_cart.erl|17|-*", "shop,main,0|src/shop.erl|3|-*"],
    );
}

#[test]
fn perl_and_lua_are_read() {
    let perl = "cart is empty at lib/Shop/Cart.pm line 17.
\tShop::Cart::total(Shop::Cart=HASH(0x55), 3) called at shop.pl line 31
\tmain::checkout() called at shop.pl line 40";
    let frames =
        ["Shop::Cart::total|lib/Shop/Cart.pm|17|-*", "main::checkout|shop.pl|31|-*", "-|shop.pl|40|-*"];
    assert_parsed(perl, Flavor::Perl, &frames);
    assert_parsed("cart is empty at shop.pl line 17.", Flavor::Perl, &["-|shop.pl|17|-*"]);
    let lua = "lua: cart.lua:17: cart is empty
stack traceback:
\t[C]: in function 'error'
\tcart.lua:17: in function 'shop.total'
\tcart.lua:20: in upvalue 'each'
\tcart.lua:22: in function <cart.lua:21>
\tmain.lua:3: in main chunk
\t[C]: in ?";
    let frames = [
        "error|-|-|-",
        "shop.total|cart.lua|17|-*",
        "each|cart.lua|20|-*",
        "-|cart.lua|22|-*",
        "main chunk|main.lua|3|-*",
        "[C]|-|-|-",
    ];
    assert_parsed(lua, Flavor::Lua, &frames);
}

#[test]
fn dart_is_read() {
    let text = "#0      Cart.total (package:shop/cart.dart:17:5)
#1      _CheckoutState.build.<anonymous closure> (package:shop/checkout.dart:42:21)
#2      _InkResponseState.handleTap (package:flutter/src/material/ink_well.dart:1183:21)
<asynchronous suspension>
#3      main (file:///srv/shop/bin/main.dart:8)
#4      _RootZone.run (dart:async/zone.dart:1399:13)
#5      new Future.<anonymous closure> (dart:async-patch/future_patch.dart)";
    let frames = [
        "Cart.total|package:shop/cart.dart|17|5*",
        "_CheckoutState.build.<anonymous closure>|package:shop/checkout.dart|42|21*",
        "_InkResponseState.handleTap|package:flutter/src/material/ink_well.dart|1183|21",
        "main|file:///srv/shop/bin/main.dart|8|-~*",
        "_RootZone.run|dart:async/zone.dart|1399|13",
        "new Future.<anonymous closure>|dart:async-patch/future_patch.dart|-|-",
    ];
    assert_parsed(text, Flavor::Dart, &frames);
    let chain = "package:shop/cart.dart 17:5                 Cart.total
dart:async                                  _completeFuture
===== asynchronous gap ===========================
package:shop/main.dart 8:3                  main.<fn>";
    let frames = [
        "Cart.total|package:shop/cart.dart|17|5*",
        "_completeFuture|dart:async|-|-",
        "main.<fn>|package:shop/main.dart|8|3~*",
    ];
    assert_parsed(chain, Flavor::Dart, &frames);
    let bare = "*** *** ***\npid: 1, tid: 2\n    #00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7";
    assert_parsed(bare, Flavor::Dart, &["_kDartIsolateSnapshotInstructions+0x1e26d7|-|-|-*"]);
}
