use super::*;
use serde_json::{Value, json};

const MOMENT: i64 = 1_700_000_000_000;

fn steps(text: &[u8], moment: i64) -> Vec<Step> {
    let (mut walk, mut events) = (Walk::new(moment), Events::new(text));
    while let Some(event) = events.read(usize::MAX).unwrap() {
        let Event::Whole(event) = event else { panic!("it has room") };
        walk.take(event);
    }
    walk.steps()
}

fn told_of(text: &str) -> Vec<String> {
    let steps = steps(text.as_bytes(), MOMENT);
    let told = |step: &Step| {
        assert!(step.text.chars().count() <= TEXT_MAX && !step.text.contains('\n'), "{step:?}");
        format!("{} {}: {}", step.at.millis() - MOMENT, step.kind.as_str(), step.text)
    };
    steps.iter().map(told).collect()
}

/// The steps of events, by milliseconds after the moment.
fn told(events: &[Value]) -> Vec<String> {
    told_of(&events.iter().map(Value::to_string).collect::<Vec<_>>().join(","))
}

fn event(at: i64, kind: u8, data: Value) -> Value {
    json!({"type": kind, "timestamp": MOMENT + at, "data": data})
}

fn element(id: i64, tag: &str, attributes: Value, children: &[Value]) -> Value {
    json!({"type": 2, "id": id, "tagName": tag, "attributes": attributes, "childNodes": children})
}

fn text(id: i64, words: &str) -> Value {
    json!({"type": 3, "id": id, "textContent": words})
}

/// A page with a button, links and a form.
fn picture(at: i64) -> Value {
    let body = element(
        2,
        "body",
        json!({}),
        &[
            element(3, "style", json!({}), &[text(4, "p { color: red }")]),
            element(
                5,
                "button",
                json!({"type": "submit"}),
                &[element(6, "svg", json!({}), &[]), text(7, " Pay\n now")],
            ),
            element(8, "a", json!({"href": "/orders?token=1", "aria-label": "All orders"}), &[text(9, "→")]),
            element(10, "a", json!({"href": "https://shop.example/cart?key=1#x"}), &[]),
            element(
                11,
                "input",
                json!({"type": "email", "value": "ada@example.com", "placeholder": "E-mail"}),
                &[],
            ),
            element(12, "textarea", json!({}), &[text(13, "*** ****")]),
            element(
                14,
                "p",
                json!({}),
                &[text(15, "Two "), element(16, "b", json!({}), &[text(17, "items")])],
            ),
            element(18, "input", json!({"type": "button", "value": "Cancel"}), &[]),
        ],
    );
    event(at, 2, json!({"node": {"type": 0, "id": 1, "childNodes": [body]}, "initialOffset": {"left": 0}}))
}

fn click(at: i64, id: i64) -> Value {
    event(at, 3, json!({"source": 2, "type": 2, "id": id, "x": 1, "y": 2}))
}

fn input(at: i64, id: i64, text: &str) -> Value {
    event(at, 3, json!({"source": 5, "id": id, "text": text, "isChecked": false}))
}

fn mutation(at: i64, change: Value) -> Value {
    let mut data = json!({"source": 0, "texts": [], "attributes": [], "removes": [], "adds": []});
    for (name, value) in change.as_object().unwrap() {
        data[name] = value.clone();
    }
    event(at, 3, data)
}

#[test]
fn a_click_names_what_was_pressed() {
    let mut events = vec![picture(-90_000)];
    events.extend([6, 7, 9, 10, 16, 14, 18, 1, 99].map(|id| click(-1_000, id)));
    let expected = [
        "button[submit] \"Pay now\"",
        "button[submit] \"Pay now\"",
        "a \"All orders\"",
        "a \"https://shop.example/cart\"",
        "b \"items\"",
        "p \"Two items\"",
        "input[button] \"Cancel\"",
        "page \"Pay now → Two items\"",
        "something unknown",
    ];
    let expected = expected.map(|name| format!("-1000 click: {name}"));
    assert_eq!(told(&events), expected);
}

#[test]
fn what_was_entered_is_masked_and_each_field_is_told_once() {
    let events = [
        picture(-90_000),
        input(-3_000, 11, "*"),
        input(-2_900, 11, "***"),
        // Other recorders do not mask.
        mutation(-2_500, json!({"adds": [{"parentId": 12, "node": text(30, "my secret")}]})),
        mutation(-2_400, json!({"texts": [{"id": 13, "value": "my secret"}]})),
        input(-2_000, 12, "my secret"),
        click(-1_500, 5),
        input(-1_000, 12, ""),
    ];
    let expected = [
        "-2900 input: input[email] \"E-mail\": ***",
        "-2000 input: textarea: ** ******",
        "-1500 click: button[submit] \"Pay now\"",
        "-1000 input: textarea:",
    ];
    assert_eq!(told(&events), expected);
}

#[test]
fn what_is_typed_into_an_editable_element_is_not_told() {
    let editor = element(40, "div", json!({"aria-label": "Comment"}), &[]);
    let typed = |text: &str| json!({"texts": [{"id": 41, "value": text}]});
    let mut events = vec![
        picture(-90_000),
        mutation(-9_000, json!({"adds": [{"parentId": 2, "node": editor}]})),
        mutation(-8_000, json!({"adds": [{"parentId": 40, "node": text(41, "Say it")}]})),
    ];
    let mut change = typed("my");
    change["attributes"] = json!([{"id": 40, "attributes": {"contenteditable": "true"}}, 7, {"id": 2}]);
    events.extend([mutation(-7_000, change), mutation(-6_000, typed("my secret")), click(-5_000, 40)]);
    assert_eq!(told(&events), ["-8000 seen: Say it", "-5000 click: div \"Comment\""]);
}

#[test]
fn a_node_that_was_removed_has_no_name_and_says_nothing() {
    let removed = |id: i64| mutation(-5_000, json!({"removes": [{"parentId": 2, "id": id}]}));
    let events = [
        picture(-90_000),
        removed(16),
        click(-4_000, 14),
        removed(5),
        click(-3_000, 7),
        mutation(-2_000, json!({"texts": [{"id": 7, "value": "gone"}]})),
        picture(-1_000),
        click(0, 7),
    ];
    let expected =
        ["-4000 click: p \"Two\"", "-3000 click: something unknown", "0 click: button[submit] \"Pay now\""];
    assert_eq!(told(&events), expected);
}

#[test]
fn texts_that_appear_shortly_before_are_seen() {
    let adds = |of: &[(i64, Value)]| {
        let add = |(parent, node): &(i64, Value)| json!({"parentId": parent, "nextId": null, "node": node});
        json!({"adds": of.iter().map(add).collect::<Vec<_>>()})
    };
    let mut pieces = adds(&[(2, text(30, "A piece of the picture"))]);
    pieces["continues"] = json!(true);
    let events = [
        picture(-90_000),
        mutation(-20_000, adds(&[(2, text(31, "Long ago"))])),
        mutation(-9_000, pieces),
        mutation(
            -8_000,
            adds(&[
                (2, element(32, "div", json!({}), &[])),
                (32, text(33, "Payment")),
                (32, text(34, "failed")),
            ]),
        ),
        mutation(-7_000, adds(&[(3, text(35, "p { color: blue }")), (2, text(36, "******"))])),
        mutation(-6_000, json!({"texts": [{"id": 15, "value": "Three"}, {"id": 4, "value": "b {}"}]})),
        click(-5_000, 32),
        mutation(800, adds(&[(2, text(37, "Sorry"))])),
        mutation(1_200, adds(&[(2, text(38, "Later"))])),
    ];
    let expected = [
        "-8000 seen: Payment failed",
        "-6000 seen: Three",
        "-5000 click: div \"Payment failed\"",
        "800 seen: Sorry",
    ];
    assert_eq!(told(&events), expected);
}

#[test]
fn texts_are_told_in_the_order_of_the_page() {
    let add = |(parent, next, node): &(i64, Value, Value)| json!({"parentId": parent, "nextId": next, "node": node});
    let adds = |of: &[(i64, Value, Value)]| json!({"adds": of.iter().map(add).collect::<Vec<_>>()});
    // As rrweb has them: one by one, and of those beside each other the last one first.
    let dialog = [
        (2, Value::Null, element(40, "div", json!({}), &[])),
        (40, Value::Null, element(43, "p", json!({}), &[])),
        (43, Value::Null, text(45, "again")),
        (43, json!(45), text(44, "Try")),
        (40, json!(43), element(41, "h2", json!({}), &[])),
        (41, Value::Null, text(42, "Payment failed")),
    ];
    let beside =
        [(2, Value::Null, text(52, "more")), (2, json!(52), text(51, "See")), (2, json!(99), text(53, "."))];
    let events = [
        picture(-90_000),
        mutation(-4_000, adds(&dialog)),
        mutation(-3_000, adds(&beside)),
        mutation(-2_500, adds(&[(2, json!(5), text(54, "Sorry!"))])),
        mutation(-2_000, json!({"removes": [{"parentId": 40, "id": 43}]})),
        click(-1_000, 1),
    ];
    let expected = [
        "-4000 seen: Payment failed Try again",
        "-3000 seen: See more .",
        "-2500 seen: Sorry!",
        "-1000 click: page \"Sorry! Pay now → Two items Payment failed See more .\"",
    ];
    assert_eq!(told(&events), expected);
}

#[test]
fn pages_and_what_the_client_notes_are_told() {
    let custom = |at: i64, tag: &str, payload: Value| event(at, 5, json!({"tag": tag, "payload": payload}));
    let page = |at: i64, href: &str| event(at, 4, json!({"href": href, "width": 1, "height": 1}));
    let events = [
        page(-50_000, "https://shop.example/cart?token=abc#x"),
        page(-40_000, "https://shop.example/cart"),
        custom(
            -30_000,
            "mayday.navigation",
            json!({"from": "/cart", "to": "https://shop.example/pay?key=1"}),
        ),
        custom(-20_000, "mayday.console", json!({"level": "warning", "message": "slow\n# See //a:b@x.y/?k"})),
        custom(-10_000, "mayday.network", json!({"method": "POST", "url": "/pay?key=1", "status": 500})),
        custom(-9_000, "mayday.network", json!({"method": "GET", "url": "/x", "status": 0})),
        custom(-8_000, "mayday.crumb", json!({"category": "ui.click", "message": "button"})),
        custom(
            -7_000,
            "mayday.crumb",
            json!({"category": "cart", "level": "info", "message": "left /cart#x"}),
        ),
        custom(
            -6_000,
            "mayday.error",
            json!({"event_id": "1", "type": "TypeError", "message": "no /pay?k=1"}),
        ),
        custom(-5_000, "mayday.trace", json!({"trace_id": "7"})),
    ];
    let expected = [
        "-50000 page: https://shop.example/cart",
        "-30000 page: https://shop.example/pay",
        "-20000 console: warning: slow # See //x.y/",
        "-10000 request: POST /pay 500",
        "-9000 request: GET /x failed",
        "-7000 note: cart: left /cart",
        "-6000 error: TypeError: no /pay",
    ];
    assert_eq!(told(&events), expected);
}

#[test]
fn steps_are_the_last_ones_of_a_minute_and_short() {
    let mut events = vec![picture(-90_000), click(-60_001, 5), click(-60_000, 5), click(1_001, 5)];
    assert_eq!(told(&events), ["-60000 click: button[submit] \"Pay now\""]);
    let long = mutation(-9_000, json!({"adds": [{"parentId": 2, "node": text(40, &"é".repeat(5_000))}]}));
    events.push(long);
    events.extend((0..STEPS_MAX as i64 - 1).map(|at| click(at - 5_000, 5)));
    let steps = told(&events);
    assert_eq!(steps.len(), STEPS_MAX);
    assert_eq!(steps[0], format!("-9000 seen: {}…", "é".repeat(299)));
}

#[test]
fn whatever_is_sent_is_read_as_far_as_it_goes() {
    let pay = "-1000 click: button[submit] \"Pay now\"";
    let (picture, click) = (picture(-90_000).to_string(), click(-1_000, 5).to_string());
    for broken in [
        r#"{"type":3,"timestamp":1,"data":{"source":0,"adds":{},"removes":7,"texts":null}}"#,
        r#"{"type":3,"timestamp":1,"data":{"source":0,"adds":[1,null,{"parentId":2,"node":{"id":9,"tagName":7}}]}}"#,
        r#"{"type":3,"timestamp":1,"data":{"source":0,"removes":[{"id":1e300},{"id":-1e300},{"id":null},3]}}"#,
        r#"{"type":3,"timestamp":-1e300,"data":{"source":1e300,"id":1e300}}"#,
        r#"{"type":3,"timestamp":1,"data":{"source":0,"adds":[{"parentId":1e300,"node":{"id":1e300,"type":2}}]}}"#,
        r#"{"type":9,"timestamp":1,"data":null}"#,
        r#"{"type":2,"timestamp":1,"data":{"node":{}},"data":5}"#,
        r#"{"type":4,"timestamp":1,"data":{"href":{"deep":[]}}}"#,
        r#"{"type":5,"timestamp":1,"data":{"tag":[],"payload":0}}"#,
        r#"{"type":3,"timestamp":1,"data":{"source":0,"texts":[{"id":15,"value":"\ud83d half"}]}}"#,
        "{}",
    ] {
        assert_eq!(
            told_of(&format!("{picture}, {broken},\n{click},{{\"type\":3,\"times")),
            [pay],
            "{broken}"
        );
    }
    assert_eq!(told_of(""), Vec::<String>::new());
    assert_eq!(told_of("nonsense"), Vec::<String>::new());
    assert!(steps(&[0xff, 0xfe, b'{'], i64::MIN).is_empty());
    assert!(steps(click.as_bytes(), i64::MAX).is_empty());
}

#[test]
fn nodes_that_are_within_each_other_end_nothing() {
    let add =
        |parent: i64, node: Value| mutation(-5_000, json!({"adds": [{"parentId": parent, "node": node}]}));
    let events = [
        picture(-90_000),
        // Each within the other, one within itself, and the page within its button.
        add(51, element(50, "div", json!({}), &[text(60, "a")])),
        add(50, element(51, "div", json!({}), &[text(61, "b")])),
        add(52, element(52, "div", json!({}), &[element(52, "div", json!({}), &[])])),
        add(5, element(2, "body", json!({}), &[])),
    ];
    let clicks = [50, 51, 52, 2, 5].map(|id| click(-1_000, id));
    let mut all = events.to_vec();
    all.extend(clicks);
    let found = told(&all);
    assert_eq!(found.iter().filter(|step| step.contains("click")).count(), 5, "{found:?}");
    all.push(mutation(-500, json!({"removes": [{"id": 50}, {"id": 51}, {"id": 52}, {"id": 2}]})));
    all.push(click(0, 51));
    assert_eq!(told(&all).last().unwrap(), "0 click: something unknown");
}

/// A picture of elements within each other, with a text in the last.
fn nested(levels: usize) -> String {
    let open: String =
        (1..=levels).map(|id| format!(r#"{{"type":2,"id":{id},"tagName":"div","childNodes":["#)).collect();
    let node = format!(r#"{open}{}{}"#, text(0, "deep"), "]}".repeat(levels));
    format!(r#"{{"type":2,"timestamp":{},"data":{{"node":{node}}}}}"#, MOMENT - 90_000)
}

#[test]
fn depth_and_numbers_have_limits_that_later_events_outlive() {
    let deep = format!("{},{}", nested(600), click(-1_000, 600));
    assert_eq!(told_of(&deep), ["-1000 click: div \"deep\""]);
    let deeper = format!("{},{}", nested(4_000), click(-1_000, 4_000));
    assert_eq!(told_of(&deeper), ["-1000 click: something unknown"], "what all of it costs is bounded");
    let many = "0,".repeat(page::NODES_MAX);
    let wide = format!(
        r#"{{"type":2,"timestamp":{},"data":{{"node":{{"type":2,"id":1,"tagName":"p","childNodes":[{many}{}]}}}}}}"#,
        MOMENT - 90_000,
        text(2, "beyond")
    );
    let clicks = format!("{wide},{},{}", click(-1_000, 2), click(-1_000, 1));
    assert_eq!(told_of(&clicks), ["-1000 click: something unknown", "-1000 click: p"]);
}
