//! `list_projects`.

use super::{Calls, after};
use crate::access::Caller;
use crate::error::Result;
use crate::mcp::answer::{list, with_cursor};
use crate::mcp::rows;
use crate::store::Connection;
use crate::{organizations, projects};

impl Calls<'_> {
    pub(super) async fn list_projects(&self) -> Result<String> {
        let offset = self.given.cursor()?;
        let caller = self.caller.clone();
        let rows = self.state.issues.main.read(move |c| visible(c, &caller)).await?;
        let head = format!("{} projects can be seen with this token.", rows.len());
        let left = rows.get(offset..).unwrap_or_default();
        let (text, shown) = list(&head, left);
        Ok(with_cursor(text, after(offset, shown, left.len(), false)))
    }
}

fn visible(c: &Connection, caller: &Caller) -> Result<Vec<String>> {
    let mut rows = Vec::new();
    let mut add = |organization, name: &str| -> Result<()> {
        let of_it = projects::sql::list(c, organization)?;
        rows.extend(of_it.iter().map(|project| rows::project(project, name)));
        Ok(())
    };
    match caller {
        Caller::Person(person) => {
            for organization in organizations::sql::list(c, person.user.id)? {
                add(organization.id, &organization.name)?;
            }
        }
        Caller::OrganizationKey(key) => {
            add(key.organization, &organizations::sql::name(c, key.organization)?)?
        }
        Caller::Key(key) => {
            let name = organizations::sql::name(c, key.organization)?;
            rows.extend(projects::sql::get(c, key.project)?.map(|project| rows::project(&project, &name)));
        }
    }
    Ok(rows)
}
