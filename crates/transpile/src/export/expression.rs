//! Writes expressions.

use naga::proc::{IndexableLength, TypeResolution};
use naga::{
    DerivativeAxis, Expression, Function, GlobalVariable, Handle, ImageQuery, RelationalFunction,
    SampleLevel, Scalar, ScalarKind, StructMember, Type, TypeInner, UnaryOperator,
};
use tarsus_shader::ir::{COMPONENTS, swizzle_letters};
use tarsus_shader::{Buffer, PER_FRAME_ROW, Resource};

use super::error::ExportError;
use super::function::FunctionWriter;
use super::host::PerFrameSource;
use super::language::Language::{self, Glsl, Wgsl};
use super::range::{Range, Ranges};
use super::reserved::{to_identifier, unique, words};
use super::text::{ExprText, Precedence};
use super::types::{inner_name, number, same_once, value_type};

pub(super) type Written = Result<ExprText, ExportError>;
pub(super) type Value = Handle<Expression>;

impl FunctionWriter<'_> {
    /// Records the words of `text` as used.
    pub(super) fn refer<'t>(&self, text: &'t str) -> &'t str {
        let words = words(text).map(str::to_owned);
        self.referred.borrow_mut().extend(words);
        text
    }

    /// A call of a built-in function, type or helper.
    pub(super) fn call<'t>(
        &self,
        name: &str,
        arguments: impl IntoIterator<Item = &'t ExprText>,
    ) -> ExprText {
        ExprText::call(self.refer(name), arguments)
    }

    pub(super) fn inner(&self, value: Value) -> &TypeInner {
        self.info[value].ty.inner_with(&self.context.module().types)
    }

    /// Type of the components of a scalar or vector.
    pub(super) fn scalar(&self, value: Value) -> Option<Scalar> {
        Some(self.inner(value).vector_size_and_scalar()?.1)
    }

    /// Number of components of a scalar or vector.
    pub(super) fn size(&self, value: Value) -> usize {
        match *self.inner(value) {
            TypeInner::Vector { size, .. } => size as usize,
            _ => 1,
        }
    }

    pub(super) fn is_vector(&self, value: Value) -> bool {
        matches!(self.inner(value), TypeInner::Vector { .. })
    }

    /// The name of a value's type.
    pub(super) fn type_of(&self, value: Value) -> Result<String, ExportError> {
        match self.info[value].ty {
            TypeResolution::Handle(handle) => self.type_name(handle),
            TypeResolution::Value(ref inner) => {
                let name = inner_name(inner, self.context.language());
                name.ok_or_else(|| self.context.missing("this type"))
            }
        }
    }

    pub(super) fn type_name(&self, ty: Handle<Type>) -> Result<String, ExportError> {
        let name = self.context.type_name(ty)?;
        self.refer(&name);
        Ok(name)
    }

    pub(super) fn zero(&self, ty: Handle<Type>) -> Result<String, ExportError> {
        let zero = self.context.zero(ty)?;
        self.refer(&zero);
        Ok(zero)
    }

    /// The text of a value: its variable if it has one, otherwise its expression.
    pub(super) fn value(&self, value: Value) -> Written {
        match self.values.get(&value) {
            Some(name) => Ok(ExprText::atom(name.clone())),
            None if self.plan.has_variable(value) => {
                Err(self.context.missing("this order of statements"))
            }
            None => self.expression_text(value),
        }
    }

    pub(super) fn texts(&self, values: &[Value]) -> Result<Vec<ExprText>, ExportError> {
        values.iter().map(|&value| self.value(value)).collect()
    }

    /// The expression that computes a value.
    pub(super) fn expression_text(&self, value: Value) -> Written {
        let expression = &self.function.expressions[value];
        let language = self.context.language();
        match *expression {
            Expression::Literal(literal) => {
                let number = number(literal, language).map(ExprText::number);
                number.ok_or_else(|| self.context.missing("numbers of this type"))
            }
            Expression::Constant(constant) => match self.context.names.constant(constant) {
                Some(name) => Ok(ExprText::atom(self.refer(name))),
                None => self.constant(Some(self.context.module().constants[constant].init)),
            },
            Expression::ZeroValue(ty) => self.zero(ty).map(ExprText::atom),
            Expression::Compose { ty, ref components } => self.compose(ty, components),
            Expression::Access { base, index } => self.element(base, index),
            Expression::AccessIndex { base, index } => self.member(base, index),
            Expression::Splat { size, value } => {
                let scalar = self.scalar(value);
                let name = scalar.and_then(|scalar| value_type(scalar, size as usize, language));
                let name = name.ok_or_else(|| self.context.missing("this type"))?;
                Ok(self.call(&name, [&self.value(value)?]))
            }
            Expression::Swizzle { size, vector, ref pattern } => {
                let letters = swizzle_letters(&pattern[..size as usize]);
                Ok(self.value(vector)?.components(&letters))
            }
            Expression::FunctionArgument(number) => {
                let text = self.arguments.get(number as usize);
                Ok(text.cloned().unwrap_or_else(|| ExprText::atom("")))
            }
            Expression::LocalVariable(local) => {
                let name = self.locals.get(&local);
                Ok(ExprText::atom(name.cloned().unwrap_or_default()))
            }
            Expression::GlobalVariable(global) => self.global(global),
            Expression::Load { pointer } => self.value(pointer),
            Expression::ImageSample { .. } => self.sample(expression),
            Expression::ImageLoad { image, coordinate, array_index: None, sample: None, level } => {
                self.texel(image, coordinate, level)
            }
            Expression::ImageQuery { image, query: ImageQuery::Size { level } } => {
                self.texture_size(value, image, level)
            }
            Expression::ImageQuery { query: ImageQuery::NumLevels, .. } => {
                Err(self.context.missing("`textureNumLevels`"))
            }
            Expression::Unary { op, expr } => {
                let text = self.value(expr)?;
                Ok(match op {
                    UnaryOperator::Negate => ExprText::prefix('-', &text),
                    UnaryOperator::BitwiseNot => ExprText::prefix('~', &text),
                    UnaryOperator::LogicalNot if language == Glsl && self.is_vector(expr) => {
                        self.call("not", [&text])
                    }
                    UnaryOperator::LogicalNot => ExprText::prefix('!', &text),
                })
            }
            Expression::Binary { op, left, right } => self.binary(op, left, right),
            Expression::Select { condition, accept, reject } => {
                self.select(condition, accept, reject)
            }
            Expression::Derivative { axis, expr, .. } => {
                let text = self.value(expr)?;
                Ok(match (axis, language) {
                    (DerivativeAxis::X, Glsl) => self.call("dFdx", [&text]),
                    (DerivativeAxis::X, Wgsl) => self.call("dpdx", [&text]),
                    (DerivativeAxis::Y, Glsl) if self.context.host.flips_rows() => {
                        ExprText::prefix('-', &self.call("dFdy", [&text]))
                    }
                    (DerivativeAxis::Y, Glsl) => self.call("dFdy", [&text]),
                    (DerivativeAxis::Y, Wgsl) => self.call("dpdy", [&text]),
                    (DerivativeAxis::Width, _) => self.call("fwidth", [&text]),
                })
            }
            Expression::Relational { fun, argument } => self.relational(fun, argument),
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let values = [Some(arg), arg1, arg2, arg3];
                self.math(fun, value, &values.into_iter().flatten().collect::<Vec<_>>())
            }
            Expression::As { expr, kind, convert } => {
                self.convert(value, expr, kind, convert.is_some())
            }
            Expression::CallResult(_) if self.plan.calls.contains_key(&value) => {
                let call = &self.plan.calls[&value];
                self.call_of(call.function, &call.arguments)
            }
            _ => {
                let shown = format!("{expression:?}");
                let kind = words(&shown).next().unwrap_or_default();
                Err(self.context.missing(format!("`{kind}` expressions")))
            }
        }
    }

    fn constant(&self, value: Option<Value>) -> Written {
        let value = value.ok_or_else(|| self.context.missing("this constant"))?;
        let text = self.context.constant(value)?;
        self.refer(&text);
        Ok(ExprText::number(text))
    }

    fn compose(&self, ty: Handle<Type>, components: &[Value]) -> Written {
        let inner = &self.context.module().types[ty].inner;
        let is_vector = matches!(inner, TypeInner::Vector { .. });
        let parts = match self.context.language() {
            Wgsl if is_vector => self.vector_parts(components)?,
            _ => {
                let parts = components.chunks(1).map(|part| self.run_text(part));
                parts.collect::<Result<_, _>>()?
            }
        };
        if let [only] = &parts[..]
            && self.is_whole_vector(components)
        {
            return Ok(ExprText::atom(only));
        }
        let name = self.type_name(ty)?;
        Ok(ExprText::atom(format!("{name}({})", same_once(&parts, inner))))
    }

    /// Arguments of a vector constructor; a run of consecutive components of one vector
    /// becomes one swizzle.
    fn vector_parts(&self, components: &[Value]) -> Result<Vec<String>, ExportError> {
        let follows =
            |&one: &Value, &next: &Value| match (self.component(one), self.component(next)) {
                (Some((base, index)), Some((other, next))) => base == other && next == index + 1,
                _ => false,
            };
        let runs = components.chunk_by(follows);
        runs.map(|run| self.run_text(run)).collect()
    }

    fn run_text(&self, run: &[Value]) -> Result<String, ExportError> {
        let text = match self.component(run[0]) {
            Some((base, _)) if self.is_whole_vector(run) => self.value(base)?,
            Some((base, first)) if run.len() > 1 => {
                self.value(base)?.components(&"xyzw"[first..][..run.len()])
            }
            _ => self.value(run[0])?,
        };
        Ok(text.unparenthesized().to_owned())
    }

    /// True if a run has all components of a vector.
    fn is_whole_vector(&self, run: &[Value]) -> bool {
        let vector = self.component(run[0]);
        vector.is_some_and(|(vector, first)| first == 0 && self.size(vector) == run.len())
    }

    /// The vector and component index of a value that is a vector component.
    fn component(&self, value: Value) -> Option<(Value, usize)> {
        match self.function.expressions[value] {
            Expression::AccessIndex { base, index }
                if self.is_vector(base) && !self.values.contains_key(&value) =>
            {
                Some((base, index as usize))
            }
            _ => None,
        }
    }

    /// A call of a scene function. GLSL textures include their samplers, so sampler
    /// arguments are dropped.
    pub(super) fn call_of(&self, function: Handle<Function>, arguments: &[Value]) -> Written {
        let mut texts = Vec::new();
        for &argument in arguments {
            match (self.context.language(), self.inner(argument)) {
                (Wgsl, TypeInner::Pointer { .. }) => texts.push(self.address(argument)?),
                (Glsl, TypeInner::Sampler { .. }) => {}
                _ => texts.push(self.value(argument)?),
            }
        }
        Ok(self.call(self.context.names.function(function), &texts))
    }

    /// The address of a variable, in WGSL.
    fn address(&self, pointer: Value) -> Written {
        let text = self.value(pointer)?;
        Ok(match text.unparenthesized().strip_prefix('*') {
            Some(name) => ExprText::atom(name),
            None => ExprText::prefix('&', &text),
        })
    }

    fn global(&self, global: Handle<GlobalVariable>) -> Written {
        let host = self.context.host;
        if let Some(replacement) = host.replacement(global) {
            self.refer(&replacement.code);
            return Ok(replacement);
        }
        let Some(resource) = host.resource(global) else {
            return Ok(ExprText::atom(self.refer(self.context.names.global(global))));
        };
        let module = self.context.module();
        let ty = module.global_variables[global].ty;
        let TypeInner::Struct { members, .. } = &module.types[ty].inner else {
            return host.texture(resource).map(ExprText::atom);
        };
        let members = members.iter();
        let parts = members.map(|member| self.input(resource, member.name.as_deref()));
        Ok(ExprText::call(&self.type_name(ty)?, &parts.collect::<Result<Vec<_>, _>>()?))
    }

    /// A member of the uniforms.
    fn input(&self, resource: Resource, member: Option<&str>) -> Written {
        let member = member.unwrap_or_default();
        let text = match resource {
            Resource::Frame => self.context.host.frame(member)?,
            _ => ExprText::atom(self.context.host.parameter(member)),
        };
        self.refer(&text.code);
        Ok(text)
    }

    /// The type that a pointer refers to, or the type of a value.
    fn pointee(&self, base: Value) -> &TypeInner {
        match *self.inner(base) {
            TypeInner::Pointer { base, .. } => &self.context.module().types[base].inner,
            ref inner => inner,
        }
    }

    fn element(&self, base: Value, index: Value) -> Written {
        if self.is_per_frame(base) {
            let text = self.value(index)?;
            return self.per_frame(match self.scalar(index) {
                Some(Scalar::I32) => ExprText::call("uint", [&text]),
                _ => text,
            });
        }
        let index = self.index(self.pointee(base), index)?;
        let base = self.value(base)?.parenthesized(Precedence::Atom);
        Ok(ExprText::atom(format!("{base}[{}]", index.code)))
    }

    /// An index of `base`. GLSL does not define what an index out of range does; here it
    /// selects the last element, as naga does it.
    fn index(&self, base: &TypeInner, index: Value) -> Written {
        let text = self.value(index)?;
        let Ok(IndexableLength::Known(count)) = base.indexable_length(self.context.module()) else {
            return Ok(text);
        };
        let last = i64::from(count) - 1;
        if self.context.language() == Wgsl || self.is_within(index, 0..=last) {
            return Ok(text);
        }
        let text = match self.scalar(index) {
            Some(Scalar::I32) => ExprText::call("uint", [&text]),
            _ => text,
        };
        Ok(self.call("min", [&text, &ExprText::atom(format!("{last}u"))]))
    }

    /// True if a value is always in `range`.
    pub(super) fn is_within(&self, value: Value, range: Range) -> bool {
        let Self { function, info, .. } = self;
        let found = Ranges { module: self.context.module(), function, info }.of(value);
        range.contains(found.start()) && range.contains(found.end())
    }

    fn is_per_frame(&self, base: Value) -> bool {
        let Expression::GlobalVariable(global) = self.function.expressions[base] else {
            return false;
        };
        self.context.host.resource(global) == Some(Resource::PerFrame)
    }

    /// One of the `per_frame` values.
    fn per_frame(&self, index: ExprText) -> Written {
        Ok(match self.context.host.per_frame()? {
            PerFrameSource::Texture(name) => {
                let index = index.parenthesized(Precedence::Product);
                let row = format!("{PER_FRAME_ROW}u");
                let pixel = format!("ivec2({index} % {row}, {index} / {row})");
                self.call("texelFetch", [name, pixel, "0".to_owned()].map(ExprText::atom).iter())
            }
            PerFrameSource::Nothing => ExprText::atom("vec4(0.0)"),
            PerFrameSource::Function(function) => {
                self.call(self.context.names.function(function), &[index])
            }
        })
    }

    fn member(&self, base: Value, index: u32) -> Written {
        if self.is_per_frame(base) {
            return self.per_frame(ExprText::atom(format!("{index}u")));
        }
        let letter = COMPONENTS.get(index as usize).map(char::to_string);
        let pointee = self.pointee(base);
        if let Expression::GlobalVariable(global) = self.function.expressions[base]
            && let Some(resource @ (Resource::Frame | Resource::Parameters)) =
                self.context.host.resource(global)
            && let TypeInner::Struct { members, .. } = pointee
        {
            return self.input(resource, members[index as usize].name.as_deref());
        }
        let text = self.value(base)?;
        let base = text.parenthesized(Precedence::Atom);
        Ok(match (pointee, letter) {
            (TypeInner::Struct { members, .. }, _) => {
                let names = member_names(members, self.context.language());
                ExprText::atom(format!("{base}.{}", names[index as usize]))
            }
            (
                TypeInner::Vector { .. } | TypeInner::ValuePointer { size: Some(_), .. },
                Some(letter),
            ) => text.components(&letter),
            _ => ExprText::atom(format!("{base}[{index}]")),
        })
    }

    /// An integer as `int`, for functions of GLSL that take no `uint`.
    fn as_int(&self, value: Value) -> Written {
        let text = self.value(value)?;
        if self.scalar(value) != Some(Scalar::U32) {
            return Ok(text);
        }
        Ok(match (text.code.strip_suffix('u'), self.size(value)) {
            (Some(digits), _) if digits.parse::<i32>().is_ok() => ExprText::atom(digits),
            (_, 1) => ExprText::call("int", [&text]),
            (_, size) => ExprText::call(&format!("ivec{size}"), [&text]),
        })
    }

    /// The mip level of a texture access.
    fn level(&self, level: Option<Value>) -> Written {
        match (level, self.context.language()) {
            (None, _) => Ok(ExprText::atom("0")),
            (Some(level), Glsl) => self.as_int(level),
            (Some(level), Wgsl) => self.value(level),
        }
    }

    fn sample(&self, expression: &Expression) -> Written {
        let &Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index: None,
            offset,
            level,
            depth_ref: None,
            clamp_to_edge: false,
        } = expression
        else {
            return Err(self.context.missing("this way of reading a texture"));
        };
        let (glsl, wgsl, level_values) = match level {
            SampleLevel::Auto => ("texture", "textureSample", vec![]),
            SampleLevel::Zero => ("textureLod", "textureSampleLevel", vec![ExprText::atom("0.0")]),
            SampleLevel::Exact(level) => {
                ("textureLod", "textureSampleLevel", self.texts(&[level])?)
            }
            SampleLevel::Bias(bias) => ("texture", "textureSampleBias", self.texts(&[bias])?),
            SampleLevel::Gradient { x, y } => {
                ("textureGrad", "textureSampleGrad", self.texts(&[x, y])?)
            }
        };
        if self.context.language() == Wgsl {
            let mut arguments = self.texts(&[image, sampler, coordinate])?;
            arguments.extend(level_values);
            if let Some(offset) = offset {
                arguments.push(self.value(offset)?);
            }
            return Ok(self.call(wgsl, &arguments));
        }
        let mut arguments = self.texts(&[image, coordinate])?;
        arguments.extend(level_values);
        let Some(offset) = offset else {
            return Ok(self.call(glsl, &arguments));
        };
        // Only the bias follows the offset.
        let position = match level {
            SampleLevel::Bias(_) => arguments.len() - 1,
            _ => arguments.len(),
        };
        arguments.insert(position, self.as_int(offset)?);
        Ok(self.call(&format!("{glsl}Offset"), &arguments))
    }

    fn texel(&self, image: Value, coordinate: Value, level: Option<Value>) -> Written {
        let level = self.level(level)?;
        if self.context.language() == Glsl {
            let arguments = [self.value(image)?, self.as_int(coordinate)?, level];
            return Ok(self.call("texelFetch", &arguments));
        }
        let position = self.value(coordinate)?;
        let is_signed = self.scalar(coordinate) == Some(Scalar::I32);
        if let Some(buffer) = self.buffer(image)
            && level.code == "0"
            && is_signed
        {
            return Ok(ExprText::call(&format!("buffers::{}", buffer.letter()), [&position]));
        }
        Ok(self.call("textureLoad", [&self.value(image)?, &position, &level]))
    }

    fn buffer(&self, image: Value) -> Option<Buffer> {
        let Expression::GlobalVariable(global) = self.function.expressions[image] else {
            return None;
        };
        self.context.host.buffer(self.context.host.resource(global)?)
    }

    fn texture_size(&self, result: Value, image: Value, level: Option<Value>) -> Written {
        if self.context.language() == Glsl {
            let size = self.signed_texture_size(image, level)?;
            let components = self.size(result);
            return Ok(ExprText::call(&format!("uvec{components}"), [&size]));
        }
        let image = match self.buffer(image) {
            Some(buffer) => ExprText::atom(format!("buffers::buffer_{}", buffer.letter())),
            None => self.value(image)?,
        };
        let arguments = [image, self.level(level)?];
        let is_base = arguments[1].code == "0";
        let arguments = arguments.iter().take(if is_base { 1 } else { 2 });
        Ok(self.call("textureDimensions", arguments))
    }

    fn signed_texture_size(&self, image: Value, level: Option<Value>) -> Written {
        Ok(self.call("textureSize", [&self.value(image)?, &self.level(level)?]))
    }

    fn relational(&self, fun: RelationalFunction, argument: Value) -> Written {
        let text = self.value(argument)?;
        let name = match (fun, self.context.language()) {
            (RelationalFunction::All | RelationalFunction::Any, _) if !self.is_vector(argument) => {
                return Ok(text);
            }
            (RelationalFunction::All, _) => "all",
            (RelationalFunction::Any, _) => "any",
            (RelationalFunction::IsNan, Glsl) => "isnan",
            (RelationalFunction::IsInf, Glsl) => "isinf",
            (RelationalFunction::IsNan, Wgsl) => {
                return self.helper("is_nan", argument, &[argument]);
            }
            (RelationalFunction::IsInf, Wgsl) => {
                return self.helper("is_inf", argument, &[argument]);
            }
        };
        Ok(self.call(name, [&text]))
    }

    fn convert(&self, result: Value, from: Value, kind: ScalarKind, converts: bool) -> Written {
        let text = self.value(from)?;
        let Some(scalar) = self.scalar(from).filter(|scalar| scalar.kind != kind) else {
            return Ok(text);
        };
        if let Expression::ImageQuery { image, query: ImageQuery::Size { level } } =
            self.function.expressions[from]
            && (self.context.language(), kind) == (Glsl, ScalarKind::Sint)
        {
            return self.signed_texture_size(image, level);
        }
        let target = self.type_of(result)?;
        let name = match (self.context.language(), converts, scalar.kind, kind) {
            (Wgsl, false, ..) => &format!("bitcast<{target}>"),
            (Glsl, false, ScalarKind::Float, ScalarKind::Sint) => "floatBitsToInt",
            (Glsl, false, ScalarKind::Float, ScalarKind::Uint) => "floatBitsToUint",
            (Glsl, false, ScalarKind::Sint, ScalarKind::Float) => "intBitsToFloat",
            (Glsl, false, ScalarKind::Uint, ScalarKind::Float) => "uintBitsToFloat",
            // GLSL leaves the conversion of negative numbers undefined; WGSL clamps them to
            // 0.
            (Glsl, true, ScalarKind::Float, ScalarKind::Uint) if !self.is_positive(from) => {
                let least = self.call("max", [&text, &ExprText::atom("0.0")]);
                return Ok(ExprText::call(&target, [&least]));
            }
            _ => &target,
        };
        Ok(self.call(name, [&text]))
    }

    /// True for `max(x, 0.0)`, as this exporter writes it.
    fn is_positive(&self, value: Value) -> bool {
        let expressions = &self.function.expressions;
        let Expression::Math { fun: naga::MathFunction::Max, arg1: Some(least), .. } =
            expressions[value]
        else {
            return false;
        };
        let least = match expressions[least] {
            Expression::Splat { value, .. } => value,
            _ => least,
        };
        matches!(expressions[least], Expression::Literal(naga::Literal::F32(least)) if least >= 0.0)
    }

    fn select(&self, condition: Value, accept: Value, reject: Value) -> Written {
        // One boolean can choose a vector in both languages.
        let condition = match self.function.expressions[condition] {
            Expression::Splat { value, .. } if !self.values.contains_key(&condition) => value,
            _ => condition,
        };
        let values = [reject, accept, condition];
        if self.context.language() == Wgsl {
            return Ok(self.call("select", &self.texts(&values)?));
        }
        if self.is_vector(condition) {
            return match self.scalar(accept) {
                Some(Scalar::F32) => Ok(self.call("mix", &self.texts(&values)?)),
                _ => self.helper("choose", accept, &values),
            };
        }
        let operand = |value| Ok(self.value(value)?.parenthesized(Precedence::Or));
        let [reject, accept, condition] = values.map(operand);
        let code = format!("{} ? {} : {}", condition?, accept?, reject?);
        Ok(ExprText::new(code, Precedence::Choice))
    }

    /// A call of a helper for the type of `like`.
    pub(super) fn helper(&self, name: &str, like: Value, arguments: &[Value]) -> Written {
        let texts = self.texts(arguments)?;
        let size = self.size(like);
        let mut helpers = self.helpers.borrow_mut();
        if self.context.language() == Wgsl {
            return Ok(self.call(&helpers.need_wgsl(name, &self.type_of(like)?, size), &texts));
        }
        let scalar = self.scalar(like);
        let scalar = scalar.ok_or_else(|| self.context.missing("this operation"))?;
        helpers.need_glsl(name, scalar, size);
        Ok(self.call(name, &texts))
    }
}

/// The names of a structure's members, which differ in the target language, too.
pub(super) fn member_names(members: &[StructMember], language: Language) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let wanted = match member.name.as_deref() {
            None => format!("member_{index}"),
            // GLSL reserves `.length` for arrays.
            Some("length") if language == Glsl => "length_".to_owned(),
            Some(name) => to_identifier(name, language),
        };
        let name = unique(&wanted, |name| names.iter().all(|taken| taken != name));
        names.push(name);
    }
    names
}
