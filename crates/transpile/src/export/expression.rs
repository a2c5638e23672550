//! Expressions in GLSL; `wgsl` overrides those that differ in WGSL.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use naga::valid::FunctionInfo;
use naga::{
    Expression, Function, GlobalVariable, Handle, ImageQuery, LocalVariable, RelationalFunction,
    SampleLevel, Scalar, ScalarKind, Type, TypeInner, UnaryOperator,
};

use super::error::ExportError;
use super::facts::Facts;
use super::helpers::Helpers;
use super::host::{Host, PerFrameSource};
use super::language::Language;
use super::names::Names;
use super::plan::Plan;
use super::text::{Binding, Text};
use super::types::{Types, number, same_once};
use super::words::spelled;
use tarsus_shader::PER_FRAME_ROW;
use tarsus_shader::Resource;
use tarsus_shader::ir::{COMPONENTS, swizzle_letters};

/// Context shared by all functions of a file.
pub(crate) struct Shared<'a> {
    pub facts: &'a Facts<'a>,
    pub names: &'a Names<'a>,
    pub host: &'a dyn Host,
    pub helpers: &'a RefCell<Helpers>,
    pub language: Language,
}

impl<'a> Shared<'a> {
    pub(super) fn types(&self) -> Types<'a> {
        Types {
            module: self.facts.module,
            names: self.names,
            language: self.language,
        }
    }
}

/// Writes the expressions of a function, tracking the names of values and variables so far.
pub(super) struct Body<'a> {
    pub shared: &'a Shared<'a>,
    pub function: &'a Function,
    pub info: &'a FunctionInfo,
    pub plan: &'a Plan,
    /// The function's name in the source.
    pub written_name: String,
    pub arguments: Vec<Text>,
    pub values: HashMap<Handle<Expression>, String>,
    pub locals: HashMap<Handle<LocalVariable>, String>,
    /// Names it uses that are declared outside it.
    pub referred: RefCell<BTreeSet<String>>,
}

type Written = Result<Text, ExportError>;
type Value = Handle<Expression>;

impl Body<'_> {
    pub(super) fn missing(&self, what: impl Into<String>) -> ExportError {
        ExportError::Missing {
            function: self.written_name.clone(),
            what: what.into(),
        }
    }

    pub(super) fn refer(&self, name: &str) -> String {
        self.referred.borrow_mut().insert(name.to_owned());
        name.to_owned()
    }

    /// A call of a built-in function or helper.
    pub(super) fn call<'t>(
        &self,
        name: &str,
        arguments: impl IntoIterator<Item = &'t Text>,
    ) -> Text {
        self.refer(name);
        Text::call(name, arguments)
    }

    pub(super) fn inner(&self, value: Value) -> &TypeInner {
        self.info[value]
            .ty
            .inner_with(&self.shared.facts.module.types)
    }

    /// Scalar type and component count of a scalar or vector.
    pub(super) fn shape(&self, value: Value) -> Option<(Scalar, usize)> {
        match *self.inner(value) {
            TypeInner::Scalar(scalar) => Some((scalar, 1)),
            TypeInner::Vector { size, scalar } => Some((scalar, size as usize)),
            _ => None,
        }
    }

    /// The name of a value's type.
    pub(super) fn type_of(&self, value: Value) -> Result<String, ExportError> {
        let name = match self.info[value].ty {
            naga::proc::TypeResolution::Handle(handle) => return self.type_name(handle),
            naga::proc::TypeResolution::Value(ref inner) => self.shared.types().inner_name(inner),
        };
        name.ok_or_else(|| self.missing("such type"))
    }

    pub(super) fn type_name(&self, ty: Handle<Type>) -> Result<String, ExportError> {
        let module = self.shared.facts.module;
        let name = self.shared.types().name(ty).ok_or_else(|| {
            self.missing(match module.types[ty].inner {
                TypeInner::Array { .. } => "arrays of arrays",
                _ => "such type",
            })
        })?;
        for word in name.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            self.refer(word);
        }
        Ok(name)
    }

    pub(super) fn zero(&self, ty: Handle<Type>) -> Result<String, ExportError> {
        let zero = self.shared.types().zero(ty);
        zero.ok_or_else(|| self.missing("such type"))
    }

    /// The text of a value: its variable if it has one, otherwise its expression.
    pub(super) fn value(&self, value: Value) -> Written {
        match self.values.get(&value) {
            Some(name) => Ok(Text::tight(name.clone())),
            None => self.worked_out(value),
        }
    }

    /// The expression that computes a value.
    pub(super) fn worked_out(&self, value: Value) -> Written {
        let expression = &self.function.expressions[value];
        if self.shared.language == Language::Wgsl
            && let Some(text) = self.in_wgsl(value)?
        {
            return Ok(text);
        }
        match *expression {
            Expression::Literal(literal) => number(literal)
                .map(Text::number)
                .ok_or_else(|| self.missing("numbers of this type")),
            Expression::Constant(constant) => {
                let named = self.shared.names.constant(constant);
                if let Some(name) = named {
                    return Ok(Text::tight(self.refer(name)));
                }
                let init = self.shared.facts.module.constants[constant].init;
                let text = self.shared.types().constant(init);
                text.map(Text::number)
                    .ok_or_else(|| self.missing("such constant"))
            }
            Expression::Override(handle) => {
                let init = self.shared.facts.module.overrides[handle].init;
                let text = init.and_then(|init| self.shared.types().constant(init));
                text.map(Text::number)
                    .ok_or_else(|| self.missing("such constant"))
            }
            Expression::ZeroValue(ty) => self.zero(ty).map(Text::tight),
            Expression::Compose { ty, ref components } => {
                let parts: Vec<String> = components
                    .iter()
                    .map(|&part| Ok(self.value(part)?.code))
                    .collect::<Result<_, ExportError>>()?;
                let inner = &self.shared.facts.module.types[ty].inner;
                let name = self.type_name(ty)?;
                Ok(Text::tight(format!("{name}({})", same_once(&parts, inner))))
            }
            Expression::Access { base, index } => self.element(base, index),
            Expression::AccessIndex { base, index } => self.member(base, index),
            Expression::Splat { size, value } => {
                let scalar = self.shape(value).map(|(scalar, _)| scalar);
                let inner = scalar.map(|scalar| TypeInner::Vector { size, scalar });
                let name = inner.and_then(|inner| self.shared.types().inner_name(&inner));
                let name = name.ok_or_else(|| self.missing("such type"))?;
                self.refer(&name);
                Ok(Text::call(&name, [&self.value(value)?]))
            }
            Expression::Swizzle {
                size,
                vector,
                ref pattern,
            } => {
                let vector = self.value(vector)?;
                Ok(vector.components(&swizzle_letters(&pattern[..size as usize])))
            }
            Expression::FunctionArgument(number) => {
                let text = self.arguments.get(number as usize);
                Ok(text.cloned().unwrap_or_else(|| Text::tight("")))
            }
            Expression::LocalVariable(local) => {
                let name = self.locals.get(&local);
                Ok(Text::tight(name.cloned().unwrap_or_default()))
            }
            Expression::GlobalVariable(global) => self.global(global),
            Expression::Load { pointer } => self.value(pointer),
            Expression::ImageSample { .. } => self.sampled(expression),
            Expression::ImageLoad {
                image,
                coordinate,
                array_index: None,
                sample: None,
                level,
            } => {
                let place = self.as_int(coordinate)?;
                let level = match level {
                    Some(level) => self.as_int(level)?,
                    None => Text::tight("0"),
                };
                Ok(self.call("texelFetch", [&self.value(image)?, &place, &level]))
            }
            Expression::ImageQuery {
                image,
                query: ImageQuery::Size { level },
            } => {
                let level = match level {
                    Some(level) => self.as_int(level)?,
                    None => Text::tight("0"),
                };
                let size = self.call("textureSize", [&self.value(image)?, &level]);
                let components = self.shape(value).map_or(2, |(_, size)| size);
                Ok(Text::call(&format!("uvec{components}"), [&size]))
            }
            Expression::Unary { op, expr } => {
                let text = self.value(expr)?;
                let is_vector = matches!(self.inner(expr), TypeInner::Vector { .. });
                Ok(match op {
                    UnaryOperator::Negate => Text::prefix('-', &text),
                    UnaryOperator::BitwiseNot => Text::prefix('~', &text),
                    UnaryOperator::LogicalNot if is_vector => self.call("not", [&text]),
                    UnaryOperator::LogicalNot => Text::prefix('!', &text),
                })
            }
            Expression::Binary { op, left, right } => self.binary(op, left, right),
            Expression::Select {
                condition,
                accept,
                reject,
            } => self.choice(condition, accept, reject),
            Expression::Derivative { axis, expr, .. } => {
                let name = match axis {
                    naga::DerivativeAxis::X => "dFdx",
                    naga::DerivativeAxis::Y => "dFdy",
                    naga::DerivativeAxis::Width => "fwidth",
                };
                Ok(self.call(name, [&self.value(expr)?]))
            }
            Expression::Relational { fun, argument } => {
                let name = match fun {
                    RelationalFunction::All => "all",
                    RelationalFunction::Any => "any",
                    RelationalFunction::IsNan => "isnan",
                    RelationalFunction::IsInf => "isinf",
                };
                let text = self.value(argument)?;
                let is_scalar = matches!(self.inner(argument), TypeInner::Scalar(_));
                if is_scalar && matches!(fun, RelationalFunction::All | RelationalFunction::Any) {
                    return Ok(text);
                }
                Ok(self.call(name, [&text]))
            }
            Expression::Math {
                fun,
                arg,
                arg1,
                arg2,
                arg3,
            } => {
                let values: Vec<Value> = [Some(arg), arg1, arg2, arg3]
                    .into_iter()
                    .flatten()
                    .collect();
                self.math(fun, value, &values)
            }
            Expression::As {
                expr,
                kind,
                convert,
            } => self.converted(value, expr, kind, convert.is_some()),
            Expression::CallResult(_) => match self.plan.calls.get(&value) {
                Some(call) => self.called(call.function, &call.arguments),
                None => Err(self.missing("such call")),
            },
            _ => Err(self.missing(format!("counterpart of {expression:?}"))),
        }
    }

    /// A call of a scene function. GLSL textures include their samplers, so sampler
    /// arguments are dropped.
    pub(super) fn called(&self, function: Handle<Function>, arguments: &[Value]) -> Written {
        let mut texts = Vec::new();
        let is_wgsl = self.shared.language == Language::Wgsl;
        for &argument in arguments {
            let inner = self.inner(argument);
            let is_pointer = matches!(inner, TypeInner::Pointer { .. });
            if is_wgsl && is_pointer {
                texts.push(self.pointer(argument)?);
            } else if is_wgsl || !matches!(inner, TypeInner::Sampler { .. }) {
                texts.push(self.value(argument)?);
            }
        }
        let name = self.shared.names.function(function);
        Ok(self.call(name, &texts))
    }

    pub(super) fn global(&self, global: Handle<GlobalVariable>) -> Written {
        let Some(resource) = self.shared.host.resource(global) else {
            return Ok(Text::tight(self.refer(self.shared.names.global(global))));
        };
        let module = self.shared.facts.module;
        let ty = module.global_variables[global].ty;
        let members = match &module.types[ty].inner {
            TypeInner::Struct { members, .. } => members,
            _ => return self.shared.host.texture(resource).map(Text::tight),
        };
        let mut parts = Vec::new();
        for member in members {
            let name = member.name.as_deref().unwrap_or_default();
            parts.push(Text::tight(self.input(resource, name)?));
        }
        let name = self.type_name(ty)?;
        Ok(Text::call(&name, &parts))
    }

    fn input(&self, resource: Resource, member: &str) -> Result<String, ExportError> {
        match resource {
            Resource::Frame => self.shared.host.frame(member),
            _ => Ok(self.shared.host.parameter(member)),
        }
    }

    /// The type a pointer refers to, or the type of a value.
    fn pointee(&self, base: Value) -> &TypeInner {
        match *self.inner(base) {
            TypeInner::Pointer { base, .. } => &self.shared.facts.module.types[base].inner,
            ref inner => inner,
        }
    }

    fn element(&self, base: Value, index: Value) -> Written {
        if self.is_per_frame(base) {
            return self.per_frame(self.value(index)?);
        }
        let base = self.value(base)?.within(Binding::Tight);
        Ok(Text::tight(format!("{base}[{}]", self.value(index)?.code)))
    }

    fn is_per_frame(&self, base: Value) -> bool {
        let Expression::GlobalVariable(global) = self.function.expressions[base] else {
            return false;
        };
        self.shared.host.resource(global) == Some(Resource::PerFrame)
    }

    /// One of the `per_frame` values.
    fn per_frame(&self, index: Text) -> Written {
        Ok(match self.shared.host.per_frame()? {
            PerFrameSource::Texture(name) => {
                let index = format!("int({})", index.code);
                let pixel = format!("ivec2({index} % {PER_FRAME_ROW}, {index} / {PER_FRAME_ROW})");
                Text::tight(format!("texelFetch({name}, {pixel}, 0)"))
            }
            PerFrameSource::Nothing => Text::tight("vec4(0.0)".to_owned()),
            PerFrameSource::Function(function) => {
                self.call(self.shared.names.function(function), &[index])
            }
        })
    }

    fn member(&self, base: Value, index: u32) -> Written {
        if self.is_per_frame(base) {
            return self.per_frame(Text::tight(format!("{index}u")));
        }
        if let Expression::GlobalVariable(global) = self.function.expressions[base]
            && let Some(resource @ (Resource::Frame | Resource::Parameters)) =
                self.shared.host.resource(global)
            && let TypeInner::Struct { members, .. } = self.pointee(base)
        {
            let name = members[index as usize].name.as_deref().unwrap_or_default();
            return self.input(resource, name).map(Text::tight);
        }
        let text = self.value(base)?;
        Ok(match self.pointee(base) {
            TypeInner::Struct { members, .. } => {
                let name = members[index as usize].name.as_deref();
                let member = member_name(name, index, self.shared.language);
                Text::tight(format!("{}.{member}", text.within(Binding::Tight)))
            }
            TypeInner::Vector { .. } | TypeInner::ValuePointer { size: Some(_), .. } => {
                text.components(&COMPONENTS[index as usize].to_string())
            }
            _ => Text::tight(format!("{}[{index}]", text.within(Binding::Tight))),
        })
    }

    /// An integer as `int`.
    pub(super) fn as_int(&self, value: Value) -> Written {
        let text = self.value(value)?;
        Ok(match self.shape(value) {
            Some((Scalar::U32, 1)) => match text.code.strip_suffix('u') {
                Some(digits) if digits.parse::<i32>().is_ok() => Text::tight(digits),
                _ => Text::call("int", [&text]),
            },
            Some((Scalar::U32, size)) => Text::call(&format!("ivec{size}"), [&text]),
            _ => text,
        })
    }

    fn sampled(&self, expression: &Expression) -> Written {
        let &Expression::ImageSample {
            image,
            gather: None,
            coordinate,
            array_index: None,
            offset,
            level,
            depth_ref: None,
            clamp_to_edge: false,
            ..
        } = expression
        else {
            return Err(self.missing("such way of reading a texture"));
        };
        let mut arguments = vec![self.value(image)?, self.value(coordinate)?];
        let mut last = None;
        let mut name = match level {
            SampleLevel::Auto => "texture",
            SampleLevel::Zero => {
                arguments.push(Text::tight("0.0"));
                "textureLod"
            }
            SampleLevel::Exact(level) => {
                arguments.push(self.value(level)?);
                "textureLod"
            }
            SampleLevel::Bias(bias) => {
                last = Some(self.value(bias)?);
                "texture"
            }
            SampleLevel::Gradient { x, y } => {
                arguments.extend([self.value(x)?, self.value(y)?]);
                "textureGrad"
            }
        }
        .to_owned();
        if let Some(offset) = offset {
            arguments.push(self.as_int(offset)?);
            name.push_str("Offset");
        }
        arguments.extend(last);
        Ok(self.call(&name, &arguments))
    }

    fn converted(&self, whole: Value, from: Value, kind: ScalarKind, converts: bool) -> Written {
        let text = self.value(from)?;
        let Some((scalar, _)) = self.shape(from) else {
            return Ok(text);
        };
        let target = self.type_of(whole)?;
        let name = match (converts, scalar.kind, kind) {
            (false, ScalarKind::Float, ScalarKind::Sint) => "floatBitsToInt",
            (false, ScalarKind::Float, ScalarKind::Uint) => "floatBitsToUint",
            (false, ScalarKind::Sint, ScalarKind::Float) => "intBitsToFloat",
            (false, ScalarKind::Uint, ScalarKind::Float) => "uintBitsToFloat",
            // GLSL leaves the conversion of negative numbers undefined; WGSL clamps them to
            // 0.
            (true, ScalarKind::Float, ScalarKind::Uint) => {
                let least = self.call("max", [&text, &Text::tight("0.0")]);
                return Ok(Text::call(&target, [&least]));
            }
            (_, from, to) if from == to => return Ok(text),
            _ => return Ok(Text::call(&target, [&text])),
        };
        Ok(self.call(name, [&text]))
    }

    fn choice(&self, condition: Value, accept: Value, reject: Value) -> Written {
        if matches!(self.inner(condition), TypeInner::Scalar(_)) {
            let code = format!(
                "{} ? {} : {}",
                self.value(condition)?.within(Binding::Or),
                self.value(accept)?.within(Binding::Or),
                self.value(reject)?.within(Binding::Or)
            );
            return Ok(Text::new(code, Binding::Choice));
        }
        let is_float = self
            .shape(accept)
            .is_some_and(|(scalar, _)| scalar == Scalar::F32);
        if !is_float {
            return self.helper("choose", accept, &[reject, accept, condition]);
        }
        let texts = [
            self.value(reject)?,
            self.value(accept)?,
            self.value(condition)?,
        ];
        Ok(self.call("mix", &texts))
    }

    /// A call of a helper for the type of `like`.
    pub(super) fn helper(&self, name: &str, like: Value, arguments: &[Value]) -> Written {
        let (scalar, size) = self
            .shape(like)
            .ok_or_else(|| self.missing("such operation"))?;
        let scalar = super::types::inner_name(&TypeInner::Scalar(scalar)).unwrap_or_default();
        self.shared.helpers.borrow_mut().need(name, &scalar, size);
        let texts: Vec<Text> = arguments
            .iter()
            .map(|&argument| self.value(argument))
            .collect::<Result<_, _>>()?;
        Ok(self.call(name, &texts))
    }
}

/// The name of a structure member.
pub(super) fn member_name(name: Option<&str>, index: u32, language: Language) -> String {
    match name {
        None => format!("member_{index}"),
        // GLSL reserves `.length` for arrays.
        Some("length") if language != Language::Wgsl => "length_".to_owned(),
        Some(name) => spelled(name, language),
    }
}
