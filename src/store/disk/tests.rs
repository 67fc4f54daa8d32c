use super::*;

const MIB: u64 = 1 << 20;

#[test]
fn below_the_floor_nothing_new_is_taken_and_half_of_it_is_for_the_digest() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path(), 16 * MIB);
    for (free, accepting, digesting) in [
        (17, true, true),
        (16, true, true),
        (15, false, true),
        (9, false, true),
        (8, false, false),
        (0, false, false),
    ] {
        disk.found(free * MIB);
        assert_eq!((disk.accepting().is_ok(), disk.digesting()), (accepting, digesting), "{free} MiB");
    }
    for (free, scarce) in [(32, None), (31, Some(15)), (16, Some(0)), (15, Some(0))] {
        disk.found(free * MIB);
        assert_eq!(disk.scarce(), scarce.map(|left| left * MIB), "{free} MiB");
    }
    let refused = disk.accepting().unwrap_err();
    assert!(matches!(refused, Error::NoRoom(_)) && refused.to_string().contains("SERVICE_DISK_FLOOR_MB"));
}

#[test]
fn the_next_measurement_notices_free_space_again() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(dir.path(), 1);
    let free = disk.free();
    assert!(free > 0 && free < u64::MAX, "{free}");
    disk.found(0);
    assert!(disk.accepting().is_err());
    disk.look();
    assert!(disk.accepting().is_ok());
}

#[test]
fn a_file_system_that_does_not_answer_leaves_the_last_answer() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::new(&dir.path().join("gone"), MIB);
    assert!(disk.accepting().is_ok());
    disk.found(0);
    disk.look();
    assert!(disk.accepting().is_err());
}
