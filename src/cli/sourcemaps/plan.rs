//! The plan of an upload: each script of a build with its url and its checked source map.

use super::build::{self, Filter, MapSource, Script};
use super::check::{self, Pair};
use super::pages::{self, Loaded};
use crate::cli::ci::{Failure, Result};
use crate::event::DebugId;
use crate::releases::{URL_PREFIX_DEFAULT, check_url_prefix};
use clap::Args;
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use std::path::{Path, PathBuf};

/// Which build, and how it is served.
#[derive(Debug, Args)]
pub(in crate::cli) struct BuildArguments {
    #[command(flatten)]
    options: BuildOptions,
    /// The directory with the build, or one script
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// How a build is served, and which of it counts.
#[derive(Debug, Args)]
pub(in crate::cli) struct BuildOptions {
    /// What the scripts' addresses begin with; `~` stands for any scheme and host [default: how a page in DIR loads
    /// them, else ~/]
    #[arg(long, value_name = "PREFIX")]
    url_prefix: Option<String>,
    /// Takes these folders from the beginning of paths in DIR; may be repeated, the first that fits counts
    #[arg(long, value_name = "PATH")]
    strip_prefix: Vec<String>,
    /// Leaves out scripts and style sheets that fit a pattern such as `vendor/**`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<String>,
}

impl BuildArguments {
    pub(super) fn filter(&self) -> Filter {
        self.options.filter()
    }
}

impl BuildOptions {
    fn filter(&self) -> Filter {
        Filter { ignore: self.ignore.clone(), strip_prefix: self.strip_prefix.clone() }
    }

    /// Those that say which scripts count: option and value.
    pub(in crate::cli) fn filter_words(&self) -> Vec<(&'static str, String)> {
        let strip = self.strip_prefix.iter().map(|path| ("--strip-prefix", path.clone()));
        let ignore = self.ignore.iter().map(|pattern| ("--ignore", pattern.clone()));
        strip.chain(ignore).collect()
    }
}

/// The scripts of a build, checked.
pub(in crate::cli) struct Plan {
    pub(in crate::cli) dir: PathBuf,
    pub(in crate::cli) prefix: String,
    /// The HTML pages of the build.
    pages: Vec<PathBuf>,
    /// The first page that loads one of the scripts.
    pub(in crate::cli) page: Option<Loaded>,
    pub(in crate::cli) items: Vec<Item>,
}

/// A script with its source map.
pub(in crate::cli) struct Item {
    pub(in crate::cli) script: Script,
    /// Its address in stacks.
    pub(in crate::cli) url: String,
    pub(in crate::cli) state: State,
}

/// Whether a script would resolve.
pub(in crate::cli) enum State {
    Good(Pair),
    /// Why there is no source map.
    Missing(String),
    /// Why it is unusable.
    Broken(String),
}

impl Item {
    pub(in crate::cli) fn pair(&self) -> Option<&Pair> {
        match &self.state {
            State::Good(pair) => Some(pair),
            State::Missing(_) | State::Broken(_) => None,
        }
    }

    /// Its url in several spellings: whether `[`, `~` and other characters are escaped depends on what loads the
    /// script, and a server that runs it from disk escapes nothing.
    pub(in crate::cli) fn urls(&self, prefix: &str) -> Vec<String> {
        let mut urls = vec![self.url.clone()];
        for other in
            [utf8_percent_encode(&self.script.served, STRICT).to_string(), self.script.served.clone()]
        {
            let url = format!("{prefix}{other}");
            if !urls.contains(&url) {
                urls.push(url);
            }
        }
        urls
    }

    /// Its path as browsers escape it.
    pub(in crate::cli) fn url_path(&self) -> String {
        utf8_percent_encode(&self.script.served, PATH).to_string()
    }

    pub(in crate::cli) fn debug_id(&self) -> Option<DebugId> {
        self.pair().and_then(|pair| pair.debug_id).or(self.script.debug_id)
    }
}

/// What browsers escape in a path, and `%` itself.
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}');
/// What `encodeURIComponent` escapes, except for `/`.
const STRICT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'/');

impl Plan {
    /// Finds and checks the scripts of a build.
    ///
    /// # Errors
    /// If the directory cannot be read or has no scripts, or the prefix is not one.
    pub(in crate::cli) fn new(BuildArguments { options, dir }: &BuildArguments) -> Result<Self> {
        Self::of(options, dir)
    }

    /// The same for a directory.
    pub(in crate::cli) fn of(options: &BuildOptions, dir: &Path) -> Result<Self> {
        let dir = dir.to_owned();
        let scripts = build::scripts(&dir, &options.filter())?;
        if scripts.is_empty() {
            let text =
                format!("{}: no scripts (.js, .mjs, .cjs). Is it the output of the build?", dir.display());
            return Err(Failure::new(text));
        }
        let served: Vec<&str> = scripts.iter().map(|script| script.served.as_str()).collect();
        let pages = pages::find(&dir);
        let page = pages::loading(&pages, &served);
        let found = page.as_ref().map(|page| page.prefix.as_str());
        let prefix = options.url_prefix.as_deref().or(found).unwrap_or(URL_PREFIX_DEFAULT);
        let prefix =
            if prefix.is_empty() || prefix.ends_with('/') { prefix.to_owned() } else { format!("{prefix}/") };
        check_url_prefix(&prefix)
            .map_err(|error| Failure::Usage(format!("--{}", error.to_string().replace('_', "-"))))?;
        let items = scripts.into_iter().map(|script| item(script, &prefix)).collect::<Result<_>>()?;
        Ok(Self { dir, prefix, pages, page, items })
    }

    /// The page that loads the scripts from other addresses than the plan has.
    pub(in crate::cli) fn contradicted_by(&self) -> Option<String> {
        let page =
            self.page.as_ref().filter(|page| self.prefix.starts_with('~') && page.prefix != self.prefix)?;
        Some(format!(
            "{} loads `{}`, so that stacks will say `{}…`, and the url prefix is `{}`. Use --url-prefix '{}', or leave it out",
            page.page, page.address, page.prefix, self.prefix, page.prefix
        ))
    }

    /// Whether a script or page of the build mentions the release. If none does, events cannot name it.
    pub(in crate::cli) fn mentions(&self, release: &str) -> bool {
        let says = |path: &Path| build::read_text(path).is_ok_and(|text| text.contains(release));
        self.items.iter().any(|item| says(&item.script.file)) || self.pages.iter().any(|page| says(page))
    }

    pub(in crate::cli) fn good(&self) -> impl Iterator<Item = (&Item, &Pair)> {
        self.items.iter().filter_map(|item| Some((item, item.pair()?)))
    }
}

/// The address of a file that is served by this path below the prefix.
pub(super) fn url_of(prefix: &str, served: &str) -> String {
    format!("{prefix}{}", utf8_percent_encode(served, PATH))
}

fn item(script: Script, prefix: &str) -> Result<Item> {
    let url = url_of(prefix, &script.served);
    let state = match &script.map {
        MapSource::Missing(why) => State::Missing(why.clone()),
        MapSource::File(_) | MapSource::Inline => {
            let text = build::read_text(&script.file)?;
            match script.read_map().map(|map| check::pair(&text, &map)) {
                Ok(Ok(pair)) => State::Good(pair),
                Ok(Err(why)) => State::Broken(why),
                Err(Failure::Failed(why) | Failure::Usage(why)) => State::Broken(why),
                Err(Failure::Said) => return Err(Failure::Said),
            }
        }
    };
    Ok(Item { script, url, state })
}
