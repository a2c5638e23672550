//! Deserializers for finite floats. A number that overflows 32 bits would be infinite in
//! the shader, and could not be written back to JSON.

use serde::{Deserialize, Deserializer, de};

/// Deserializes a list of finite floats.
pub(super) fn deserialize_floats<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<f32>, D::Error> {
    let numbers = Vec::<f32>::deserialize(deserializer)?;
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(numbers),
        false => Err(de::Error::custom("number out of range: expected 32-bit floats")),
    }
}

/// Deserializes yaw, pitch and zoom.
pub(super) fn deserialize_camera<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<[f32; 3], D::Error> {
    let numbers = deserialize_floats(deserializer)?;
    <[f32; 3]>::try_from(numbers)
        .map_err(|numbers| de::Error::invalid_length(numbers.len(), &"yaw, pitch and zoom"))
}

/// Deserializes an optional yaw, pitch and zoom.
pub(super) fn deserialize_optional_camera<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<[f32; 3]>, D::Error> {
    #[derive(Deserialize)]
    struct Camera(#[serde(deserialize_with = "deserialize_camera")] [f32; 3]);
    Ok(Option::<Camera>::deserialize(deserializer)?.map(|Camera(camera)| camera))
}
