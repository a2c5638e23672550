//! Filters of buffers in the shader, for adapters that cannot filter 32-bit floats.

use std::collections::HashMap;

use naga::{Expression, Function, Handle, Module, ResourceBinding, SampleLevel};
use tarsus_shader::{Filter, Pass, Program, Resource};

use crate::calls::{self, Call, Calls};
use tarsus_shader::ir::functions;

/// A texture or sampler that the adapter cannot filter with.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Unfiltered {
    /// A texture of 32-bit floats.
    Texture,
    /// A sampler that reads the nearest texel, and the filter to compute.
    Sampler(Filter),
}

/// The textures and samplers of a module that the adapter cannot filter with.
pub(crate) type UnfilteredBindings = HashMap<ResourceBinding, Unfiltered>;

/// Finds them among the bindings of `passes`; `classify` tells what a resource is.
pub(crate) fn unfiltered_bindings<'a>(
    passes: impl IntoIterator<Item = &'a Pass>,
    classify: impl Fn(Resource) -> Option<Unfiltered>,
) -> UnfilteredBindings {
    let bindings = passes.into_iter().flat_map(|pass| &pass.bindings);
    let found = bindings.filter_map(|one| Some((one.place(), classify(one.resource)?)));
    found.collect()
}

/// True if [`filter_buffers`] leaves a sample of a buffer unfiltered: one through arguments
/// of a function, or with an offset.
pub(crate) fn leaves_unfiltered(program: &Program) -> bool {
    let modules = program.all_passes().map(|pass| &pass.module);
    let mut samples = modules.flat_map(|module| functions(module)).flat_map(|function| {
        function.expressions.iter().filter(|(_, expression)| {
            let Expression::ImageSample { image, offset, .. } = expression else { return false };
            let is_argument =
                matches!(function.expressions[*image], Expression::FunctionArgument(_));
            is_argument || offset.is_some()
        })
    });
    samples.next().is_some()
}

/// Replaces samples of unfiltered textures by calls of functions that filter.
pub(super) fn filter_buffers(module: &mut Module, unfiltered: &UnfilteredBindings) {
    let samples = functions(module).map(|function| samples(module, function, unfiltered));
    let samples: Vec<Vec<_>> = samples.collect();
    if samples.iter().all(Vec::is_empty) {
        return;
    }
    let filters = calls::parse(module, include_str!("filtering.wgsl"));
    let find = |name: &str| {
        let mut filters = filters.iter();
        let found = filters.find(|(_, filter)| filter.name.as_deref() == Some(name));
        found.expect("a function of filtering.wgsl").0
    };
    let calls = samples.into_iter().map(|samples| {
        let calls = samples.into_iter();
        let calls = calls.map(|(handle, filter, arguments)| {
            (handle, Call { function: find(filter), arguments })
        });
        calls.collect::<Calls>()
    });
    let calls: Vec<Calls> = calls.collect();
    calls::insert(module, filters, &calls);
}

/// The samples of a function to replace, with the name of the filter and its arguments.
fn samples(
    module: &Module,
    function: &Function,
    unfiltered: &UnfilteredBindings,
) -> Vec<calls::Replacement<&'static str>> {
    let kind = |handle: Handle<Expression>| match function.expressions[handle] {
        Expression::GlobalVariable(global) => {
            unfiltered.get(&module.global_variables[global].binding?).copied()
        }
        _ => None,
    };
    let samples = function.expressions.iter().filter_map(|(handle, expression)| {
        let Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            offset: None,
            level,
            ..
        } = *expression
        else {
            return None;
        };
        let (Some(Unfiltered::Texture), Some(Unfiltered::Sampler(filter))) =
            (kind(image), kind(sampler))
        else {
            return None;
        };
        let (name, more) = match (filter, level) {
            (Filter::Nearest, _) => return None,
            (Filter::Linear, _) | (_, SampleLevel::Zero) => ("bilinear", vec![]),
            (_, SampleLevel::Auto) => ("trilinear_auto", vec![]),
            (_, SampleLevel::Exact(level)) => ("trilinear", vec![level]),
            (_, SampleLevel::Bias(bias)) => ("trilinear_bias", vec![bias]),
            (_, SampleLevel::Gradient { x, y }) => ("trilinear_grad", vec![x, y]),
        };
        let arguments = [image, sampler, coordinate].into_iter().chain(more);
        Some((handle, name, arguments.collect()))
    });
    samples.collect()
}
