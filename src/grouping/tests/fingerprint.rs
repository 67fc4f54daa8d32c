use super::super::*;

fn frame<'a>(function: &'a str, file: &'a str, in_app: bool) -> GroupFrame<'a> {
    let some = |text: &'a str| if text.is_empty() { None } else { Some(text) };
    GroupFrame { function: some(function), file: some(file), in_app, resolved: false }
}

fn of(kind: &str, message: &str, frames: &[GroupFrame<'_>]) -> Fingerprint {
    fingerprint(&Input {
        client: &[],
        exception_type: Some(kind),
        message: Some(message),
        frames,
        causes: &[],
    })
}

fn of_client(client: &[&str]) -> Fingerprint {
    let frames = [frame("f", "a.js", true)];
    fingerprint(&Input {
        client,
        exception_type: Some("E"),
        message: Some("m"),
        frames: &frames,
        causes: &[],
    })
}

#[test]
fn hashes_of_both_versions_are_fixed() {
    // Changing this value splits everybody's issues: read the module's documentation first.
    let frames = [frame("total", "src/cart.ts", true)];
    let input = Input {
        client: &[],
        exception_type: Some("TypeError"),
        message: Some("x"),
        frames: &frames,
        causes: &[],
    };
    let one = former::fingerprint(&input);
    assert_eq!((one.version, one.basis), (1, Basis::Frames));
    assert_eq!(one.to_hex(), "64be90c5953f17335e1f3e13fa98104c");
    // Both rules give this input the same hash.
    assert_eq!((fingerprint(&input).version, fingerprint(&input).hash), (2, one.hash));
}

#[test]
fn builds_and_hosts_do_not_split_an_issue() {
    let one = of("E", "a", &[frame("Object.save [as g]", "https://a.example/js/app-3f9a8c1b.js?1", true)]);
    let two = of("E", "b", &[frame("save", "http://localhost:3000/js/app-BxY12Abc.js", true)]);
    assert_eq!(one, two);
}

#[test]
fn only_the_three_distinct_in_app_frames_nearest_the_throw_count() {
    let frames = [
        frame("lib", "node_modules/x.js", false),
        frame("f", "a.js", true),
        frame("f", "a.js", true),
        frame("g", "a.js", true),
        frame("h", "b.js", true),
        frame("main", "c.js", true),
    ];
    let whole = of("E", "m", &frames);
    assert_eq!(whole, of("E", "m", &frames[1..5]));
    assert_eq!(whole, of("E", "m", &[frames[1], frames[3], frames[4]]));
    assert_ne!(whole, of("E", "m", &frames[..4]));
    assert_ne!(whole, of("E", "m", &[frames[3], frames[1], frames[4]]));
    assert_ne!(whole, of("F", "m", &frames));
}

#[test]
fn other_frames_count_if_there_are_no_in_app_ones() {
    let foreign = [frame("each", "node_modules/x.js", false), frame("", "", true)];
    assert_eq!(of("E", "m", &foreign).basis, Basis::Frames);
    assert_eq!(of("E", "m", &foreign), of("E", "n", &foreign[..1]));
}

#[test]
fn without_usable_frames_the_message_decides() {
    let nameless = [frame("", "", true), frame("<anonymous>", "<anonymous>", true)];
    let one = of("E", "item 12 missing", &nameless);
    assert_eq!(one.basis, Basis::Message);
    assert_eq!(one, of("E", "item 7 missing", &[]));
    assert_ne!(one, of("E", "item gone", &[]));
    assert_ne!(one, of("F", "item 12 missing", &[]));
}

#[test]
fn default_alone_means_our_fingerprint_with_or_without_spaces() {
    let ours = of_client(&[]);
    for client in [&["{{ default }}"][..], &["{{default}}"], &[" {{  default }} "], &["", " "]] {
        assert_eq!(of_client(client), ours, "{client:?}");
    }
}

#[test]
fn client_lists_replace_or_extend_our_fingerprint() {
    let plain = of_client(&["checkout", "tenant-1"]);
    assert_eq!(plain.basis, Basis::Client);
    assert_ne!(plain, of_client(&["checkout", "tenant-2"]));
    assert_ne!(plain, of_client(&["checkouttenant-1"]));
    assert_ne!(plain, of_client(&["checkou", "ttenant-1"]));
    let refined = of_client(&["{{ default }}", "tenant-1"]);
    assert_ne!(refined, of_client(&["tenant-1"]));
    let frames = [frame("other", "b.js", true)];
    let client = &["{{ default }}", "tenant-1"];
    assert_ne!(refined, fingerprint(&Input { client, frames: &frames, ..Input::default() }));
    let client = &["checkout", "tenant-1"];
    assert_eq!(plain, fingerprint(&Input { client, frames: &frames, ..Input::default() }));
}

#[test]
fn parts_are_never_concatenated() {
    let one = of("E", "m", &[frame("ab", "c", true)]);
    assert_ne!(one, of("E", "m", &[frame("a", "bc", true)]));
    assert_ne!(of("E", "ab", &[]), of("Ea", "b", &[]));
    assert_ne!(of("E", "f", &[]).hash, of("E", "", &[frame("f", "", true)]).hash);
    assert_ne!(of("E", "", &[frame("f", "", true)]), of("E", "", &[frame("", "f", true)]));
}

#[test]
fn an_empty_input_still_has_a_fingerprint() {
    assert_eq!(fingerprint(&Input::default()).basis, Basis::Message);
}

#[test]
fn parsed_stacks_of_all_engines_have_one_fingerprint() {
    let group = |text: &str| {
        let parsed = crate::symbolication::stack::parse(text);
        let frames: Vec<GroupFrame<'_>> = parsed.frames.iter().map(GroupFrame::from).collect();
        of("E", "m", &frames)
    };
    let chrome = "E: m\n    at total (https://x/a-3f9a8c1b.js:1:2)\n    at https://x/b.js:3:4";
    let firefox = "total@https://x/a-3f9a8c1b.js:1:9\n@https://x/b.js:3:8\n";
    let safari = "total@https://x/a-3f9a8c1b.js:1:9\nhttps://x/b.js:3:8";
    assert_eq!(group(chrome), group(firefox));
    assert_eq!(group(chrome), group(safari));
}

#[test]
fn titles_are_one_short_line() {
    assert_eq!(title(Some("TypeError"), Some("x is\nnot")), "TypeError: x is");
    assert_eq!(title(Some("E"), Some("\n  \n late ")), "E: late");
    assert_eq!(title(Some("E"), Some("E: twice")), "E: twice");
    assert_eq!(title(Some("E"), None), "E");
    assert_eq!(title(None, Some("m")), "m");
    assert_eq!(title(None, Some(" ")), "Error");
    assert_eq!(title(None, Some("a\tb\u{0}c")), "a b c");
    let long = title(Some("E"), Some(&"é".repeat(500)));
    assert_eq!(long.chars().count(), 200);
    assert!(long.starts_with("E: é") && long.ends_with("é…"));
    let exact = "x".repeat(200);
    assert_eq!(title(None, Some(&exact)), exact);
}

#[test]
fn culprit_is_the_in_app_frame_nearest_the_throw() {
    let frames = [
        frame("lib", "node_modules/x.js", false),
        frame("<anonymous>", "<anonymous>", true),
        frame("Object.total", "https://x/src/cart.ts", true),
        frame("main", "b.js", true),
    ];
    assert_eq!(culprit(&frames).as_deref(), Some("total (/src/cart.ts)"));
    assert_eq!(culprit(&frames[..2]).as_deref(), Some("lib (node_modules/x.js)"));
    assert_eq!(culprit(&[frame("", "b.js", true)]).as_deref(), Some("b.js"));
    assert_eq!(culprit(&[frame("f", "", true)]).as_deref(), Some("f"));
    assert_eq!(culprit(&[]), None);
}

#[test]
fn short_names_need_the_message_unless_resolved() {
    let minified =
        [frame("t", "https://x.example/app.js", true), frame("e.n", "https://x.example/app.js", true)];
    assert_ne!(of("E", "no cart", &minified), of("E", "no user", &minified));
    assert_eq!(of("E", "no cart 12", &minified), of("E", "no cart 7", &minified));
    let named = [minified[0], frame("load", "https://x.example/app.js", true)];
    assert_eq!(of("E", "no cart", &named), of("E", "no user", &named));
    let resolved = minified.map(|frame| GroupFrame { resolved: true, ..frame });
    assert_eq!(of("E", "no cart", &resolved), of("E", "no user", &resolved));
}

#[test]
fn resolved_methods_keep_their_classes() {
    let [cart, user] = ["Cart.total", "User.total"]
        .map(|function| [GroupFrame { resolved: true, ..frame(function, "src/shop.ts", true) }]);
    assert_ne!(of("E", "m", &cart), of("E", "m", &user));
}

/// These hashes are stored, so they must stay the same whatever happens to the newest rule.
#[test]
fn the_former_rule_stays_as_it_was() {
    let former = |input: &Input<'_>| former::fingerprint(input);
    let expected = |parts: &[&str]| {
        let bytes: Vec<u8> = parts
            .iter()
            .flat_map(|part| [&(part.len() as u64).to_le_bytes(), part.as_bytes()].concat())
            .collect();
        blake3::hash(&bytes).as_bytes()[..16].to_vec()
    };
    let address = "https://x.example/app.js";
    let frames = [frame("Cart.total", address, true), frame("e", address, true)];
    let framed = Input { exception_type: Some("E"), message: Some("m"), frames: &frames, ..Input::default() };
    let parts = ["frames", "E", "Cart.total", "/app.js", "e", "/app.js"];
    assert_eq!(former(&framed).hash.to_vec(), expected(&parts));
    let message = Some("GET https://x.example/a/1 failed with 404");
    let told = Input { exception_type: Some("E"), message, ..Input::default() };
    assert_eq!(former(&told).hash.to_vec(), expected(&["message", "E", "GET <url> failed with <num>"]));
    let spring = [frame("org.springframework.X.y", "X.java", true), frame("com.acme.Z.w", "Z.java", true)];
    let spring = spring.map(|frame| GroupFrame { in_app: frame.function == Some("com.acme.Z.w"), ..frame });
    let parts = ["frames", "E", "org.springframework.X.y", "X.java", "com.acme.Z.w", "Z.java"];
    assert_eq!(former(&Input { frames: &spring, ..framed }).hash.to_vec(), expected(&parts));
    assert_eq!((former(&framed).version, fingerprint(&framed).version), (1, 2));
}

#[test]
fn aggregates_are_grouped_by_their_members() {
    let waiting = [frame("handle", "/srv/app/main.py", true)];
    let reserve = || vec![frame("reserve", "/srv/app/stock.py", true)];
    let send = || vec![frame("send", "/srv/app/mail.py", true)];
    let member = |kind, frames| Member { exception_type: Some(kind), message: Some("m"), frames };
    let of = |kind, causes: &[Member<'_>]| {
        let input = Input {
            exception_type: Some(kind),
            message: Some("m"),
            frames: &waiting,
            causes,
            ..Input::default()
        };
        fingerprint(&input).hash
    };
    let stock = [member("KeyError", reserve())];
    let mail = [member("OSError", send())];
    for kind in
        ["ExceptionGroup", "builtins.BaseExceptionGroup", "AggregateError [ERR]", "System.AggregateException"]
    {
        assert_ne!(of(kind, &stock), of(kind, &mail), "{kind}");
    }
    let [one, other] = [member("KeyError", reserve()), member("OSError", send())];
    let both = of("ExceptionGroup", &[one.clone(), other.clone()]);
    assert_eq!(both, of("ExceptionGroup", &[other.clone(), one.clone(), other.clone()]));
    assert_ne!(both, of("ExceptionGroup", &stock));
    // For any other exception, its own frames count.
    assert_eq!(of("RuntimeError", &stock), of("RuntimeError", &mail));
}

#[test]
fn an_aggregate_of_library_failures_is_located_by_its_own_frames() {
    let refused = |frames| Member { exception_type: Some("Error"), message: Some("ECONNREFUSED"), frames };
    let of = |function, file, members: &[Member<'_>]| {
        let own = [frame(function, file, true)];
        let kind = Some("AggregateError");
        fingerprint(&Input { exception_type: kind, frames: &own, causes: members, ..Input::default() }).hash
    };
    let foreign = [refused(vec![frame("afterConnect", "node:net", false)]), refused(Vec::new())];
    assert_ne!(of("connect", "/srv/db.js", &foreign), of("connect", "/srv/cache.js", &foreign));
    let own = [refused(vec![frame("reserve", "/srv/stock.js", true)])];
    assert_eq!(of("connect", "/srv/db.js", &own), of("connect", "/srv/cache.js", &own));
}
