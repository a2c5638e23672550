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

/// Control that edits a parameter.
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
    pub fn is_integer(&self) -> bool {
        self.kind != ScalarKind::Float
    }

    /// Applies a comment such as `Label [min, max] = default`.
    pub(super) fn read_comment(&mut self, comment: &str) -> Result<(), String> {
        let (rest, default) = match comment.rsplit_once('=') {
            Some((rest, default)) => (rest.trim(), Some(default.trim())),
            None => (comment.trim(), None),
        };
        let (label, control) = control(rest, default)?;
        if !label.is_empty() {
            label.clone_into(&mut self.label);
        }
        self.control = control;
        if let Some(default) = default {
            self.default = self.parse(default).ok_or_else(|| {
                let (name, expected) = (&self.name, self.accepted_values());
                format!("invalid default `{default}` for parameter `{name}`: expected {expected}")
            })?;
        } else if let Control::Slider(min, _) = self.control {
            self.default = [min.max(0.0); 4];
        }
        Ok(())
    }

    /// Describes the first of `values` that is outside the slider's range.
    pub(super) fn outside_range(&self, values: &[f64]) -> Option<String> {
        let Control::Slider(min, max) = self.control else {
            return None;
        };
        let outside = values.iter().find(|value| !(min..=max).contains(*value))?;
        let name = &self.name;
        Some(format!("{outside} of `{name}` is outside its range [{min}, {max}]"))
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
        let numbers = text.split(',').map(|number| number.trim().parse().ok());
        let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
        let (least, most) = match self.kind {
            ScalarKind::Float => (f64::MIN, f64::MAX),
            ScalarKind::Signed => (-f64::from(i32::MAX), f64::from(i32::MAX)),
            ScalarKind::Unsigned => (0.0, f64::from(u32::MAX)),
        };
        let fits = |number: &f64| {
            (least..=most).contains(number) && (!self.is_integer() || number.fract() == 0.0)
        };
        if numbers.len() != self.components || !numbers.iter().all(fits) {
            return None;
        }
        let mut value = [0.0; 4];
        value[..numbers.len()].copy_from_slice(&numbers);
        Some(value)
    }

    /// Values accepted by [`Self::parse`], worded for messages.
    pub(super) fn accepted_values(&self) -> String {
        let (one, many) = match self.kind {
            ScalarKind::Float => ("a number", "numbers"),
            ScalarKind::Signed => ("an integer", "integers"),
            ScalarKind::Unsigned => ("an integer from 0", "integers from 0"),
        };
        match (&self.control, self.components) {
            (Control::Switch, _) => "on or off".to_owned(),
            (Control::Choice(names), _) => format!("one of {}", names.join(", ")),
            (Control::Color, n) => format!("#rrggbb or {n} numbers from 0 to 1 such as 0.5,0.2,0"),
            (Control::Slider(..), 1) => one.to_owned(),
            (Control::Slider(..), n) => {
                format!(
                    "{n} {many} separated by commas, such as {}",
                    ["1", "2", "3", "4"][..n].join(",")
                )
            }
        }
    }
}

/// True if a comment has a range or a default value of numbers.
pub(super) fn describes_parameter(comment: &str) -> bool {
    let are_numbers = |text: &str| text.split(',').all(|part| part.trim().parse::<f64>().is_ok());
    let (rest, default) = comment.rsplit_once('=').unwrap_or((comment, ""));
    let range = bracketed(rest.trim(), '[', ']').map(|(_, range)| range);
    are_numbers(default) || range.is_some_and(|range| range.contains(',') && are_numbers(range))
}

fn control<'a>(text: &'a str, default: Option<&str>) -> Result<(&'a str, Control), String> {
    if let Some((label, range)) = bracketed(text, '[', ']') {
        let ends = range.split(',').filter_map(|end| end.trim().parse().ok());
        return match ends.collect::<Vec<f64>>()[..] {
            [min, max] if min < max && [min, max].iter().all(|end| (*end as f32).is_finite()) => {
                Ok((label, Control::Slider(min, max)))
            }
            _ => Err(format!("invalid range `[{range}]`: expected [min, max] with min < max")),
        };
    }
    if let Some((label, names)) = bracketed(text, '{', '}') {
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            let names = names.join(", ");
            return Err(format!(
                "invalid choice `{{{names}}}`: expected names separated by commas, such as {{a, b}}"
            ));
        }
        let repeated = (1..names.len()).find(|&at| names[..at].contains(&names[at]));
        if let Some(at) = repeated {
            return Err(format!("`{}` is a choice twice: expected different names", names[at]));
        }
        return Ok((label, Control::Choice(names)));
    }
    if let Some(broken) = unmatched_bracket(text) {
        return Err(format!("invalid range `{broken}`: expected [min, max] such as [0, 1]"));
    }
    let control = match default {
        Some("on" | "off" | "true" | "false") => Control::Switch,
        Some(default) if default.starts_with('#') => Control::Color,
        _ => Control::Slider(0.0, 1.0),
    };
    Ok((text, control))
}

/// Unmatched bracket at the end of a label.
fn unmatched_bracket(text: &str) -> Option<&str> {
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
