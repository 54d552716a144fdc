// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "onnx_io/read/load_context.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx_io {

/// TrainingInfoProto is kept byte by byte and not used. Its tensors are checked all the same.
/// External data in them is refused: by the rules for all tensors, and otherwise as not supported,
/// because its location would be wrong after saving elsewhere. Warns once.
void check_training_info(const WireField& field, LoadContext& context);

}  // namespace lapidary::onnx_io
