// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/base/limits.h>

#include "ort_format/flat_buffer.h"

namespace lapidary::onnx {
class TypeProto;
}

namespace lapidary::onnx_io {

/// Translates TypeInfo of the .ort format to TypeProto; sets nothing where it is empty. Throws
/// Error{limit_exceeded} where sequences and maps nest deeper than `limits.nesting`, invalid_model
/// for an unknown kind.
void translate_type(const ort_format::FlatTable& info, const Limits& limits, onnx::TypeProto& to,
                    int depth = 0);

}  // namespace lapidary::onnx_io
