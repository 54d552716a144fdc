// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/graph.h>

#include "onnx_io/onnx.pb.h"

namespace lapidary::onnx_io {

/// Kind::unknown leaves `out` without a type. Dimension denotations already in `out` stay where the rank agrees.
void write_type(const Type& type, onnx::TypeProto& out);

/// The declaration of a value under the name it has in the file.
onnx::ValueInfoProto write_declaration(const Value& value, const std::string& name);

}  // namespace lapidary::onnx_io
