//! Restores the program's own names in a naga module.

use naga::{Module, TypeInner};

/// Members of the `Frame` uniform in order, as named in `shaders/lib/frame.wgsl`.
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

/// Names the only entry point `entry` and restores the member names of the `Frame` uniform,
/// by which the program detects which inputs a scene reads.
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
