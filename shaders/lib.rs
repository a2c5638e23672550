//! The built-in scenes and modules of tarsus, as WGSL.
//!
//! This crate is data alone: a host hands it to the `Library` of `tarsus-shader`, which
//! resolves `#import tarsus::limb` and scene names from it. The modules that describe the
//! host itself (`frame`, `buffers`, `keyboard`, `debug_view`) belong to `tarsus-shader`, and `ik`
//! to `tarsus-ik`.
//!
//! ```
//! let (path, source) = tarsus_scenes::MODULES[0];
//! assert!(source.starts_with(&format!("#define_import_path {path}\n")));
//! ```

macro_rules! module {
    ($name:literal) => {
        (concat!("tarsus::", $name), include_str!(concat!("lib/", $name, ".wgsl")))
    };
    // A module of one scene stands beside it.
    ($scene:literal, $name:literal) => {
        (
            concat!("tarsus::", $scene, "::", $name),
            include_str!(concat!($scene, "/", $name, ".wgsl")),
        )
    };
}

macro_rules! scene {
    ($name:literal, $summary:literal) => {
        ($name, $summary, include_str!(concat!($name, ".wgsl")))
    };
}

/// Import path and source of each module.
pub const MODULES: &[(&str, &str)] = &[
    module!("antennae"),
    module!("bits"),
    module!("bloom"),
    module!("bounds"),
    module!("brute_force"),
    module!("camera"),
    module!("coverage"),
    module!("depth_of_field"),
    module!("grid"),
    ("tarsus::ik", tarsus_ik::WGSL),
    module!("insect"),
    module!("land"),
    module!("light"),
    module!("limb"),
    module!("noise"),
    module!("palette"),
    module!("parts"),
    module!("pebbles"),
    module!("plot"),
    module!("pointer"),
    module!("pool"),
    module!("raymarch"),
    module!("rays"),
    module!("sdf"),
    module!("sdf2"),
    module!("sdf2_curves"),
    module!("sdf3"),
    module!("sdf3_round"),
    module!("sdf_ops"),
    module!("shading"),
    module!("terrain"),
    module!("text"),
    module!("walk"),
    module!("walker"),
    module!("water"),
    module!("water_strider"),
    module!("waves"),
    module!("crane", "dusk"),
    module!("crane", "scales"),
    module!("herd", "crowd"),
    module!("herd", "crowd_rays"),
    module!("herd", "plain"),
    module!("herd", "quadruped"),
    module!("herd", "swells"),
    module!("pond", "evening"),
    module!("pond", "wave_field"),
    module!("tracks", "strip"),
];

/// Name, one-line summary and source of each scene, the easiest to read first.
pub const SCENES: &[(&str, &str, &str)] = &[
    scene!("simple_ik", "the article's walking creature in one file of 180 lines"),
    scene!("creature", "the grown-up version of simple_ik: an insect walks over dunes without end"),
    scene!(
        "tracks",
        "the insect in low sun over snow or sand that keeps its tracks, grains in the wind"
    ),
    scene!(
        "spider",
        "eight legs follow a firefly over moss by moonlight; click or drag to lead it"
    ),
    scene!("strider", "a water strider rows over a clear pond and rings run out from its feet"),
    scene!(
        "pond",
        "a water strider rows over an evening pond whose waves are solved, and the pointer stirs"
    ),
    scene!("crane", "a tall bird wades past the setting sun, its ankles bent backward"),
    scene!(
        "strandbeest",
        "a beach animal after Theo Jansen: 24 legs of eleven bars on one crankshaft"
    ),
    scene!("herd", "ten thousand antelopes cross a plain, each leg solved, at the cost of one"),
    scene!("ik_diagram", "the construction of a two-bone limb, live: it reaches for the pointer"),
    scene!("ik_field", "every pixel a target: where the elbow goes, and where digits are lost"),
    scene!("line_walker", "a fox in side view, by a lake at sunset"),
];

/// Name of the scene that opens when none is named.
pub const DEFAULT_SCENE: &str = "creature";
