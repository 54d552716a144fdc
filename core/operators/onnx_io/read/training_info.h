// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "onnx_io/read/load_context.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx_io {

/// TrainingInfoProto is kept byte by byte and not used. Its tensors are looked at all the same:
/// external data in them is refused by the rules for all tensors, and as not supported where it
/// would be allowed, since its location would not survive saving elsewhere. Warns once.
void check_training_info(const WireField& field, LoadContext& context);

}  // namespace lapidary::onnx_io
