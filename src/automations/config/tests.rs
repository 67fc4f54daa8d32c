use super::*;

#[track_caller]
fn refusal(provider: Provider, given: &Value) -> String {
    TriggerConfig::read(provider, given).unwrap_err().to_string()
}

#[test]
fn an_errors_trigger_accepts_both_spellings() {
    let camel = json!({"events": ["issue.created"], "projectIds": [1], "environments": ["production"],
        "levels": ["error", "fatal"], "query": "is:unresolved", "viewId": 3, "ruleIds": [2]});
    let snake = json!({"events": ["issue.created"], "project_ids": [1], "environments": ["production"],
        "levels": ["error", "fatal"], "query": "is:unresolved", "view_id": 3, "rule_ids": [2]});
    let [camel_read, snake_read] =
        [&camel, &snake].map(|given| TriggerConfig::read(Provider::Errors, given).unwrap());
    assert_eq!(camel_read, snake_read);
    assert_eq!(camel_read.value(), camel);
    let least = TriggerConfig::read(Provider::Errors, &json!({"events": ["alert.fired"]})).unwrap();
    assert_eq!(TriggerConfig::read(Provider::Errors, &least.value()).unwrap(), least);
}

#[test]
fn invalid_configurations_are_named() {
    for (provider, given, part) in [
        (Provider::Errors, json!(null), "events"),
        (Provider::Errors, json!([]), "object"),
        (Provider::Errors, json!({"events": []}), "config.events"),
        (Provider::Errors, json!({"events": ["issue.deleted"]}), "config.events[0]"),
        (Provider::Errors, json!({"events": ["issue.created"], "levels": ["bad"]}), "config.levels[0]"),
        (Provider::Errors, json!({"events": ["issue.created"], "environments": [""]}), "config.environments"),
        (Provider::Errors, json!({"events": ["issue.created"], "projectIds": ["x"]}), "config.projectIds[0]"),
        (Provider::Errors, json!({"events": ["issue.created"], "nonsense": 1}), "nonsense"),
        (Provider::Errors, json!({"events": ["issue.created"], "viewId": 1}), "config.projectIds"),
        (
            Provider::Errors,
            json!({"events": ["issue.created"], "viewId": 1, "projectIds": [1, 2]}),
            "config.projectIds",
        ),
        (
            Provider::Errors,
            json!({"events": ["issue.created"], "viewId": "1", "projectIds": [1]}),
            "config.viewId",
        ),
        (Provider::Schedule, json!({}), "cron"),
        (Provider::Schedule, json!({"cron": "daily"}), "config.cron"),
        (Provider::Schedule, json!({"cron": "0 0 31 2 *"}), "never"),
        (Provider::Schedule, json!({"cron": "* * * * *", "timezone": "Mars"}), "config.timezone"),
        (Provider::Github, json!({"events": ["star"]}), "config.events[0]"),
        (Provider::Github, json!({"phrase": ""}), "config.phrase"),
        (Provider::Github, json!({"branches": ["x".repeat(201)]}), "config.branches"),
        (Provider::Webhook, json!("x"), "object"),
        (Provider::Webhook, json!({"x": "y".repeat(64 << 10)}), "64 KiB"),
    ] {
        let text = refusal(provider, &given);
        assert!(text.contains(part), "{given}: {text}");
    }
}

#[test]
fn a_webhook_accepts_any_configuration() {
    let given = json!({"any": ["thing", {"at": "all"}]});
    assert_eq!(TriggerConfig::read(Provider::Webhook, &given).unwrap().value(), given);
    assert_eq!(TriggerConfig::read(Provider::Custom, &json!(null)).unwrap().value(), json!({}));
}

#[test]
fn a_schedule_in_a_skipped_hour_still_runs() {
    let config = ScheduleConfig { cron: "30 2 * * *".to_owned(), timezone: "Europe/Berlin".to_owned() };
    let before = Timestamp::parse("2027-03-28T00:00:00Z").unwrap();
    assert_eq!(config.next(before).unwrap().to_string(), "2027-03-28T01:00:00.000Z");
}
