//! Keys of the model gateway: minted with a claim, capped together, deleted afterwards.

use super::fixture::{runner, session};
use super::protocol::{Shop, claim};
use crate::support::gateway::{Gateway, Holder, MASTER, PUBLIC};
use crate::support::world::text;
use crate::support::{Value, World, eventually, json};
use std::sync::Arc;

impl Shop {
    /// An instance that uses this gateway, with a runner.
    fn with_gateway(gateway: &Gateway, more: &[(&'static str, &str)]) -> Self {
        let mut variables = gateway.variables();
        variables.extend_from_slice(more);
        let world = World::start_with(&variables);
        let (_, runner) = runner(&world.owner);
        Self { world: Arc::new(world), runner }
    }

    fn start(&self) -> Value {
        session(&self.world.owner, &json!({"prompt": "Mend it", "timeLimitMinutes": 10}))
    }

    fn finish(&self, job: &Value, more: &Value) {
        let mut body = json!({"outcome": "completed"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.call(job, "finish", &body).expect(200);
    }
}

fn key(job: &Value) -> String {
    text(&job["gateway"]["api_key"])
}

/// Waits until the gateway has no key any more.
#[track_caller]
fn deleted(gateway: &Gateway) {
    eventually("the deletion of all keys", || gateway.live().is_empty().then_some(()));
}

#[test]
fn a_claimed_session_gets_a_key_that_is_deleted_after_it_and_its_spending_is_counted() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    shop.start();
    assert!(gateway.asked().is_empty(), "nothing is minted for a session that waits");
    let job = shop.claim().unwrap();
    assert_eq!(job["gateway"]["base_url"], PUBLIC);
    let asked = gateway.asked();
    assert_eq!(asked, ["GET /user/info", "POST /user/new", "POST /key/generate"]);
    let [minted] = &gateway.keys()[..] else { panic!("one key") };
    assert_eq!((&minted.secret, &minted.team, minted.lasts), (&key(&job), &None, 25 * 60));
    assert!(minted.alias.contains(&text(&job["session_id"])), "{}", minted.alias);
    assert_eq!(gateway.users().values().map(|user| user.cap).collect::<Vec<_>>(), [5.0]);

    assert!(gateway.spend(&key(&job), 0.75));
    shop.finish(&job, &json!({"cost_usd": 0.5}));
    deleted(&gateway);
    // The agent's figure and the gateway's are about the same money.
    eventually("the cost", || (shop.session(&job)["cost_usd"] == 0.75).then_some(()));
    let asked = &gateway.asked()[3..];
    assert_eq!(asked, ["POST /key/block", "GET /key/info", "POST /key/delete"]);
    assert!(!gateway.spend(&key(&job), 0.01));
    // Nothing that people can read has either key.
    let told = format!("{:?}{}{}", shop.transcript(&job), shop.session(&job), shop.world.server.output());
    assert!(!told.contains(&key(&job)) && !told.contains(MASTER));
}

#[test]
fn ten_sessions_of_one_person_share_one_cap() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[("AGENT_GATEWAY_DEFAULT_ORG_BUDGET_USD", "7.50")]);
    (0..10).for_each(|_| drop(shop.start()));
    let body = json!({"capacity": 10});
    let jobs: Vec<Value> = (0..10).map(|_| claim(&shop.runner, &body).unwrap()).collect();
    let users = gateway.users();
    assert_eq!((users.len(), gateway.teams().len(), gateway.live().len()), (1, 1, 10));
    assert_eq!(
        (users.values().next().unwrap().cap, gateway.teams().values().next().unwrap().cap),
        (5.0, 7.5)
    );
    assert!(gateway.keys().iter().all(|key| key.team.is_some()));
    // Each spends a dollar as often as it may.
    let spent: usize = jobs.iter().map(|job| (0..3).filter(|_| gateway.spend(&key(job), 1.0)).count()).sum();
    assert_eq!(spent, 5);
    let both = |holder: &Holder| (holder.spend, holder.updates);
    assert_eq!(
        both(gateway.users().values().next().unwrap()),
        (5.0, 0),
        "nor does a session begin the month anew"
    );
    // Another person has a cap of their own; the organization's cap is the team's.
    let other = shop.world.member();
    let theirs = session(&other.client, &json!({"prompt": "Mend it"}));
    let job = claim(&shop.runner, &json!({"capacity": 11})).unwrap();
    assert_eq!(job["session_id"], theirs["id"]);
    let spent = (0..10).filter(|_| gateway.spend(&key(&job), 1.0)).count();
    assert_eq!(spent, 3, "7.50 of the organization, of which 5 were spent");
    jobs.iter().chain([&job]).for_each(|job| shop.finish(job, &json!({})));
    deleted(&gateway);
    let costs: f64 = jobs.iter().map(|job| shop.session(job)["cost_usd"].as_f64().unwrap()).sum();
    assert!((costs - 5.0).abs() < 1e-6, "{costs}");
}

#[test]
fn a_changed_cap_is_sent_to_the_gateway_once() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    shop.start();
    let job = shop.claim().unwrap();
    shop.finish(&job, &json!({}));
    let mut variables = gateway.variables();
    variables.push(("AGENT_GATEWAY_DEFAULT_USER_BUDGET_USD", "2.5"));
    let world = Arc::into_inner(shop.world).unwrap().restart_with(&variables);
    let (_, runner) = runner(&world.owner);
    let shop = Shop { world: Arc::new(world), runner };
    for _ in 0..2 {
        shop.start();
        let job = shop.claim().unwrap();
        shop.finish(&job, &json!({}));
    }
    let user = gateway.users().values().next().unwrap().clone();
    assert_eq!((user.cap, user.updates), (2.5, 1));
}

#[test]
fn a_session_without_a_key_waits_and_shows_why() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    let made = shop.start();
    let body = json!({"error": {"message": format!("no: {MASTER}")}}).to_string();
    gateway.fault(Some(("503 X", &body)));
    assert_eq!(shop.claim(), None, "the runner is told nothing of it");
    let path = format!("/api/sessions/{}", text(&made["id"]));
    let waits = shop.world.owner.get(&path).send().expect(200)["session"].clone();
    assert_eq!(waits["status"], "suspended", "{waits}");
    assert_eq!(waits["reason"], "The model gateway answered 503: no: …");
    let told = json!({"session_id": made["id"]});
    let said = ("system".to_owned(), "The model gateway answered 503: no: ….".to_owned());
    assert!(shop.transcript(&told).contains(&said), "{:?}", shop.transcript(&told));
    assert_eq!(shop.claim(), None, "it is not asked again at once");
    gateway.fault(None);
    let job = eventually("another claim", || shop.claim());
    assert_eq!((&job["session_id"], &key(&job)), (&made["id"], &gateway.live()[0].secret));
    assert_eq!(shop.session(&job)["reason"], Value::Null);
    shop.finish(&job, &json!({}));
    deleted(&gateway);
}

#[test]
fn a_key_is_blocked_when_people_stop_its_session_and_nothing_is_counted_twice() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    shop.start();
    let job = shop.claim().unwrap();
    assert!(gateway.spend(&key(&job), 0.25));
    let path = format!("/api/sessions/{}", text(&job["session_id"]));
    shop.world.owner.patch(&path).json(&json!({"status": "stopped"})).send().expect(200);
    deleted(&gateway);
    eventually("the cost", || (shop.session(&job)["cost_usd"] == 0.25).then_some(()));
    shop.call(&job, "finish", &json!({"outcome": "cancelled", "cost_usd": 0.3})).expect(200);
    assert_eq!(shop.session(&job)["cost_usd"], 0.3);
}

#[test]
fn a_key_is_deleted_after_an_outage_although_its_session_was_deleted_too() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    shop.start();
    let job = shop.claim().unwrap();
    gateway.fault(Some(("500 X", "{}")));
    let path = format!("/api/sessions/{}", text(&job["session_id"]));
    shop.world.owner.delete(&path).send().expect(200);
    eventually("an attempt", || (gateway.asked().last().unwrap() == "POST /key/block").then_some(()));
    gateway.fault(None);
    deleted(&gateway);
}

#[test]
fn a_runner_with_its_own_models_gets_no_key() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    shop.start();
    let job = claim(&shop.runner, &json!({"own_models": true})).unwrap();
    assert_eq!((&job["gateway"], gateway.asked().len()), (&Value::Null, 0));
}

#[test]
fn a_key_is_deleted_after_a_kill_of_the_server_and_an_outage_of_the_gateway() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    shop.start();
    let job = shop.claim().unwrap();
    assert!(gateway.spend(&key(&job), 0.25));
    gateway.fault(Some(("502 X", "")));
    shop.finish(&job, &json!({}));
    let world = Arc::into_inner(shop.world).unwrap().kill_and_restart();
    let asked = gateway.asked().len();
    eventually("an attempt of the new process", || (gateway.asked().len() > asked).then_some(()));
    assert_eq!(gateway.live().len(), 1);
    gateway.fault(None);
    deleted(&gateway);
    let path = format!("/api/sessions/{}", text(&job["session_id"]));
    eventually("the cost", || {
        (world.owner.get(&path).send().expect(200)["session"]["cost_usd"] == 0.25).then_some(())
    });
}

#[test]
fn a_key_whose_answer_was_lost_is_deleted_by_its_alias() {
    let gateway = Gateway::start();
    let shop = Shop::with_gateway(&gateway, &[]);
    let made = shop.start();
    gateway.lose_key();
    assert_eq!(shop.claim(), None);
    let minted = gateway.keys();
    assert_eq!(minted.len(), 1, "it was minted all the same");
    deleted(&gateway);
    let job = eventually("another claim", || shop.claim());
    assert_eq!(job["session_id"], made["id"]);
    assert_ne!(key(&job), minted[0].secret);
}
