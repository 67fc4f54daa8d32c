use super::readable;

#[test]
fn what_somebody_wrote_is_readable() {
    for (name, shown) in [
        ("lookup", "lookup"),
        ("pay", "pay"),
        ("step2", "step2"),
        ("Cart.total", "Cart.total"),
        ("Cart.#total", "Cart.#total"),
        ("new Cart", "new Cart"),
        ("get total", "get total"),
        ("async checkout", "checkout"),
        ("checkout [as handler]", "checkout"),
        ("Object.lookup", "lookup"),
        ("t.lookup", "lookup"),
        ("t.get total [as total]", "get total"),
        ("checkout/total", "checkout/total"),
        ("e/this.total<", "total<"),
        ("überblick", "überblick"),
    ] {
        assert_eq!(readable(name), Some(shown), "{name}");
    }
}

#[test]
fn what_was_made_up_is_not() {
    for name in [
        "",
        "t",
        "t1",
        "ab",
        "e$1",
        "_a",
        "$$",
        "__e",
        "a12345",
        "new t",
        "get t",
        "t.e",
        "Cart.e",
        "async t",
        "<anonymous>",
        "Object.<anonymous>",
        "e.<anonymous>",
        "anonymous",
        "checkout/<",
        "checkout</<",
        "_0x3fa1b2",
        "eval",
        "global code",
        "module code",
        "4711",
        "Object.4711",
        "ü",
    ] {
        assert_eq!(readable(name), None, "{name}");
    }
}
