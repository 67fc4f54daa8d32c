//! People's preferences.

use crate::error::Result;
use crate::ids::{PreferenceId, UserId};
use crate::notifications::{Category, Preference};
use crate::time::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

const PREFERENCE: &str = "id, user_id, category, in_app_enabled, email_enabled, created_at, updated_at";

/// Creates the preferences of a new account: everything in the app, and by mail everything except connections.
pub fn create(tx: &Transaction<'_>, user: UserId, now: Timestamp) -> Result<()> {
    let mut statement = tx.prepare_cached(
        "insert into notification_preferences (user_id, category, in_app_enabled, email_enabled, created_at, updated_at)
         values (?1, ?2, 1, ?3, ?4, ?4)",
    )?;
    for category in Category::ALL {
        let by_mail = category != Category::Integration;
        statement.execute(params![user.0, category.as_str(), by_mail, now.millis()])?;
    }
    Ok(())
}

/// A person's preferences, one for each category.
pub fn list(c: &Connection, user: UserId) -> Result<Vec<Preference>> {
    let mut statement = c.prepare_cached(&format!(
        "select {PREFERENCE} from notification_preferences where user_id = ?1 order by id"
    ))?;
    let rows = statement.query_map([user.0], preference)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn preference(row: &Row<'_>) -> rusqlite::Result<Preference> {
    Ok(Preference {
        id: PreferenceId(row.get(0)?),
        user_id: UserId(row.get(1)?),
        // The schema allows no other value.
        category: Category::find(row.get_ref(2)?.as_str()?).unwrap_or(Category::System),
        in_app_enabled: row.get(3)?,
        email_enabled: row.get(4)?,
        created_at: Timestamp::from_millis(row.get(5)?),
        updated_at: Timestamp::from_millis(row.get(6)?),
    })
}

/// Changes the given parts of a preference, and returns it; `None` if the person was deleted.
pub fn change(
    tx: &Transaction<'_>,
    user: UserId,
    category: Category,
    (in_app, by_mail): (Option<bool>, Option<bool>),
    now: Timestamp,
) -> Result<Option<Preference>> {
    let mut statement = tx.prepare_cached(&format!(
        "update notification_preferences
         set updated_at = case when coalesce(?3, in_app_enabled) = in_app_enabled
                 and coalesce(?4, email_enabled) = email_enabled then updated_at else ?5 end,
             in_app_enabled = coalesce(?3, in_app_enabled), email_enabled = coalesce(?4, email_enabled)
         where user_id = ?1 and category = ?2 returning {PREFERENCE}"
    ))?;
    let given = params![user.0, category.as_str(), in_app, by_mail, now.millis()];
    Ok(statement.query_row(given, preference).optional()?)
}
