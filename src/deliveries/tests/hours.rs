//! The hourly limit of each target.

use super::*;
use crate::deliveries::caps::Caps;

#[test]
fn a_target_gets_a_limited_number_in_any_hour() {
    let (mut caps, start) = (Caps::default(), Instant::now());
    let mut take = |target: &str, after: Duration| caps.take(Channel::Mail, target, "notice", start + after);
    let each_hour = Channel::Mail.limits().each_hour;
    for second in 0..each_hour {
        assert_eq!(take("ada@corp.example", Duration::from_secs(second as u64)), Ok(()));
    }
    let later = Duration::from_mins(10);
    assert_eq!(take("ada@corp.example", later), Err(Duration::from_mins(50)));
    assert_eq!(take("bob@corp.example", later), Ok(()));
    assert_eq!(take("ada@corp.example", Duration::from_hours(1)), Ok(()));
    take("ada@corp.example", Duration::from_hours(1)).unwrap_err();
}

#[tokio::test]
async fn deliveries_above_the_limit_wait_and_others_do_not() {
    let server = Smtp::start("250 fine");
    let mut world = World::new(Some(&over_smtp(server.port)));
    let each_hour = Channel::Mail.limits().each_hour;
    for _ in 0..each_hour + 2 {
        world.add("ada@corp.example").await;
    }
    world.add("bob@corp.example").await;
    world.start();
    world
        .until("61 mails, and two put off by an hour", async |world| {
            let waiting = world.waiting().await;
            waiting.len() == 2
                && waiting.iter().all(|(_, wait, _)| *wait > 3_000_000)
                && server.mails().len() == each_hour + 1
        })
        .await;
    assert!(world.waiting().await.iter().all(|(attempts, ..)| *attempts == 0));
    assert_eq!(server.mails().iter().filter(|mail| mail.contains("To: bob@")).count(), 1);
}

#[tokio::test]
async fn failed_attempts_do_not_use_up_the_limit() {
    let (closed, port) = closed_port();
    let mut world = World::new(Some(&over_smtp(port)));
    let each_hour = Channel::Mail.limits().each_hour;
    for _ in 0..each_hour {
        world.add("ada@corp.example").await;
    }
    world.start();
    for attempt in 1..=2 {
        let all = async |world: &World| world.waiting().await.iter().all(|(count, ..)| *count >= attempt);
        world.until("attempts", all).await;
        world.hurry().await;
    }
    let server = Smtp::start_on(closed, "250 fine");
    world
        .until("all mails", async |world| {
            world.hurry().await;
            world.waiting().await.is_empty()
        })
        .await;
    assert_eq!(server.mails().len(), each_hour);
}
