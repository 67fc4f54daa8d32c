//! `POST /api/v1/sourcemaps`.

mod bundle;
mod bundle_hostile;
mod engines;
mod invalid;
mod names;
mod parts;
mod rate;
mod replace;
mod sharing;
mod styles;
mod upload;
mod uses;
