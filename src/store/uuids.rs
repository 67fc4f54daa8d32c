//! UUIDs in statements: stored as text.

use crate::ids::{
    AutomationEventId, AutomationId, ConnectionId, PrebuildId, RepositoryId, RunnerId, SessionId, TriggerId,
};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

macro_rules! stored {
    ($($name:ident),+ $(,)?) => {$(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.to_string().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                Self::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
            }
        }
    )+};
}

stored!(
    AutomationEventId,
    AutomationId,
    ConnectionId,
    PrebuildId,
    RepositoryId,
    RunnerId,
    SessionId,
    TriggerId,
);
