// SPDX-License-Identifier: Apache-2.0
// Makes a model compute in float32 without any rounding to float16 or bfloat16, to measure the
// effect of its roundings.
#pragma once

#include <optional>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// `model` with every float16 and bfloat16 value held in float32: Casts, constants and attributes
/// become float32. Inputs and outputs keep their types; outputs are rounded once. Independent of
/// the pass drop_rounding_casts, so that it can check that pass. Nothing: the model cannot be
/// changed like this, because of half values in subgraphs or operators that need a half type.
std::optional<Model> held_in_float32(const Model& model, const Progress& progress = {});

/// The largest difference between finite elements of a float output of such a model and of the
/// original; 0 for other values.
double rounding_between(const RuntimeValue& held, const RuntimeValue& rounded);

/// True if drop_rounding_casts optimized the model: it keeps float32 where the original rounds.
bool keeps_excess_precision(const Model& model);

}  // namespace lapidary
