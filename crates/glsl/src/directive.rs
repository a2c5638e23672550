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

use super::lexer::words;
use super::uniforms::Uniform;
use tarsus_shader::{Filter, Wrap};

/// A parsed directive line. Channels have numbers from 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Directive {
    /// Source of a channel.
    Channel(usize, String),
    /// Setting of a channel.
    Setting(usize, Setting),
    /// Enables the keyboard functions.
    Keyboard,
    /// Inserts another file here.
    Include(String),
    /// A value the user can change.
    Uniform(Uniform),
    /// `#extension`, which only a compiler of GLSL ES 3.00 sees.
    Extension,
    /// `#version` or `#line`, which the host writes itself.
    Ignored,
}

/// Setting of a channel.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Setting {
    /// Texture type: the extension's keyword in lower case.
    Type(String),
    /// Filter mode.
    Filter(Filter),
    /// Wrap mode.
    Wrap(Wrap),
}

/// Parses one line; `None` if it is not one of these directives.
///
/// # Errors
/// Returns a message that describes the invalid part.
pub(super) fn parse_directive(line: &str) -> Result<Option<Directive>, String> {
    let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
    let rest = rest.unwrap_or_default();
    let Some((name, _)) = words(rest).next().filter(|(_, span)| span.start == 0) else {
        return Ok(None);
    };
    let after = rest[name.len()..].trim();
    Ok(Some(match name {
        "extension" => Directive::Extension,
        "version" | "line" => Directive::Ignored,
        "iKeyboard" => Directive::Keyboard,
        "include" => {
            let file = quoted(after).or_else(|| between(after, '<', '>'));
            let file = file.ok_or("`#include` names no file: write `#include \"FILE\"`")?;
            Directive::Include(file.to_owned())
        }
        "iUniform" => {
            let uniform = Uniform::read(without_comment(after)).ok_or(
                "invalid `#iUniform`: expected `#iUniform float NAME = 1.0 in { 0.0, 5.0 }`; \
                 types are float, int, vec2 to vec4, color3 and color4",
            )?;
            Directive::Uniform(uniform)
        }
        _ => match name.strip_prefix("iChannel").map(str::parse) {
            Some(Ok(slot @ 0..=3)) => channel(slot, after)?,
            Some(_) => return Err(format!("there is no `{name}`: channels are 0 to 3")),
            None => return Ok(None),
        },
    }))
}

/// The text before a comment.
fn without_comment(text: &str) -> &str {
    let end = text.find("//").into_iter().chain(text.find("/*")).min();
    text[..end.unwrap_or(text.len())].trim()
}

fn channel(slot: usize, after: &str) -> Result<Directive, String> {
    let name = format!("#iChannel{slot}");
    let value = quoted(after);
    let Some(setting) = after.strip_prefix("::") else {
        let file = value.ok_or_else(|| {
            format!("`{name}` has no file: expected `{name} \"file://FILE\"` or \"self\"")
        })?;
        return Ok(Directive::Channel(slot, file.to_owned()));
    };
    let (key, _) = words(setting).next().unwrap_or_default();
    let value = value.unwrap_or_default();
    let keyword = value.to_ascii_lowercase();
    let (setting, expected) = match key {
        "MinFilter" | "MagFilter" => {
            let filter = match keyword.as_str() {
                "nearest" => Some(Filter::Nearest),
                "linear" => Some(Filter::Linear),
                "nearestmipmapnearest"
                | "nearestmipmaplinear"
                | "linearmipmapnearest"
                | "linearmipmaplinear" => Some(Filter::Mipmap),
                _ => None,
            };
            (filter.map(Setting::Filter), "Nearest, Linear or LinearMipMapLinear")
        }
        "WrapMode" => (Wrap::from_name(&keyword).map(Setting::Wrap), "Clamp, Repeat or Mirror"),
        "Type" => (Some(Setting::Type(keyword)), ""),
        _ => {
            return Err(format!(
                "there is no `{name}::{key}`: there are Type, MinFilter, MagFilter and WrapMode"
            ));
        }
    };
    match setting {
        Some(setting) => Ok(Directive::Setting(slot, setting)),
        None => Err(format!("invalid value \"{value}\" for `{name}::{key}`: expected {expected}")),
    }
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
            ("  # include \"a b.glsl\"", Ok(Some(Directive::Include("a b.glsl".into())))),
            ("#version 300 es // b", Ok(Some(Directive::Ignored))),
            ("#line 3 /* b */", Ok(Some(Directive::Ignored))),
            ("#iChannel1 \"self\"", Ok(Some(Directive::Channel(1, "self".into())))),
            (
                "#iChannel1::MagFilter \"Nearest\"",
                Ok(Some(Directive::Setting(1, Setting::Filter(Filter::Nearest)))),
            ),
            (
                "#iChannel3::WrapMode \"Mirror\"",
                Ok(Some(Directive::Setting(3, Setting::Wrap(Wrap::Mirror)))),
            ),
            ("#iKeyboard", Ok(Some(Directive::Keyboard))),
            ("x = 1; #version", Ok(None)),
            ("#", Ok(None)),
        ] {
            assert_eq!(parse_directive(line), expected, "{line}");
        }
        for (line, expected) in [
            ("#include", "names no file"),
            ("#iChannel4 \"a\"", "channels are 0 to 3"),
            ("#iChannel0 wood.png", "has no file"),
            ("#iChannel0::WrapMode \"Round\"", "expected Clamp, Repeat or Mirror"),
            ("#iChannel0::Colour \"Red\"", "there are Type"),
        ] {
            let message = parse_directive(line).expect_err(line);
            assert!(message.contains(expected), "{message}");
        }
    }
}
