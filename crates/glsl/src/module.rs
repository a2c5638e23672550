//! Names in a naga module as the rest of the program knows them.

use naga::{Module, TypeInner};

/// Members of the `Frame` uniform in order, as `shaders/lib/frame.wgsl` calls them.
const MEMBERS: &[&str] = &[
    "resolution",
    "sample_offset",
    "tile_origin",
    "stride",
    "lens",
    "time",
    "output_step",
    "mouse",
    "pointer",
    "orbit",
    "date",
    "press_age",
    "release_age",
    "time_delta",
    "frame_rate",
    "index",
    "part",
    "unused",
];

/// Gives the only entry point the name `entry`, and the members of the `Frame` uniform
/// those that say what changes by itself.
pub(super) fn named(mut module: Module, entry: &str) -> Module {
    for point in &mut module.entry_points {
        point.name = entry.to_owned();
    }
    let is_frame = |(_, ty): &(_, &naga::Type)| ty.name.as_deref() == Some("tarsus_Frame");
    let frame = module
        .types
        .iter()
        .find(is_frame)
        .map(|(handle, ty)| (handle, ty.clone()));
    if let Some((handle, mut frame)) = frame {
        if let TypeInner::Struct { members, .. } = &mut frame.inner {
            for (member, name) in members.iter_mut().zip(MEMBERS) {
                member.name = Some((*name).to_owned());
            }
        }
        frame.name = Some("Frame".to_owned());
        module.types.replace(handle, frame);
    }
    for (_, function) in module.functions.iter_mut() {
        let name = function
            .name
            .as_deref()
            .and_then(|name| name.split('(').next());
        function.name = name.map(str::to_owned);
    }
    module
}
