//! The page about signed distances is generated from comments, and its pictures show
//! every function under its name.

use std::fmt::Write as _;

use tarsus_scenes::MODULES;
use tarsus_shader::{Item, ItemKind, description, items};

use super::{Guarantee, Row};

/// Modules in the order of the page.
const ORDER: [&str; 6] = ["sdf", "sdf2", "sdf2_curves", "sdf3", "sdf3_round", "sdf_ops"];

/// First words of the sentences that state the quality of a distance.
const QUALITIES: [&str; 3] = ["Exact", "Bound", "Estimate"];

fn module_text(name: &str) -> &'static str {
    let path = format!("tarsus::{name}");
    let found = MODULES.iter().find(|(module, _)| *module == path);
    found.map_or("", |(_, text)| text)
}

fn functions(module: &str) -> Vec<Item> {
    let all = items(module_text(module)).into_iter();
    all.filter(|item| item.kind == ItemKind::Function).collect()
}

/// The comment as a single line.
fn comment_line(item: &Item) -> String {
    item.comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sentences of a comment about the quality of the distance.
fn quality(item: &Item) -> String {
    let comment_line = comment_line(item);
    let begins = |sentence: &&str| QUALITIES.iter().any(|word| sentence.starts_with(word));
    let sentences: Vec<&str> = comment_line.split_inclusive(". ").filter(begins).collect();
    sentences.concat().trim().trim_end_matches('.').to_owned()
}

/// The comment without the sentences of [`quality`].
fn shape_description(item: &Item) -> String {
    let comment_line = comment_line(item);
    let begins = |sentence: &&str| !QUALITIES.iter().any(|word| sentence.starts_with(word));
    comment_line.split_inclusive(". ").filter(begins).collect::<String>().trim().to_owned()
}

fn page() -> String {
    let mut page = String::from(
        "# Signed distances\n\n\
         Shapes for ray marching and for drawing, each with a picture and the quality of its distance:\n\n\
         - **Exact**: the distance to the nearest point of the surface.\n\
         - **Bound**: never larger than that, so sphere tracing does not overshoot.\n\
         - **Estimate**: neither; its description gives the error.\n\n\
         `#import tarsus::sdf2` imports a module; functions that a scene does not call cost nothing.\n\
         Signatures are in [modules.md](modules.md), and `tarsus docs sdf2` prints them. The tests compare\n\
         every function with a reference that searches for the nearest point.\n\n\
         Each picture is a scene in [docs/sdf](sdf): `tarsus view docs/sdf/sdf2.wgsl` shows one in the window,\n\
         and `cargo run --release --example sdf_sheets` regenerates them all. Around flat shapes the contour\n\
         bands are 0.16 wide.\n",
    );
    for module in ORDER {
        // Writing to a `String` cannot fail.
        let _ = write!(
            page,
            "\n## `{module}`\n\n{}\n\n![The shapes of {module}](../captures/sdf/{module}.png)\n\n\
             | function | shape | distance |\n|---|---|---|\n",
            description(module_text(module)).split("\n\n").next().unwrap_or_default(),
        );
        for item in functions(module) {
            if is_one_of(PARTS, module, &item) {
                continue;
            }
            let _ = writeln!(
                page,
                "| `{}` | {} | {} |",
                item.name,
                cell(&shape_description(&item)),
                cell(&quality(&item))
            );
        }
    }
    page
}

/// Escapes text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    let mut in_code = false;
    let mut shown = String::new();
    for c in text.chars() {
        in_code ^= c == '`';
        if c == '|' || (!in_code && matches!(c, '*' | '_' | '<')) {
            shown.push('\\');
        }
        shown.push(c);
    }
    shown
}

#[test]
fn the_page_matches_module_comments() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sdf.md");
    let page = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).expect("write");
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        stored == page,
        "docs/sdf.md is not what the modules say: \
         UPDATE_DOCS=1 cargo test --all-features --test render the_page writes it"
    );
}

/// Parts of shapes, which the page omits.
const PARTS: &[&str] = &[
    "sdf::along_segment",
    "sdf::from_segment",
    "sdf::nearness",
    "sdf2::from_segment",
    "sdf2::cross2",
    "sdf2::mirrored_to",
    "sdf2::with_sign",
    "sdf2::edge_above",
    "sdf2::edge_of_star",
    "sdf2_curves::cubic_root",
    "sdf2_curves::nearest_on_bezier",
    "sdf3::from_box",
    "sdf3::squared_from_edge",
    "sdf3_round::profile",
    "sdf3_round::profile_between",
];

/// Functions on the page that cannot be drawn by themselves.
const WITHOUT_PICTURE: &[&str] = &[
    "sdf2::no_edges",
    "sdf2::add_edge",
    "sdf2_curves::from_arc",
    "sdf_ops::twist_bound",
    "sdf_ops::bend_bound",
];

fn is_one_of(list: &[&str], module: &str, item: &Item) -> bool {
    list.contains(&format!("{module}::{}", item.name).as_str())
}

/// Names in a sheet, decoded from its labels.
fn labels(sheet: &str) -> Vec<String> {
    let rows = sheet.lines().filter(|line| line.contains("sheet::Label(vec4u(0x"));
    let decoded = |line: &str| -> String {
        let words = line.split(['(', ',', ')', ' ']).filter_map(|word| word.strip_prefix("0x"));
        let bytes = words.flat_map(|word| {
            let number = u32::from_str_radix(word.trim_end_matches(['u', ')', ';']), 16);
            number.expect("a word").to_be_bytes()
        });
        bytes.filter(|&byte| byte != 0).map(char::from).collect()
    };
    rows.map(decoded).collect()
}

#[test]
fn every_shape_has_labelled_picture() {
    for module in ORDER {
        let path = format!("{}/../../docs/sdf/{module}.wgsl", env!("CARGO_MANIFEST_DIR"));
        let sheet = std::fs::read_to_string(&path).expect("a sheet");
        let labels = labels(&sheet);
        assert!(sheet.contains(&format!("const CELLS: u32 = {}u;", labels.len())), "{path}");
        let mut shown = labels.clone();
        shown.sort();
        let mut expected: Vec<String> = functions(module)
            .into_iter()
            .filter(|item| !is_one_of(PARTS, module, item))
            .filter(|item| !is_one_of(WITHOUT_PICTURE, module, item))
            .map(|item| item.name)
            .collect();
        expected.sort();
        assert_eq!(shown, expected, "{path}");
        for name in labels {
            assert!(sheet.contains(&format!("{module}::{name}(")), "{path} does not call {name}");
        }
        let picture = format!("{}/../../captures/sdf/{module}.png", env!("CARGO_MANIFEST_DIR"));
        assert!(std::path::Path::new(&picture).exists(), "{picture}");
    }
}

/// Lists the functions whose comments do not state the guarantee that their rows test.
pub fn undocumented_guarantees(rows: &[Row]) -> Vec<String> {
    let mut wrong = Vec::new();
    for module in ORDER {
        for item in functions(module) {
            let call = format!("{module}::{}(", item.name);
            let comment = comment_line(&item).to_lowercase();
            // A row tests its outermost call.
            let is_own = |row: &&Row| {
                row.call.starts_with(&call)
                    && (module == "sdf_ops" || !row.call.contains("sdf_ops::"))
            };
            if quality(&item).is_empty() {
                continue;
            }
            for row in rows.iter().filter(is_own) {
                let words: &[&str] = match row.guarantee {
                    Guarantee::Exact => &["exact"],
                    Guarantee::Unsigned => &["not signed"],
                    Guarantee::ExactOutside => &["exact outside"],
                    Guarantee::Bound | Guarantee::Below => &["bound"],
                    Guarantee::BoundOutside => &["bound outside", "estimate"],
                };
                if !words.iter().any(|word| comment.contains(word)) {
                    wrong.push(format!(
                        "{} is {:?}, but its comment: {comment}\n",
                        row.call, row.guarantee
                    ));
                }
            }
        }
    }
    wrong
}
