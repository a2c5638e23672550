//! WGSL expressions that differ from their GLSL form.

use naga::{
    BinaryOperator, DerivativeAxis, Expression, GlobalVariable, Handle, ImageQuery,
    RelationalFunction, SampleLevel, Scalar, ScalarKind, TypeInner, UnaryOperator,
};

use super::error::ExportError;
use super::expression::Body;
use super::operators::infix;
use super::text::Text;
use super::types::same_once;
use tarsus_shader::ir::swizzle_letters;

type Written = Result<Text, ExportError>;
type Value = Handle<Expression>;

impl Body<'_> {
    /// Returns the WGSL form of a value, or `None` if it is the same as in GLSL.
    pub(super) fn in_wgsl(&self, value: Value) -> Result<Option<Text>, ExportError> {
        Ok(Some(match self.function.expressions[value] {
            Expression::Literal(literal) => {
                let text = self.shared.types().number(literal);
                Text::number(text.ok_or_else(|| self.missing("numbers of this type"))?)
            }
            Expression::AccessIndex { base, index } if index < 4 => {
                return Ok(self.components_of_hosts(base, &"xyzw"[index as usize..][..1]));
            }
            Expression::Swizzle {
                size,
                vector,
                ref pattern,
            } => {
                let chosen = swizzle_letters(&pattern[..size as usize]);
                return Ok(self.components_of_hosts(vector, &chosen));
            }
            Expression::Compose { ty, ref components } => {
                let inner = &self.shared.facts.module.types[ty].inner;
                if !matches!(inner, TypeInner::Vector { .. }) {
                    return Ok(None);
                }
                let parts = self.parts_of_vector(components)?;
                let name = self.type_name(ty)?;
                match same_once(&parts, inner).as_str() {
                    one if parts.len() == 1 && self.is_whole(components) => {
                        Text::tight(one.to_owned())
                    }
                    all => Text::tight(format!("{name}({all})")),
                }
            }
            Expression::GlobalVariable(global) => return Ok(self.hosts(global)),
            Expression::ImageSample { .. } => self.sampled_in_wgsl(value)?,
            Expression::ImageLoad {
                image,
                coordinate,
                level,
                ..
            } => self.texel(image, coordinate, level)?,
            Expression::ImageQuery {
                image,
                query: ImageQuery::Size { level },
            } => {
                let mut arguments = vec![self.value(image)?];
                if let Some(level) = level {
                    let level = self.value(level)?;
                    arguments.extend((level.code != "0").then_some(level));
                }
                self.call("textureDimensions", &arguments)
            }
            Expression::Unary { op, expr } => {
                let sign = match op {
                    UnaryOperator::Negate => '-',
                    UnaryOperator::BitwiseNot => '~',
                    UnaryOperator::LogicalNot => '!',
                };
                Text::prefix(sign, &self.value(expr)?)
            }
            Expression::Binary { op, left, right } => self.operator(op, left, right)?,
            Expression::Select {
                condition,
                accept,
                reject,
            } => {
                let texts = [
                    self.value(reject)?,
                    self.value(accept)?,
                    self.value(condition)?,
                ];
                self.call("select", &texts)
            }
            Expression::Derivative { axis, expr, .. } => {
                let name = match axis {
                    DerivativeAxis::X => "dpdx",
                    DerivativeAxis::Y => "dpdy",
                    DerivativeAxis::Width => "fwidth",
                };
                self.call(name, [&self.value(expr)?])
            }
            Expression::Relational { fun, argument } => self.relational(fun, argument)?,
            Expression::As {
                expr,
                kind,
                convert,
            } => self.converted_in_wgsl(value, expr, kind, convert.is_some())?,
            _ => return Ok(None),
        }))
    }

    /// Arguments of a vector constructor; a run of consecutive components of one vector
    /// becomes one swizzle.
    fn parts_of_vector(&self, components: &[Value]) -> Result<Vec<String>, ExportError> {
        let mut parts = Vec::new();
        let mut at = 0;
        while at < components.len() {
            let run = self.run(&components[at..]);
            if run < 2 {
                parts.push(self.value(components[at])?.bare().to_owned());
                at += 1;
                continue;
            }
            let (base, first) = self
                .component(components[at])
                .unwrap_or((components[at], 0));
            let base_text = self.value(base)?;
            let is_all = first == 0 && self.shape(base).is_some_and(|(_, size)| size == run);
            parts.push(match is_all {
                true => base_text.bare().to_owned(),
                false => base_text.components(&"xyzw"[first..first + run]).code,
            });
            at += run;
        }
        Ok(parts)
    }

    /// Length of the run at the start of `components` that are consecutive in one vector.
    fn run(&self, components: &[Value]) -> usize {
        let Some((base, first)) = self.component(components[0]) else {
            return 1;
        };
        let follow = (first..).zip(components).take_while(|(index, value)| {
            let found = self.component(**value);
            found.is_some_and(|(other, other_index)| other_index == *index && other == base)
        });
        follow.count()
    }

    /// True if `components` are all components of one vector, in order.
    fn is_whole(&self, components: &[Value]) -> bool {
        let base = self.component(components[0]);
        let is_first = base.filter(|&(_, first)| first == 0);
        is_first.is_some_and(|(base, _)| {
            let is_all = self
                .shape(base)
                .is_some_and(|(_, size)| size == components.len());
            is_all && self.run(components) == components.len()
        })
    }

    /// The vector and component index of a value that is a vector component.
    fn component(&self, value: Value) -> Option<(Value, usize)> {
        let Expression::AccessIndex { base, index } = self.function.expressions[value] else {
            return None;
        };
        let is_vector = matches!(self.inner(base), TypeInner::Vector { .. });
        (is_vector && !self.values.contains_key(&value)).then_some((base, index as usize))
    }

    /// The address of a variable.
    pub(super) fn pointer(&self, value: Value) -> Written {
        let text = self.value(value)?;
        let name = text.bare().strip_prefix('*').map(str::to_owned);
        Ok(match name {
            Some(name) => Text::tight(name),
            None => Text::prefix('&', &text),
        })
    }

    /// The module variable behind a pointer.
    fn variable(&self, pointer: Value) -> Option<Handle<GlobalVariable>> {
        match self.function.expressions[pointer] {
            Expression::GlobalVariable(global) => Some(global),
            Expression::Load { pointer } => self.variable(pointer),
            _ => None,
        }
    }

    /// The host's expression for a variable that it replaces.
    fn hosts(&self, global: Handle<GlobalVariable>) -> Option<Text> {
        let (whole, _) = self.shared.host.replaced(global)?;
        Some(Text::tight(self.refer_all(whole)))
    }

    /// A swizzle of a variable that the host replaces.
    fn components_of_hosts(&self, base: Value, chosen: &str) -> Option<Text> {
        let global = self.variable(base)?;
        let (_, first) = self.shared.host.replaced(global)?;
        Some(match chosen {
            "xy" => Text::tight(first),
            "z" => Text::tight("1.0"),
            chosen if chosen.chars().all(|c| "xy".contains(c)) => {
                Text::tight(first).components(chosen)
            }
            chosen => self.hosts(global)?.components(chosen),
        })
    }

    fn refer_all<'t>(&self, text: &'t str) -> &'t str {
        for word in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            self.refer(word);
        }
        text
    }

    fn sampled_in_wgsl(&self, value: Value) -> Written {
        let Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index: None,
            offset,
            level,
            depth_ref: None,
            ..
        } = self.function.expressions[value]
        else {
            return Err(self.missing("such way of reading a texture"));
        };
        let mut arguments = vec![
            self.value(image)?,
            self.value(sampler)?,
            self.value(coordinate)?,
        ];
        let name = match level {
            SampleLevel::Auto => "textureSample",
            SampleLevel::Zero => {
                arguments.push(Text::tight("0.0"));
                "textureSampleLevel"
            }
            SampleLevel::Exact(level) => {
                arguments.push(self.value(level)?);
                "textureSampleLevel"
            }
            SampleLevel::Bias(bias) => {
                arguments.push(self.value(bias)?);
                "textureSampleBias"
            }
            SampleLevel::Gradient { x, y } => {
                arguments.extend([self.value(x)?, self.value(y)?]);
                "textureSampleGrad"
            }
        };
        if let Some(offset) = offset {
            arguments.push(self.value(offset)?);
        }
        Ok(self.call(name, &arguments))
    }

    fn texel(&self, image: Value, coordinate: Value, level: Option<Value>) -> Written {
        let resource = match self.function.expressions[image] {
            Expression::GlobalVariable(global) => self.shared.host.resource(global),
            _ => None,
        };
        let level = match level {
            Some(level) => self.value(level)?,
            None => Text::tight("0"),
        };
        let function = resource.and_then(|resource| self.shared.host.texel(resource));
        let place = self.value(coordinate)?;
        let is_signed = self
            .shape(coordinate)
            .is_some_and(|(scalar, _)| scalar == Scalar::I32);
        if let Some(function) = function.filter(|_| level.code == "0" && is_signed) {
            return Ok(Text::call(function, [&place]));
        }
        Ok(self.call("textureLoad", [&self.value(image)?, &place, &level]))
    }

    fn operator(&self, op: BinaryOperator, left: Value, right: Value) -> Written {
        use BinaryOperator as Op;
        let scalar = self.shape(left).map(|(scalar, _)| scalar);
        if op == Op::Modulo && scalar == Some(Scalar::F32) {
            return self.wgsl_helper("modulo", left, &[left, right]);
        }
        let (sign, binding) = match op {
            Op::ExclusiveOr if scalar == Some(Scalar::BOOL) => infix(Op::NotEqual),
            op => infix(op),
        };
        let (left_text, right_text) = self.operands(op, left, right)?;
        // WGSL shift counts must be unsigned.
        let right_text = match (op, self.shape(right)) {
            (Op::ShiftLeft | Op::ShiftRight, Some((Scalar::I32, size))) => {
                match right_text.code.parse::<u32>() {
                    Ok(places) => Text::tight(format!("{places}u")),
                    Err(_) if size == 1 => self.call("u32", [&right_text]),
                    Err(_) => self.call(&format!("vec{size}u"), [&right_text]),
                }
            }
            _ => right_text,
        };
        Ok(Text::infix_of_wgsl(&left_text, sign, &right_text, binding))
    }

    fn relational(&self, fun: RelationalFunction, argument: Value) -> Written {
        let text = self.value(argument)?;
        let is_scalar = matches!(self.inner(argument), TypeInner::Scalar(_));
        match fun {
            RelationalFunction::All | RelationalFunction::Any if is_scalar => Ok(text),
            RelationalFunction::All => Ok(self.call("all", [&text])),
            RelationalFunction::Any => Ok(self.call("any", [&text])),
            RelationalFunction::IsNan => self.wgsl_helper("is_nan", argument, &[argument]),
            RelationalFunction::IsInf => self.wgsl_helper("is_inf", argument, &[argument]),
        }
    }

    fn converted_in_wgsl(
        &self,
        whole: Value,
        from: Value,
        kind: ScalarKind,
        converts: bool,
    ) -> Written {
        let text = self.value(from)?;
        let Some((scalar, _)) = self.shape(from) else {
            return Ok(text);
        };
        if scalar.kind == kind {
            return Ok(text);
        }
        let target = self.type_of(whole)?;
        match converts {
            true => Ok(self.call(&target, [&text])),
            false => {
                self.refer("bitcast");
                Ok(Text::call(&format!("bitcast<{target}>"), [&text]))
            }
        }
    }

    /// A call of a helper; each type of `like` has its own.
    pub(super) fn wgsl_helper(&self, name: &str, like: Value, arguments: &[Value]) -> Written {
        let ty = self.type_of(like)?;
        let (_, size) = self.shape(like).unwrap_or((Scalar::F32, 1));
        let name = format!("{name}_{ty}");
        self.shared
            .helpers
            .borrow_mut()
            .need_in_wgsl(&name, &ty, size);
        let texts: Vec<Text> = arguments
            .iter()
            .map(|&argument| self.value(argument))
            .collect::<Result<_, _>>()?;
        Ok(self.call(&name, &texts))
    }
}
