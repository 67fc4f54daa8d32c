//! `PATCH` and `DELETE …/members/{user_id}`: which role may change and remove which.

use crate::support::person::Person;
use crate::support::{Client, Response, Server, Value, World, json, world};

fn patch(client: &Client, world: &World, id: i64, change: &Value) -> Response {
    client.patch(&world.member_path(id)).json(change).send()
}

/// A person of this role.
fn actor(world: &World, role: &str) -> Person {
    if role == "owner" { world.owner_person() } else { world.person(role) }
}

/// The roles of the actor and of the target, and the answers.
const TABLE: [(&str, &str, [u16; 2]); 9] = [
    // Columns: making the target a member, and making them an admin.
    ("member", "member", [403, 403]),
    ("member", "admin", [403, 403]),
    ("member", "owner", [403, 403]),
    ("admin", "member", [200, 200]),
    ("admin", "admin", [200, 200]),
    ("admin", "owner", [409, 409]),
    ("owner", "member", [200, 200]),
    ("owner", "admin", [200, 200]),
    ("owner", "owner", [409, 409]),
];

#[test]
fn nobody_changes_somebody_of_a_higher_role() {
    let world = world();
    for (who, whom, expected) in TABLE {
        for (role, expected) in ["member", "admin"].into_iter().zip(expected) {
            let (actor, target) = (actor(&world, who), actor(&world, whom));
            let answer = patch(&actor.client, &world, target.id, &json!({"role": role}));
            assert_eq!(answer.status(), expected, "{who} makes {whom} {role}: {answer:?}");
            let seen = world.seen(target.id);
            let role = if expected == 200 { role } else { whom };
            assert_eq!(seen["role"], role, "{who}, {whom}");
            if expected == 200 {
                assert_eq!(answer.value()["role"], role);
            }
        }
    }
}

#[test]
fn nobody_becomes_owner_by_a_change_of_role() {
    let world = world();
    for who in ["member", "admin", "owner"] {
        for whom in ["member", "admin", "owner"] {
            let (actor, target) = (actor(&world, who), actor(&world, whom));
            let answer = patch(&actor.client, &world, target.id, &json!({"role": "owner"}));
            let expected = if who == "member" { 403 } else { 409 };
            assert_eq!(answer.status(), expected, "{who} makes {whom} owner: {answer:?}");
            assert_eq!(world.seen(target.id)["role"], whom);
        }
    }
}

#[test]
fn nobody_disables_or_removes_somebody_of_a_higher_role() {
    let world = world();
    for (who, whom, [expected, _]) in TABLE {
        let (actor, target) = (actor(&world, who), actor(&world, whom));
        let disable = json!({"status": "disabled"});
        let answer = patch(&actor.client, &world, target.id, &disable);
        assert_eq!(answer.status(), expected, "{who} disables {whom}: {answer:?}");
        let target = self::actor(&world, whom);
        let answer = actor.client.delete(&world.member_path(target.id)).send();
        let expected = if expected == 200 { 204 } else { expected };
        assert_eq!(answer.status(), expected, "{who} removes {whom}: {answer:?}");
        assert_eq!(world.seen(target.id).is_null(), expected == 204, "{who} removes {whom}");
    }
}

#[test]
fn the_owner_neither_leaves_nor_is_removed_nor_shut_out() {
    let world = World::new(Server::start());
    let admin = world.admin();
    let path = world.member_path(world.owner_id);
    for client in [&world.owner, &admin.client] {
        client.delete(&path).send().refuse(409, "owner");
        for change in [json!({"role": "member"}), json!({"role": "admin"}), json!({"status": "disabled"})] {
            patch(client, &world, world.owner_id, &change).refuse(409, "owner");
        }
    }
    let seen = world.seen(world.owner_id);
    assert_eq!((&seen["role"], &seen["status"]), (&json!("owner"), &json!("active")));
}

#[test]
fn of_two_admins_who_demote_each_other_one_is_refused() {
    let world = World::new(Server::start());
    for _ in 0..6 {
        let (first, second) = (world.admin(), world.admin());
        let demote = json!({"role": "member"});
        let statuses: [u16; 2] = std::thread::scope(|scope| {
            let one = scope.spawn(|| patch(&first.client, &world, second.id, &demote).status());
            let other = scope.spawn(|| patch(&second.client, &world, first.id, &demote).status());
            [one.join().unwrap(), other.join().unwrap()]
        });
        let won = statuses.iter().filter(|status| **status == 200).count();
        assert!(won == 1 && statuses.iter().any(|status| matches!(status, 401 | 403)), "{statuses:?}");
        let roles = [first.id, second.id].map(|id| world.seen(id)["role"].clone());
        assert!(roles.contains(&json!("admin")) && roles.contains(&json!("member")), "{roles:?}");
    }
}

#[test]
fn of_two_admins_who_remove_each_other_one_is_refused() {
    let world = World::new(Server::start());
    for _ in 0..6 {
        let (first, second) = (world.admin(), world.admin());
        let remove =
            |who: &Person, whom: &Person| who.client.delete(&world.member_path(whom.id)).send().status();
        let statuses: [u16; 2] = std::thread::scope(|scope| {
            let one = scope.spawn(|| remove(&first, &second));
            let other = scope.spawn(|| remove(&second, &first));
            [one.join().unwrap(), other.join().unwrap()]
        });
        assert_eq!(statuses.iter().filter(|status| **status == 204).count(), 1, "{statuses:?}");
        let there = [first.id, second.id].iter().filter(|id| !world.seen(**id).is_null()).count();
        assert_eq!(there, 1);
    }
}

#[test]
fn an_invalid_change_is_refused() {
    let world = world();
    let member = world.member();
    let change = |id: &str, change: &Value| {
        world.owner.patch(&format!("{}/members/{id}", world.organization_path())).json(change).send()
    };
    let id = member.id.to_string();
    change(&id, &json!({"role": "boss"})).refuse(422, "role");
    change(&id, &json!({"role": 5})).refuse(422, "role");
    change(&id, &json!({"status": "gone"})).refuse(422, "status");
    for nobody in ["0", "-1", "x", "999999", "99999999999999999999", "%00"] {
        change(nobody, &json!({"role": "admin"})).refuse(404, "member");
    }
    let admin = world.admin();
    patch(&admin.client, &world, admin.id, &json!({"status": "disabled"})).refuse(409, "your own");
    patch(&admin.client, &world, admin.id, &json!({"role": "member"})).expect(200);
    assert_eq!(world.seen(admin.id)["role"], "member");
}

#[test]
fn every_route_treats_a_removed_member_as_unknown() {
    let world = world();
    let person = world.member();
    let path = world.member_path(person.id);
    world.owner.delete(&path).send().expect(204);
    world.owner.delete(&path).send().refuse(404, "member");
    patch(&world.owner, &world, person.id, &json!({"role": "admin"})).refuse(404, "member");
    let owner = json!({"user_id": person.id});
    world
        .owner
        .post(&format!("{}/owner", world.organization_path()))
        .json(&owner)
        .send()
        .refuse(404, "member");
}

#[test]
fn members_see_less_of_each_other_than_admins() {
    let world = World::start_with(&[("ADMIN_EMAILS", "listed@example.com")]);
    let (member, listed) = (world.member(), world.join("listed@example.com", "member"));
    let seen_by = |client: &Client| {
        let organization = client.get(&world.organization_path()).send().expect(200);
        let members = organization["members"].as_array().unwrap().clone();
        members.into_iter().find(|one| one["id"] == listed.id).unwrap()
    };
    let by_admin = seen_by(&world.owner);
    assert_eq!((&by_admin["listed"], &by_admin["email_proven"]), (&json!(true), &json!(false)));
    assert!(by_admin["last_seen_at"].is_string());
    let by_member = seen_by(&member.client);
    assert_eq!((&by_member["listed"], &by_member["last_seen_at"]), (&json!(null), &json!(null)));
    assert_eq!(world.seen(member.id)["listed"], false);
}
