//! Sources with excessive nesting.

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

use super::super::guard::stack_need;
use super::super::{Budget, convert};

/// (what repeats, what follows at the end): each parses by recursion.
const NESTING: &[(&str, &str, &str)] = &[
    ("parens", "(", ""),
    ("arrays", "[", ""),
    ("objects", "({a:", ""),
    ("blocks", "{", ""),
    ("calls", "a(", ""),
    ("members", "a[", ""),
    ("templates", "`${", ""),
    ("not", "!", "a"),
    ("minus", "- ", "a"),
    ("typeof", "typeof ", "a"),
    ("await", "await ", "a"),
    ("new", "new ", "a"),
    ("arrows", "a=>", "a"),
    ("arrow bodies", "a=>{", ""),
    ("async arrows", "async a=>", "a"),
    ("assign", "a=", "a"),
    ("ternary", "a?", "a"),
    ("ternary else", "a?a:", "a"),
    ("power", "a**", "a"),
    ("if", "if(a)", "a"),
    ("else", "if(a);else ", "a"),
    ("for", "for(;;)", "a"),
    ("while", "while(a)", "a"),
    ("do", "do ", "a"),
    ("label", "a:", "a"),
    ("functions", "function f(){", ""),
    ("function expressions", "(function(){", ""),
    ("classes", "class A{m(){", ""),
    ("class heritage", "class A extends ", "a{}"),
    ("class fields", "(class{a=", ""),
    ("defaults", "function f(a=function(){", ""),
    ("patterns", "[[", ""),
    ("const patterns", "const [{a:[", ""),
    ("decorators", "@a(", ""),
    ("try", "try{", ""),
    ("switch", "switch(a){case ", ""),
    ("jsx", "<a>", ""),
    ("jsx attributes", "<a b=<a>", ""),
    ("jsx containers", "<a>{", ""),
    ("yield", "function*f(){yield ", ""),
    ("import", "import(", ""),
    ("optional", "a?.(", ""),
    ("spread", "[...", ""),
    ("types", "type A=", "B"),
    ("generics", "let a:A<", ""),
    ("generic nest", "A<", ""),
    ("type parens", "let a:(", ""),
    ("function types", "let a:()=>", ""),
    ("tuple types", "let a:[", ""),
    ("object types", "let a:{a:", ""),
    ("namespaces", "namespace A{", ""),
    ("angle casts", "<a>(", ""),
    ("in and or", "(a||b&&c|d^e&f==g<h<<i+j*", ""),
    ("divisions", "(a/", ""),
];

/// Prefixes that must hold once for the repeated part to nest in types.
const TYPE_HEADS: &[(&str, &str, &str)] = &[
    ("type A=", "keyof ", "B"),
    ("type A=", "B extends C?", "D"),
    ("type A=", "B extends C?D:", "E"),
    ("type A=", "(", ""),
    ("type A=", "()=>", "B"),
    ("type A=", "new()=>", "B"),
    ("type A=", "[", ""),
    ("type A=", "{a:", ""),
    ("type A=", "B<", ""),
    ("type A=", "`${", ""),
    ("type A=", "readonly ", "B[]"),
    ("type A=", "typeof a<", ""),
    ("type A=", "B[", ""),
    ("type A=", "|", "B"),
    ("type A=", "&", "B"),
    ("type A=", "asserts a is ", "B"),
    ("type A=", "abstract new()=>", "B"),
    ("type A=", "infer B extends ", "C"),
    ("type A=", "unique ", "symbol"),
    ("type A=", "{[a in ", "B"),
    ("let a=", "b.", "c"),
    ("let a=", "b+", "c"),
    ("let a=", "b&&", "c"),
    ("let a=", "b,", "c"),
    ("let a=", "b??", "c"),
    ("let a=b", "()", ""),
    ("let a=b", "[0]", ""),
    ("let a=b", "!", ""),
    ("let a=b", "``", ""),
    ("let a=b", " as c", ""),
    ("let a=b", " instanceof c", ""),
    ("", "export ", "a"),
    ("", "declare ", "a"),
    ("", "abstract ", "class A{}"),
    ("", "static ", "a"),
    ("class A{", "static ", "a"),
    ("class A{", "get ", "a"),
    ("", "case ", "a"),
    ("", "async ", "a"),
    ("", "let ", "a"),
    ("", "var ", "a"),
    ("", "import ", "a"),
    ("", "throw ", "a"),
    ("function f(){", "return ", "a"),
    ("", "using ", "a"),
    ("", "enum A{a=", "b"),
    ("", "with(a)", "b"),
    ("", "switch(a){default:", "b"),
    ("", "import a=", "b"),
    ("", "export=", "b"),
    ("", "export default ", "b"),
    ("", "a\n", "b"),
    ("", "a;", "b"),
    ("", "/a/.b(", ""),
    ("", "in ", "b"),
    ("let a=", "b in ", "c"),
    ("", "\"a\"+", "b"),
    ("let a=", "b|", "c"),
    ("let a=", "b/", "c"),
    ("let a=", "b%", "c"),
    ("let a=", "b^", "c"),
    ("let a=", "b==", "c"),
    ("let a=", "b>", "c"),
    ("let a=", "b satisfies ", "c"),
    ("let a:", "b is ", "c"),
    ("let a:", "b.", "c"),
];

fn cases(repeat: usize) -> impl Iterator<Item = (String, String)> {
    let plain = NESTING.iter().map(|&(what, part, end)| (what.to_owned(), "", part, end));
    let headed = TYPE_HEADS.iter().map(|&(head, part, end)| (format!("{head}{part}"), head, part, end));
    plain
        .chain(headed)
        .map(move |(what, head, part, end)| (what, format!("{head}{}{end}", part.repeat(repeat))))
}

fn map_of(file: &str, source: &str) -> Vec<u8> {
    let content = serde_json::to_string(source).expect("a string");
    format!(r#"{{"version":3,"mappings":"","sources":["{file}"],"sourcesContent":[{content}]}}"#).into_bytes()
}

/// Stack that parsing `source` (not the walk, which watches its own depth) touched, in bytes: the resident part of the thread's
/// stack mapping. 1 GiB is more than the C library keeps for reuse, so each starts untouched.
#[cfg(target_os = "linux")]
fn stack_touched(file: &str, source: &str) -> usize {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size((1 << 30) + (8 << 20))
            .spawn_scoped(scope, || {
                let kind = SourceType::from_path(file).expect("a known extension");
                let arena = Allocator::default();
                let before = resident_stack();
                let parsed = Parser::new(&arena, source, kind).parse();
                std::hint::black_box(&parsed);
                resident_stack().saturating_sub(before)
            })
            .expect("a thread")
            .join()
            .expect("no panic")
    })
}

/// Resident bytes of the mapping that this function's frame is in.
#[cfg(target_os = "linux")]
fn resident_stack() -> usize {
    let here = 0_u8;
    let address = std::ptr::from_ref(&here).addr();
    let maps = std::fs::read_to_string("/proc/self/smaps").expect("procfs");
    let mut inside = false;
    for line in maps.lines() {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let parse = |hex: &str| usize::from_str_radix(hex, 16).ok();
        if let Some((start, end)) = range.and_then(|(a, b)| parse(a).zip(parse(b))) {
            inside = (start..end).contains(&address);
        } else if inside && line.starts_with("Rss:") {
            let kib = line.split_whitespace().nth(1).and_then(|n| n.parse::<usize>().ok());
            return kib.expect("a number") * 1024;
        }
    }
    panic!("the stack is mapped somewhere");
}

/// Levels to measure with: enough to separate a level's cost from the fixed cost.
const LEVELS: usize = 500;

/// No construct in any language needs more than `stack_need` assumes.
#[test]
#[cfg(target_os = "linux")]
fn no_construct_takes_more_stack_than_is_assumed() {
    let mut worst = Vec::new();
    for file in ["a.tsx", "a.ts"] {
        for (what, source) in cases(LEVELS) {
            let (touched, need) = (stack_touched(file, &source), stack_need(&source));
            // The first frames, and the deepest one that does not nest.
            let fixed = 128 << 10;
            worst.push((touched.saturating_sub(fixed) * 100 / need.max(1), touched, need, file, what));
        }
    }
    worst.sort_unstable_by(|a, b| b.cmp(a));
    for (percent, touched, need, file, what) in worst.iter().take(12) {
        println!("{percent:4} %  {touched:10} of {need:10}  {file:6} {what}");
    }
    assert!(worst[0].0 <= 100, "{:?}", worst[0]);
}

/// Would end the whole test process on failure.
#[test]
fn the_deepest_source_that_is_parsed_fits_the_stack() {
    let budget = Budget::default();
    for part in ["(", "[[", "a=>", "(function(){", "<a>{"] {
        let fit = budget.scope_stack_bytes / stack_need(&part.repeat(100)) * 100;
        let source = part.repeat(fit);
        assert!(stack_need(&source) <= budget.scope_stack_bytes, "it would not be parsed");
        convert(&map_of("a.tsx", &source), &budget, &mut Vec::new()).expect("a map");
    }
}

#[test]
fn a_source_past_the_stack_budget_only_loses_its_names() {
    let source = format!("function f(){{ {} }}", "(".repeat(200_000));
    let mut compact = Vec::new();
    let summary = convert(&map_of("a.js", &source), &Budget::default(), &mut compact).expect("still a map");
    assert_eq!((summary.functions, summary.without_scopes), (0, 1));
}

#[test]
fn long_chains_are_walked_without_overflow() {
    // Parsed in a loop into a tree that leans left, hence walked by recursion.
    for part in [".a", "()", "[0]", "+a", "||a", "``", "!"] {
        let source = format!("function f(){{ a{} }}", part.repeat(150_000));
        let budget = Budget { scope_stack_bytes: 512 << 20, ..Budget::default() };
        convert(&map_of("a.ts", &source), &budget, &mut Vec::new()).expect("a map");
    }
}
