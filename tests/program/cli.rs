//! The program from a user's view: files, messages and exit codes.

use serde_json::{Value, json};

use crate::common::{MOVING, Workspace, decode, stderr, stdout};

const GRADIENT: &str = "#import tarsus::frame
fn main_image(frag_coord: vec2f) -> vec4f {
    let uv = frag_coord / frame::frame.resolution;
    return vec4f(uv, fract(frame::frame.time), 1.0);
}
";

/// A workspace with the scene `gradient.wgsl`.
fn gradient() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("gradient.wgsl", GRADIENT);
    workspace
}

#[test]
fn default_folder_is_named_after_scene() {
    let workspace = gradient();
    let words = workspace.text_of("capture gradient.wgsl --size 16x9 --frames 3", 0);
    let names = workspace.names("captures/gradient");
    assert_eq!(names, ["frame_00000.png", "frame_00001.png", "frame_00002.png"]);
    assert!(words.contains("adapter: ") && words.contains("3 frames of 16x9"), "{words}");
}

#[test]
fn verbose_log_follows_the_run() {
    let workspace = gradient();
    let log = |arguments: &str| stderr(&workspace.output(arguments));
    let arguments = "capture gradient.wgsl --size 8x4 -o a.png";
    let text = log(&format!("-v {arguments}"));
    for expected in [
        "arguments [\"-v\", \"capture\"",
        "reading gradient.wgsl",
        "passes: image",
        "adapter 0: ",
        "using ",
        "opened the device",
        "created pipelines",
        "drew the first tile, 8x4",
        "finished after ",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let lines = text.lines().filter_map(|line| line.strip_prefix('[')?.split_once(" s] "));
    let times: Vec<f64> = lines.map(|(time, _)| time.trim().parse().expect("seconds")).collect();
    assert!(times.len() > 8 && times.iter().all(|time| *time < 600.0), "{text}");
    let json = log(&format!("{arguments} --json --verbose"));
    let messages = json.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    let notes = messages.filter_map(|message| Some(message["note"].as_str()?.to_owned()));
    assert!(notes.filter(|note| note.starts_with('[')).count() > 8, "{json}");
    let text = log(arguments);
    assert!(!text.contains(" s] "), "{text}");
    let requested = log(&format!("{arguments} -v --adapter 0"));
    assert!(requested.contains(": requested as `0`"), "{requested}");
}

#[test]
fn scene_sets_default_size() {
    let scene = "/// size 3x2
fn buffer_a(p: vec2f) -> vec4f { return vec4f(p, 0.0, 1.0); }
/// size 12x7
fn main_image(p: vec2f) -> vec4f { return vec4f(p / 12.0, 0.0, 1.0); }\n";
    let workspace = Workspace::with_scene(scene);
    let size = |arguments: &str| {
        workspace.capture("s.wgsl", &format!("{arguments} -o a.png"));
        decode(&workspace.path("a.png")).size
    };
    assert_eq!(size("--mouse 12,7"), (12, 7));
    assert_eq!(size("--size 30x20"), (30, 20));
    // The picture of 30x20 pixels has its own size.
    workspace.capture("a.png", "-o b.png");
    assert_eq!(decode(&workspace.path("b.png")).size, (30, 20));
    let error = workspace.expect_error("s.wgsl", "--mouse 13,7", 2);
    assert!(error.contains("inside the 12x7 picture"), "{error}");
    let error = workspace.expect_error("s.wgsl", "-o a.mp4 --frames 2", 2);
    assert!(error.contains("12x7: width and height must be even"), "{error}");
    let text = workspace.text_of("check s.wgsl", 0);
    assert!(text.contains("passes: buffer a of 3x2, image of 12x7"), "{text}");
    let json: Value =
        serde_json::from_str(&workspace.text_of("check s.wgsl --json", 0)).expect("JSON");
    assert_eq!(json["files"][0]["sizes"], json!({ "buffer a": [3, 2], "image": [12, 7] }));
    let error = workspace.text_of("export s.wgsl --to shadertoy -o out", 1);
    assert!(error.contains("it has 3x2 texels"), "{error}");
}

#[test]
fn pixels_are_sampled_at_centres() {
    let workspace = gradient();
    workspace.text_of("capture gradient.wgsl --size 8x4 --time 0.25 -o a.png", 0);
    let picture = decode(&workspace.path("a.png"));
    assert_eq!(picture.size, (8, 4));
    for y in 0..4 {
        for x in 0..8 {
            let at = 3 * (y * 8 + x);
            let expected = [(x as f64 + 0.5) / 8.0, (3 - y) as f64 / 4.0 + 0.125, 0.25];
            for (value, expected) in picture.rgb[at..at + 3].iter().zip(expected) {
                // Half a step of 8-bit rounding, plus some error of f32.
                assert!((f64::from(*value) - 255.0 * expected).abs() <= 0.51, "at {x},{y}");
            }
        }
    }
}

#[test]
fn time_and_frame_options_agree() {
    let workspace = gradient();
    let capture = |frames: &str, name: &str| {
        let arguments = format!("capture gradient.wgsl --size 8x4 --fps 10 -o {name} -q {frames}");
        assert_eq!(workspace.text_of(&arguments, 0), "", "quiet is quiet");
    };
    let read = |name: &str| std::fs::read(workspace.path(name)).expect("picture");
    capture("--frame 7", "frame.png");
    capture("--time 0.7", "time.png");
    capture("--frames 5..9", "range/{frame:03}.png");
    capture("--duration 0.8", "whole");
    let rgb = |name: &str| decode(&workspace.path(name)).rgb;
    assert_eq!(rgb("frame.png"), rgb("time.png"));
    assert_eq!(read("frame.png"), read("range/007.png"));
    assert_eq!(read("frame.png"), read("whole/frame_00007.png"));
    assert_eq!(workspace.names("range"), ["005.png", "006.png", "007.png", "008.png"]);
    assert_eq!(workspace.names("whole").len(), 8);
}

#[test]
fn argument_errors_exit_with_2() {
    let workspace = gradient();
    let table = [
        ("--size 0x10", "1 to"),
        ("--size 9999999x1", "1 to"),
        ("--size big", "1280x720"),
        ("--time nan", "0 seconds"),
        ("--time -1", "0 seconds"),
        ("--fps -3", "frames per second"),
        ("--fps 0", "frames per second"),
        ("--frames 5..2", "expected at least one frame"),
        ("--frames 0", "expected at least one frame"),
        ("--duration 0", "more than 0"),
        ("--time 1 --frame 2", "cannot be used with"),
        ("--warm-up 2 --frames 2", "cannot be used with"),
        ("--warm-up 2", "--loop"),
        ("--frames 2 -o one.png", "expected a folder, a pattern such as one_{frame:05}.png"),
        ("-o picture.bmp", "expected a file that ends in .png"),
        ("--set speed=2", "no parameter `speed`; available: none"),
        ("--backend gl", "expected vulkan, metal or dx12"),
        ("--colour red", "unexpected argument '--colour' found"),
    ];
    for (flags, word) in table {
        let words = workspace.text_of(&format!("capture gradient.wgsl {flags}"), 2);
        assert!(words.contains(word), "{flags}: {word} in\n{words}");
        assert_eq!(workspace.names("."), ["gradient.wgsl"], "{flags} left something behind");
    }
}

#[test]
fn negative_span_is_explained() {
    let words = Workspace::new().text_of("bench line_walker --span -1", 2);
    assert!(words.contains("expected more than 0 seconds"), "{words}");
}

#[test]
fn shader_error_shows_its_line() {
    let workspace = gradient();
    let table = [
        ("fn main_image(p: vec2f) -> vec4f {\n    return vec4f(1.0)\n}", ":2:21"),
        ("fn main_image(p: vec2f) -> vec4f {\n    return p.xy + 1.0;\n}", ":2:12"),
        ("fn image(p: vec2f) -> vec4f { return vec4f(1.0); }", "main_image"),
        ("#import tarsus::legs\nfn main_image(p: vec2f) -> vec4f { return legs::f(); }", ":1:9"),
        (
            "#import broken\nfn main_image(p: vec2f) -> vec4f { return broken::f(); }",
            "cyclic import",
        ),
    ];
    for (text, word) in table {
        workspace.write("broken.wgsl", text);
        for command in ["capture", "check"] {
            let words = workspace.text_of(&format!("{command} broken.wgsl"), 1);
            let at = format!("broken.wgsl{word}");
            let place = if word.starts_with(':') { at.as_str() } else { word };
            assert!(words.contains(place), "{command} does not say `{place}`:\n{words}");
        }
        assert_eq!(workspace.names("."), ["broken.wgsl", "gradient.wgsl"]);
    }
}

#[test]
fn check_accepts_built_in_scenes() {
    let workspace = gradient();
    let words = workspace.text_of("check creature gradient.wgsl", 0);
    assert!(words.contains("creature: scene, no errors"), "{words}");
    assert!(words.contains("gradient.wgsl: scene, no errors"), "{words}");
    let words = workspace.text_of("check creatur", 1);
    assert!(words.contains("no scene `creatur` (did you mean `creature`?); built-in"), "{words}");
}

#[test]
fn missing_paths_are_no_scene_names() {
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path("empty")).expect("a folder");
    for (scene, message) in [
        ("toy.json", "cannot read toy.json: there is no such file"),
        ("toys/toy", "cannot read toys/toy: there is no such file"),
        ("toys/", "cannot read toys/: there is no such folder"),
        ("empty", "cannot read empty: there is no Image.glsl in it"),
        ("creture", "there is no scene `creture` (did you mean `creature`?)"),
    ] {
        let output = workspace.output(&format!("check {scene}"));
        assert_eq!(output.status.code(), Some(1), "{scene}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn misspelt_files_are_suggested() {
    let workspace = gradient();
    std::fs::create_dir(workspace.path("folder")).expect("a folder");
    std::fs::copy(workspace.path("gradient.wgsl"), workspace.path("folder/other.wgsl"))
        .expect("copied");
    for (arguments, code, message) in [
        ("check gradent.wgsl", 1, "there is no such file (did you mean `gradient.wgsl`?)"),
        ("check folder/othr.wgsl", 1, "(did you mean `folder/other.wgsl`?)"),
        ("capture gradient", 1, "there is no scene `gradient` (did you mean `gradient.wgsl`?)"),
        ("gradient", 1, "there is no scene `gradient` (did you mean `gradient.wgsl`?)"),
        ("creatur", 1, "there is no scene `creatur` (did you mean `creature`?)"),
        ("captur", 2, "unrecognized subcommand 'captur'"),
        ("gradients", 2, "unrecognized subcommand 'gradients'"),
        ("help gradient.wgsl", 2, "unrecognized subcommand 'gradient.wgsl'"),
    ] {
        let words = workspace.text_of(arguments, code);
        assert!(words.contains(message), "{arguments}: {words}");
    }
    let words = workspace.text_of("check far.wgsl", 1);
    assert_eq!(words, "error: cannot read far.wgsl: there is no such file\n");
}

#[test]
fn values_outside_their_range_give_warnings() {
    let workspace = Workspace::new();
    workspace.write(
        "a.wgsl",
        "struct Params {\n    /// Size [0, 2] = 1\n    size: f32,\n}\n\
         @group(1) @binding(0) var<uniform> params: Params;\n\
         fn main_image(p: vec2f) -> vec4f { return vec4f(params.size); }\n",
    );
    let warning = "warning: the value 3 of `size` is outside its range [0, 2]";
    for run in
        ["capture a.wgsl --size 16x9 -o a.png", "export a.wgsl --to shadertoy --force -o toy"]
    {
        let outside = workspace.text_of(&format!("{run} --set size=3"), 0);
        assert!(outside.contains(warning), "{outside}");
        let inside = workspace.text_of(&format!("{run} --set size=2"), 0);
        assert!(!inside.contains("outside"), "{inside}");
    }
}

#[test]
fn missing_scene_or_adapter_is_named() {
    let workspace = gradient();
    assert!(workspace.text_of("capture nothing.wgsl", 1).contains("nothing.wgsl"));
    assert!(workspace.text_of("capture centipede", 1).contains("creature"));
    let words = workspace.text_of("capture gradient.wgsl --adapter nosuchcard", 1);
    assert!(words.contains("nosuchcard"), "{words}");
    assert_eq!(workspace.names("."), ["gradient.wgsl"]);
}

/// Captures without any driver, expecting this exit code; returns standard error.
fn capture_without_driver(workspace: &Workspace, arguments: &str, code: i32) -> String {
    let mut command = workspace.tarsus(&["capture", "--backend", "vulkan"]);
    let output = command
        .args(arguments.split(' '))
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env("VK_ICD_FILENAMES", "/nonexistent.json")
        .output()
        .expect("the program starts");
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {errors}");
    errors
}

#[test]
fn argument_errors_precede_adapter_errors() {
    let workspace = gradient();
    let broken = GRADIENT.replace("uv,", "uw,");
    workspace.write("broken.wgsl", broken);
    for (arguments, code, expected) in [
        ("broken.wgsl", 1, "broken.wgsl:4"),
        ("broken.wgsl -o a.xyz", 2, "expected a file that ends in .png"),
        ("gradient.wgsl --loop", 2, "--loop"),
        ("gradient.wgsl --set a=1", 2, "--set"),
        ("gradient.wgsl --sweep a=1,2 -o a.png", 2, "no parameter `a`"),
        ("gradient.wgsl --sweep a=1,2 -o a.mp4", 2, "a contact sheet in this format"),
        ("gradient.wgsl --size -3x4", 2, "expected width and height in pixels"),
    ] {
        let errors = capture_without_driver(&workspace, arguments, code);
        assert!(errors.contains(expected), "{arguments}: {errors}");
        assert!(!errors.contains("adapter"), "{arguments}: {errors}");
    }
}

#[test]
fn dry_run_reports_missing_driver() {
    let workspace = gradient();
    for (more, code, beginning) in [
        ("--fps 60", 0, "warning: cannot render on this machine: no"),
        ("--quiet", 0, ""),
        ("--strict", 1, "tarsus: no"),
        ("--resume", 1, "tarsus: no"),
    ] {
        let arguments = format!("gradient.wgsl --dry-run {more}");
        let errors = capture_without_driver(&workspace, &arguments, code);
        assert!(errors.starts_with(beginning), "{more}: {errors}");
        assert_eq!(errors.contains("adapter"), !beginning.is_empty(), "{more}");
    }
}

#[test]
fn hints_name_what_exists() {
    let workspace = gradient();
    let run = "capture gradient.wgsl --frames 4 --shard 1/2 -o a.gif";
    let errors = workspace.text_of(run, 2);
    assert!(errors.contains("merge them with `tarsus merge`"), "{errors}");
    let errors = workspace.text_of(&format!("capture {MOVING} --set raduis=0.3"), 2);
    assert!(errors.contains("no parameter `raduis` (did you mean `radius`?)"), "{errors}");
}

#[test]
fn missing_driver_error_suggests_packages() {
    let workspace = gradient();
    let errors = capture_without_driver(&workspace, "gradient.wgsl", 1);
    assert!(
        errors.contains("tarsus adapters") || errors.contains("mesa-vulkan-drivers"),
        "{errors}"
    );
}

#[test]
fn unwritable_output_is_named() {
    let workspace = gradient();
    workspace.write("taken", "a file, not a folder");
    let words =
        workspace.text_of("capture gradient.wgsl --size 16x9 --frames 20 -o taken/frames", 1);
    assert!(words.contains("taken/frames"), "{words}");
    assert_eq!(workspace.names("."), ["gradient.wgsl", "taken"]);
}

#[test]
fn check_continues_after_an_error() {
    let workspace = gradient();
    workspace.write("broken.wgsl", "fn main_image(");
    workspace.write("module.wgsl", "#define_import_path module\nfn f() -> f32 { return 1.0; }\n");
    // A folder stands for the files in it.
    for files in ["broken.wgsl gradient.wgsl module.wgsl", "."] {
        let words = workspace.text_of(&format!("check {files}"), 1);
        for wanted in ["broken.wgsl:1", "gradient.wgsl: scene", "module.wgsl: module"] {
            assert!(words.contains(wanted), "{wanted} in {words}");
        }
    }
    workspace.text_of("check gradient.wgsl module.wgsl", 0);
}

#[test]
fn warnings_do_not_fail_commands() {
    let workspace = gradient();
    let text = "struct Params {\n    x: f32,\n}\n\
                fn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\n";
    workspace.write("unbound.wgsl", text);
    let words = workspace.text_of("check unbound.wgsl", 0);
    assert!(words.contains("unbound.wgsl: scene, no errors, 1 warning"), "{words}");
    assert!(words.contains("unbound.wgsl:1:8"), "{words}");
    let capture = "capture unbound.wgsl --size 8x8 -o a.png";
    let words = workspace.text_of(capture, 0);
    assert!(words.contains("warning: `Params` is not bound"), "{words}");
    assert_eq!(workspace.text_of(&format!("{capture} --quiet"), 0), "");
}

#[test]
fn check_samples_bounds_of_walkers() {
    let workspace = gradient();
    workspace.text_of("new walker.wgsl --walker", 0);
    let words = workspace.text_of("check walker.wgsl creature spider", 0);
    assert!(!words.contains("warning"), "{words}");
    let walker = std::fs::read_to_string(workspace.path("walker.wgsl")).expect("a scene");
    let walker = walker.replace("walker::per_frame(index)", "walker::per_frame( index )");
    let walker = walker.replace("fn main_image(", "fn main_image (");
    for (right, wrong, message) in [
        (
            "0.0, 0.62, 0.56",
            "0.0, 0.50, 0.40",
            "legs 0, 2 are too short for their footholds, at 0.00 s",
        ),
        ("vec3f(0.78, 0.52, 0.0), 0.57", "vec3f(0.3, 0.2, 0.0), 0.40", "the trunk reaches outside"),
        ("0.028, 0.034, 0.15", "0.080, 0.034, 0.15", "limb 3 reaches outside of its bound"),
    ] {
        assert!(walker.contains(right), "{right}");
        workspace.write("wrong.wgsl", walker.replace(right, wrong));
        let words = workspace.text_of("check wrong.wgsl", 0);
        assert!(words.contains(message), "{words}");
    }
}

#[test]
fn bounds_view_shows_what_bounds_cut_off() {
    let workspace = Workspace::new();
    workspace.text_of("new walker.wgsl --walker", 0);
    let walker = std::fs::read_to_string(workspace.path("walker.wgsl")).expect("a scene");
    let bound = "vec3f(0.78, 0.52, 0.0), 0.57";
    assert!(walker.contains(bound));
    workspace.write("wrong.wgsl", walker.replace(bound, "vec3f(0.3, 0.2, 0.0), 0.40"));
    let count = |scene: &str, is_counted: fn(&[u8]) -> bool| {
        let run = format!("capture {scene} --time 2 --size 160x90 -o a.png --debug-view bounds");
        workspace.text_of(&run, 0);
        decode(&workspace.path("a.png")).rgb.chunks(3).filter(|rgb| is_counted(rgb)).count()
    };
    let is_magenta = |rgb: &[u8]| rgb == [255, 0, 204];
    let is_blue = |rgb: &[u8]| rgb[2] > rgb[0] + 40;
    assert!(count("walker.wgsl", is_blue) > 500);
    for scene in ["walker.wgsl", "creature", "crane", "strider", "herd"] {
        assert_eq!(count(scene, is_magenta), 0, "{scene}");
    }
    let told = workspace.text_of("capture line_walker -o a.png --debug-view bounds", 1);
    let expected = "line_walker.wgsl: cannot show a debug view: this scene traces no rays; \
                    debug views show";
    assert!(told.contains(expected), "{told}");
    assert!(count("wrong.wgsl", is_magenta) > 20);
}

#[test]
fn docs_suggest_similar_module_names() {
    let workspace = gradient();
    let words = workspace.text_of("docs", 0);
    assert!(words.contains("\nlimb ") && words.contains("\nik "), "{words}");
    let words = workspace.text_of("docs limb", 0);
    assert!(words.contains("\nfn leg_distance(p: vec3f, leg: ik::Leg"), "{words}");
    let words = workspace.text_of("docs limbs", 2);
    assert!(words.contains("did you mean `limb`?"), "{words}");
    let words = workspace.text_of("docs ik::solve2_clamp", 0);
    assert!(words.starts_with("#import tarsus::ik\n\nfn solve2_clamp("), "{words}");
}

#[test]
fn bench_applies_parameters() {
    let workspace = gradient();
    workspace.write(
        "params.wgsl",
        "struct Params {
    /// Turns [1, 9] = 2
    turns: u32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(f32(params.turns)); }
",
    );
    let bench = |set: &str, code: i32| {
        let run = "bench params.wgsl --size 8x4 --times 1";
        workspace.text_of(&format!("{run} --set {set}"), code)
    };
    assert!(bench("turns=3", 0).contains("8x4"));
    for (set, expected) in [
        ("speed=2", "no parameter `speed`; available: turns"),
        ("turns=no", "invalid value `no` for parameter `turns`"),
        ("turns", "expected NAME=VALUE"),
    ] {
        let words = bench(set, 2);
        assert!(words.contains(expected), "{set}:\n{words}");
    }
}

#[test]
fn scenes_adapters_and_help_are_listed() {
    let workspace = gradient();
    assert!(workspace.text_of("scenes", 0).contains("creature"));
    let scenes = stdout(&workspace.output("scenes --json"));
    let scenes: Value = serde_json::from_str(&scenes).expect("JSON");
    let scenes = scenes.as_array().expect("an array");
    assert!(scenes.iter().any(|scene| scene["name"] == "creature" && scene["summary"] != ""));
    assert!(workspace.text_of("adapters", 0).contains("* 0  "));
    let help = workspace.text_of("capture -h", 0);
    for flag in ["--size", "--fps", "--time", "--frames", "--duration", "--output", "--adapter"] {
        assert!(help.contains(flag), "{flag} is missing in:\n{help}");
    }
}

#[test]
fn scenes_of_folder_are_listed() {
    let workspace = Workspace::new();
    let toys = workspace.path("toys");
    std::fs::create_dir_all(toys.join("passes")).expect("folders");
    for (name, text) in [
        ("b.wgsl", "// A red scene.\nfn main_image(p: vec2f) -> vec4f { return vec4f(1.0); }\n"),
        ("a.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }\n"),
        ("c.glsl", "vec2 mainSound(int samp, float time) { return vec2(0.0); }\n"),
        ("shapes.wgsl", "#define_import_path shapes\n// No main_image.\n"),
        ("common.glsl", "float one() { return 1.0; }\n"),
        ("notes.md", "mainImage"),
        ("passes/Image.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }\n"),
    ] {
        std::fs::write(toys.join(name), text).expect("written");
    }
    let listed: Value =
        serde_json::from_str(&stdout(&workspace.output("scenes toys --json"))).expect("JSON");
    let expected = json!([
        { "name": "toys/a.glsl", "summary": "" },
        { "name": "toys/b.wgsl", "summary": "A red scene." },
        { "name": "toys/c.glsl", "summary": "" },
        { "name": "toys/passes", "summary": "" },
    ]);
    assert_eq!(listed, expected);
    workspace.write("toys/notes.txt", b"caf\xe9");
    let checked = workspace.text_of("check toys", 0);
    assert!(checked.contains("shapes.wgsl: module"), "{checked}");
    let named = workspace.text_of("check toys/common.glsl", 1);
    assert!(named.contains("there is no `mainImage`"), "{named}");
    std::fs::create_dir(workspace.path("empty")).expect("a folder");
    let none = workspace.output("scenes empty");
    assert_eq!(none.status.code(), Some(1));
    assert_eq!(stderr(&none), "tarsus: cannot list scenes: there are none in empty\n");
}

#[test]
fn scene_without_command_is_viewed() {
    let workspace = Workspace::new();
    for scene in ["nowhere.wgsl", "./nowhere", "creature"] {
        let [short, long] =
            [scene.to_owned(), format!("view {scene}")].map(|line| workspace.output(&line));
        assert_eq!(short.status.code(), long.status.code(), "{scene}");
        assert_eq!(stderr(&short), stderr(&long), "{scene}");
        for options in ["-v --media .", "--media=."] {
            let output = workspace.output(&format!("{options} {scene}"));
            assert_eq!(output.status.code(), long.status.code(), "{options} {scene}");
        }
    }
    let mistyped = workspace.output("captuer");
    assert_eq!(mistyped.status.code(), Some(2));
    assert!(stderr(&mistyped).contains("'capture'"), "{}", stderr(&mistyped));
}

#[test]
fn check_json_locates_errors_and_warnings() {
    let workspace = gradient();
    let wrong = "fn one() -> f32 { return é; }
fn main_image(p: vec2f) -> vec4f { return vec4f(missing); }
";
    workspace.write("wrong.wgsl", wrong);
    let output = workspace.output("check gradient.wgsl wrong.wgsl nowhere.wgsl --json");
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ""));
    let checked: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let [good, wrong_file, nowhere] = &checked["files"].as_array().expect("files")[..] else {
        panic!("{checked}");
    };
    assert_eq!((&good["valid"], &good["kind"]), (&json!(true), &json!("scene")));
    assert_eq!((&good["passes"], &good["diagnostics"]), (&json!(["image"]), &json!([])));
    let diagnostics = wrong_file["diagnostics"].as_array().expect("diagnostics");
    let places: Vec<_> = diagnostics.iter().map(|one| (&one["line"], &one["column"])).collect();
    assert_eq!(places, [(&json!(1), &json!(26)), (&json!(2), &json!(49))]);
    let bytes = diagnostics[1]["bytes"].as_array().expect("a range");
    let [start, end] = [0, 1].map(|at| bytes[at].as_u64().expect("a number") as usize);
    assert_eq!(&wrong[start..end], "missing");
    assert_eq!(diagnostics[1]["severity"], "error");
    let message = nowhere["diagnostics"][0]["message"].as_str().expect("a message");
    assert!(message.contains("nowhere.wgsl"), "{message}");
    assert_eq!(nowhere["diagnostics"][0]["notes"], json!([]));
}

#[test]
fn new_overwrites_only_if_forced() {
    let workspace = Workspace::new();
    workspace.write("mine.wgsl", "mine");
    let told = workspace.text_of("new mine.wgsl", 1);
    assert!(told.contains("it already exists; hint: `--force` overwrites it"), "{told}");
    assert_eq!(std::fs::read(workspace.path("mine.wgsl")).expect("a file"), b"mine");
    workspace.text_of("new mine.wgsl -f", 0);
    workspace.text_of("check mine.wgsl", 0);
}

#[test]
fn unknown_options_suggest_those_of_capture() {
    let told = gradient().text_of("export gradient.wgsl -o out --tim 3", 2);
    assert!(told.contains("`tarsus capture` has `--time`"), "{told}");
    assert!(!told.contains("as a value"), "{told}");
}

#[cfg(feature = "window")]
#[test]
fn options_without_command_are_those_of_view() {
    let workspace = Workspace::new();
    let told = workspace.text_of("--scale 7", 2);
    assert!(told.contains("invalid value '7' for '--scale"), "{told}");
    let told = workspace.text_of("--scale 0.5 nothere", 1);
    assert!(told.contains("there is no scene `nothere`"), "{told}");
}

#[test]
fn new_adds_missing_extension() {
    let workspace = Workspace::new();
    workspace.text_of("new mine", 0);
    assert_eq!(workspace.names("."), ["mine.wgsl"]);
    for given in ["mine.glsl", "v1.2", ".wgsl", "dir/", ".."] {
        let told = workspace.text_of(&format!("new {given}"), 2);
        assert!(told.contains("expected a .wgsl file, such as walker.wgsl\n"), "{told}");
    }
    assert_eq!(workspace.names("."), ["mine.wgsl"]);
}

#[test]
fn completions_and_manual_follow_command_line() {
    let workspace = Workspace::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = workspace.text_of(&format!("completions {shell}"), 0);
        assert!(text.contains("checkpoint-every"), "{shell}");
    }
    workspace.text_of("man pages", 0);
    let page = std::fs::read_to_string(workspace.path("pages/tarsus-capture.1")).expect("a page");
    assert!(page.contains("debug\\-view"), "{page}");
    assert!(workspace.path("pages/tarsus.1").is_file());
    assert!(!workspace.path("pages/tarsus-glsl-compiler.1").exists(), "it is hidden");
}

#[test]
fn nan_view_marks_and_counts_pixels() {
    let workspace = Workspace::new();
    let wgsl = "fn main_image(p: vec2f) -> vec4f {
    let x = select(1.0, 0.0, p.x < 2.0);
    let y = select(1.0, 0.0, p.x > 3.0 && p.y < 1.0);
    return vec4f(x / x, 1.0 / y, 0.5, 1.0);
}
";
    let glsl = "void mainImage(out vec4 color, in vec2 p) {
    float x = p.x < 2.0 ? 0.0 : 1.0;
    float y = p.x > 3.0 && p.y < 1.0 ? 0.0 : 1.0;
    color = vec4(x / x, 1.0 / y, 0.5, 1.0);
}
";
    for (file, text) in [("nan.wgsl", wgsl), ("nan.glsl", glsl)] {
        workspace.write(file, text);
        let run = format!("capture {file} --size 4x2 -o nan.png --debug-view nan");
        let told = workspace.text_of(&run, 0);
        assert!(told.contains("5 pixels are infinite or not a number"), "{told}");
        workspace.text_of(&format!("{run} --strict"), 1);
        let picture = decode(&workspace.path("nan.png")).rgb;
        let magenta = picture.chunks(3).filter(|rgb| rgb == &[255, 0, 255]).count();
        let grey = picture.chunks(3).filter(|rgb| rgb[0] == rgb[1] && rgb[1] == rgb[2]).count();
        assert_eq!((magenta, grey), (5, 3), "{file}");
    }
    workspace.write("finite.wgsl", GRADIENT);
    let run = "capture finite.wgsl --size 4x2 -o finite.png --debug-view nan --strict";
    assert!(workspace.text_of(run, 0).contains("0 pixels are infinite"));
}

#[test]
fn sheet_removes_earlier_metadata() {
    let workspace = Workspace::new();
    let run = format!("capture {MOVING} --size 40x24 -o sheet.qoi");
    let draw = || workspace.text_of(&format!("{run} --sweep radius=0.1,0.2"), 0);
    workspace.text_of(&run, 0);
    let has_sidecar = || workspace.path("sheet.qoi.json").exists();
    assert!(has_sidecar());
    draw();
    assert!(!has_sidecar());
    for other in ["{}", "{\"tarsus\": \"mine\"}"] {
        workspace.write("sheet.qoi.json", other);
        draw();
        assert!(has_sidecar(), "{other}");
    }
}

#[test]
fn recorded_rate_is_fitted_to_format() {
    let workspace = Workspace::new();
    workspace.capture(MOVING, "--size 32x18 --fps 0.001 --frame 0 -o slow.png");
    workspace.capture("slow.png", "--sweep radius=0.2,0.3 -o sheet.gif");
}

#[test]
fn nan_view_counts_pixels_of_sweep() {
    let scene = "struct Params {
    /// Level [0, 1] = 0
    level: f32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f { return vec4f(1.0 / params.level); }
";
    let workspace = Workspace::with_scene(scene);
    let run = "capture s.wgsl --size 4x2 -o sheet.png --debug-view nan --sweep level=0,1";
    assert!(workspace.text_of(run, 0).contains("8 pixels are infinite"));
    let told = workspace.text_of(&format!("{run} --strict"), 1);
    assert!(told.contains("tarsus: 8 pixels are infinite"), "{told}");
    let json = "--size 4x2 -o sheet.png --sweep level=0,1";
    assert_eq!(workspace.summary("s.wgsl", &format!("{json} --debug-view nan"))["non_finite"], 8);
    assert_eq!(workspace.summary("s.wgsl", json).get("non_finite"), None);
}

#[test]
fn nan_view_draws_existing_frames_again() {
    let workspace = Workspace::new();
    workspace.write("finite.wgsl", GRADIENT);
    let infinite = "fn main_image(p: vec2f) -> vec4f { return vec4f(1.0 / floor(p.x)); }\n";
    workspace.write("infinite.wgsl", infinite);
    for depth in ["8", "16"] {
        for (scene, count, code) in [("finite", 0, 0), ("infinite", 4, 1)] {
            let run = format!(
                "capture {scene}.wgsl --size 4x2 --frames 2 -o {scene}{depth} --debug-view nan \
                 --depth {depth} --resume"
            );
            let words = format!("{count} pixels are infinite or not a number");
            assert!(workspace.text_of(&run, 0).contains(&words), "{scene}");
            let told = workspace.text_of(&format!("{run} --strict"), code);
            assert!(!told.contains("kept") && told.contains(&words), "{told}");
            assert_eq!(told.contains("tarsus: "), code == 1, "{told}");
        }
    }
}

#[test]
fn normals_view_covers_animal_and_ground() {
    let workspace = Workspace::new();
    for scene in ["creature", "tracks"] {
        let run = format!("capture {scene} --time 3 --size 96x54 -o a.png --debug-view normals");
        workspace.text_of(&run, 0);
        let picture = decode(&workspace.path("a.png"));
        // The lower half of the picture, without sky.
        let pixels = picture.rgb[3 * 96 * 27..].chunks(3);
        let black = pixels.filter(|rgb| rgb == &[0, 0, 0]).count();
        assert_eq!(black, 0, "{scene}: pixels without a normal");
    }
}

#[test]
fn sweep_writes_labelled_contact_sheet() {
    let workspace = Workspace::new();
    let scene = "struct Params {
    /// Level [0, 1] = 0
    level: f32,
    /// Step [-5, 5] = 0
    step: i32,
}
@group(1) @binding(0) var<uniform> params: Params;
fn main_image(p: vec2f) -> vec4f {
    let level = params.level + f32(params.step) / 5.0;
    return vec4f(level, p.x / 60.0, 0.0, 1.0);
}
";
    workspace.write("level.wgsl", scene);
    let run = "capture level.wgsl --size 60x30 -o sheet.png --sweep";
    for (sweep, size, levels) in [
        ("level=0..1 --columns 3", (184, 54), &[0, 128, 255][..]),
        ("level=0..1 --columns 2 --rows 2", (122, 110), &[0, 85, 170, 255]),
        ("level=1,0", (122, 54), &[255, 0]),
        ("level=1", (60, 54), &[255]),
        ("step=0..5 --columns 3", (184, 54), &[0, 153, 255]),
        ("step=-1..1 --columns 8", (184, 54), &[0, 0, 51]),
    ] {
        let told = workspace.text_of(&format!("{run} {sweep}"), 0);
        let pictures = if levels.len() == 1 { "1 picture on" } else { " pictures on" };
        assert!(told.contains(pictures), "{told}");
        let sheet = decode(&workspace.path("sheet.png"));
        assert_eq!(sheet.size, size, "{sweep}");
        let columns = (size.0 + 2) / 62;
        for (number, level) in levels.iter().enumerate() {
            let (column, row) = (number as u32 % columns, number as u32 / columns);
            let at = |x: u32, y: u32| {
                let index = 3 * ((row * 56 + y) * size.0 + column * 62 + x) as usize;
                [sheet.rgb[index], sheet.rgb[index + 1]]
            };
            let [red, green] = at(30, 15);
            assert!(red.abs_diff(*level) <= 1 && green.abs_diff(130) <= 1, "{sweep}: {number}");
            let ink = (30..54).flat_map(|y| (0..60).map(move |x| (x, y)));
            let ink = ink.filter(|(x, y)| at(*x, *y)[1] > 128).count();
            assert!(ink > 20, "{sweep}: label {number} has {ink} bright pixels");
        }
    }
    // Wider than a texture of the software renderer.
    let told = workspace.text_of("capture level.wgsl --size 17000x2 -o a.png --sweep level=1", 0);
    assert!(told.contains("1 picture on 17000x26"), "{told}");
    for (sweep, words) in [
        ("level=no", "invalid value `no`"),
        ("other=0..1", "no parameter `other`"),
        ("level", "such as height=0.6..1.1"),
        ("level=0..1 --frames 3", "cannot be used with"),
        ("level=0..1 --depth 16", "hint: `-o sheet.png --depth 8`"),
        ("level=0..1 --columns 32 --rows 32 --max-memory 170M", "cannot stay below"),
    ] {
        let told = workspace.text_of(&format!("{run} {sweep}"), 2);
        assert!(told.contains(words), "{sweep}: {told}");
    }
}

#[test]
fn strict_refuses_what_the_adapter_cannot_draw() {
    let branches: String = (0..80).map(|i| format!("if i == {i} {{ return {i}.0; }}\n")).collect();
    let workspace = Workspace::with_scene(&format!(
        "fn value(i: i32) -> f32 {{ {branches} return -1.0; }}
fn main_image(p: vec2f) -> vec4f {{ return vec4f(value(i32(p.x))); }}
"
    ));
    let run = "capture s.wgsl --size 4x2 --adapter software -o a.png";
    // Other software renderers than llvmpipe draw all branches.
    let is_refused = workspace.text_of(run, 0).contains("llvmpipe ignores");
    let told = workspace.text_of(&format!("{run} --strict"), i32::from(is_refused));
    assert_eq!(told.contains("tarsus: llvmpipe ignores"), is_refused, "{told}");
}
