// SPDX-License-Identifier: Apache-2.0
// What a model computes when nothing in it is rounded to float16 or bfloat16: the measure of what
// its roundings weigh.
#pragma once

#include <optional>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// `model` with every float16 and bfloat16 value held in float32: Casts to them, constants and
/// attributes say float32 instead. Inputs and outputs keep their types; outputs are rounded once.
/// Knows nothing of the pass drop_rounding_casts, so that it can judge it. Nothing where a model
/// cannot be written so: half values in subgraphs, operators bound to a half type.
std::optional<Model> held_in_float32(const Model& model, const Progress& progress = {});

/// The largest difference between finite elements of a float output of such a model and of the
/// original; 0 for other values.
double rounding_between(const RuntimeValue& held, const RuntimeValue& rounded);

/// The model was optimized by drop_rounding_casts: it keeps float32 where the original rounds.
bool keeps_excess_precision(const Model& model);

}  // namespace lapidary
