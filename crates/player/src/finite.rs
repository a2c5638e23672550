//! Floats as files give them: a number that 32 bits cannot hold would be infinite in
//! the shader, and could not be written again.

use serde::{Deserialize, Deserializer, de};

/// Reads floats that are all finite.
pub(super) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f32>, D::Error> {
    let numbers = Vec::<f32>::deserialize(deserializer)?;
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(numbers),
        false => Err(de::Error::custom(
            "number out of range: expected floats of 32 bits",
        )),
    }
}

/// Reads yaw, pitch and zoom.
pub(super) fn camera<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f32; 3], D::Error> {
    let numbers = list(deserializer)?;
    <[f32; 3]>::try_from(numbers)
        .map_err(|numbers| de::Error::invalid_length(numbers.len(), &"yaw, pitch and zoom"))
}

/// The same where it may be left out.
pub(super) fn maybe_camera<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<[f32; 3]>, D::Error> {
    #[derive(Deserialize)]
    struct Camera(#[serde(deserialize_with = "camera")] [f32; 3]);
    Ok(Option::<Camera>::deserialize(deserializer)?.map(|Camera(camera)| camera))
}
