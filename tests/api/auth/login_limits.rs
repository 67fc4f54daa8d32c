//! Guesses at passwords.

use crate::support::person::sign_in;
use crate::support::{Client, EMAIL, PASSWORD, Response, Server, World, json};

/// A world behind a proxy on this machine.
fn behind_a_proxy() -> World {
    World::start_with(&[("SERVICE_TRUSTED_PROXIES", "127.0.0.1")])
}

fn sign_in_from(address: &str, client: &Client, email: &str, password: &str) -> Response {
    let body = json!({"email": email, "password": password});
    client.post("/auth/password/login").header("x-forwarded-for", address).json(&body).send()
}

#[track_caller]
fn assert_told_to_wait(answer: &Response) {
    answer.refuse(429, "Try again");
    let wait: u32 = answer.header("retry-after").expect("Retry-After").parse().unwrap();
    assert!((1..=900).contains(&wait), "{wait}");
}

#[test]
fn five_wrong_passwords_close_an_account_for_that_address_and_no_other() {
    let world = behind_a_proxy();
    let (client, other) = (world.anonymous(), world.member());
    let from = |address: &str, email: &str, password: &str| sign_in_from(address, &client, email, password);
    for _ in 0..5 {
        from("203.0.113.1", EMAIL, "wrong").refuse(401, "password");
    }
    assert_told_to_wait(&from("203.0.113.1", EMAIL, "wrong"));
    // Neither is the right one tried, or it could be guessed on.
    assert_told_to_wait(&from("203.0.113.1", EMAIL, PASSWORD));
    assert_told_to_wait(&from("203.0.113.1", " ADA@example.COM ", PASSWORD));
    // The owner can still sign in elsewhere, and so can others at that address.
    from("203.0.113.2", EMAIL, PASSWORD).expect(200);
    from("203.0.113.1", &other.email, PASSWORD).expect(200);
}

#[test]
fn an_unknown_account_is_limited_like_a_known_one() {
    let world = World::new(Server::start());
    let attempts = |email: &str| -> Vec<(u16, String)> {
        (0..7).map(|_| world.sign_in(email, "wrong").told()).collect()
    };
    assert_eq!(attempts("nobody@example.com"), attempts(EMAIL));
}

#[test]
fn successful_sign_ins_do_not_count() {
    let world = World::new(Server::start());
    for _ in 0..3 {
        for _ in 0..4 {
            world.sign_in(EMAIL, PASSWORD).expect(200);
        }
        world.sign_in(EMAIL, "wrong").refuse(401, "");
    }
}

#[test]
fn many_simultaneous_guesses_do_not_evade_the_limit() {
    let world = World::new(Server::start());
    let client = world.anonymous();
    let told: Vec<u16> = std::thread::scope(|scope| {
        let guess = || scope.spawn(|| sign_in(&client, EMAIL, "wrong").status());
        let guesses: Vec<_> = (0..30).map(|_| guess()).collect();
        guesses.into_iter().map(|guess| guess.join().unwrap()).collect()
    });
    let count = |status: u16| told.iter().filter(|told| **told == status).count();
    assert!(count(401) <= 5 && count(401) + count(429) == 30, "{told:?}");
}

#[test]
fn a_made_up_address_changes_nothing_without_a_proxy() {
    let world = World::new(Server::start());
    let client = world.anonymous();
    for number in 1..=5 {
        sign_in_from(&format!("203.0.113.{number}"), &client, EMAIL, "wrong").refuse(401, "");
    }
    assert_told_to_wait(&sign_in_from("203.0.113.6", &client, EMAIL, PASSWORD));
    assert_told_to_wait(&world.sign_in(EMAIL, PASSWORD));
    // The audit log has the address of the connection.
    let failed = world.audit("?action=sign_in.failed");
    assert!(!failed.is_empty() && failed.iter().all(|entry| entry["address"] == "127.0.0.1"), "{failed:?}");
}

#[test]
fn forwarded_addresses_before_the_proxys_own_are_not_trusted() {
    let world = behind_a_proxy();
    let client = world.anonymous();
    for number in 1..=5 {
        let hops = format!("198.51.100.{number}, 203.0.113.1");
        sign_in_from(&hops, &client, EMAIL, "wrong").refuse(401, "");
    }
    assert_told_to_wait(&sign_in_from("198.51.100.9, 203.0.113.1", &client, EMAIL, PASSWORD));
    sign_in_from("203.0.113.1, 198.51.100.9", &client, EMAIL, PASSWORD).expect(200);
}

#[test]
fn an_address_has_fifty_failures_over_all_accounts() {
    let world = behind_a_proxy();
    let client = world.anonymous();
    for number in 0..50 {
        let email = format!("nobody{number}@example.com");
        sign_in_from("203.0.113.1", &client, &email, "wrong").refuse(401, "");
    }
    assert_told_to_wait(&sign_in_from("203.0.113.1", &client, EMAIL, PASSWORD));
    sign_in_from("203.0.113.2", &client, EMAIL, PASSWORD).expect(200);
    // The other routes have their own counters.
    let forgot = client.post("/auth/password/forgot").header("x-forwarded-for", "203.0.113.1");
    forgot.json(&json!({"email": EMAIL})).send().expect(202);
}

#[test]
fn each_door_has_its_own_fifty() {
    let world = World::new(Server::start());
    let client = world.anonymous();
    let invitation = || client.post("/auth/invitation").json(&json!({"token": "x"})).send();
    let forgot = || client.post("/auth/password/forgot").json(&json!({"email": EMAIL})).send();
    let reset = || {
        let body = json!({"token": "x", "password": "a passphrase of some kind"});
        client.post("/auth/password/reset").json(&body).send()
    };
    for _ in 0..50 {
        invitation().refuse(403, "invitation");
        forgot().expect(202);
        reset().refuse(403, "link");
    }
    assert_told_to_wait(&invitation());
    assert_told_to_wait(&forgot());
    assert_told_to_wait(&reset());
    let register = json!({"email": EMAIL, "password": PASSWORD, "invitation_token": "x"});
    assert_told_to_wait(&client.post("/auth/password/register").json(&register).send());
    world.sign_in(EMAIL, PASSWORD).expect(200);
}

#[test]
fn a_wrong_current_password_counts_like_a_failed_sign_in() {
    let world = World::new(Server::start());
    let person = world.member();
    let change = || {
        let body = json!({"current_password": "wrong", "new_password": "another passphrase"});
        person.client.post("/auth/password/change").json(&body).send()
    };
    for _ in 0..5 {
        change().refuse(403, "current password");
    }
    assert_told_to_wait(&change());
    assert_told_to_wait(&world.sign_in(&person.email, PASSWORD));
}
