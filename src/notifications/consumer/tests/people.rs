//! Who is notified of what.

use super::*;
use crate::ids::NotificationId;

fn role_change(house: &House, actor: UserId, user: UserId) -> (NewSignal, Timestamp) {
    let new = NewSignal::of_member(Kind::MemberRoleChanged, house.organization, user);
    (new.by(Some(actor)).with(json!({ "from": "member", "to": "admin" })), start())
}

#[test]
fn nobody_is_notified_of_their_own_acts() {
    let house = House::new();
    let project = house.project;
    let issue = house.write(move |tx| issue(tx, project));
    let signal = move |tx: &Transaction<'_>| {
        signals::sql::add_of_issue(tx, Kind::IssueRegressed, issue, Some(EVE), &json!({}), start())
    };
    house.write(signal);
    house.happens(vec![role_change(&house, ADA, EVE)]);
    assert_eq!(house.titles(ADA), ["Regressed: Error: no 1"]);
    assert_eq!(house.titles(BOB), ["Eve is now an admin of Acme", "Regressed: Error: no 1"]);
    let [own] = &house.list(EVE)[..] else { panic!("{:?}", house.titles(EVE)) };
    assert_eq!((own.title.as_str(), own.actor_id), ("You are now an admin of Acme", Some(ADA)));
    assert_eq!((own.actor_name.as_deref(), own.actor_type.as_deref()), (Some("Ada"), Some("user")));
    assert_eq!(own.category, Category::Team);
}

#[test]
fn the_inviter_and_the_others_are_notified_when_somebody_joins() {
    let house = House::new();
    let organization = house.organization;
    let id = house.write(move |tx| {
        tx.execute(
            "insert into invitations (id, organization_id, email, role, nonce, token_hash, mailed_hash, invited_by,
                 created_at, expires_at, accepted_at, accepted_by)
             values (7, ?1, 'eve@corp.example', 'member', x'00', x'01', x'02', ?2, 0, 1, ?3, ?4)",
            (organization.0, BOB.0, start().millis(), EVE.0),
        )?;
        Ok(crate::ids::InvitationId(7))
    });
    let invitation = (id, "eve@corp.example", "member");
    let sent = NewSignal::of_invitation(Kind::InvitationSent, organization, invitation).by(Some(BOB));
    let accepted = NewSignal::of_invitation(Kind::InvitationAccepted, organization, invitation);
    let joined = NewSignal::of_member(Kind::MemberJoined, organization, EVE).by(Some(EVE));
    let signals = [sent, accepted.about(EVE).by(Some(EVE)), joined.with(json!({ "role": "member" }))];
    house.happens(signals.map(|signal| (signal, start())).into());
    assert_eq!(house.titles(ADA), ["Eve joined Acme", "eve@corp.example was invited to Acme"]);
    assert_eq!(house.titles(BOB), ["Eve accepted your invitation to Acme"]);
    assert_eq!(house.titles(EVE), Vec::<String>::new());
}

#[test]
fn a_warning_about_an_account_goes_only_to_its_owner() {
    let house = House::new();
    let signals = [
        NewSignal::of_account(Kind::PasswordChanged, EVE).with(json!({ "email": "eve@corp.example" })),
        NewSignal::of_account(Kind::IdentityLinked, EVE).with(json!({ "provider": "github" })),
    ];
    house.happens(signals.map(|signal| (signal, start())).into());
    let titles = ["Your account can now be entered through GitHub", "Your password was changed"];
    assert_eq!(house.titles(EVE), titles);
    assert_eq!(house.titles(ADA), Vec::<String>::new());
    let list = house.list(EVE);
    assert_eq!(list[0].organization_id, Some(house.organization));
    let metadata = json!({ "kind": "password_changed", "version": null, "url": null });
    assert_eq!(list[1].notification_metadata, metadata);
    // A changed password causes a separate mail, whatever the preferences.
    let mails = house.mails();
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0].1["subject"], titles[0]);
}

#[test]
fn everybody_active_except_the_author_gets_an_announcement() {
    let house = House::new();
    house.write(|tx| {
        accounts::sql::set_disabled(tx, EVE, true, start())?;
        let new = NewUser {
            email: "gone@corp.example",
            name: "Gone",
            password_hash: None,
            mailbox: Mailbox::Proven,
        };
        accounts::sql::create(tx, &new, start()).map(drop)
    });
    let new = NewSignal::of_announcement(
        ADA,
        ("maintenance", "Maintenance", "On Sunday", Some("https://status.example")),
    );
    house.happens(vec![(new, start())]);
    let titles = [ADA, BOB, EVE, UserId(4)].map(|user| house.titles(user).len());
    assert_eq!(titles, [0, 1, 0, 0]);
    let one = &house.list(BOB)[0];
    let metadata = json!({ "kind": "maintenance", "version": null, "url": "https://status.example" });
    assert_eq!((&one.notification_metadata, one.summary.as_str()), (&metadata, "On Sunday"));
}

#[test]
fn an_update_is_for_the_servers_administrators() {
    let house = House::new();
    let mut new = NewSignal::of_announcement(ADA, ("announcement", "", "", None)).by(None);
    new.kind = Kind::UpdateAvailable;
    house.happens(vec![(new.with(json!({ "version": "1.5.0", "url": null })), start())]);
    let titles = [ADA, BOB, EVE].map(|user| house.titles(user));
    let told = vec!["Mayday 1.5.0 is available".to_owned()];
    assert_eq!(titles, [told.clone(), told, Vec::new()]);
}

#[test]
fn people_are_notified_as_they_prefer() {
    let house = House::new();
    house.wants(ADA, Category::Error, (true, false));
    house.wants(BOB, Category::Error, (false, true));
    house.wants(EVE, Category::Error, (false, false));
    house.issues(Kind::IssueEscalating, 1, (start(), 0));
    assert_eq!([ADA, BOB, EVE].map(|user| house.list(user).len()), [1, 0, 0]);
    let mails = house.mails();
    let [(to, mail)] = &mails[..] else { panic!("{mails:?}") };
    assert_eq!(
        (to.as_str(), mail["subject"].as_str()),
        ("bob@corp.example", Some("Escalating: Error: no 1"))
    );
    let text = mail["text"].as_str().unwrap();
    for part in [
        "https://app.example/projects/1/issues/1\n",
        "https://app.example/account/notifications/preferences\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(mail["thread"], "issue-1@app.example");
    let address = mail["unsubscribe"].as_str().unwrap();
    let token = address.strip_prefix("https://api.example/api/v1/notifications/unsubscribe?token=").unwrap();
    let named = unsubscribe::read(&Secret::new("the secret of links"), token);
    assert_eq!(named, Some((BOB, Mails::Of(Category::Error))));
}

#[test]
fn nobody_is_notified_of_what_was_deleted() {
    let house = House::new();
    let project = house.project;
    house.write(move |tx| {
        let (gone, of_deleted) = (issue(tx, project)?, issue(tx, project)?);
        for id in [gone, of_deleted] {
            signals::sql::add_of_issue(tx, Kind::IssueCreated, id, None, &json!({}), start())?;
        }
        tx.execute("delete from issues where id = ?1", [gone.0])?;
        projects::sql::mark_deleted(tx, project, start())
    });
    let nobody = NewSignal::of_member(Kind::MemberJoined, house.organization, UserId(99));
    house.happens(vec![(nobody, start())]);
    assert_eq!([ADA, BOB, EVE].map(|user| house.list(user).len()), [0, 0, 0]);
}

#[test]
fn deleting_a_project_deletes_its_notifications() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 3, (start(), 0));
    assert_eq!(house.list(EVE).len(), 3);
    let project = house.project;
    house.write(move |tx| {
        projects::sql::mark_deleted(tx, project, start())?;
        while projects::sql::delete_some(tx, project)? {}
        projects::sql::delete(tx, project).map(drop)
    });
    assert_eq!(house.list(EVE).len(), 0);
}

#[test]
fn another_persons_notification_cannot_be_changed() {
    let house = House::new();
    house.issues(Kind::IssueCreated, 1, (start(), 0));
    let id = house.list(EVE)[0].id;
    let touched = house.write(move |tx| {
        let read = inbox::read(tx, ADA, id, start())?;
        Ok((read, inbox::archive(tx, ADA, id, start())?, inbox::read(tx, EVE, NotificationId(999), start())?))
    });
    assert_eq!(touched, (None, None, None));
    assert_eq!((house.list(EVE)[0].read_at, house.list(EVE)[0].archived_at), (None, None));
}

#[test]
fn watchers_are_woken() {
    let house = House::new();
    let mut watch = house.live.watch_inbox(EVE).unwrap();
    house.runtime.block_on(watch.changed());
    house.issues(Kind::IssueCreated, 1, (start(), 0));
    house.runtime.block_on(watch.changed());
    house.issues(Kind::IssueCreated, 20, (start(), 0));
    house.runtime.block_on(watch.changed());
}
