use super::*;

const A: ProjectId = ProjectId(1);
const B: ProjectId = ProjectId(2);
const ISSUE: IssueId = IssueId(5);

fn changed(texts: &Texts, since: Option<i64>) -> Option<Vec<i64>> {
    let mut issues: Vec<i64> = texts.changed(A, since)?.into_iter().map(|issue| issue.0).collect();
    issues.sort_unstable();
    Some(issues)
}

#[test]
fn changes_are_recorded_from_the_first_search_on() {
    let texts = Texts::default();
    texts.note(10, &[(A, ISSUE)]);
    assert_eq!(changed(&texts, Some(10)), None, "nobody searched");
    texts.of(A);
    assert_eq!(changed(&texts, None), None);
    assert_eq!(changed(&texts, Some(9)), None, "read before what was told then");
    assert_eq!(changed(&texts, Some(10)), Some(vec![]));
    texts.note(11, &[(A, ISSUE), (B, IssueId(6))]);
    texts.note(12, &[(A, IssueId(7))]);
    assert_eq!(changed(&texts, Some(10)), Some(vec![5, 7]));
    assert_eq!(changed(&texts, Some(11)), Some(vec![7]));
    texts.note(13, &[(A, ISSUE), (A, IssueId(8))]);
    assert_eq!(changed(&texts, Some(12)), None, "too many");
    assert_eq!(changed(&texts, Some(13)), Some(vec![]));
}

#[test]
fn the_least_recently_searched_texts_make_room() {
    let texts = Texts::default();
    for (project, bytes) in [(A, BYTES_MAX / 2), (B, BYTES_MAX / 2)] {
        texts.of(project);
        texts.weigh(project, bytes);
    }
    assert_eq!(texts.lock().entries.len(), 2);
    texts.of(A);
    texts.weigh(A, BYTES_MAX);
    assert_eq!(texts.lock().entries.keys().collect::<Vec<_>>(), [&A]);
}

#[test]
fn texts_over_the_limit_are_not_held() {
    let mut held = ProjectTexts::default();
    let text = vec![b'x'; BYTES_MAX / 2];
    assert!(held.set(ISSUE, &text));
    assert!(held.set(ISSUE, &text), "in its place");
    assert!(!held.set(IssueId(6), &text));
    assert!(held.is_too_much && held.iter().next().is_none() && held.bytes() == 0);
}
