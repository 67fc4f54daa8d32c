use super::*;

#[test]
fn nothing_is_sabotaged_unless_it_is_asked_for() {
    assert!(!on("answer_before_commit"));
    assert!(!on(""));
}

#[cfg(debug_assertions)]
#[test]
fn a_list_of_names_is_taken_apart() {
    assert_eq!(names(" no_lock,, no_drain "), ["no_lock", "no_drain"]);
    assert_eq!(names(""), [""; 0]);
}
