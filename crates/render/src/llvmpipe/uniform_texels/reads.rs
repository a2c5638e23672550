//! Replacement of uniform loads by functions that sample texels.

use std::collections::HashMap;

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, ArraySize, BinaryOperator, Expression, Function, FunctionArgument,
    FunctionResult, GlobalVariable, Handle, ImageClass, ImageDimension, Literal, MathFunction,
    Module, ResourceBinding, SampleLevel, Scalar, ScalarKind, ShaderStage, Span, Statement,
    SwizzleComponent::{self, W, Z},
    Type, TypeInner, VectorSize,
};

use crate::calls::{self, Call, Calls, functions};

/// Bytes of a texel.
pub(crate) const TEXEL: u32 = 16;
/// Floats of a texel.
const FLOATS: u32 = 4;

/// The bind group of the texture and its sampler. Scenes use only lower ones.
pub(crate) const GROUP: u32 = 3;
pub(crate) const TEXTURE: u32 = 0;
pub(crate) const SAMPLER: u32 = 1;

/// Layout of the uniforms in the texture.
pub(crate) struct UniformLayout {
    /// First texel of the uniform at each binding.
    pub offsets: HashMap<ResourceBinding, u32>,
    /// Width of the texture in texels.
    pub width: u32,
}

/// Replaces loads of floats from the uniforms in `layout` by samples of their texels.
/// Integers are still loaded: a small integer is a denormal float, which may become 0.
pub(crate) fn read_texels(module: &mut Module, layout: &UniformLayout) {
    let stages = module.entry_points.iter().map(|entry| Some(entry.stage));
    let stages = std::iter::repeat_n(None, module.functions.len()).chain(stages);
    let loads = functions(module).zip(stages).map(|(function, stage)| {
        // Vertex stages run three times, too few to gain from sampling.
        match stage {
            Some(ShaderStage::Vertex) => Vec::new(),
            _ => Loads::new(module, function, layout).all(),
        }
    });
    let loads: Vec<_> = loads.collect();
    if loads.iter().all(Vec::is_empty) {
        return;
    }
    let mut readers = Readers::new(module, layout.width);
    let calls = loads.into_iter().map(|loads| {
        let calls = loads.into_iter().map(|load| {
            let call = Call {
                function: readers.function(module, load.value),
                arguments: load.indices,
            };
            (load.expression, call)
        });
        calls.collect()
    });
    let calls: Vec<Calls> = calls.collect();
    calls::insert(module, readers.functions, &calls);
}

/// A value in the texture.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Value {
    /// Offset of its first float in the texture, with all array indices 0.
    offset: u32,
    /// Dynamically indexed arrays that contain it, outermost first.
    arrays: Vec<IndexedArray>,
    ty: TypeInner,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct IndexedArray {
    /// Texels per element.
    stride: u32,
    elements: u32,
    /// Type of the index.
    index: Scalar,
}

/// Floats from a matrix column to the next.
fn column_stride(rows: VectorSize) -> u32 {
    match rows {
        VectorSize::Bi => 2,
        VectorSize::Tri | VectorSize::Quad => 4,
    }
}

fn float_vector(size: VectorSize) -> TypeInner {
    let scalar = Scalar::F32;
    TypeInner::Vector { size, scalar }
}

/// A load to replace.
struct Load {
    expression: Handle<Expression>,
    value: Value,
    /// The index of each array of the value.
    indices: Vec<Handle<Expression>>,
}

/// The loads of a function.
struct Loads<'a> {
    module: &'a Module,
    function: &'a Function,
    layout: &'a UniformLayout,
    types: Typifier,
}

impl<'a> Loads<'a> {
    fn new(module: &'a Module, function: &'a Function, layout: &'a UniformLayout) -> Self {
        Self {
            module,
            function,
            layout,
            types: Typifier::new(),
        }
    }

    fn all(&mut self) -> Vec<Load> {
        let expressions = self.function.expressions.iter();
        let loads = expressions.filter_map(|(expression, load)| {
            let Expression::Load { pointer } = *load else {
                return None;
            };
            let mut indices = Vec::new();
            let value = self.value(pointer, &mut indices)?;
            let is_float = matches!(
                value.ty,
                TypeInner::Scalar(Scalar::F32)
                    | TypeInner::Vector {
                        scalar: Scalar::F32,
                        ..
                    }
                    | TypeInner::Matrix {
                        scalar: Scalar::F32,
                        ..
                    }
            );
            is_float.then_some(Load {
                expression,
                value,
                indices,
            })
        });
        loads.collect()
    }

    /// The value that `pointer` refers to, if it is in the texture. Appends its dynamic
    /// array indices to `indices`.
    fn value(
        &mut self,
        pointer: Handle<Expression>,
        indices: &mut Vec<Handle<Expression>>,
    ) -> Option<Value> {
        let module = self.module;
        let inner = |ty: Handle<Type>| module.types[ty].inner.clone();
        match self.function.expressions[pointer] {
            Expression::GlobalVariable(variable) => {
                let variable = &module.global_variables[variable];
                let offset = self.layout.offsets.get(variable.binding.as_ref()?)?;
                (variable.space == AddressSpace::Uniform).then(|| Value {
                    offset: offset * FLOATS,
                    arrays: Vec::new(),
                    ty: inner(variable.ty),
                })
            }
            Expression::AccessIndex { base, index } => {
                let mut value = self.value(base, indices)?;
                let (offset, ty) = match value.ty {
                    TypeInner::Struct { ref members, .. } => {
                        let member = &members[index as usize];
                        (member.offset / 4, inner(member.ty))
                    }
                    TypeInner::Array { base, stride, .. } => (index * (stride / 4), inner(base)),
                    TypeInner::Matrix { rows, .. } => {
                        (index * column_stride(rows), float_vector(rows))
                    }
                    TypeInner::Vector { scalar, .. } => (index, TypeInner::Scalar(scalar)),
                    _ => return None,
                };
                value.offset += offset;
                value.ty = ty;
                Some(value)
            }
            Expression::Access { base, index } => {
                let mut value = self.value(base, indices)?;
                let TypeInner::Array {
                    base,
                    size: ArraySize::Constant(elements),
                    stride,
                } = value.ty
                else {
                    return None;
                };
                value.arrays.push(IndexedArray {
                    stride: stride.is_multiple_of(TEXEL).then_some(stride / TEXEL)?,
                    elements: elements.get(),
                    index: self.scalar(index)?,
                });
                indices.push(index);
                value.ty = inner(base);
                Some(value)
            }
            _ => None,
        }
    }

    /// Type of an expression that is a scalar.
    fn scalar(&mut self, expression: Handle<Expression>) -> Option<Scalar> {
        let Function {
            expressions,
            local_variables,
            arguments,
            ..
        } = self.function;
        let context = ResolveContext::with_locals(self.module, local_variables, arguments);
        self.types.grow(expression, expressions, &context).ok()?;
        match *self.types[expression].inner_with(&self.module.types) {
            TypeInner::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }
}

/// The functions that sample, one per value.
struct Readers {
    functions: Arena<Function>,
    by_value: HashMap<Value, Handle<Function>>,
    texture: Handle<GlobalVariable>,
    sampler: Handle<GlobalVariable>,
    vec2: Handle<Type>,
    width: f32,
}

impl Readers {
    /// Adds texture and sampler to `module`.
    fn new(module: &mut Module, width: u32) -> Self {
        let mut global = |binding, inner| {
            let ty = type_of(module, inner);
            let group = GROUP;
            let variable = GlobalVariable {
                name: None,
                space: AddressSpace::Handle,
                binding: Some(ResourceBinding { group, binding }),
                ty,
                init: None,
                memory_decorations: naga::MemoryDecorations::empty(),
            };
            module.global_variables.append(variable, Span::UNDEFINED)
        };
        let texture = TypeInner::Image {
            dim: ImageDimension::D2,
            arrayed: false,
            class: ImageClass::Sampled {
                kind: ScalarKind::Float,
                multi: false,
            },
        };
        Self {
            texture: global(TEXTURE, texture),
            sampler: global(SAMPLER, TypeInner::Sampler { comparison: false }),
            vec2: type_of(module, float_vector(VectorSize::Bi)),
            functions: Arena::new(),
            by_value: HashMap::new(),
            width: width as f32,
        }
    }

    /// The function that reads `value`. Its arguments are the array indices.
    fn function(&mut self, module: &mut Module, value: Value) -> Handle<Function> {
        if let Some(function) = self.by_value.get(&value) {
            return *function;
        }
        let arguments = value.arrays.iter().map(|array| FunctionArgument {
            name: None,
            ty: type_of(module, TypeInner::Scalar(array.index)),
            binding: None,
        });
        let arguments = arguments.collect();
        let ty = type_of(module, value.ty.clone());
        let function = Function {
            arguments,
            result: Some(FunctionResult { ty, binding: None }),
            ..Function::default()
        };
        let mut reader = Reader {
            readers: self,
            function,
        };
        let result = Some(reader.value(&value, ty));
        let mut function = reader.function;
        let end = Statement::Return { value: result };
        function.body.push(end, Span::UNDEFINED);
        let function = self.functions.append(function, Span::UNDEFINED);
        self.by_value.insert(value, function);
        function
    }
}

fn type_of(module: &mut Module, inner: TypeInner) -> Handle<Type> {
    let ty = Type { name: None, inner };
    module.types.insert(ty, Span::UNDEFINED)
}

/// Builder of a function that samples.
struct Reader<'a> {
    readers: &'a Readers,
    function: Function,
}

impl Reader<'_> {
    fn add(&mut self, expression: Expression) -> Handle<Expression> {
        calls::add(&mut self.function, expression)
    }

    fn literal(&mut self, value: f32) -> Handle<Expression> {
        self.add(Expression::Literal(Literal::F32(value)))
    }

    fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.add(Expression::Binary { op, left, right })
    }

    fn convert(&mut self, expr: Handle<Expression>, kind: ScalarKind) -> Handle<Expression> {
        let convert = Some(4);
        self.add(Expression::As {
            expr,
            kind,
            convert,
        })
    }

    fn value(&mut self, value: &Value, ty: Handle<Type>) -> Handle<Expression> {
        let shift = self.shift(&value.arrays);
        match value.ty {
            TypeInner::Vector { size, .. } => self.vector(value.offset, size, shift),
            TypeInner::Matrix { columns, rows, .. } => {
                let columns = (0..columns as u32).map(|column| {
                    let offset = value.offset + column * column_stride(rows);
                    self.vector(offset, rows, shift)
                });
                let components = columns.collect();
                self.add(Expression::Compose { ty, components })
            }
            _ => {
                let base = self.texel(value.offset / FLOATS, shift);
                let index = value.offset % FLOATS;
                self.add(Expression::AccessIndex { base, index })
            }
        }
    }

    /// Texels that the array indices add to the offset of the value.
    fn shift(&mut self, arrays: &[IndexedArray]) -> Option<Handle<Expression>> {
        let mut sum = None;
        for (number, array) in (0..).zip(arrays) {
            let index = self.clamped_index(number, array);
            let index = self.convert(index, ScalarKind::Float);
            let stride = self.literal(array.stride as f32);
            let shift = self.binary(BinaryOperator::Multiply, index, stride);
            sum = Some(match sum {
                Some(sum) => self.binary(BinaryOperator::Add, sum, shift),
                None => shift,
            });
        }
        sum
    }

    /// Argument `number` as an index of `array`. As in wgpu's bounds checks, an index out
    /// of bounds becomes the last one.
    fn clamped_index(&mut self, number: u32, array: &IndexedArray) -> Handle<Expression> {
        let mut index = self.add(Expression::FunctionArgument(number));
        if array.index != Scalar::U32 {
            index = self.convert(index, ScalarKind::Uint);
        }
        let last = Expression::Literal(Literal::U32(array.elements - 1));
        let last = self.add(last);
        self.add(Expression::Math {
            fun: MathFunction::Min,
            arg: index,
            arg1: Some(last),
            arg2: None,
            arg3: None,
        })
    }

    /// A vector, which is in a single texel.
    fn vector(
        &mut self,
        offset: u32,
        size: VectorSize,
        shift: Option<Handle<Expression>>,
    ) -> Handle<Expression> {
        let vector = self.texel(offset / FLOATS, shift);
        let pattern = match offset % FLOATS {
            0 if size == VectorSize::Quad => return vector,
            0 => SwizzleComponent::XYZW,
            _ => [Z, W, Z, W],
        };
        self.add(Expression::Swizzle {
            size,
            vector,
            pattern,
        })
    }

    /// The texel `shift` after texel `number`.
    fn texel(&mut self, number: u32, shift: Option<Handle<Expression>>) -> Handle<Expression> {
        let width = self.readers.width;
        // Centre of the texel, normalized to the width of the texture.
        let centre = number as f32 + 0.5;
        let x = match shift {
            None => self.literal(centre / width),
            Some(shift) => {
                let centre = self.literal(centre);
                let centre = self.binary(BinaryOperator::Add, shift, centre);
                let scale = self.literal(1.0 / width);
                self.binary(BinaryOperator::Multiply, centre, scale)
            }
        };
        let y = self.literal(0.5);
        let coordinate = self.add(Expression::Compose {
            ty: self.readers.vec2,
            components: vec![x, y],
        });
        let image = self.add(Expression::GlobalVariable(self.readers.texture));
        let sampler = self.add(Expression::GlobalVariable(self.readers.sampler));
        let level = self.literal(0.0);
        self.add(Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index: None,
            offset: None,
            level: SampleLevel::Exact(level),
            depth_ref: None,
            clamp_to_edge: false,
        })
    }
}
