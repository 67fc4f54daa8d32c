use super::*;

fn over(taken: &[u64], room: Option<u64>) -> Vec<usize> {
    let taken: Vec<DiskUse> =
        taken.iter().map(|bytes| DiskUse { bytes: AtomicU64::new(*bytes), ..DiskUse::default() }).collect();
    let projects: Vec<(usize, &DiskUse)> = taken.iter().enumerate().collect();
    share(&projects, room).into_iter().map(|(number, _)| number).collect()
}

#[test]
fn when_space_runs_short_the_largest_user_is_refused_first() {
    for (taken, room, refused) in [
        (&[5_000, 1, 0][..], None, &[][..]),
        (&[5_000, 1, 0], Some(6_000), &[]),
        (&[5_000, 1, 0], Some(256), &[0]),
        (&[5_000, 300, 100], Some(256), &[0]),
        (&[5_000, 3_000, 100], Some(256), &[0, 1]),
        (&[5_000, 70, 100], Some(256), &[0]),
        (&[40, 40, 40], Some(119), &[]),
        (&[40, 41, 40], Some(119), &[1]),
        (&[40, 41, 40], Some(121), &[]),
        (&[5_000, 1, 0], Some(0), &[0]),
        // There is no other project.
        (&[5_000], Some(256), &[]),
        (&[], Some(256), &[]),
    ] {
        assert_eq!(over(taken, room), refused, "{taken:?} of {room:?}");
    }
}

#[test]
fn a_refused_project_is_accepted_again_with_space_or_time() {
    let (heavy, light) = (DiskUse::default(), DiskUse::default());
    let projects = [(1, &heavy), (2, &light)];
    heavy.add(1_000);
    light.add(10);
    assert_eq!(share(&projects, Some(500)).len(), 1);
    assert!(heavy.check().is_err() && light.check().is_ok());
    assert!(share(&projects, Some(500)).is_empty(), "nothing changed");
    assert_eq!(share(&projects, None).len(), 1);
    assert!(heavy.check().is_ok());

    share(&projects, Some(500));
    for _ in 0..44 {
        heavy.forget();
    }
    assert!((450..=500).contains(&heavy.bytes()), "{}", heavy.bytes());
    share(&projects, Some(600));
    assert!(heavy.check().is_ok());
    (0..1_000).for_each(|_| heavy.forget());
    assert_eq!(heavy.bytes(), 0);
}
