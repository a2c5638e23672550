//! Directives unknown to compilers: those of the common editor extension, and those
//! reserved for the front end.
//!
//! ```glsl
//! #iChannel0 "file://wood.png"      // or "self", or another GLSL file
//! #iChannel0::MinFilter "Nearest"   // also MagFilter, WrapMode, Type
//! #iKeyboard
//! #include "common.glsl"
//! #iUniform float speed = 1.0 in { 0.0, 5.0 }
//! ```

use super::uniform::Uniform;
use super::words::words;
use tarsus_shader::{Filter, Wrap};

/// A parsed directive line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Directive {
    /// Source of a channel.
    Channel(usize, String),
    /// Texture type of a channel: the extension's keyword in lower case.
    Type(usize, String),
    /// Filter mode of a channel.
    Filter(usize, Filter),
    /// Wrap mode of a channel.
    Wrap(usize, Wrap),
    /// Enables the keyboard functions.
    Keyboard,
    /// Inserts another file here.
    Include(String),
    /// A value the user can change.
    Uniform(Uniform),
    /// Ignored: version, extensions, line numbers.
    Ignored,
}

/// Parses one line; `None` if it is not one of these directives.
///
/// # Errors
/// Returns a message that describes the invalid part.
pub(super) fn directive(line: &str) -> Result<Option<Directive>, String> {
    let Some(rest) = line.trim_start().strip_prefix('#') else {
        return Ok(None);
    };
    let rest = rest.trim_start();
    let Some((name, _)) = words(rest).next().filter(|(_, span)| span.start == 0) else {
        return Ok(None);
    };
    let after = rest[name.len()..].trim();
    Ok(Some(match name {
        "version" | "extension" | "line" => Directive::Ignored,
        "iKeyboard" => Directive::Keyboard,
        "include" => {
            let file = quoted(after).or_else(|| between(after, '<', '>'));
            let file = file.ok_or("`#include` names no file: write `#include \"FILE\"`")?;
            Directive::Include(file.to_owned())
        }
        "iUniform" => {
            let code = after.split("//").next().unwrap_or_default();
            Directive::Uniform(Uniform::read(code)?)
        }
        _ => match name.strip_prefix("iChannel").map(str::parse) {
            Some(Ok(number @ 0..=3)) => channel(number, after)?,
            Some(_) => return Err(format!("there is no `{name}`: channels are 0 to 3")),
            None => return Ok(None),
        },
    }))
}

fn channel(number: usize, after: &str) -> Result<Directive, String> {
    let name = format!("#iChannel{number}");
    let Some(setting) = after.strip_prefix("::") else {
        let file = quoted(after).ok_or_else(|| {
            format!("`{name}` names no file: write `{name} \"file://FILE\"`, or \"self\"")
        })?;
        return Ok(Directive::Channel(number, file.to_owned()));
    };
    let value = quoted(setting).unwrap_or_default().to_ascii_lowercase();
    let (setting, _) = words(setting).next().unwrap_or_default();
    let wrong = |expected: &str| {
        let value = quoted(after).unwrap_or_default();
        format!("invalid value \"{value}\" for `{name}::{setting}`: expected {expected}")
    };
    Ok(match setting {
        "MinFilter" | "MagFilter" => Directive::Filter(
            number,
            match value.as_str() {
                "nearest" => Filter::Nearest,
                "linear" => Filter::Linear,
                "nearestmipmapnearest"
                | "nearestmipmaplinear"
                | "linearmipmapnearest"
                | "linearmipmaplinear" => Filter::Mipmap,
                _ => return Err(wrong("Nearest, Linear or LinearMipMapLinear")),
            },
        ),
        "WrapMode" => Directive::Wrap(
            number,
            match value.as_str() {
                "clamp" => Wrap::Clamp,
                "repeat" => Wrap::Repeat,
                "mirror" => Wrap::Mirror,
                _ => return Err(wrong("Clamp, Repeat or Mirror")),
            },
        ),
        "Type" => Directive::Type(number, value),
        _ => {
            return Err(format!(
                "there is no `{name}::{setting}`: there are Type, MinFilter, MagFilter and WrapMode"
            ));
        }
    })
}

fn quoted(text: &str) -> Option<&str> {
    between(text, '"', '"')
}

/// The text between the first `open` and the next `close`; `None` if it is empty.
fn between(text: &str, open: char, close: char) -> Option<&str> {
    let (inside, _) = text.split_once(open)?.1.split_once(close)?;
    (!inside.is_empty()).then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_parse_and_others_are_ignored() {
        for (line, expected) in [
            ("#define A 1", Ok(None)),
            (
                "  # include \"a b.glsl\"",
                Ok(Some(Directive::Include("a b.glsl".into()))),
            ),
            ("#version 300 es", Ok(Some(Directive::Ignored))),
            (
                "#iChannel1 \"self\"",
                Ok(Some(Directive::Channel(1, "self".into()))),
            ),
            (
                "#iChannel1::MagFilter \"Nearest\"",
                Ok(Some(Directive::Filter(1, Filter::Nearest))),
            ),
            (
                "#iChannel3::WrapMode \"Mirror\"",
                Ok(Some(Directive::Wrap(3, Wrap::Mirror))),
            ),
            ("#iKeyboard", Ok(Some(Directive::Keyboard))),
            ("x = 1; #version", Ok(None)),
            ("#", Ok(None)),
        ] {
            assert_eq!(directive(line), expected, "{line}");
        }
        for (line, expected) in [
            ("#include", "names no file"),
            ("#iChannel4 \"a\"", "channels are 0 to 3"),
            ("#iChannel0 wood.png", "names no file"),
            (
                "#iChannel0::WrapMode \"Round\"",
                "expected Clamp, Repeat or Mirror",
            ),
            ("#iChannel0::Colour \"Red\"", "there are Type"),
        ] {
            let told = directive(line).expect_err(line);
            assert!(told.contains(expected), "{told}");
        }
    }
}
