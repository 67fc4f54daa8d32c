//! `POST …/owner`: handing an organization over.

use crate::support::{Client, Response, Server, Value, World, json};

fn hand_over(client: &Client, world: &World, id: &Value) -> Response {
    client.post(&format!("{}/owner", world.organization_path())).json(&json!({"user_id": id})).send()
}

#[test]
fn the_owner_hands_over_and_becomes_an_admin() {
    let world = World::new(Server::start());
    let (next, other) = (world.member(), world.member());
    let answer = hand_over(&world.owner, &world, &json!(next.id));
    let details = answer.expect(200);
    assert_eq!((&details["role"], &details["member_count"]), (&json!("admin"), &json!(3)));
    // The sessions of both ended; the person who sent the request got a new one.
    for old in [&world.owner, &next.client] {
        old.get("/api/v1/me").send().refuse(401, "Not signed in");
    }
    let before = world.bearer(&answer.cookie("mayday_session").expect("a session"));
    let organization = before.get(&world.organization_path()).send().expect(200);
    let role = |id: i64| {
        let members = organization["members"].as_array().unwrap();
        members.iter().find(|member| member["id"] == id).unwrap()["role"].clone()
    };
    assert_eq!([role(world.owner_id), role(next.id), role(other.id)], ["admin", "owner", "member"]);
    hand_over(&before, &world, &json!(other.id)).refuse(403, "owner");
    // Nothing had shown that the mailbox is theirs: they set a password first.
    world.server.set_password(details["reset_link"]["url"].as_str().unwrap());
    let next = next.again();
    hand_over(&next.client, &world, &json!(world.owner_id)).expect(200);
}

#[test]
fn only_the_owner_hands_over_and_only_to_a_member() {
    let world = World::new(Server::start());
    let (admin, member) = (world.admin(), world.member());
    hand_over(&admin.client, &world, &json!(admin.id)).refuse(403, "owner");
    hand_over(&member.client, &world, &json!(member.id)).refuse(403, "owner");
    hand_over(&world.owner_person().tool(&["admin"]), &world, &json!(admin.id)).refuse(403, "token");
    hand_over(&world.owner, &world, &json!(world.owner_id)).refuse(409, "already");
    for nobody in [json!(0), json!(-1), json!(999_999)] {
        hand_over(&world.owner, &world, &nobody).refuse(404, "member");
    }
    for wrong in [json!("1"), json!(null), json!(1.5)] {
        hand_over(&world.owner, &world, &wrong).refuse(422, "user_id");
    }
    let change = json!({"status": "disabled"});
    world.owner.patch(&world.member_path(admin.id)).json(&change).send().expect(200);
    hand_over(&world.owner, &world, &json!(admin.id)).refuse(409, "disabled");
    assert_eq!(world.seen(world.owner_id)["role"], "owner");
}

#[test]
fn of_two_simultaneous_handovers_one_succeeds() {
    let world = World::new(Server::start());
    let (first, second) = (world.member(), world.member());
    let statuses: [u16; 2] = std::thread::scope(|scope| {
        let one = scope.spawn(|| hand_over(&world.owner, &world, &json!(first.id)).status());
        let other = scope.spawn(|| hand_over(&world.owner, &world, &json!(second.id)).status());
        [one.join().unwrap(), other.join().unwrap()]
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    let admin = world.sign_in(crate::support::EMAIL, crate::support::PASSWORD).expect(200);
    let admin = world.bearer(admin["access_token"].as_str().unwrap());
    let organization = admin.get(&world.organization_path()).send().expect(200);
    let members = organization["members"].as_array().unwrap();
    assert_eq!(members.iter().filter(|member| member["role"] == "owner").count(), 1, "{organization}");
}
