use super::NewDeploy;
use crate::time::{DAY, HOUR, MINUTE, Timestamp};

fn deploy() -> NewDeploy {
    NewDeploy { environment: Some("production".into()), ..NewDeploy::default() }
}

#[test]
fn times_are_filled_in_and_have_to_be_possible() {
    let now = Timestamp::from_millis(100 * DAY);
    let checked = deploy().check(now).unwrap();
    assert_eq!((checked.started_at, checked.finished_at), (None, now));
    for (started, finished, fine) in [
        (Some(now.plus(-MINUTE)), None, true),
        (Some(now), Some(now), true),
        (None, Some(now.plus(-90 * DAY)), true),
        (None, Some(now.plus(HOUR)), true),
        (None, Some(now.plus(HOUR + 1)), false),
        (Some(now.plus(HOUR + 1)), None, false),
        (Some(now.plus(MINUTE)), None, false),
        (Some(now.plus(-30 * DAY)), None, true),
        (Some(now.plus(-30 * DAY - 1)), None, false),
    ] {
        let checked = NewDeploy { started_at: started, finished_at: finished, ..deploy() }.check(now);
        assert_eq!(checked.is_ok(), fine, "{started:?} {finished:?} {checked:?}");
    }
}

#[test]
fn texts_are_bounded_and_an_address_can_be_linked() {
    let now = Timestamp::from_millis(DAY);
    assert!(
        NewDeploy::default().check(now).unwrap_err().to_string().starts_with("environment: expected where")
    );
    for (environment, fine) in
        [("", false), ("a\nb", false), (&"ü".repeat(64), true), (&"x".repeat(65), false)]
    {
        let checked = NewDeploy { environment: Some(environment.into()), ..deploy() }.check(now);
        assert_eq!(checked.is_ok(), fine, "{environment}");
    }
    for (name, fine) in [("", false), ("build 7", true), (&"x".repeat(129), false)] {
        assert_eq!(NewDeploy { name: Some(name.into()), ..deploy() }.check(now).is_ok(), fine, "{name}");
    }
    for (url, fine) in [
        ("https://ci.example/7", true),
        ("HTTP://ci.example", true),
        ("https://", false),
        ("javascript:alert(1)", false),
        ("//ci.example", false),
        ("ci.example", false),
        ("https://ci.example/a b", false),
        (&format!("https://{}", "x".repeat(2_048)), false),
        ("é", false),
    ] {
        assert_eq!(NewDeploy { url: Some(url.into()), ..deploy() }.check(now).is_ok(), fine, "{url}");
    }
}
