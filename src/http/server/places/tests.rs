use super::*;

fn places(trusted: &[&str]) -> Arc<Places> {
    Arc::new(Places::new(trusted.iter().map(|net| net.parse().unwrap()).collect()))
}

fn peer(address: &str) -> IpAddr {
    address.parse().unwrap()
}

/// This many connections from an address, each with a request in progress.
fn busy(places: &Arc<Places>, address: &str, count: usize) -> Vec<(Slot, super::super::activity::Answering)> {
    let take = |_| {
        let place = places.take(peer(address)).unwrap();
        let answering = place.activity.answer();
        (place, answering)
    };
    (0..count).map(take).collect()
}

async fn is_ended(place: &Slot) -> bool {
    tokio::time::timeout(std::time::Duration::ZERO, place.activity.given_away()).await.is_ok()
}

#[test]
fn an_address_has_half_of_all_places_and_the_others_have_the_rest() {
    let places = places(&[]);
    let mut held = busy(&places, "192.0.2.1", OF_ADDRESS);
    assert!(places.take(peer("192.0.2.1")).is_none(), "one address, all busy");
    assert!(places.take(peer("::ffff:192.0.2.1")).is_none(), "the same address, written otherwise");
    held.extend(busy(&places, "192.0.2.2", CONNECTIONS - OF_ADDRESS));
    assert!(places.take(peer("192.0.2.3")).is_none(), "no place at all");
    held.pop();
    assert!(places.take(peer("192.0.2.3")).is_some());
}

#[test]
fn an_ipv6_client_counts_by_its_network() {
    let places = places(&[]);
    let _held = busy(&places, "2001:db8::1", OF_ADDRESS);
    assert!(places.take(peer("2001:db8::ffff:2")).is_none());
    assert!(places.take(peer("2001:db8:0:1::1")).is_some());
}

#[test]
fn a_trusted_proxy_may_have_all() {
    let places = places(&["192.0.2.0/24"]);
    let _held = busy(&places, "192.0.2.1", CONNECTIONS);
    assert!(places.take(peer("192.0.2.1")).is_none());
}

#[tokio::test]
async fn the_idlest_connection_is_closed_first() {
    let places = places(&[]);
    let idle: Vec<Slot> = (0..2 * SWEEP).map(|_| places.take(peer("192.0.2.1")).unwrap()).collect();
    let _busy = busy(&places, "192.0.2.1", OF_ADDRESS - idle.len());
    // The first is no longer idle; the second has stopped reading its answer.
    let _first = idle[0].activity.answer();
    let _second = idle[1].activity.answer();
    idle[1].activity.stall();
    assert!(places.take(peer("192.0.2.1")).is_some());
    assert!(!is_ended(&idle[0]).await, "it is busy");
    assert!(is_ended(&idle[2]).await, "it was idle for longest");
    assert!(is_ended(&idle[SWEEP + 1]).await);
    assert!(!is_ended(&idle[1]).await, "it stopped after the others had become idle");
    assert!(!is_ended(&idle[SWEEP + 2]).await);
}

#[tokio::test]
async fn a_full_address_closes_no_connection_of_another() {
    let places = places(&[]);
    let other = places.take(peer("192.0.2.9")).unwrap();
    let _busy = busy(&places, "192.0.2.1", OF_ADDRESS);
    assert!(places.take(peer("192.0.2.1")).is_none());
    assert!(!is_ended(&other).await);
}

#[test]
fn a_slot_is_free_when_its_connection_has_ended() {
    let places = places(&[]);
    drop(busy(&places, "192.0.2.1", OF_ADDRESS));
    assert_eq!(busy(&places, "192.0.2.1", OF_ADDRESS).len(), OF_ADDRESS);
    assert!(places.open().held.is_empty() && places.open().by_network.is_empty());
}
