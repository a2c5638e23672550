//! Rules of GLSL ES 3.00: sources that break one are rejected, or warned of.

use crate::scenes::of_text;
use tarsus_shader::Diagnostic;

/// The sources of a list.
fn sources(list: &str) -> Vec<String> {
    let lines = list.lines().filter(|line| !line.is_empty());
    let cases = lines.filter(|line| !line.starts_with("# "));
    let sources = cases.map(|line| {
        let (globals, statements) = line.rsplit_once('@').unwrap_or(("", line));
        format!(
            "{globals}\nvoid mainImage(out vec4 c, in vec2 p) {{\n{statements}\nc += vec4(0.0);\n}}\n"
        )
    });
    sources.collect()
}

/// Results of `run` for all sources, in their order.
fn run_all<T: Send>(sources: &[String], run: impl Fn(&str) -> T + Sync) -> Vec<T> {
    let run = &run;
    let parts = sources.chunks(sources.len().div_ceil(4));
    std::thread::scope(|scope| {
        let workers = parts
            .map(|part| scope.spawn(move || part.iter().map(|text| run(text)).collect::<Vec<T>>()));
        let workers: Vec<_> = workers.collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    })
}

#[test]
fn rule_breaking_sources_are_rejected() {
    let sources = sources(include_str!("../invalid/refused.txt"));
    let outcomes = run_all(&sources, |text| of_text(text).is_ok());
    let outcomes = sources.iter().zip(outcomes);
    let accepted: Vec<_> = outcomes.filter(|(_, is_ok)| *is_ok).collect();
    assert!(sources.len() > 500 && accepted.is_empty(), "{accepted:#?}");
}

#[test]
fn legacy_sources_compile_with_warning() {
    let sources = sources(include_str!("../invalid/warned.txt"));
    let is_other = |warning: &&Diagnostic| {
        let others = ["nothing is bound to", "is always 0"];
        !others.iter().any(|other| warning.message.contains(other))
    };
    let outcomes = run_all(&sources, |text| {
        of_text(text).map(|program| program.warnings.iter().filter(is_other).count())
    });
    for (source, outcome) in sources.iter().zip(outcomes) {
        assert_eq!(outcome, Ok(1), "{source}");
    }
}

/// Keeps the list of known gaps current.
#[test]
fn unnoticed_sources_still_compile() {
    for source in sources(include_str!("../invalid/unnoticed.txt")) {
        assert!(of_text(&source).is_ok(), "{source}");
    }
}
