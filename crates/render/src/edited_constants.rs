//! Constants that edits change. Code that differs only in constants from code compiled
//! recently reads all of them from a uniform, so the next such edit compiles nothing.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use naga::compact::{KeepUnused, compact};
use naga::{
    AddressSpace, Arena, ArraySize, Expression as E, Function, GlobalVariable, Handle, Literal,
    Module, ResourceBinding, Scalar, Statement, TypeInner, VectorSize,
};

use wgpu::util::DeviceExt;

use crate::calls;
use crate::compiled::{Compiled, Key, key};
use crate::gpu_objects::{UNIFORM, layout_entry as entry};
use tarsus_shader::ir::{
    emitted, functions_mut, move_expressions, operands, operands_mut, validate,
};

/// Place of the uniform.
pub(super) const GROUP: u32 = 0;
pub(super) const BINDING: u32 = 11;
/// Number of vectors in the uniform: the 16 KiB that every device can bind.
const VECTORS: u32 = 1024;
const MAX_CONSTANTS: usize = 4 * VECTORS as usize;

/// Code that reads its constants from the uniform.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum UniformConstants {
    #[default]
    None,
    /// Code that differs only in constants from code compiled before.
    IfEdited,
    All,
}

impl UniformConstants {
    /// True if `module`, whose hash is `key`, should read its constants from the uniform.
    pub(super) fn reads(self, module: &Module, key: Key, compiled: &Compiled) -> bool {
        if self == Self::None || (self == Self::IfEdited && compiled.modules.has(key)) {
            return false;
        }
        let shape = shape(module);
        let is_known = compiled.shapes.take(shape).is_some();
        compiled.shapes.put(shape, ());
        is_known || self == Self::All
    }
}

/// Makes `module` read its constants from the uniform, and returns them. `None` if it needs
/// them while it is compiled.
pub(super) fn read_from_uniform(module: &mut Module) -> Option<Vec<f32>> {
    let edited = with_inputs(module)?;
    let constants = constants_mut(module).into_iter().map(|value| *value);
    let constants = constants.take(MAX_CONSTANTS).collect();
    *module = edited;
    Some(constants)
}

/// The uniform with these values.
pub(super) fn uniform(device: &wgpu::Device, mut values: Vec<f32>) -> wgpu::Buffer {
    values.resize(MAX_CONSTANTS, 0.0);
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("edited constants"),
        contents: bytemuck::cast_slice(&values),
        usage: wgpu::BufferUsages::UNIFORM,
    })
}

/// Layout of the uniform's binding.
pub(super) fn layout_entry() -> wgpu::BindGroupLayoutEntry {
    entry(BINDING, wgpu::ShaderStages::VERTEX_FRAGMENT, UNIFORM)
}

/// Hash of a module without the values of its constants.
fn shape(module: &Module) -> Key {
    let mut module = module.clone();
    for value in constants_mut(&mut module) {
        *value = 0.0;
    }
    key(&module)
}

/// All floats of a module's code, in order.
fn constants_mut(module: &mut Module) -> Vec<&mut f32> {
    let functions = functions_mut(&mut module.functions, &mut module.entry_points);
    let arenas = std::iter::once(&mut module.global_expressions);
    let arenas = arenas.chain(functions.map(|function| &mut function.expressions));
    let expressions = arenas.flat_map(|arena| arena.iter_mut());
    let constants = expressions.filter_map(|(_, expression)| match expression {
        E::Literal(Literal::F32(value)) => Some(value),
        _ => None,
    });
    constants.collect()
}

/// A copy of `module` that reads its constants from the uniform. `None` if that is invalid,
/// because the code needs their values while it is compiled.
fn with_inputs(module: &Module) -> Option<Module> {
    let mut module = module.clone();
    let vector = TypeInner::Vector { size: VectorSize::Quad, scalar: Scalar::F32 };
    let base = calls::type_of(&mut module, vector);
    let size = ArraySize::Constant(std::num::NonZeroU32::new(VECTORS)?);
    let array = TypeInner::Array { base, size, stride: 16 };
    let binding = Some(ResourceBinding { group: GROUP, binding: BINDING });
    let uniform = calls::variable(&mut module, AddressSpace::Uniform, binding, array);
    let mut slots = Slots(0..MAX_CONSTANTS as u32);
    let global_slots = slots.of(&module.global_expressions);
    let Module { constants, global_expressions, functions, entry_points, .. } = &mut module;
    for function in functions_mut(functions, entry_points) {
        let local_slots = slots.of(&function.expressions);
        let mut start = Start {
            function: Function::default(),
            uniform,
            constants,
            values: global_expressions,
            slots: &global_slots,
        };
        let replaced = start.replace(function, &local_slots);
        if !replaced.is_empty() {
            prepend(start.function, &replaced, function);
        }
    }
    // Unused constants would still determine the module's hash, and named ones are kept.
    module.constants.iter_mut().for_each(|(_, constant)| constant.name = None);
    compact(&mut module, KeepUnused::No);
    match validate(&module) {
        Ok(_) => Some(module),
        Err(causes) => {
            log::warn!("cannot read the constants from a uniform: {}", causes.join(": "));
            None
        }
    }
}

/// Indices in the uniform of expressions.
type SlotMap = HashMap<Handle<E>, u32>;

/// Indices in the uniform that are free.
struct Slots(Range<u32>);

impl Slots {
    /// Assigns indices to the floats of an arena.
    fn of(&mut self, arena: &Arena<E>) -> SlotMap {
        let floats = arena.iter().filter(|(_, one)| matches!(one, E::Literal(Literal::F32(_))));
        floats.map(|(handle, _)| handle).zip(&mut self.0).collect()
    }
}

/// Beginning of a function, which reads the constants that the function uses.
struct Start<'a> {
    function: Function,
    uniform: Handle<GlobalVariable>,
    constants: &'a Arena<naga::Constant>,
    /// The module's constant expressions, and their indices in the uniform.
    values: &'a Arena<E>,
    slots: &'a SlotMap,
}

impl Start<'_> {
    fn add(&mut self, expression: E) -> Handle<E> {
        calls::add(&mut self.function, expression)
    }

    fn load(&mut self, slot: u32) -> Handle<E> {
        let base = self.add(E::GlobalVariable(self.uniform));
        let base = self.add(E::AccessIndex { base, index: slot / 4 });
        let pointer = self.add(E::AccessIndex { base, index: slot % 4 });
        self.add(E::Load { pointer })
    }

    /// Reads the constants of `function`. Returns the copies here of its constant expressions that
    /// are replaced.
    fn replace(
        &mut self,
        function: &mut Function,
        slots: &SlotMap,
    ) -> HashMap<Handle<E>, Handle<E>> {
        let emitted: HashSet<Handle<E>> = emitted(&function.body).collect();
        // Initial values are constant where they are emitted, too.
        let mut initial: HashSet<Handle<E>> =
            function.local_variables.iter().filter_map(|(_, variable)| variable.init).collect();
        for (handle, expression) in function.expressions.iter().rev() {
            if initial.contains(&handle) {
                initial.extend(operands(expression));
            }
        }
        let mut replaced = HashMap::new();
        for (handle, _) in function.expressions.iter() {
            let is_constant = !emitted.contains(&handle) || initial.contains(&handle);
            if is_constant && self.has_floats(handle, &function.expressions, slots) {
                // Its operands come before it, so those with floats are replaced already.
                let copy = self.copy(handle, &function.expressions, slots, &replaced);
                replaced.insert(handle, copy);
            }
        }
        for (local, variable) in function.local_variables.iter_mut() {
            let Some(value) = variable.init.and_then(|init| replaced.get(&init)) else {
                continue;
            };
            variable.init = None;
            let pointer = self.add(E::LocalVariable(local));
            let store = Statement::Store { pointer, value: *value };
            self.function.body.push(store, naga::Span::UNDEFINED);
        }
        replaced
    }

    /// True if a float is part of a constant expression of `arena`, whose floats have these
    /// `slots`.
    fn has_floats(&self, handle: Handle<E>, arena: &Arena<E>, slots: &SlotMap) -> bool {
        match arena[handle] {
            E::Literal(_) => slots.contains_key(&handle),
            E::Constant(constant) => {
                self.has_floats(self.constants[constant].init, self.values, self.slots)
            }
            ref other => operands(other).into_iter().any(|one| self.has_floats(one, arena, slots)),
        }
    }

    /// Copies a constant expression of `arena`, whose floats have these `slots`, unless it is
    /// among the `copies`.
    fn copy(
        &mut self,
        handle: Handle<E>,
        arena: &Arena<E>,
        slots: &SlotMap,
        copies: &HashMap<Handle<E>, Handle<E>>,
    ) -> Handle<E> {
        if let Some(copy) = copies.get(&handle) {
            return *copy;
        }
        match (slots.get(&handle), &arena[handle]) {
            (Some(slot), _) => self.load(*slot),
            (None, E::Constant(constant)) => {
                let init = self.constants[*constant].init;
                self.copy(init, self.values, self.slots, &HashMap::new())
            }
            (None, other) => {
                let mut copy = other.clone();
                for operand in operands_mut(&mut copy).into_iter().flatten() {
                    *operand = self.copy(*operand, arena, slots, copies);
                }
                self.add(copy)
            }
        }
    }
}

/// Inserts `start` before the code of `function`, and replaces the expressions in `replaced` by
/// values of `start`.
fn prepend(start: Function, replaced: &HashMap<Handle<E>, Handle<E>>, function: &mut Function) {
    let mut expressions = start.expressions;
    let mut places: Vec<(Handle<E>, Handle<E>)> = Vec::new();
    for (_, mut expression, span) in function.expressions.drain() {
        for operand in operands_mut(&mut expression).into_iter().flatten() {
            *operand = replaced.get(operand).copied().unwrap_or(places[operand.index()].1);
        }
        let place = expressions.append(expression, span);
        places.push((place, place));
    }
    move_expressions(function, expressions, &places, &|old| {
        replaced.get(&old).copied().unwrap_or(places[old.index()].1)
    });
    let body = std::mem::replace(&mut function.body, start.body);
    function.body.extend_block(body);
}
