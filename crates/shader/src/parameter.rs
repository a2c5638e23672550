//! A single parameter: the contents of its comment, and the values it accepts.

/// The kind of number a parameter's components are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum ScalarKind {
    /// `f32`
    Float,
    /// `i32`
    Signed,
    /// `u32`
    Unsigned,
}

/// How a parameter is shown.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub enum Control {
    /// One slider per component, with minimum and maximum.
    Slider(f64, f64),
    /// On or off, stored as 1 or 0.
    Switch,
    /// A choice among these names, stored as the index.
    Choice(Vec<String>),
    /// Red, green, blue and optionally alpha, from 0 to 1.
    Color,
}

/// One member of `struct Params`.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Parameter {
    /// Name of the member in the shader, also used by `--set`.
    pub name: String,
    /// Name shown on screen.
    pub label: String,
    /// Control shown on screen.
    pub control: Control,
    /// Default value; only the first `components` numbers count.
    pub default: [f64; 4],
    /// Number of components, 1 to 4.
    pub components: usize,
    /// Scalar type of the components.
    pub kind: ScalarKind,
    /// Offset in the uniform, in bytes.
    pub(super) offset: usize,
}
impl Parameter {
    /// True if the components are integers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.kind != ScalarKind::Float
    }

    /// Parses a comment such as `Label [min, max] = default`.
    pub(super) fn read(
        name: &str,
        doc: &str,
        components: usize,
        kind: ScalarKind,
        offset: usize,
    ) -> Result<Self, String> {
        let (rest, default) = match doc.rsplit_once('=') {
            Some((rest, default)) => (rest.trim(), Some(default.trim())),
            None => (doc.trim(), None),
        };
        let (label, control) = control(rest, default)?;
        let label = if label.is_empty() { name } else { label };
        let mut parameter = Self {
            name: name.to_owned(),
            label: label.to_owned(),
            control,
            default: [0.0; 4],
            components,
            kind,
            offset,
        };
        if let Some(default) = default {
            parameter.default = parameter.parse(default).ok_or_else(|| {
                format!(
                    "invalid default `{default}` for parameter `{name}`: expected {}",
                    parameter.expected()
                )
            })?;
        } else if let Control::Slider(min, _) = parameter.control {
            parameter.default = [min.max(0.0); 4];
        }
        Ok(parameter)
    }

    /// Warning if the default is outside the slider's range.
    pub(super) fn default_outside(&self) -> Option<String> {
        let Control::Slider(min, max) = self.control else {
            return None;
        };
        let outside = self.default[..self.components]
            .iter()
            .find(|default| !(min..=max).contains(*default))?;
        Some(format!(
            "the default {outside} of `{}` is outside of its range [{min}, {max}]",
            self.name
        ))
    }

    /// Parses a value typed by the user.
    pub(super) fn parse(&self, text: &str) -> Option<[f64; 4]> {
        match &self.control {
            Control::Switch => match text {
                "on" | "true" | "1" => Some([1.0, 0.0, 0.0, 0.0]),
                "off" | "false" | "0" => Some([0.0; 4]),
                _ => None,
            },
            Control::Choice(names) => {
                let by_name = names.iter().position(|name| name == text);
                let by_number = text.parse().ok().filter(|&number| number < names.len());
                Some([by_name.or(by_number)? as f64, 0.0, 0.0, 0.0])
            }
            Control::Color if text.starts_with('#') => hex_color(text),
            Control::Slider(..) | Control::Color => self.parse_numbers(text),
        }
    }

    fn parse_numbers(&self, text: &str) -> Option<[f64; 4]> {
        let numbers: Vec<f64> = text
            .split(',')
            .map(|number| number.trim().parse().ok())
            .collect::<Option<_>>()?;
        let fits = |number: &f64| match self.kind {
            ScalarKind::Float => number.is_finite(),
            ScalarKind::Signed => number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX),
            ScalarKind::Unsigned => {
                number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number)
            }
        };
        if numbers.len() != self.components || !numbers.iter().all(fits) {
            return None;
        }
        let mut value = [0.0; 4];
        value[..numbers.len()].copy_from_slice(&numbers);
        Some(value)
    }

    /// Values accepted by [`Self::parse`], worded for messages.
    pub(super) fn expected(&self) -> String {
        let number = match self.kind {
            ScalarKind::Float => "number",
            ScalarKind::Signed => "whole number",
            ScalarKind::Unsigned => "whole number from 0",
        };
        match (&self.control, self.components) {
            (Control::Switch, _) => "on or off".to_owned(),
            (Control::Choice(names), _) => format!("one of {}", names.join(", ")),
            (Control::Color, n) => format!("#rrggbb or {n} numbers from 0 to 1 such as 0.5,0.2,0"),
            (Control::Slider(..), 1) => format!("a {number}"),
            (Control::Slider(..), n) => format!("{n} times a {number} with commas between"),
        }
    }
}

fn control<'a>(text: &'a str, default: Option<&str>) -> Result<(&'a str, Control), String> {
    if let Some((label, range)) = bracketed(text, '[', ']') {
        let ends: Vec<f64> = range
            .split(',')
            .filter_map(|end| end.trim().parse().ok())
            .collect();
        return match ends[..] {
            [min, max] if min < max => Ok((label, Control::Slider(min, max))),
            _ => Err(format!(
                "invalid range `[{range}]`: expected [least, most] with least < most"
            )),
        };
    }
    if let Some((label, names)) = bracketed(text, '{', '}') {
        let names: Vec<String> = names
            .split(',')
            .map(|name| name.trim().to_owned())
            .collect();
        if names.iter().any(String::is_empty) {
            return Err(format!(
                "invalid choice `{{{}}}`: expected names with commas between, such as {{a, b}}",
                names.join(", ")
            ));
        }
        return Ok((label, Control::Choice(names)));
    }
    if let Some(broken) = half_a_range(text) {
        return Err(format!(
            "invalid range `{broken}`: expected [least, most] such as [0, 1]"
        ));
    }
    let control = match default {
        Some("on" | "off" | "true" | "false") => Control::Switch,
        Some(default) if default.starts_with('#') => Control::Color,
        _ => Control::Slider(0.0, 1.0),
    };
    Ok((text, control))
}

/// Unmatched bracket at the end of a label.
fn half_a_range(text: &str) -> Option<&str> {
    let open = text.rfind(['[', '{']);
    match (open, text.chars().last()?) {
        (Some(at), _) if !text[at..].contains([']', '}']) => Some(&text[at..]),
        (None, ']' | '}') => Some(text),
        _ => None,
    }
}

fn bracketed(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let (label, inside) = text.strip_suffix(close)?.rsplit_once(open)?;
    Some((label.trim(), inside))
}

fn hex_color(text: &str) -> Option<[f64; 4]> {
    let digits = text.strip_prefix('#')?;
    if !digits.is_ascii() || !matches!(digits.len(), 6 | 8) {
        return None;
    }
    let mut color = [0.0, 0.0, 0.0, 1.0];
    for (component, at) in color.iter_mut().zip((0..digits.len()).step_by(2)) {
        *component = f64::from(u8::from_str_radix(&digits[at..at + 2], 16).ok()?) / 255.0;
    }
    Some(color)
}
