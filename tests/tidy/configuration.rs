//! `docs/configuration.md` has a table of all variables, generated from `.env.static.example`. Update it with
//! `MAYDAY_UPDATE=1 cargo test --test tidy table_of_variables`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- variables: made of .env.static.example -->\n";
const END: &str = "<!-- /variables -->\n";

/// The variable and the default of a row, `#NAME=default`.
fn row(line: &str) -> Option<(&str, &str)> {
    let (name, default) = line.strip_prefix('#')?.split_once('=')?;
    mayday::config::VARIABLES.contains(&name).then_some((name, default))
}

/// Escapes a comment's text for a cell or a paragraph.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut is_code = false;
    for each in text.chars() {
        is_code ^= each == '`';
        match each {
            '<' | '>' | '*' if !is_code => plain.extend(['\\', each]),
            '|' => plain.push_str("\\|"),
            _ => plain.push(each),
        }
    }
    plain
}

fn cell(default: &str) -> String {
    if default.is_empty() { String::new() } else { format!("`{}`", default.replace('|', "\\|")) }
}

/// One section for each heading of the example. A comment describes the rows right below it; one without rows becomes
/// a paragraph.
fn tables(example: &str) -> String {
    let mut text = String::new();
    let mut comment = String::new();
    let mut is_open = false;
    // The beginning of the file is for people who edit it.
    let sections =
        example.split_once("\n# Required before").map_or("", |(head, _)| &example[head.len() + 1..]);
    for line in sections.lines() {
        if let Some((name, default)) = row(line) {
            if !is_open {
                text += "\n| variable | default | |\n|---|---|---|\n";
                is_open = true;
            }
            let mark = if mayday::config::DORMANT.contains(&name) { " ¹" } else { "" };
            writeln!(text, "| `{name}`{mark} | {} | {} |", cell(default), plain(comment.trim())).unwrap();
            comment.clear();
        } else if let Some(heading) = line.strip_suffix("---").and_then(|line| line.strip_prefix("# ")) {
            writeln!(text, "\n### {}", heading.trim_end_matches('-').trim()).unwrap();
            is_open = false;
        } else if let Some(words) = line.strip_prefix("# ") {
            comment.push_str(words);
            comment.push(' ');
        } else if !comment.is_empty() {
            writeln!(text, "\n{}", plain(comment.trim())).unwrap();
            comment.clear();
            is_open = false;
        }
    }
    text.trim_start().to_owned()
}

#[test]
fn the_table_of_variables_is_the_examples() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let page = fs::read_to_string(&path).unwrap();
    let now = tables(&fs::read_to_string(".env.static.example").unwrap());
    for name in mayday::config::VARIABLES {
        assert_eq!(now.matches(&format!("| `{name}`")).count(), 1, "{name}");
    }
    let (head, rest) = page.split_once(BEGIN).unwrap();
    let (_, tail) = rest.split_once(END).unwrap();
    let expected = format!("{head}{BEGIN}\n{now}\n{END}{tail}");
    if std::env::var_os("MAYDAY_UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &expected).unwrap();
        return;
    }
    assert!(
        page == expected,
        "docs/configuration.md is not what .env.static.example says any more. Write it anew with\n\
         MAYDAY_UPDATE=1 cargo test --test tidy table_of_variables"
    );
}

#[test]
fn a_comment_describes_the_rows_below_it() {
    let example = "# Head.\n\n# Required before x ---\n\n# For both.\n\n# The <name>. Secret.\n#SITE_ADDRESS=\n#AWS_REGION=a|b\n";
    let text = tables(example);
    assert!(text.contains("### Required before x\n\nFor both.\n"), "{text}");
    assert!(
        text.contains("| `SITE_ADDRESS` |  | The \\<name\\>. Secret. |\n| `AWS_REGION` ¹ | `a\\|b` |  |\n"),
        "{text}"
    );
}

/// Everything that the page quotes is in the sources, piece by piece between the values that vary.
#[test]
fn troubleshooting_quotes_what_the_program_says() {
    let page = fs::read_to_string("docs/troubleshooting.md").unwrap();
    let mut sources = String::new();
    for (folder, extension) in [("src", "rs"), ("deploy", "sh")] {
        crate::files(folder, &[extension]).iter().for_each(|(_, text)| sources += text);
    }
    // A text that continues on the next line.
    let joined: Vec<&str> = sources
        .split("\\\n")
        .enumerate()
        .map(|(at, text)| if at == 0 { text } else { text.trim_start() })
        .collect();
    let sources = joined.concat();
    let messages: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect();
    assert!(messages.len() > 10);
    for message in messages {
        // The message of the system.
        let message = message.trim_end_matches("Address already in use");
        for piece in message.split('…').map(|piece| piece.trim_matches([' ', ':', '(', ')', ';', ',', '=']))
        {
            assert!(piece.len() < 4 || sources.contains(piece), "nothing says {piece:?}");
        }
    }
}
