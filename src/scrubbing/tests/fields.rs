//! Where in an event secrets are searched for.

use super::*;

const TOKEN: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

fn scrubbed(event: &Value) -> Value {
    scrub_with(&Scrubbing::default(), event.clone())
}

#[test]
fn the_table_holds_in_every_field() {
    for (sent, left) in table::cases() {
        let event = json!({"text": sent, "message": sent, "url": sent, "user": {"name": sent}, "tags": {"a": sent},
            "extra": {"a": [sent]}, "contexts": {"a": {"b": sent}}, "breadcrumbs": [{"message": sent, "data": {"a": sent}}]});
        let event = scrubbed(&event);
        let crumb = &event["breadcrumbs"][0];
        for text in [
            &event["message"],
            &event["url"],
            &event["user"]["name"],
            &event["tags"]["a"],
            &event["extra"]["a"][0],
            &event["contexts"]["a"]["b"],
            &crumb["message"],
            &crumb["data"]["a"],
            &event["exception"]["message"],
            &event["exception"]["stack"],
        ] {
            assert_eq!(text, left, "{sent}");
        }
        assert_eq!(event["scrubbed"].as_u64().is_some(), sent != left, "{sent}");
    }
}

#[test]
fn every_text_that_may_hold_a_secret_is_looked_at() {
    let secret = "Bearer canary-canary";
    let body = json!({"timestamp": secret, "platform": secret,
        "session_id": secret, "window_id": secret, "replay_id": secret, "sdk": {"name": secret, "version": secret}, "tags": {secret: secret}, "extra": {secret: 1},
        "contexts": {"a": {secret: {}}}, "fingerprint": [secret],
        "exception": {"type": secret, "cause": {"type": secret}, "mechanism": {"type": secret},
            "frames": [{"function": secret, "module": secret, "filename": secret, "context_line": secret, "vars": {secret: secret}}]},
        "breadcrumbs": [{"category": secret, "type": secret, "message": secret, "level": secret, "data": {secret: secret}}]})
    .to_string();
    let mut accepted =
        decode::event(decode::parse(body.as_bytes()).unwrap(), None, Timestamp::now()).unwrap();
    Scrubbing::default().compile().scrub(&mut accepted);
    assert_eq!(accepted.scrubbed, 27);
    assert!(!serde_json::to_string(&accepted).unwrap().contains("canary"));
}

#[test]
fn searchable_fields_of_an_event_stay_as_sent() {
    let names = ["event_id", "trace_id", "span_id", "release", "environment"];
    for secret in [TOKEN, "Bearer canary-canary", "4111111111111111", "password=hunter2"] {
        let sent: serde_json::Map<_, _> = names
            .iter()
            .map(|name| ((*name).to_owned(), json!(secret)))
            .chain([("text".to_owned(), json!("x"))])
            .collect();
        let event = scrubbed(&sent.into());
        names.iter().for_each(|name| assert_eq!(event[name], secret, "{name}"));
    }
}

#[test]
fn numeric_ids_are_not_card_numbers() {
    let id = "4111111111111111";
    let ids =
        json!({"text": "x", "event_id": id, "release": id, "trace_id": id, "span_id": id, "session_id": id});
    let event = scrubbed(&ids);
    for name in ["event_id", "release", "trace_id", "span_id", "session_id"] {
        assert_eq!(event[name], id, "{name}");
    }
    let odd = "\r\nCookie: x=y";
    assert_eq!(scrubbed(&json!({"text": "x", "event_id": odd}))["event_id"], odd, "a name of a client's");
}

#[test]
fn keys_that_are_secrets_go_and_stay_apart() {
    let other = TOKEN.replace("ghp", "gho");
    let sent = json!({"text": "x", "tags": {TOKEN: "a", "plan": "b"}, "extra": {"by": {&other: 3, TOKEN: 1, "n": 2}},
        "contexts": {"https://a:b@c": {"x": 1}}});
    let event = scrubbed(&sent);
    assert_eq!(event["tags"], json!({FILTERED: "a", "plan": "b"}));
    assert_eq!(event["extra"]["by"], json!({FILTERED: 3, "n": 2, "[Filtered] 2": 1}));
    assert_eq!(event["contexts"], json!({"https://[Filtered]@c": {"x": 1}}));
    assert_eq!(event["scrubbed"], 4);
    let long = "x".repeat(300);
    let cut = scrubbed(&json!({"text": "x", "tags": {TOKEN: long}}));
    assert_eq!(cut["truncated"], json!(["tags.[Filtered]"]));
}

#[test]
fn lists_of_headers_are_scrubbed_by_their_names() {
    for (sent, left) in [
        (json!([["Cookie", "a=b"], ["Host", "x"]]), json!([["Cookie", FILTERED], ["Host", "x"]])),
        (json!([["password", ["a"]], ["n", 1]]), json!([["password", FILTERED], ["n", 1]])),
        (json!(["Cookie", "a=b"]), json!(["Cookie", FILTERED])),
        (json!(["Host", "x", "x-api-key", "abc"]), json!(["Host", "x", "x-api-key", FILTERED])),
        (json!([{"name": "Cookie", "value": "a=b"}]), json!([{"name": "Cookie", "value": FILTERED}])),
        (
            json!({"Value": {"a": "b"}, "Key": "authorization"}),
            json!({"Value": FILTERED, "Key": "authorization"}),
        ),
        (json!([["CF-Connecting-IP", "203.0.113.9"]]), json!([["CF-Connecting-IP", FILTERED]])),
        (
            json!({"rawHeaders": ["token", "a", "n", "b"]}),
            json!({"rawHeaders": ["token", FILTERED, "n", "b"]}),
        ),
    ] {
        let event = scrubbed(
            &json!({"text": "x", "extra": {"list": sent}, "breadcrumbs": [{"data": {"list": sent}}]}),
        );
        assert_eq!((&event["extra"]["list"], &event["breadcrumbs"][0]["data"]["list"]), (&left, &left));
        assert_eq!(event["scrubbed"], 2, "{left}");
    }
    for kept in [
        json!(["password", "email"]),
        json!(["token"]),
        json!(["a", "Cookie", "b"]),
        json!([["Cookie", null], ["password", false]]),
        json!({"name": "Cookie", "size": 5}),
        json!({"name": "ann", "value": "x"}),
    ] {
        assert_eq!(scrubbed(&json!({"text": "x", "extra": {"list": kept}}))["extra"]["list"], kept);
    }
}

#[test]
fn addresses_of_clients_are_known_by_the_names_of_proxies() {
    let names = [
        "CF-Connecting-IP",
        "True-Client-IP",
        "Forwarded",
        "X-Forwarded-For",
        "X-Real-IP",
        "X-Client-IP",
        "X-Cluster-Client-IP",
        "Fastly-Client-IP",
        "HTTP_X_FORWARDED_FOR",
        "remoteAddress",
        "sourceIp",
    ];
    let keeps = Scrubbing { keep_ip_addresses: true, ..Scrubbing::default() };
    for name in names {
        let line = format!("{name}: 203.0.113.9");
        let sent = json!({"text": "x", "message": line, "extra": {name: "203.0.113.9", "list": [[name, "203.0.113.9"]]}});
        let dropped = scrubbed(&sent);
        assert!(!dropped.to_string().contains("203.0.113.9"), "{dropped}");
        let kept = scrub_with(&keeps, sent.clone());
        assert_eq!((&kept["extra"], &kept["message"]), (&sent["extra"], &sent["message"]));
    }
}

#[test]
fn rules_that_are_switched_off_do_not_apply_to_texts_either() {
    let off = Scrubbing { secret_names: false, bearer_tokens: false, ..Scrubbing::default() };
    for kept in
        ["password=x", "{\"token\":\"x\"}", "https://a@b/", "Bearer abcdefghijk", TOKEN, "Basic YW5uOnB3"]
    {
        assert_eq!(scrub_with(&off, json!({"text": "x", "message": kept}))["message"], kept);
    }
    let own = Scrubbing { keys: vec!["Customer-Ref".into(), "nr2".into()], ..off };
    for (sent, left) in [
        ("customer_ref=abc", "customer_ref=[Filtered]"),
        ("{\"customerRef\":\"abc\"}", "{\"customerRef\":\"[Filtered]\"}"),
        ("Customer-Ref: abc def", "Customer-Ref: [Filtered] def"),
        ("nr2: abc", "nr2: [Filtered]"),
        ("password: hunter2", "password: hunter2"),
    ] {
        assert_eq!(scrub_with(&own, json!({"text": "x", "message": sent}))["message"], left);
    }
}

#[test]
fn variables_of_frames_are_looked_at_however_deep_they_are() {
    let vars = json!({"cart": {"items": ["coat", {"api_key": "canary"}], "password": ["canary"]},
        "request": "Authorization: Bearer canary-canary", "headers": [["Cookie", "canary"]]});
    let cause = json!({"type": "C", "frames": [{"function": "f"}, {"function": "g", "vars": vars}]});
    let frames = json!([{"function": "h", "vars": vars}]);
    let body = json!({"exception": {"type": "E", "frames": frames, "cause": cause}}).to_string();
    let mut accepted =
        decode::event(decode::parse(body.as_bytes()).unwrap(), None, Timestamp::now()).unwrap();
    Scrubbing::default().compile().scrub(&mut accepted);
    let left = serde_json::to_value(&accepted).unwrap();
    assert!(!left.to_string().contains("canary"), "{left}");
    let exception = &left["exception"];
    for vars in [&exception["vars"][0], &exception["cause"]["vars"][0]] {
        assert_eq!(vars["vars"]["cart"]["items"][0], "coat");
    }
    assert_eq!(exception["cause"]["vars"][0]["frame"], 1);
}
