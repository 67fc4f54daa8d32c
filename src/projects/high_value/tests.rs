use super::*;
use serde_json::json;

fn rules(settings: serde_json::Value, busiest: &[&str]) -> Rules {
    let accounts: HighValueAccounts = serde_json::from_value(settings).unwrap();
    accounts.check().unwrap();
    Rules::new(accounts, busiest.iter().map(ToString::to_string).collect())
}

#[test]
fn a_star_matches_any_text_in_any_case() {
    for (pattern, name, fits) in [
        ("Acme", "acme", true),
        ("Acme", "acme ltd", false),
        ("acme*", "ACME Ltd", true),
        ("*bank", "First Bank", true),
        ("*bank", "First Banker", false),
        ("a*b*c", "a1b2c", true),
        ("a*b*c", "acb", false),
        ("*ab*", "xxabyy", true),
        // The parts of a pattern must not overlap.
        ("ab*ba", "aba", false),
        ("a*a", "a", false),
        ("**a", "a", true),
        (" Straße* ", "STRAßE 7", true),
    ] {
        assert_eq!(rules(json!({"patterns": [pattern]}), &[]).has_name(name), fits, "{pattern} {name}");
    }
}

#[test]
fn an_account_counts_by_its_id_its_name_or_its_events() {
    let rules = rules(json!({"ids": ["42"], "patterns": ["big *"]}), &["7"]);
    assert!(rules.has_account("42") && rules.has_account("7") && rules.has_account("Big One"));
    assert!(!rules.has_account("4") && !rules.has_account("42 ") && !rules.has_name("42"));
    let off = super::tests::rules(json!({"busiest": false}), &["7"]);
    assert!(!off.has_account("7"));
}

#[test]
fn a_tag_counts_with_its_value() {
    let rules = rules(json!({"tags": [{"key": "plan", "value": "enterprise"}]}), &[]);
    assert!(rules.has_tag("tag.plan", "enterprise"));
    assert!(!rules.has_tag("tag.plan", "free") && !rules.has_tag("plan", "enterprise"));
}

#[test]
fn invalid_settings_are_refused_by_name() {
    for (settings, named) in [
        (json!({"ids": vec!["a"; 201]}), "ids: expected at most 200, got 201"),
        (json!({"patterns": vec!["a"; 51]}), "patterns: expected at most 50"),
        (json!({"tags": vec![json!({"key": "k", "value": "v"}); 21]}), "tags: expected at most 20"),
        (json!({"ids": ["a", " "]}), "ids[1]: expected 1 to 200 characters"),
        (json!({"ids": ["x".repeat(201)]}), "ids[0]: expected 1 to 200 characters, got 201"),
        (json!({"patterns": ["* *"]}), "patterns[0]: expected some text besides `*`"),
        (json!({"tags": [{"key": "", "value": "v"}]}), "tags[0].key"),
        (json!({"tags": [{"key": "k", "value": ""}]}), "tags[0].value"),
    ] {
        let accounts: HighValueAccounts = serde_json::from_value(settings).unwrap();
        let refused = accounts.check().unwrap_err().to_string();
        assert!(refused.contains(&format!("settings.high_value.{named}")), "{refused}");
    }
}
