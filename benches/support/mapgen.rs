//! Source maps to measure with: TypeScript modules as people write them, and one minified line as
//! bundlers write it. Deterministic: the same size gives the same bytes.

use std::fmt::Write;

/// A generated bundle and its map.
pub(crate) struct Bundle {
    /// The source map's JSON.
    pub(crate) map: String,
    /// The minified script (symbolic needs it to find scopes, and an upload has one beside each map).
    #[allow(dead_code)]
    pub(crate) script: String,
    /// Columns (0-based, on the only line) that stand inside functions, in random order.
    pub(crate) frames: Vec<u32>,
    /// How many sources the map has.
    pub(crate) modules: usize,
}

const NOUNS: [&str; 24] = [
    "account", "invoice", "customer", "order", "payment", "session", "widget", "report", "filter", "project",
    "member", "billing", "address", "channel", "message", "comment", "product", "catalog", "shipment",
    "refund", "profile", "setting", "template", "workflow",
];
const VERBS: [&str; 16] = [
    "load",
    "fetch",
    "format",
    "render",
    "update",
    "select",
    "validate",
    "merge",
    "resolve",
    "compute",
    "refresh",
    "collect",
    "schedule",
    "dispatch",
    "normalize",
    "serialize",
];

/// A bundle whose map has about `bytes` bytes, of modules of some `scale` × 7 KB.
pub(crate) fn bundle(bytes: usize, scale: usize) -> Bundle {
    let mut generator = Generator::new();
    let mut modules = 0;
    while generator.size() < bytes {
        generator.module(modules, scale);
        modules += 1;
    }
    generator.finish()
}

struct Generator {
    random: u64,
    script: String,
    script_columns: u32,
    mappings: String,
    last: [i64; 5],
    sources: Vec<String>,
    contents: Vec<String>,
    contents_len: usize,
    names: Vec<String>,
    name_ids: std::collections::HashMap<String, usize>,
    frames: Vec<u32>,
    text: String,
    line: i64,
    column: i64,
}

impl Generator {
    fn new() -> Self {
        Self {
            random: 0x9E37_79B9_7F4A_7C15,
            script: String::new(),
            script_columns: 0,
            mappings: String::new(),
            last: [0; 5],
            sources: Vec::new(),
            contents: Vec::new(),
            contents_len: 0,
            names: Vec::new(),
            name_ids: std::collections::HashMap::new(),
            frames: Vec::new(),
            text: String::new(),
            line: 0,
            column: 0,
        }
    }

    /// About what the JSON will take; line ends and quotes are escaped there (5 % more).
    fn size(&self) -> usize {
        self.mappings.len() + self.contents_len * 105 / 100 + self.sources.len() * 40 + self.names.len() * 16
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 33) as usize % limit
    }

    fn noun(&mut self) -> &'static str {
        NOUNS[self.below(NOUNS.len())]
    }

    fn verb(&mut self) -> &'static str {
        VERBS[self.below(VERBS.len())]
    }

    /// Original text that has no counterpart in the script.
    fn only(&mut self, text: &str) {
        self.text.push_str(text);
        for c in text.chars() {
            match c {
                '\n' => (self.line, self.column) = (self.line + 1, 0),
                c => self.column += c.len_utf16() as i64,
            }
        }
    }

    /// Original text and its minified form, with a mapping at the start.
    fn code(&mut self, original: &str, minified: &str) {
        self.map(None);
        self.emit(original, minified);
    }

    /// An identifier that the minifier renames; the map records its name.
    fn ident(&mut self, original: &str, minified: &str) {
        let id = match self.name_ids.get(original) {
            Some(&id) => id,
            None => {
                self.names.push(original.to_owned());
                self.name_ids.insert(original.to_owned(), self.names.len() - 1);
                self.names.len() - 1
            }
        };
        self.map(Some(id));
        self.emit(original, minified);
    }

    fn emit(&mut self, original: &str, minified: &str) {
        self.only(original);
        self.script.push_str(minified);
        self.script_columns += minified.len() as u32;
    }

    fn map(&mut self, name: Option<usize>) {
        let now = [
            i64::from(self.script_columns),
            self.sources.len() as i64 - 1,
            self.line,
            self.column,
            name.map_or(self.last[4], |id| id as i64),
        ];
        if !self.mappings.is_empty() {
            self.mappings.push(',');
        }
        let fields = if name.is_some() { 5 } else { 4 };
        for (now, last) in now.iter().zip(&self.last).take(fields) {
            vlq(&mut self.mappings, now - last);
        }
        self.last = now;
    }

    fn frame(&mut self) {
        self.frames.push(self.script_columns);
    }

    fn module(&mut self, number: usize, scale: usize) {
        let (folder, noun) = (self.noun(), self.noun());
        self.sources.push(format!("webpack://shop/./src/{folder}/{noun}{number}.ts"));
        (self.line, self.column) = (0, 0);
        self.text = String::new();
        let import = self.noun();
        self.only(&format!("import {{ {import}Store, memo }} from \"../{import}/{import}Store\";\n\n"));
        for _ in 0..(3 + self.below(12)) * scale {
            match self.below(4) {
                0 => self.class(number),
                1 => self.component(number),
                _ => self.function(number),
            }
        }
        let text = std::mem::take(&mut self.text);
        self.contents_len += text.len();
        self.contents.push(text);
    }

    fn comment(&mut self, indent: &str) {
        let (verb, noun, other) = (self.verb(), self.noun(), self.noun());
        self.only(&format!(
            "{indent}/**\n{indent} * Tries to {verb} the {noun} that belongs to the given {other}.\n\
             {indent} * The result is cached – callers must not change it.\n{indent} */\n"
        ));
    }

    fn function(&mut self, number: usize) {
        self.comment("");
        let (verb, noun) = (self.verb(), self.noun());
        let name = format!("{verb}{}{number}", capital(noun));
        self.only("export ");
        self.code("function ", "function ");
        self.ident(&name, "n");
        self.code("(", "(");
        self.ident("items", "t");
        self.only(": readonly Item[]");
        self.code(", ", ",");
        self.ident("options", "e");
        self.only(": Options");
        self.code(" = {}", "={}");
        self.only("): string[] ");
        self.code("{\n", "){");
        self.body("  ");
        self.code("}\n\n", "}");
    }

    fn class(&mut self, number: usize) {
        self.comment("");
        let noun = self.noun();
        self.only("export ");
        self.code("class ", "class ");
        self.ident(&format!("{}Service{number}", capital(noun)), &format!("C{}", self.script_columns));
        self.code(" {\n", "{");
        for index in 0..2 + self.below(4) {
            self.comment("  ");
            let (verb, noun) = (self.verb(), self.noun());
            self.only("  ");
            self.code("async ", "async ");
            let method = format!("{verb}{}{index}", capital(noun));
            self.code(&method, &method);
            self.code("(", "(");
            self.ident("items", "t");
            self.only(": readonly Item[]");
            self.code(", ", ",");
            self.ident("options", "e");
            self.only(": Options): Promise<string[]> ");
            self.code("{\n", "){");
            self.body("    ");
            self.only("  ");
            self.code("}\n\n", "}");
        }
        self.code("}\n\n", "}");
    }

    fn component(&mut self, number: usize) {
        let noun = self.noun();
        self.only("export ");
        self.code("const ", "const ");
        let short = format!("M{}", self.script_columns);
        self.ident(&format!("{}View{number}", capital(noun)), &short);
        self.code(" = ", "=");
        self.ident("memo", "m");
        self.code("(", "(");
        self.code("({ ", "({");
        self.ident("items", "items:t");
        self.code(", ", ",");
        self.ident("options", "options:e");
        self.only(" }: Props");
        self.code(") => {\n", "})=>{");
        self.body("  ");
        self.code("});\n\n", "});");
    }

    /// Statements over `items` (t) and `options` (e); ends by returning.
    fn body(&mut self, indent: &str) {
        self.only(indent);
        self.code("const ", "const ");
        self.ident("result", "r");
        self.code(" = [];\n", "=[];");
        for index in 0..1 + self.below(5) {
            self.statement(indent, index);
        }
        self.only(indent);
        self.code("return ", "return ");
        self.ident("result", "r");
        self.code(";\n", ";");
    }

    fn statement(&mut self, indent: &str, index: usize) {
        let (verb, noun, other) = (self.verb(), self.noun(), self.noun());
        self.only(indent);
        if self.below(3) == 0 {
            self.only(&format!("// Only the {noun} knows its {other} here.\n{indent}"));
        }
        let local = format!("{noun}{index}");
        self.code("const ", "const ");
        self.ident(&local, &format!("a{index}"));
        self.code(" = ", "=");
        self.ident("items", "t");
        self.code(".filter(", ".filter(");
        self.code("(", "(");
        self.ident("entry", "i");
        self.code(") => ", ")=>");
        self.frame();
        self.ident("entry", "i");
        self.code(&format!(".{other}"), &format!(".{other}"));
        self.code(".length > ", ".length>");
        self.ident("options", "e");
        self.code(".limit", ".limit");
        self.code(");\n", ");");
        self.only(indent);
        self.code("if (", "if(");
        self.frame();
        self.ident(&local, &format!("a{index}"));
        self.code(".length", ".length");
        self.code(") {\n", ")");
        self.only(&format!("{indent}  "));
        self.ident("result", "r");
        self.code(".push(", ".push(");
        self.frame();
        let call = format!("{verb}{}", capital(other));
        self.ident(&call, "f");
        self.code("(", "(");
        self.ident(&local, &format!("a{index}"));
        self.code(", ", ",");
        self.code(&format!("\"{noun}.{verb}\""), &format!("\"{noun}.{verb}\""));
        self.code("));\n", "));");
        self.only(&format!("{indent}}}\n"));
    }

    fn finish(mut self) -> Bundle {
        for at in (1..self.frames.len()).rev() {
            let other = self.below(at + 1);
            self.frames.swap(at, other);
        }
        let list = |strings: &[String]| serde_json::to_string(strings).expect("strings are JSON");
        let mut map = String::with_capacity(self.size() * 11 / 10);
        write!(
            map,
            r#"{{"version":3,"file":"main.js","mappings":"{}","names":{},"sources":{},"sourcesContent":{}}}"#,
            self.mappings,
            list(&self.names),
            list(&self.sources),
            list(&self.contents)
        )
        .expect("writing to memory");
        Bundle { map, script: self.script, frames: self.frames, modules: self.sources.len() }
    }
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

fn vlq(out: &mut String, value: i64) {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut rest = (value.unsigned_abs() << 1) | u64::from(value < 0);
    loop {
        let digit = (rest & 31) as usize;
        rest >>= 5;
        out.push(DIGITS[digit | if rest > 0 { 32 } else { 0 }] as char);
        if rest == 0 {
            return;
        }
    }
}
