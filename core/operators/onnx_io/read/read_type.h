// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/graph/type.h>

#include "onnx_io/read/load_context.h"

namespace lapidary::onnx {
class TypeProto;
}

namespace lapidary::onnx_io {

/// A declared type. Rank, sizes and element types are checked; `what` names the declaration in
/// messages
/// ("value "x""). Opaque types and an undefined element type become Kind::unknown.
Type read_type(const onnx::TypeProto& proto, LoadContext& context, const std::string& what);

/// A dtype from a TensorProto.DataType; throws naming the number, or the name of a type known to
/// ONNX that this program cannot hold. 0 is refused as undefined.
DType read_dtype(std::int64_t number, const std::string& what);

}  // namespace lapidary::onnx_io
