//! Functions that sample what a module loads of uniforms.

use std::collections::HashMap;

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    AddressSpace, Arena, ArraySize, BinaryOperator, Expression, Function, FunctionArgument,
    FunctionResult, GlobalVariable, Handle, ImageClass, ImageDimension, Literal, Module,
    ResourceBinding, SampleLevel, Scalar, ScalarKind, ShaderStage, Span, Statement,
    SwizzleComponent::{self, W, Z},
    Type, TypeInner, VectorSize,
};

use crate::calls::{self, Call, Calls, functions};

/// Bytes of a texel.
pub(crate) const TEXEL: u32 = 16;
/// Floats of a texel.
const FLOATS: u32 = 4;

/// The bind group of texture and sampler, which no scene has.
pub(crate) const GROUP: u32 = 3;
pub(crate) const TEXTURE: u32 = 0;
pub(crate) const SAMPLER: u32 = 1;

/// Where the texels of uniforms stand.
pub(crate) struct Places {
    /// The first texel of the uniform at a binding.
    pub firsts: HashMap<ResourceBinding, u32>,
    /// Texels of the texture.
    pub width: u32,
}

/// Lets the functions of `module` sample floats that they load of the uniforms in `places`.
/// Whole numbers stay as they are: a small one looks like a float that may become 0.
pub(crate) fn read_texels(module: &mut Module, places: &Places) {
    let entries = module.entry_points.iter();
    // A vertex stage has three vertices to read for.
    let vertex = entries.map(|entry| entry.stage == ShaderStage::Vertex);
    let vertex: Vec<bool> = vertex.collect();
    let of_functions = std::iter::repeat_n(false, module.functions.len());
    let is_vertex = of_functions.chain(vertex);
    let found: Vec<Vec<Load>> = functions(module)
        .zip(is_vertex)
        .map(|(function, is_vertex)| match is_vertex {
            true => Vec::new(),
            false => loads(module, function, places),
        })
        .collect();
    if found.iter().all(Vec::is_empty) {
        return;
    }
    let mut readers = Readers::new(module, places.width);
    let calls = found.into_iter().map(|loads| {
        let calls = loads.into_iter().map(|load| {
            let call = Call {
                function: readers.reader(module, &load.texels),
                arguments: load.indices,
            };
            (load.at, call)
        });
        calls.collect::<Calls>()
    });
    let calls: Vec<Calls> = calls.collect();
    calls::insert(module, readers.functions, &calls);
}

/// Which floats are read.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Texels {
    /// The first float, counted in the texture's components, where all indices are 0.
    first: u32,
    /// What each index of an array counts.
    strides: Vec<Stride>,
    shape: Shape,
}

/// An index of an array.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Stride {
    texels: u32,
    elements: u32,
    index: Scalar,
}

/// What is made of floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    Scalar,
    Vector(VectorSize),
    Matrix {
        columns: VectorSize,
        rows: VectorSize,
    },
}

impl Shape {
    fn of(inner: &TypeInner) -> Option<Self> {
        let (shape, scalar) = match *inner {
            TypeInner::Scalar(scalar) => (Self::Scalar, scalar),
            TypeInner::Vector { size, scalar } => (Self::Vector(size), scalar),
            TypeInner::Matrix {
                columns,
                rows,
                scalar,
            } => (Self::Matrix { columns, rows }, scalar),
            _ => return None,
        };
        (scalar == Scalar::F32).then_some(shape)
    }

    fn inner(self) -> TypeInner {
        let scalar = Scalar::F32;
        match self {
            Self::Scalar => TypeInner::Scalar(scalar),
            Self::Vector(size) => TypeInner::Vector { size, scalar },
            Self::Matrix { columns, rows } => TypeInner::Matrix {
                columns,
                rows,
                scalar,
            },
        }
    }
}

/// Floats from a column of a matrix to the next.
fn column_stride(rows: VectorSize) -> u32 {
    match rows {
        VectorSize::Bi => 2,
        VectorSize::Tri | VectorSize::Quad => 4,
    }
}

/// A load that a call takes the place of.
struct Load {
    at: Handle<Expression>,
    texels: Texels,
    /// An index for each stride.
    indices: Vec<Handle<Expression>>,
}

fn loads(module: &Module, function: &Function, places: &Places) -> Vec<Load> {
    let mut types = Typifier::new();
    let context =
        ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    let loads = function.expressions.iter().filter_map(|(at, expression)| {
        let Expression::Load { pointer } = *expression else {
            return None;
        };
        let path = Path::of(module, function, places, pointer)?;
        let strides = path.indices.iter().map(|index| {
            types.grow(index.at, &function.expressions, &context).ok()?;
            let TypeInner::Scalar(scalar) = *types[index.at].inner_with(&module.types) else {
                return None;
            };
            Some(Stride {
                texels: index.texels,
                elements: index.elements,
                index: scalar,
            })
        });
        let texels = Texels {
            first: path.first,
            strides: strides.collect::<Option<_>>()?,
            shape: Shape::of(&path.inner)?,
        };
        let indices = path.indices.iter().map(|index| index.at).collect();
        Some(Load {
            at,
            texels,
            indices,
        })
    });
    loads.collect()
}

/// The way from a uniform to something in it.
struct Path {
    /// The first float, counted in the texture's components.
    first: u32,
    indices: Vec<Index>,
    inner: TypeInner,
}

/// An index that is not known.
struct Index {
    at: Handle<Expression>,
    texels: u32,
    elements: u32,
}

impl Path {
    /// The way that `pointer` leads, if a texture has what is there.
    fn of(
        module: &Module,
        function: &Function,
        places: &Places,
        pointer: Handle<Expression>,
    ) -> Option<Self> {
        let inner = |ty: Handle<Type>| module.types[ty].inner.clone();
        match function.expressions[pointer] {
            Expression::GlobalVariable(variable) => {
                let variable = &module.global_variables[variable];
                let is_uniform = variable.space == AddressSpace::Uniform;
                let first = places.firsts.get(variable.binding.as_ref()?)?;
                is_uniform.then(|| Self {
                    first: first * FLOATS,
                    indices: Vec::new(),
                    inner: inner(variable.ty),
                })
            }
            Expression::AccessIndex { base, index } => {
                let mut path = Self::of(module, function, places, base)?;
                let (floats, ty) = match path.inner {
                    TypeInner::Struct { ref members, .. } => {
                        let member = &members[index as usize];
                        (member.offset / 4, inner(member.ty))
                    }
                    TypeInner::Array { base, stride, .. } => (index * (stride / 4), inner(base)),
                    TypeInner::Matrix { rows, .. } => {
                        let column = Shape::Vector(rows).inner();
                        (index * column_stride(rows), column)
                    }
                    TypeInner::Vector { scalar, .. } => (index, TypeInner::Scalar(scalar)),
                    _ => return None,
                };
                path.first += floats;
                path.inner = ty;
                Some(path)
            }
            Expression::Access { base, index } => {
                let mut path = Self::of(module, function, places, base)?;
                let TypeInner::Array {
                    base,
                    size: ArraySize::Constant(elements),
                    stride,
                } = path.inner
                else {
                    return None;
                };
                path.indices.push(Index {
                    at: index,
                    texels: stride.is_multiple_of(TEXEL).then_some(stride / TEXEL)?,
                    elements: elements.get(),
                });
                path.inner = inner(base);
                Some(path)
            }
            _ => None,
        }
    }
}

/// The functions that sample.
struct Readers {
    functions: Arena<Function>,
    made: HashMap<Texels, Handle<Function>>,
    texture: Handle<GlobalVariable>,
    sampler: Handle<GlobalVariable>,
    vec2: Handle<Type>,
    width: f32,
}

impl Readers {
    /// Adds texture and sampler to `module`.
    fn new(module: &mut Module, width: u32) -> Self {
        let mut handle = |binding, inner| {
            let ty = type_of(module, inner);
            let variable = GlobalVariable {
                name: None,
                space: AddressSpace::Handle,
                binding: Some(ResourceBinding {
                    group: GROUP,
                    binding,
                }),
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
            texture: handle(TEXTURE, texture),
            sampler: handle(SAMPLER, TypeInner::Sampler { comparison: false }),
            vec2: type_of(module, Shape::Vector(VectorSize::Bi).inner()),
            functions: Arena::new(),
            made: HashMap::new(),
            width: width as f32,
        }
    }

    /// The function that reads `texels`, each made once.
    fn reader(&mut self, module: &mut Module, texels: &Texels) -> Handle<Function> {
        if let Some(made) = self.made.get(texels) {
            return *made;
        }
        let arguments = texels.strides.iter().map(|stride| FunctionArgument {
            name: None,
            ty: type_of(module, TypeInner::Scalar(stride.index)),
            binding: None,
        });
        let arguments = arguments.collect();
        let ty = type_of(module, texels.shape.inner());
        let function = Function {
            arguments,
            result: Some(FunctionResult { ty, binding: None }),
            ..Function::default()
        };
        let mut reader = Reader {
            readers: self,
            function,
        };
        let value = Some(reader.value(texels, ty));
        let mut function = reader.function;
        let end = Statement::Return { value };
        function.body.push(end, Span::UNDEFINED);
        let made = self.functions.append(function, Span::UNDEFINED);
        self.made.insert(texels.clone(), made);
        made
    }
}

fn type_of(module: &mut Module, inner: TypeInner) -> Handle<Type> {
    let ty = Type { name: None, inner };
    module.types.insert(ty, Span::UNDEFINED)
}

/// A function that is being written.
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

    /// What is made of `texels`, of type `ty`.
    fn value(&mut self, texels: &Texels, ty: Handle<Type>) -> Handle<Expression> {
        let before = self.before(&texels.strides);
        match texels.shape {
            Shape::Scalar => self.scalar(texels.first, before),
            Shape::Vector(size) => self.vector(texels.first, size, before),
            Shape::Matrix { columns, rows } => {
                let columns = (0..columns as u32).map(|column| {
                    let first = texels.first + column * column_stride(rows);
                    self.vector(first, rows, before)
                });
                let components = columns.collect();
                self.add(Expression::Compose { ty, components })
            }
        }
    }

    /// The number of texels that indices lead on by.
    fn before(&mut self, strides: &[Stride]) -> Option<Handle<Expression>> {
        let mut all = None;
        for (number, stride) in (0..).zip(strides) {
            let index =
                calls::index_within(&mut self.function, number, stride.index, stride.elements);
            let index = self.add(Expression::As {
                expr: index,
                kind: ScalarKind::Float,
                convert: Some(4),
            });
            let texels = self.literal(stride.texels as f32);
            let texels = self.binary(BinaryOperator::Multiply, index, texels);
            all = Some(match all {
                Some(all) => self.binary(BinaryOperator::Add, all, texels),
                None => texels,
            });
        }
        all
    }

    fn scalar(&mut self, first: u32, before: Option<Handle<Expression>>) -> Handle<Expression> {
        let base = self.texel(first / FLOATS, before);
        let index = first % FLOATS;
        self.add(Expression::AccessIndex { base, index })
    }

    /// A vector, which is in one texel.
    fn vector(
        &mut self,
        first: u32,
        size: VectorSize,
        before: Option<Handle<Expression>>,
    ) -> Handle<Expression> {
        let vector = self.texel(first / FLOATS, before);
        let pattern = match first % FLOATS {
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

    /// Texel number `number` plus those `before` it.
    fn texel(&mut self, number: u32, before: Option<Handle<Expression>>) -> Handle<Expression> {
        let width = self.readers.width;
        // The middle of the texel, from 0 to 1 over the texture.
        let middle = number as f32 + 0.5;
        let x = match before {
            None => self.literal(middle / width),
            Some(before) => {
                let middle = self.literal(middle);
                let middle = self.binary(BinaryOperator::Add, before, middle);
                let part = self.literal(1.0 / width);
                self.binary(BinaryOperator::Multiply, middle, part)
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
