//! A newcomer's Vite project, served under `/app/`: the line of `docs/ci.md` makes its next error readable, and each
//! rule that is broken later is named before the deploy.

use crate::support::build::CommandOutput;
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Build, Project, Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = r#"<!doctype html>
<html>
  <head><script src="https://mayday.example/client.js" data-key="pk_x" data-release="1.4.2"></script></head>
  <body><script type="module" src="/src/main.js"></script></body>
</html>
"#;
const MAIN: &str = r#"import { total } from "./cart.js";

// The click on a button, in a program that has one.
globalThis.pay = () => total([{ sku: "TEA-01" }]);
"#;
const CART: &str = r#"/** What a customer pays. */
export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price.amount; // throws here
  }
  return sum;
}
"#;
/// Presses the button, in Node: prints the stack with the addresses that a browser would have.
const PRESS: &str = r#"
const [file, address] = process.argv.slice(1);
globalThis.document = { createElement: () => ({ relList: { supports: () => true } }) };
await import(file);
try {
  pay();
} catch (error) {
  console.log(JSON.stringify({ type: error.name, message: error.message,
    stack: error.stack.replaceAll("file://" + file, address) }));
}
"#;

/// A project with Vite as its only dependency.
struct Site(Build);

impl Site {
    fn new() -> Self {
        let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/node_modules");
        assert!(modules.join("vite").exists(), "Vite is missing: npm --prefix assets ci");
        let build = Build::empty();
        std::os::unix::fs::symlink(modules, build.path().join("node_modules")).unwrap();
        build.add("package.json", r#"{"name": "newcomer", "type": "module"}"#);
        build.add("index.html", PAGE);
        build.add("src/main.js", MAIN);
        build.add("src/cart.js", CART);
        let site = Self(build);
        site.serve_from("/app/");
        site.build();
        site
    }

    /// Writes all the configuration that is needed: source maps, and the site's base address.
    fn serve_from(&self, base: &str) {
        let config = format!("export default {{ base: \"{base}\", build: {{ sourcemap: \"hidden\" }} }};\n");
        self.0.add("vite.config.js", config);
    }

    fn build(&self) {
        let mut vite = Command::new("node");
        vite.args(["node_modules/vite/bin/vite.js", "build"]).current_dir(self.0.path());
        CommandOutput::of(&vite.run()).expect(0, &["built in"]);
    }

    /// `mayday …` where the project is, as it is typed there.
    fn mayday(&self, project: &Project, line: &str) -> CommandOutput {
        let mut command = command(line.split(' '));
        command.current_dir(self.0.path());
        command.env("MAYDAY_URL", project.ci().origin()).env("MAYDAY_KEY", &project.key);
        CommandOutput::of(&command.run())
    }

    /// The only script of the build.
    fn script(&self) -> PathBuf {
        let mut names = std::fs::read_dir(self.0.path().join("dist/assets")).unwrap();
        names
            .find_map(|name| Some(name.unwrap().path()).filter(|path| path.extension().unwrap() == "js"))
            .unwrap()
    }

    /// An error of a visitor whose browser loaded this build from `base`.
    fn throw(&self, release: &str, base: &str) -> Value {
        let script = self.script();
        let address =
            format!("https://shop.example{base}assets/{}", script.file_name().unwrap().to_str().unwrap());
        let mut node = Command::new("node");
        node.args(["--input-type=module", "--eval", PRESS, "--"]).arg(&script).arg(address);
        let exception = CommandOutput::of(&node.run()).expect(0, &["pay"]).json();
        self.0.add("stack.txt", exception["stack"].as_str().unwrap());
        json!({"release": release, "exception": exception})
    }
}

const UPLOAD: &str = "sourcemaps upload --release 1.4.2 dist/";
const CHECK: &str = "releases check --release 1.4.2 dist/";
const EXPLAIN: &str = "sourcemaps explain --release 1.4.2 --stack stack.txt";

/// A site whose maps were uploaded with the command from the docs.
fn uploaded() -> (Project, Site) {
    let (project, site) = (Project::new(), Site::new());
    let told = site.mayday(&project, UPLOAD).expect(0, &["→ ~/app/assets/index-", "1 new", "finalized"]);
    assert!(!told.err.contains("warning"), "{told:#?}");
    site.mayday(&project, CHECK).expect(0, &["1 of 1 scripts resolve"]);
    (project, site)
}

#[test]
fn a_newcomers_next_error_is_readable_after_one_line() {
    let (project, site) = uploaded();
    let event = project.digest(&site.throw("1.4.2", "/app/"));
    let resolved = &event["exception"]["frames"][0]["resolved"];
    assert_eq!(resolved["function"], "total", "{event}");
    assert!(resolved["file"].as_str().unwrap().ends_with("src/cart.js"), "{resolved}");
    assert_eq!(
        (&resolved["line"], &resolved["context_line"]),
        (&json!(5), &json!("    sum += item.price.amount; // throws here"))
    );
    assert_eq!(event["exception"]["frames"][1]["resolved"]["line"], 4, "{event}");
    site.mayday(&project, EXPLAIN).expect(0, &["frames resolve", "src/cart.js:5"]);
}

#[test]
fn a_newcomers_first_error_is_readable_after_the_suggested_command() {
    let (project, site) = (Project::new(), Site::new());
    let event = project.digest(&site.throw("1.4.2", "/app/"));
    let line = event["exception"]["frames"][0]["unresolved"]["command"].as_str().unwrap().to_owned();
    site.0.shell(&project, &line).expect(0, &["→ ~/app/assets/index-", "finalized"]);
    let again = project.event(event["event_id"].as_str().unwrap());
    assert_eq!(again["exception"]["frames"][0]["resolved"]["function"], "total", "{again}");
}

#[test]
fn a_newcomer_who_breaks_the_release_learns_it() {
    let (project, site) = uploaded();
    let wanted =
        ["rule 1, the release", "looked for: 1.4.3", "1.4.2", "sourcemaps upload --release 1.4.3 dist/"];
    site.mayday(&project, &CHECK.replace("1.4.2", "1.4.3")).expect(1, &wanted);
    site.throw("1.4.3", "/app/");
    site.mayday(&project, &EXPLAIN.replace("1.4.2", "1.4.3")).expect(0, &wanted);
}

#[test]
fn a_newcomer_who_moves_the_site_learns_it() {
    let (project, site) = uploaded();
    site.serve_from("/shop/");
    site.build();
    let wanted =
        ["rule 2, the url prefix", "looked for: ~/shop/assets/index-", "nearest: ~/app/assets/index-"];
    let told = site.mayday(&project, CHECK).expect(1, &wanted);
    told.expect(1, &["sourcemaps upload --release 1.4.2 --url-prefix '~/shop/'"]);
    site.throw("1.4.2", "/shop/");
    site.mayday(&project, EXPLAIN).expect(0, &wanted);
}

#[test]
fn a_newcomer_who_deploys_another_build_learns_it() {
    let (project, site) = uploaded();
    site.0.add("src/cart.js", CART.replace("let sum = 0", "let sum = 1"));
    site.build();
    let wanted = ["rule 3, the url", "looked for: ~/app/assets/index-", "nearest: ~/app/assets/index-"];
    site.mayday(&project, CHECK).expect(1, &wanted);
    site.throw("1.4.2", "/app/");
    site.mayday(&project, EXPLAIN).expect(0, &wanted);
}
