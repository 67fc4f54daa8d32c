use super::*;
use crate::retention::RetentionLimits;

#[test]
fn tables_line_up() {
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let lines =
        table(&["", "NUMBER", "SIZE"], &[row(["Events", "12", "1.0 KiB"]), row(["Größe", "", "9 bytes"])]);
    assert_eq!(lines, ["        NUMBER     SIZE", "Events      12  1.0 KiB", "Größe           9 bytes"]);
}

#[test]
fn limits_are_said_in_words() {
    assert_eq!(words(&RetentionLimits::default()), "all");
    let limits = RetentionLimits { days: Some(30), count: Some(5), megabytes: None };
    assert_eq!(words(&limits), "30 days, newest 5");
}
