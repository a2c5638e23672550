use super::*;
use crate::compiled::remove_positions;
use tarsus_shader::{Builtins, Library, Scene, compose};

/// Every place in which a constant can stand.
const CODE: &str = "const SIZE = 0.25;
const COLOR = vec3f(0.5, SIZE, 0.75);
const COLORS = array<vec3f, 2>(COLOR, vec3f(0.125));
fn brightness(color: vec3f) -> f32 { return dot(color, vec3f(0.3)) * 1.5; }
@fragment fn main(@location(0) place: vec2f) -> @location(0) vec4f {
    var sum = 0.625;
    let twice = 2.0 * SIZE;
    for (var x = 0.0; x < 3.0; x += 0.5) {
        var color = COLOR;
        if place.x > twice { color *= 4.5; continue; }
        sum += brightness(color + COLORS[i32(place.y)]);
    }
    return vec4f(sum, place, 1.0);
}";

/// Numbers in [`CODE`].
const EDITS: [&str; 9] =
    ["SIZE = 0.25", "(0.5,", "0.125", "0.3)", "1.5", "0.625", "2.0", "3.0", "4.5"];

fn module(code: &str) -> Module {
    let parsed = naga::front::wgsl::parse_str(code);
    let mut module = parsed.unwrap_or_else(|error| panic!("{code}: {error}"));
    remove_positions(&mut module);
    module
}

/// The constants that an edited module reads from the uniform.
fn read_edited(module: &mut Module, compiled: &Compiled) -> Option<Vec<f32>> {
    let reads = UniformConstants::IfEdited.reads(module, key(module), compiled);
    reads.then(|| read_from_uniform(module)).flatten()
}

/// The code with another value at one of [`EDITS`].
fn edited(at: &str, value: f32) -> String {
    let number: String = at.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let edited = CODE.replacen(at, &at.replace(&number, &format!("{value:?}")), 1);
    assert_ne!(edited, CODE, "{at}");
    edited
}

#[test]
fn edits_of_constants_change_only_values() {
    let known = Compiled::default();
    let read = |code: &str| {
        let mut module = module(code);
        let values = read_edited(&mut module, &known);
        (key(&module), values)
    };
    let first = read(CODE);
    assert_eq!(first, (key(&module(CODE)), None));
    let (second, _) = read(&edited(EDITS[0], 7.25));
    assert_ne!(second, first.0);
    for at in EDITS {
        let (third, values) = read(&edited(at, 9.25));
        assert_eq!(third, second, "{at}");
        let values = values.expect("a uniform");
        assert!(values.contains(&9.25) || at == "2.0" && values.contains(&2.3125), "{at}");
    }
}

#[test]
fn other_code_is_another_module() {
    let known = Compiled::default();
    for code in [CODE.to_owned(), CODE.replace("4.5", "place.y"), CODE.replace("place.y", "1")] {
        let mut module = module(&code);
        assert!(read_edited(&mut module, &known).is_none(), "{code}");
    }
}

#[test]
fn constants_of_private_variables_are_compiled() {
    const PRIVATE: &str = "var<private> level: f32 = 0.5;
        @fragment fn main() -> @location(0) vec4f { return vec4f(level, 0.25, 0.0, 1.0); }";
    let known = Compiled::default();
    let keys = ["0.5", "0.75", "1.75"].map(|value| {
        let mut module = module(&PRIVATE.replace("0.5", value));
        read_edited(&mut module, &known);
        key(&module)
    });
    assert!(keys[0] != keys[1] && keys[1] != keys[2]);
}

#[test]
fn scenes_can_read_their_constants() {
    let builtins = Builtins { scenes: tarsus_scenes::SCENES, modules: tarsus_scenes::MODULES };
    let library = Library::new(builtins);
    for name in tarsus_scenes::SCENES.iter().map(|scene| scene.0) {
        let scene = Scene::find(name, &library).expect("a scene");
        let program = compose(&scene, &library, &[]).expect("a program");
        for pass in program.all_passes() {
            let count = constants_mut(&mut (*pass.module).clone()).len();
            assert!(count < MAX_CONSTANTS, "{name}: {count}");
            let mut module = with_inputs(&pass.module)
                .unwrap_or_else(|| panic!("{name} {}: a valid module", pass.kind));
            // Initial values of private variables stay.
            module.global_expressions.clear();
            assert!(constants_mut(&mut module).is_empty(), "{name}");
        }
    }
}
