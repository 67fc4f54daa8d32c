//! Searches the texts of a project's issues.

use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::issues::texts::{ProjectTexts, Texts};
use rusqlite::{Connection, Row};
use std::sync::{PoisonError, RwLockWriteGuard};

/// Calls `each` with every issue of the project and its text, in any order; issues that no longer exist may
/// be among them.
pub(super) fn each(
    c: &Connection,
    texts: &Texts,
    project: ProjectId,
    mut each: impl FnMut(IssueId, &[u8]),
) -> Result<()> {
    let shared = texts.of(project);
    let position = crate::digest::sql::revision(c)?;
    let is_held = |held: &ProjectTexts| !held.is_too_much && held.position.is_some_and(|at| at >= position);
    let mut held = shared.read().unwrap_or_else(PoisonError::into_inner);
    if !is_held(&held) {
        drop(held);
        let mut stale = shared.write().unwrap_or_else(PoisonError::into_inner);
        if !is_held(&stale) && !stale.is_too_much {
            refresh(c, texts, project, &mut stale)?;
            stale.position = Some(position);
            texts.weigh(project, stale.bytes());
        }
        held = RwLockWriteGuard::downgrade(stale);
    }
    if held.is_too_much {
        drop(held);
        return scan(c, project, |issue, text| {
            each(issue, text);
            true
        });
    }
    held.iter().for_each(|(issue, text)| each(issue, text));
    Ok(())
}

/// Reads again what has changed, or everything.
fn refresh(c: &Connection, texts: &Texts, project: ProjectId, held: &mut ProjectTexts) -> Result<()> {
    let Some(changed) = texts.changed(project, held.position) else {
        let _alone = texts.reading();
        // Until everything is read, nothing is held.
        held.clear();
        return scan(c, project, |issue, text| held.set(issue, text));
    };
    for issue in changed {
        if one(c, project, issue, |text| held.set(issue, text))? == Some(false) {
            break;
        }
    }
    Ok(())
}

/// Calls `look` with an issue's text, if it has one.
pub(super) fn one<T>(
    c: &Connection,
    project: ProjectId,
    issue: IssueId,
    look: impl FnOnce(&[u8]) -> T,
) -> Result<Option<T>> {
    let mut statement =
        c.prepare_cached("select text from issue_texts where project_id = ?1 and issue_id = ?2")?;
    let mut rows = statement.query((project.0, issue.0))?;
    Ok(rows.next()?.map(|row| text(row, 0).map(look)).transpose()?)
}

/// Scans the table for as long as `each` returns true.
fn scan(c: &Connection, project: ProjectId, mut each: impl FnMut(IssueId, &[u8]) -> bool) -> Result<()> {
    let mut statement = c.prepare_cached("select issue_id, text from issue_texts where project_id = ?1")?;
    let mut rows = statement.query([project.0])?;
    while let Some(row) = rows.next()? {
        if !each(IssueId(row.get(0)?), text(row, 1)?) {
            break;
        }
    }
    Ok(())
}

fn text<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<&'r [u8]> {
    row.get_ref(column)?.as_blob().map_err(rusqlite::Error::from)
}
