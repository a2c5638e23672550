//! Reports about a scene for the page, as JSON.

use serde_json::{Value, json};

use super::composed::Composed;
use tarsus_render::RenderError;
use tarsus_shader::{
    Channel, ChannelShape, ChannelSource, Control, DebugView, Diagnostic, Parameter, Pass,
    PassKind, Program,
};

/// Converts diagnostics to a JSON list.
pub fn diagnostics<'a>(found: impl IntoIterator<Item = &'a Diagnostic>) -> Value {
    found.into_iter().map(diagnostic).collect()
}

fn diagnostic(diagnostic: &Diagnostic) -> Value {
    let span = diagnostic.span.as_ref();
    json!({
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "file": diagnostic.file,
        "line": diagnostic.line_column().map(|(line, _)| line),
        "from": span.map(|span| utf16_offset(&diagnostic.text, span.start)),
        "to": span.map(|span| utf16_offset(&diagnostic.text, span.end.max(span.start))),
        "label": diagnostic.label,
        "notes": diagnostic.notes.iter().map(|note| page_note(note)).collect::<Vec<&str>>(),
    })
}

/// Hints that name commands, by a part of their text, and their wording in the page.
const HINTS: &[(&str, &str)] = &[
    (
        "with the feature `glsl`",
        "hint: the page reads only part of GLSL; the program tarsus reads all of it",
    ),
    ("`tarsus config media ", "hint: your own files go into Controls, Channel files"),
    ("`--channel ", "hint: Controls, Channel files takes a file for it"),
    ("`tarsus docs ", "hint: the book above the editor lists the items of every module"),
];

/// Rewords a hint for the page, where there are no commands.
fn page_note(note: &str) -> &str {
    let found = HINTS.iter().find(|(part, _)| note.contains(part));
    found.map_or(note, |(_, hint)| hint)
}

/// Offset in UTF-16 units of a byte offset, which is rounded down to a character boundary.
fn utf16_offset(text: &str, byte: usize) -> usize {
    text[..text.floor_char_boundary(byte)].encode_utf16().count()
}

/// Reports a scene that was loaded; `has_sound` is true if its sound can be rendered.
pub fn loaded(composed: &Composed, has_sound: bool) -> Value {
    let program = &composed.program;
    let parameters: Value = program.parameters.iter().map(parameter).collect();
    let channels: Value = program.channels.iter().filter_map(channel).collect();
    json!({
        "ok": true,
        "diagnostics": [],
        "parameters": parameters,
        "channels": channels,
        "size": program.size,
        "period": program.period,
        "debugView": composed.debug_view.map(DebugView::name),
        "readsPointer": program.reads_pointer(),
        "readsCamera": program.reads_camera(),
        "animated": program.is_animated,
        "sound": has_sound,
        "readsKeyboard": program.reads_keyboard(),
    })
}

/// Reports that the scene in `file` cannot be drawn.
pub fn failed(message: &str, file: &str) -> Value {
    let found = Diagnostic::new(message, file);
    json!({ "ok": false, "diagnostics": diagnostics([&found]) })
}

/// Reports that the device was lost while the scene in `file` was loading.
pub fn lost(file: &str) -> Value {
    let mut report = failed("cannot draw now: the device is lost", file);
    report["isLost"] = true.into();
    report
}

/// Reports that another load was requested meanwhile, which is no error.
pub fn superseded() -> Value {
    json!({ "ok": false, "diagnostics": [] })
}

/// Reports that the browser rejects the scene in `file`: with the pass and, if a line of its WGSL
/// is known, the `function`.
pub fn rejected(error: &RenderError, program: &Program, file: &str, other_backend: &str) -> Value {
    let RenderError::Rejected { reason, sources } = error else {
        return failed(&error_text(error), file);
    };
    // The label formats of wgpu and Chrome: compilers also quote names of the source.
    let is_named = |pass: &&Pass| {
        let label = pass.kind.label();
        let labels = [format!("label = '{label}'"), format!("\"{label}\"]")];
        labels.iter().any(|label| reason.contains(label))
    };
    let kind = program.all_passes().find(is_named).map(|pass| pass.kind);
    let what = match kind {
        Some(kind) if program.all_passes().count() > 1 => &format!("the pass `{kind}`"),
        _ => "the scene",
    };
    let text = error_text(error);
    let mut report = failed(&format!("the browser cannot compile {what}: {text}"), file);
    let found = &mut report["diagnostics"][0];
    // Drivers of WebGL2 tell no source, and the module for it is small.
    if cfg!(any(feature = "webgpu", not(feature = "webgl"))) {
        let is_compiled = |(of, _): &&(PassKind, String)| match kind {
            Some(kind) => *of == kind,
            None => sources.len() == 1,
        };
        let first = reason.lines().find_map(compile_error);
        let source = sources.iter().find(is_compiled).zip(first);
        found["function"] =
            source.and_then(|((_, text), (line, _))| function_at(text, line)).into();
    }
    found["notes"] = [format!(
        "hint: if you cannot change that, try {other_backend}: put `?backend={}` before the `#` of \
         the address",
        other_backend.to_lowercase()
    )]
    .as_slice()
    .into();
    report
}

/// Text of an error on one line: of a rejected pass, the texts of the browser's compiler, if known.
pub fn error_text(error: &RenderError) -> String {
    let RenderError::Rejected { reason, .. } = error else {
        return one_line(&error.to_string());
    };
    let texts: Vec<_> = reason.lines().filter_map(compile_error).map(|(_, text)| text).collect();
    if texts.is_empty() { one_line(reason) } else { texts.join("; ") }
}

/// Name of the function at a line of generated WGSL, counted from 1.
fn function_at(text: &str, line: usize) -> Option<&str> {
    let declarations = text.lines().take(line).filter_map(|line| line.strip_prefix("fn "));
    declarations.last()?.split('(').next()
}

/// Reduces a driver message to one line, without the names of the layers it passed through.
pub fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim);
    let lines = lines.map(|line| line.strip_suffix("Validation Error").unwrap_or(line).trim());
    let is_layer = |line: &str| line.is_empty() || line == "Caused by:" || line.starts_with("In ");
    let lines: Vec<_> = lines.filter(|line| !is_layer(line)).collect();
    lines.join(" ")
}

/// Parses a line of a compiler's message, `…:40:5 error: text`, as Chrome's WGSL compiler writes it,
/// `40:5: text`, as Safari's does, or `ERROR: 0:40: text`, as compilers of GLSL do. Returns the line
/// in the generated source, and the text.
fn compile_error(line: &str) -> Option<(usize, &str)> {
    let numbers = |word: &str| -> Option<[usize; 2]> {
        let mut numbers = word.trim_matches(':').rsplitn(3, ':');
        let second = numbers.next()?.parse().ok()?;
        Some([numbers.next()?.parse().ok()?, second])
    };
    let line = line.trim();
    if let Some((before, text)) = line.split_once(" error: ") {
        return Some((numbers(before.split_whitespace().next_back()?)?[0], text));
    }
    let (is_glsl, line) = match line.split_once("ERROR: ") {
        Some((_, after)) => (true, after),
        None => (false, line),
    };
    let (position, text) = line.split_once(": ")?;
    Some((numbers(position)?[usize::from(is_glsl)], text))
}

fn parameter(parameter: &Parameter) -> Value {
    let mut report = match &parameter.control {
        Control::Slider(min, max) => json!({ "kind": "slider", "min": min, "max": max }),
        Control::Switch => json!({ "kind": "switch" }),
        Control::Choice(options) => json!({ "kind": "choice", "options": options }),
        Control::Color => json!({ "kind": "color" }),
    };
    report["name"] = json!(parameter.name);
    report["label"] = json!(parameter.label);
    report["components"] = json!(parameter.components);
    report["default"] = json!(parameter.default[..parameter.components]);
    report["whole"] = json!(parameter.is_integer());
    report
}

/// Describes a channel that the page can fill, or returns `None`. Noise and silence can be
/// replaced, as they are also placeholders of missing files.
fn channel(channel: &Channel) -> Option<Value> {
    let Channel { name, source, shape, .. } = channel;
    let is_fillable = !source.files().is_empty()
        || matches!(
            source,
            ChannelSource::Empty | ChannelSource::Silence | ChannelSource::Noise { .. }
        );
    let is_flat = *shape == ChannelShape::Texture2d;
    is_fillable.then(|| json!({ "name": name, "files": source.files(), "flat": is_flat }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compose_files;
    use tarsus_shader::Buffer;

    #[test]
    fn offsets_count_utf16_units() {
        let offset = |byte| utf16_offset("é🦗\nab\n", byte);
        assert_eq!(offset(0), 0);
        assert_eq!(offset(2), 1);
        assert_eq!(offset(4), 1, "within a character");
        assert_eq!(offset(6), 3, "two units of UTF-16");
        assert_eq!(offset(8), 5);
        assert_eq!(offset(99), 7);
    }

    #[test]
    fn error_without_span_has_no_position() {
        let found = diagnostic(&Diagnostic::default());
        for part in ["line", "from", "to"] {
            assert_eq!(found[part], Value::Null, "{part}");
        }
        assert_eq!(found["severity"], "error");
    }

    #[test]
    fn notes_name_no_commands() {
        let image = |code: &str, input: &str| {
            let inputs = match input {
                "" => json!([]),
                src => json!([{ "channel": 0, "ctype": "texture", "src": src }]),
            };
            let pass = json!({ "type": "image", "code": code, "inputs": inputs });
            ("a.json", json!({ "renderpass": [pass] }).to_string())
        };
        let toy = "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel0, p); }";
        let wgsl = |text: &str| ("a.wgsl", text.to_owned());
        let mut reworded = 0;
        for (file, text) in [
            image(toy, "/media/a/absent.png"),
            image(toy, ""),
            image(&toy.replace("iChannel0", "wrong"), ""),
            wgsl(
                "#import tarsus::sdf::qqqqqqqq\nfn main_image(p: vec2f) -> vec4f { return qqqqqqqq; }",
            ),
            wgsl(
                "#import tarsus::sdf\nfn main_image(p: vec2f) -> vec4f { return vec4f(sdf::qqqqqqqq()); }",
            ),
            wgsl("#import tarsus::sdf\nfn main_image(p: vec2f) -> vec4f { return sdf; }"),
        ] {
            let files = json!({ "main": file, "files": { file: text } }).to_string();
            let composed = compose_files(&files, None).expect("composed");
            let composed: Value = serde_json::from_str(&composed).expect("JSON");
            let notes = composed["diagnostics"][0]["notes"].to_string();
            assert!(!HINTS.iter().any(|(part, _)| notes.contains(part)), "{text}: {notes}");
            reworded += usize::from(HINTS.iter().any(|(_, hint)| notes.contains(hint)));
        }
        // The reference compiler, in builds that have it, needs no hint.
        assert!(reworded >= 5, "{reworded}");
    }

    #[test]
    fn driver_message_is_one_line() {
        let message = "the adapter refused the shader: Validation Error\n\nCaused by:\n  In \
                       Device::create_render_pipeline, label = 'image'\n    no memory\n";
        assert_eq!(one_line(message), "the adapter refused the shader: no memory");
        assert_eq!(one_line("there is no pass"), "there is no pass");
    }

    /// Message, notes and function of a rejected scene with a buffer.
    fn rejection(reason: &str, sources: &[(PassKind, &str)]) -> (String, String, Value) {
        let text = "#import tarsus::sdf\nfn main_image(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }\n\
                    fn buffer_a(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }\n";
        let files = json!({ "main": "a.wgsl", "files": { "a.wgsl": text } }).to_string();
        let composed = Composed::parse(&compose_files(&files, None).expect("composed"));
        let program = composed.expect("read").program;
        let sources = sources.iter().map(|(kind, text)| (*kind, (*text).to_owned()));
        let error = RenderError::Rejected { reason: reason.to_owned(), sources: sources.collect() };
        let mut report = rejected(&error, &program, "a.wgsl", "WebGL2");
        let mut found = report["diagnostics"][0].take();
        let message = found["message"].as_str().unwrap_or_default().to_owned();
        (message, found["notes"].to_string(), found["function"].take())
    }

    #[test]
    fn generated_lines_name_pass_and_function() {
        let chrome = "Error while parsing WGSL: :3:5 error: loop does not exit\n    loop {\n    \
                      ^^^^\n\n - While calling [Device \"tarsus\"].CreateShaderModule\
                      ([ShaderModuleDescriptor \"image\"])\n";
        let safari = "2 errors generated while compiling the shader:\n3:5: loop does not exit\n4:7: \
                      no such name";
        let wgsl = "fn first() {\n}\nfn tint_(x: f32) {\nloop {\n";
        let image = [(PassKind::Image, wgsl)];
        let both = [(PassKind::Image, wgsl), (PassKind::Buffer(Buffer::A), "fn other()\n\n\n")];
        let of_pass = "the browser cannot compile the pass `image`: loop does not exit";
        let of_scene = "the browser cannot compile the scene: loop does not exit; no such name";
        for (reason, sources, message, function) in [
            (chrome, &image[..], of_pass, json!("tint_")),
            (chrome, &both, of_pass, json!("tint_")),
            (chrome, &[], of_pass, Value::Null),
            (safari, &image, of_scene, json!("tint_")),
            (safari, &both, of_scene, Value::Null),
        ] {
            let (found, notes, name) = rejection(reason, sources);
            assert_eq!((found.as_str(), name), (message, function), "{reason}");
            assert!(notes.contains("`?backend=webgl2`"), "{notes}");
        }
        let glsl = "In Device::create_render_pipeline, label = 'buffer a'\n  Internal error in \
                    ShaderStages(FRAGMENT) shader: ERROR: 0:14: 'mix' : no matching function\n";
        let expected =
            "the browser cannot compile the pass `buffer a`: 'mix' : no matching function";
        assert_eq!(rejection(glsl, &[]).0, expected);
        // Sound that fails has no report, only this text.
        let sound = RenderError::Rejected { reason: chrome.to_owned(), sources: Vec::new() };
        assert_eq!(error_text(&sound), "loop does not exit");
        // A name in the source is not that of the pass.
        let image = glsl.replace("buffer a", "other").replace("mix", "image");
        let expected = "the browser cannot compile the scene: 'image' : no matching function";
        assert_eq!(rejection(&image, &[]).0, expected);
        let lost = "out of memory";
        assert_eq!(rejection(lost, &[]).0, "the browser cannot compile the scene: out of memory");
    }

    /// Reports a scene whose main image is `main`.
    fn report_of(main: &str) -> Value {
        let files = json!({ "main": "a.wgsl", "files": { "a.wgsl": main } }).to_string();
        let composed = compose_files(&files, None).expect("composed");
        loaded(&Composed::parse(&composed).expect("read"), false)
    }

    #[test]
    fn loaded_report_tells_keyboard_use() {
        let plain = "fn main_image(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }";
        assert_eq!(report_of(plain)["readsKeyboard"], false);
        let keys = "#import tarsus::keyboard
fn main_image(p: vec2f) -> vec4f { return vec4f(f32(keyboard::is_down(65))); }";
        assert_eq!(report_of(keys)["readsKeyboard"], true);
    }

    #[test]
    fn loaded_report_tells_camera_use() {
        let plain = "#import tarsus::frame
fn main_image(p: vec2f) -> vec4f { return vec4f(frame::frame.time); }";
        assert_eq!(report_of(plain)["readsCamera"], false);
        let camera = plain.replace("frame.time", "frame.orbit.x");
        assert_eq!(report_of(&camera)["readsCamera"], true);
    }

    #[test]
    fn loaded_report_describes_controls() {
        let text = "struct Params {
    /// Size [0, 2] = 0.25
    size: f32,
    /// Shape {round, square} = square
    shape: u32,
    /// On = on
    on: u32,
    /// Shell = #ff0080
    shell: vec3f,
}
@group(1) @binding(0) var<uniform> params: Params;
/// image \"wood.jpg\", repeat
@group(2) @binding(0) var wood: texture_2d<f32>;
/// noise grey 64
@group(2) @binding(1) var sand: texture_2d<f32>;
const LOOP_SECONDS: f32 = 2.0;
fn main_image(p: vec2f) -> vec4f {
    let grain = textureLoad(wood, vec2i(p), 0).rgb * f32(params.on + params.shape)
        + textureLoad(sand, vec2i(p), 0).rgb;
    return vec4f(params.shell * params.size + grain, 1.0);
}
";
        let report = report_of(text);
        assert_eq!((&report["ok"], &report["period"]), (&json!(true), &json!(2.0)));
        assert_eq!(
            report["channels"],
            json!([
                { "name": "wood", "files": ["wood.jpg"], "flat": true },
                { "name": "sand", "files": [], "flat": true },
            ])
        );
        let parameters = report["parameters"].as_array().expect("parameters");
        assert_eq!(
            parameters[0],
            json!({ "name": "size", "label": "Size", "kind": "slider", "min": 0.0, "max": 2.0,
                "components": 1, "default": [0.25], "whole": false })
        );
        assert_eq!(parameters[1]["options"], json!(["round", "square"]));
        assert_eq!(parameters[1]["default"], json!([1.0]));
        assert_eq!(parameters[2]["kind"], "switch");
        assert_eq!(
            (&parameters[3]["kind"], &parameters[3]["components"]),
            (&json!("color"), &json!(3))
        );
    }
}
