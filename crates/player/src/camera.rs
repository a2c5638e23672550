//! Deserializer of cameras. A number that overflows 32 bits would be infinite in the shader,
//! and could not be written back to JSON.

use serde::{Deserialize, Deserializer, de};

/// Deserializes yaw, pitch and zoom.
pub(super) fn deserialize_camera<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<[f32; 3], D::Error> {
    let camera = <[f32; 3]>::deserialize(deserializer)?;
    if !camera.iter().all(|number| number.is_finite()) {
        return Err(de::Error::custom("number out of range: expected 32-bit floats"));
    }
    Ok(camera)
}

/// Deserializes a camera, or null.
pub(super) fn deserialize_optional_camera<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<[f32; 3]>, D::Error> {
    #[derive(Deserialize)]
    struct Camera(#[serde(deserialize_with = "deserialize_camera")] [f32; 3]);
    Ok(Option::<Camera>::deserialize(deserializer)?.map(|Camera(camera)| camera))
}
