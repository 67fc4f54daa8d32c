use super::*;
use crate::ids::SignalId;
use crate::time::Timestamp;

fn signal(kind: Kind, payload: Value) -> Signal {
    let (organization, project, issue, user, actor) = (None, None, None, None, None);
    let at = Timestamp::from_millis(0);
    Signal { id: SignalId(9), kind, organization, project, issue, user, actor, payload, at }
}

fn issue() -> Issue {
    Issue {
        high_value_account: None,
        id: IssueId(42),
        project: ProjectId(3),
        organization: OrganizationId(1),
        project_name: "Shop".into(),
        short_id: "SHOP-12".into(),
        title: "TypeError: cart is undefined".into(),
        culprit: "checkout in src/cart.ts".into(),
        event_count: 1,
        user_count: 1,
    }
}

fn keys(notice: &Notice) -> Vec<&str> {
    notice.metadata.as_object().unwrap().keys().map(String::as_str).collect()
}

fn ada() -> Person {
    Person { id: UserId(5), name: "Ada".into(), email: "ada@corp.example".into() }
}

fn team(kind: Kind, role: &str) -> Team<'_> {
    let actor = Some(Person { id: UserId(1), name: "Bob".into(), email: "bob@corp.example".into() });
    Team { kind, organization: (OrganizationId(1), "Acme"), actor, role }
}

fn session(why: &str, text: &str) -> Signal {
    let payload = json!({ "session_id": "0b0c", "title": text, "why": why, "reason": text });
    signal(Kind::SessionWaits, payload)
}

/// One notice of every kind, with these names.
fn all(issue: &Issue, person: &Person, text: &str) -> Vec<Notice> {
    let kinds = [Kind::IssueCreated, Kind::IssueRegressed, Kind::IssueEscalating, Kind::IssueHighValue];
    let payload = json!({ "release": text, "account": text, "count": 120, "limit": 30 });
    let of_issues = kinds
        .into_iter()
        .flat_map(|kind| [one(&signal(kind, payload.clone()), issue), many(kind, issue, 12)]);
    let said =
        json!({ "to": text, "provider": text, "title": text, "text": text, "version": text, "url": null });
    let of_accounts =
        [Kind::PasswordChanged, Kind::EmailChanged, Kind::IdentityLinked, Kind::SignInThrottled];
    let of_accounts = of_accounts.map(|kind| security(&signal(kind, said.clone()), UserId(5)));
    let rest = [
        team(Kind::MemberJoined, "member").joined(person),
        team(Kind::MemberRoleChanged, "admin").role_changed(person),
        team(Kind::MemberRoleChanged, "owner").own_role_changed(person),
        team(Kind::InvitationSent, "member").invited(InvitationId(8), text),
        team(Kind::InvitationAccepted, "member").accepted(InvitationId(8), person),
        channel_off(&signal(Kind::AlertChannelOff, said.clone()), OrganizationId(1), ProjectId(3)),
        announcement(&signal(Kind::Announced, said.clone()), Some(person.clone())),
        update(&signal(Kind::UpdateAvailable, said)),
        key_network(&signal(Kind::KeyNetwork, json!({ "kind": text, "name": text, "network": text }))),
        key_network(&signal(Kind::KeyNetwork, json!({ "kind": "project", "project": 3, "network": text }))),
        key_network(&Signal {
            organization: Some(OrganizationId(1)),
            ..signal(Kind::KeyNetwork, json!({ "kind": "organization", "network": text }))
        }),
        connection(
            &signal(Kind::ConnectionFailed, json!({ "name": text, "reason": text })),
            OrganizationId(1),
        ),
        waits(&session("asks", text), OrganizationId(1)),
        waits(&session("capped", text), OrganizationId(1)),
        waits(&session("held", text), OrganizationId(1)),
        ticket(&signal(Kind::TicketCreated, json!({ "key": text, "title": text })), issue, None),
    ];
    of_issues.chain(of_accounts).chain(rest).collect()
}

#[test]
fn metadata_has_the_keys_of_its_category() {
    for notice in all(&issue(), &ada(), "x") {
        let expected: &[&str] = match notice.category {
            Category::Error => &["affected_users", "event_count", "issue_id", "project_id", "project_name"],
            Category::Team => &["action", "member_email", "member_name", "role"],
            Category::Integration => &["integration_type", "repository", "status"],
            Category::System => &["kind", "url", "version"],
        };
        let mut keys = keys(&notice);
        keys.sort_unstable();
        assert_eq!(keys, expected, "{notice:?}");
    }
}

#[test]
fn hostile_names_stay_in_one_short_line() {
    let hostile = format!("\u{202e}a\r\nBcc: eve\u{200b}{}", "x".repeat(10_000));
    let issue =
        Issue { project_name: hostile.clone(), title: hostile.clone(), culprit: hostile.clone(), ..issue() };
    let person = Person { name: hostile.clone(), email: hostile.clone(), ..ada() };
    for notice in all(&issue, &person, &hostile) {
        assert!(notice.title.chars().count() <= TITLE_MAX, "{notice:?}");
        assert!(notice.summary.chars().count() <= SUMMARY_MAX, "{notice:?}");
        for text in [&notice.title, &notice.summary] {
            assert!(!text.contains(['\r', '\n', '\u{202e}', '\u{200b}']), "{text:?}");
        }
    }
}

#[test]
fn every_notice_leads_to_a_page_of_the_web_app() {
    for notice in all(&issue(), &ada(), "//evil.example") {
        let mut path = notice.action_url.chars();
        let second = path.nth(1);
        assert!(notice.action_url.starts_with('/') && second.is_some_and(|c| c != '/' && c != '\\'));
    }
    assert_eq!(one(&signal(Kind::IssueCreated, json!({})), &issue()).action_url, "/projects/3/issues/42");
    let mut addresses: Vec<_> =
        all(&issue(), &ada(), "x").into_iter().map(|notice| notice.action_url).collect();
    addresses.sort_unstable();
    addresses.dedup();
    // A test of the Web app looks for the page of each of them.
    let file = include_str!("../../../assets/app/api/action-urls.json");
    assert_eq!(serde_json::from_str::<Vec<String>>(file).unwrap(), addresses);
    let many = many(Kind::IssueCreated, &issue(), 12);
    assert_eq!(many.action_url, "/projects/3/issues?query=is%3Anew");
}

#[test]
fn one_issue_is_named_and_many_are_counted() {
    let said = |notice: Notice| (notice.title, notice.summary);
    let new = said(one(&signal(Kind::IssueCreated, json!({})), &issue()));
    assert_eq!(new.0, "New issue: TypeError: cart is undefined");
    assert_eq!(new.1, "SHOP-12 in Shop: checkout in src/cart.ts");
    let regressed = said(one(&signal(Kind::IssueRegressed, json!({ "release": "2.0" })), &issue()));
    assert_eq!(regressed.0, "Regressed: TypeError: cart is undefined");
    assert_eq!(regressed.1, "SHOP-12 in Shop was resolved, and has a new event in release 2.0");
    let payload = json!({ "count": 120, "limit": 30 });
    let escalating = said(one(&signal(Kind::IssueEscalating, payload), &issue()));
    assert_eq!(escalating.1, "SHOP-12 in Shop had 120 events within the hour, where up to 30 are usual");
    let many = many(Kind::IssueCreated, &issue(), 12);
    assert_eq!(many.title, "12 new issues in Shop");
    assert_eq!(many.summary, "The newest is SHOP-12: TypeError: cart is undefined");
    assert_eq!((&many.metadata["issue_id"], &many.metadata["event_count"]), (&json!(42), &json!(12)));
}

#[test]
fn team_notices_say_who_did_what() {
    let title = |notice: Notice| notice.title;
    assert_eq!(title(team(Kind::MemberJoined, "member").joined(&ada())), "Ada joined Acme");
    let changed = team(Kind::MemberRoleChanged, "admin").role_changed(&ada());
    assert_eq!(changed.summary, "The role was changed, by Bob");
    assert_eq!(changed.actor.as_ref().map(|actor| actor.id), Some(UserId(1)));
    assert_eq!(title(changed), "Ada is now an admin of Acme");
    let own = team(Kind::MemberRoleChanged, "owner").own_role_changed(&ada());
    assert_eq!(title(own), "You are now the owner of Acme");
    let invited = team(Kind::InvitationSent, "member").invited(InvitationId(8), "eve@corp.example");
    assert_eq!(title(invited), "eve@corp.example was invited to Acme");
    let accepted = team(Kind::InvitationAccepted, "member").accepted(InvitationId(8), &ada());
    assert_eq!(title(accepted), "Ada accepted your invitation to Acme");
}
