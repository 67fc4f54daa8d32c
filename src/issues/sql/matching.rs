//! Whether a single issue matches a filter. A list finds all matches; this checks one by its own rows.

use crate::error::Result;
use crate::ids::IssueId;
use crate::issues::sql::filter::Filter;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};

/// Costs a few look-ups by key, however many issues there are.
pub fn fits(c: &Connection, filter: &Filter, id: IssueId) -> Result<bool> {
    let mut values = filter.values().to_vec();
    values.push(id.0.into());
    let query =
        format!("select exists (select 1 from issues i where i.id = ?{} and {})", values.len(), filter.sql());
    if !c.prepare_cached(&query)?.query_row(params_from_iter(&values), |row| row.get::<_, bool>(0))? {
        return Ok(false);
    }
    for lookup in filter.lookups() {
        let mut values = lookup.values.clone();
        values.push(id.0.into());
        // SQLite moves the condition into the look-up, which then starts from the issue.
        let query = format!(
            "with found (id) as ({}) select exists (select 1 from found where id = ?{})",
            lookup.sql,
            values.len()
        );
        let has: bool = c.prepare_cached(&query)?.query_row(params_from_iter(&values), |row| row.get(0))?;
        if has == lookup.negated {
            return Ok(false);
        }
    }
    if filter.words().is_empty() {
        return Ok(true);
    }
    let text: Option<Vec<u8>> = c
        .prepare_cached("select text from issue_texts where project_id = ?1 and issue_id = ?2")?
        .query_row([filter.project().0, id.0], |row| row.get(0))
        .optional()?;
    let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
    Ok(filter.words().iter().all(|word| text.contains(&word.text) != word.negated))
}
