// SPDX-License-Identifier: Apache-2.0
// The version of ONNX's file format (IR) that a model asks for.
#pragma once

#include <cstdint>

#include <lapidary/graph/model.h>

namespace lapidary {

/// The oldest IR that may import the opset of ai.onnx.
std::int64_t least_ir_version(std::int64_t opset);
/// The oldest IR that may hold the model: by its opsets, element types, functions and kinds of
/// values. Fields that readers pass over where they do not know them (metadata of nodes) ask for
/// nothing. Never below 4 unless the model is below 4 itself, where an input with a default is a
/// constant.
std::int64_t least_ir_version(const Model& model);

}  // namespace lapidary
