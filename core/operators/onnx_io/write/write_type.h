// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include <lapidary/graph/graph.h>

#include "onnx_io/onnx.pb.h"

namespace lapidary::onnx_io {

/// Kind::unknown leaves `out` without a type. Dimension denotations already in `out` stay where the
/// rank agrees.
void write_type(const Type& type, onnx::TypeProto& out);

/// The declaration of a value under the name it has in the file. Dimensions that use one of the
/// `generated` names are left open.
onnx::ValueInfoProto write_declaration(const Value& value, const std::string& name,
                                       const std::set<std::string>& generated);

}  // namespace lapidary::onnx_io
