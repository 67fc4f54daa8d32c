//! `mayday sourcemaps` and `mayday releases`, as a pipeline calls them.

mod check;
mod explain;
mod given;
mod health;
mod inject;
mod options;
mod patience;
mod recipes;
mod releases;
mod script;
mod upload;
mod vite;
