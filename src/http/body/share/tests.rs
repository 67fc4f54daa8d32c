use super::*;
use std::pin::pin;

const LARGE: Resource = Resource::Wire(8 << 20);

/// Whether it is available without waiting.
async fn is_free(share: &Share, what: Resource) -> bool {
    let mut taking = pin!(share.take(what));
    // Biased: what is available at once takes precedence over a wait of no time.
    tokio::select! { biased; held = &mut taking => held.is_ok(), () = tokio::time::sleep(Duration::ZERO) => false }
}

#[tokio::test]
async fn strangers_wait_for_each_other_and_not_for_projects() {
    let all = Arc::new(Room::new(ALL));
    let share = |bounds| Share { own: Room::new(bounds), all: all.clone() };
    let (strangers, shop, other) = (share(STRANGERS), share(PROJECT), share(PROJECT));
    let first = strangers.take(LARGE).await.unwrap();
    let decoder = strangers.take(Resource::Decoding).await.unwrap();
    assert!(!is_free(&strangers, LARGE).await, "one stranger's body of 8 MiB at a time");
    assert!(!is_free(&strangers, Resource::Decoding).await);
    assert!(is_free(&strangers, Resource::Wire(900 << 10)).await, "small ones beside it");
    assert!(matches!(strangers.take(LARGE).await, Err(Error::Unavailable { .. })), "the wait has an end");

    let held =
        [shop.take(LARGE).await.unwrap(), shop.take(LARGE).await.unwrap(), shop.take(LARGE).await.unwrap()];
    let _decoders =
        [shop.take(Resource::Decoding).await.unwrap(), shop.take(Resource::Decoding).await.unwrap()];
    assert!(!is_free(&shop, LARGE).await, "a project has no more than its share");
    assert!(!is_free(&shop, Resource::Decoding).await);

    let last = other.take(LARGE).await.unwrap();
    assert!(!is_free(&other, LARGE).await, "all have 40 MiB together");
    assert!(!is_free(&other, Resource::Decoding).await, "and three decoders");
    drop(decoder);
    assert!(is_free(&other, Resource::Decoding).await);
    drop((first, held, last));
    assert!(is_free(&other, LARGE).await && is_free(&shop, LARGE).await && is_free(&strangers, LARGE).await);
}
