//! What source maps and style sheets hold on the disk.

use crate::error::Result;
use crate::ids::ProjectId;
use crate::usage::MapsAmount;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

const FILES: &str = "select m.file_id, r.project_id, f.disk_size from source_maps m
    join releases r on r.id = m.release_id join map_files f on f.id = m.file_id
    union select s.file_id, r.project_id, f.disk_size from style_sheets s
    join releases r on r.id = s.release_id join map_files f on f.id = s.file_id order by 1";

/// What each project's source maps and style sheets hold. A content is stored once, however many releases and projects
/// refer to it, as whatever; one that several projects have is divided among them. Reads every row.
pub fn held(c: &Connection) -> Result<BTreeMap<ProjectId, MapsAmount>> {
    let mut all = BTreeMap::new();
    let mut statement = c.prepare_cached(FILES)?;
    let mut rows = statement.query(())?;
    let (mut file, mut size) = (0, 0);
    let mut projects: BTreeSet<ProjectId> = BTreeSet::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        if id != file {
            divide(&mut all, &std::mem::take(&mut projects), size);
            file = id;
        }
        projects.insert(ProjectId(row.get(1)?));
        size = row.get(2)?;
    }
    divide(&mut all, &projects, size);
    Ok(all)
}

/// Adds a file of `size` bytes to each of the projects that have it.
fn divide(all: &mut BTreeMap<ProjectId, MapsAmount>, projects: &BTreeSet<ProjectId>, size: i64) {
    for project in projects {
        let sum = all.entry(*project).or_default();
        sum.held.count += 1;
        sum.held.bytes += size / projects.len() as i64;
        sum.shared_bytes += if projects.len() > 1 { size } else { 0 };
    }
}
