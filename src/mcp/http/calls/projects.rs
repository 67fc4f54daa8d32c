//! `list_projects`.

use super::{Calls, after, source};
use crate::access::Caller;
use crate::error::Result;
use crate::mcp::answer::{Row, ToolResult, list};
use crate::mcp::results::PROJECTS;
use crate::mcp::rows;
use crate::projects::Project;
use crate::store::Connection;
use crate::{organizations, projects};
use serde_json::json;

impl Calls<'_> {
    pub(super) async fn list_projects(&self) -> Result<ToolResult> {
        let offset = self.given.cursor()?;
        let caller = self.caller.clone();
        let rows = self.state.issues.main.read(move |c| visible(c, &caller)).await?;
        let head = format!("{} projects can be seen with this token.", rows.len());
        let facts = json!({ "total": rows.len() });
        let left: Vec<Row> = rows.into_iter().skip(offset).collect();
        let found = left.len();
        let (told, shown) = list((&PROJECTS, "projects"), &head, facts, left);
        Ok(told.with_cursor(after(offset, shown, found, false)))
    }
}

fn visible(c: &Connection, caller: &Caller) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut add = |organization, name: &str| -> Result<()> {
        let of_it = projects::sql::list(c, organization)?;
        rows.extend(of_it.iter().map(|project| row(project, name)));
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
            rows.extend(projects::sql::get(c, key.project)?.map(|project| row(&project, &name)));
        }
    }
    Ok(rows)
}

fn row(project: &Project, organization: &str) -> Row {
    let mut source = source(project);
    source["organization"] = organization.into();
    (rows::project(project, organization), source)
}
