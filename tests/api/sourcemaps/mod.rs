//! `POST /api/v1/sourcemaps`.

mod invalid;
mod parts;
mod rate;
mod replace;
mod sharing;
mod upload;
mod uses;
