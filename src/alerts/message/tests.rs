use super::*;
use crate::alerts::template::check;

fn message() -> Message {
    Message {
        kind: "issue.created".into(),
        rule: "Everything new".into(),
        project: (3, "Shop".into()),
        title: "New issue: <!channel> @everyone [x](https://evil.example) & more".into(),
        text: "SHOP-1 in Shop\nline".into(),
        url: "https://mayday.example/projects/3/issues/7".into(),
        issue: json!({ "id": 7, "short_id": "SHOP-1", "event_count": 2, "user_count": 0 }),
        suppressed: 2,
        at: Timestamp::from_millis(0),
        details: Details::new(
            vec!["at pay (`src/cart.ts`:7:3)".into()],
            vec!["10:00:01.000 error db: <refused> @channel".into(), "10:00:00.000 info http: GET /".into()],
        ),
    }
}

fn sent(kind: ChannelKind, template: Option<Value>) -> (Hook, Value) {
    let url = "https://chat.example/a/topic".to_owned();
    let hook = message().hook(kind, &Target { url, secret: None, token: Some("t".into()), template });
    let body = serde_json::from_str(&hook.body).unwrap();
    (hook, body)
}

#[test]
fn each_channel_gets_its_own_form_without_foreign_markup() {
    let (_, slack) = sent(ChannelKind::Slack, None);
    let text = slack["text"].as_str().unwrap();
    assert!(
        text.starts_with("<https://mayday.example/projects/3/issues/7|New issue: &lt;!channel&gt;"),
        "{text}"
    );
    let said = "SHOP-1 in Shop line (2 more messages were left out before)\n```\nat pay ('src/cart.ts':7:3)\n\n\
        10:00:00.000 info http: GET /\n10:00:01.000 error db: &lt;refused&gt; @\u{200b}channel\n```";
    assert!(text.ends_with(said), "{text}");
    let (_, discord) = sent(ChannelKind::Discord, None);
    assert_eq!(discord["allowed_mentions"], json!({ "parse": [] }));
    assert_eq!(discord["embeds"][0]["url"], message().url);
    assert!(
        discord["embeds"][0]["description"].as_str().unwrap().ends_with("<refused> @channel\n```"),
        "{discord}"
    );
    let (_, teams) = sent(ChannelKind::Teams, None);
    let card = &teams["attachments"][0]["content"];
    assert!(card["body"][0]["text"].as_str().unwrap().contains("\\[x\\]"), "{card}");
    assert!(card["body"][2]["text"].as_str().unwrap().contains("\n\n10:00:00.000 info"), "{card}");
    let (hook, ntfy) = sent(ChannelKind::Ntfy, None);
    assert_eq!((hook.url.as_str(), &ntfy["topic"]), ("https://chat.example/a", &json!("topic")));
    assert_eq!(hook.authorization.as_deref(), Some("Bearer t"));
    let (_, webhook) = sent(ChannelKind::Webhook, None);
    assert_eq!((&webhook["type"], &webhook["data"]["issue"]["id"]), (&json!("issue.created"), &json!(7)));
    assert_eq!(webhook["data"]["logs"].as_array().unwrap().len(), 2);
}

#[test]
fn details_are_limited_to_two_kibibytes_and_left_out_of_long_messages() {
    let lines =
        |count: usize| (0..count).map(|number| format!("{number} {}", "é".repeat(100))).collect::<Vec<_>>();
    let details = Details::new(lines(5), lines(50));
    assert_eq!((details.stack.len(), details.logs.len()), (5, 5));
    assert!(details.logs.last().unwrap().starts_with("0 "), "the newest stay");
    let mut long = Message { text: "字".repeat(1_000), details, ..message() };
    assert_eq!(long.ntfy(), long.text());
    long.text = "short".into();
    assert!(long.ntfy().len() < NTFY_MAX && long.ntfy().contains("0 éé"));
    assert_eq!(block(&Details::default()), "");
}

#[test]
fn markdown_in_names_is_shown_as_it_is() {
    for (text, plain) in [
        ("plain words, 1 < 2", "plain words, 1 \\< 2"),
        ("\\[x\\](https://evil.example)", "\\\\\\[x\\\\\\]\\(https://evil.example\\)"),
        ("**a** __b__ ~~c~~ `d` ||e||", "\\*\\*a\\*\\* \\_\\_b\\_\\_ \\~\\~c\\~\\~ \\`d\\` \\|\\|e\\|\\|"),
        ("# a - b", "\\# a - b"),
        ("<@123>", "\\<@123\\>"),
    ] {
        assert_eq!(without_markdown(text), plain);
    }
    let (_, discord) = sent(ChannelKind::Discord, None);
    let title = discord["embeds"][0]["title"].as_str().unwrap();
    assert!(title.contains("\\[x\\]\\(https"), "{title}");
    let long = cut_markdown(without_markdown(&"*".repeat(250)), DISCORD_TITLE_MAX);
    assert_eq!((long.chars().count(), long.ends_with("\\*")), (256, true));
    assert_eq!(cut_markdown("ab\\*".into(), 3), "ab");
    assert_eq!(cut_markdown("a\\\\b".into(), 3), "a\\\\");
}

#[test]
fn only_the_texts_of_a_template_are_filled_in() {
    let template = json!({ "a": ["{{ short_id }}: {{title}}", 7, null], "{{title}}": "{{ {{url}}" });
    let (_, body) = sent(ChannelKind::Template, Some(template));
    assert_eq!(body["a"][0], format!("SHOP-1: {}", message().title()));
    assert_eq!((&body["a"][1], &body["a"][2]), (&json!(7), &Value::Null));
    assert!(body.get("{{title}}").is_some());
}

#[test]
fn unknown_names_are_refused() {
    check(&json!({ "a": "{{title}} {{ url }} {{" })).unwrap();
    let refused = check(&json!(["{{secret}}"])).unwrap_err().to_string();
    assert!(refused.contains("title") && refused.contains("`secret`"), "{refused}");
    let deep = (0..30).fold(json!("x"), |inner, _| json!([inner]));
    assert!(check(&deep).is_err());
}
