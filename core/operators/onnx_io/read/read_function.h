// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/graph/model.h>

#include "onnx_io/read/load_context.h"
#include "onnx_io/onnx.pb.h"
#include "onnx_io/read/read_graph.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx_io {

/// One FunctionProto.
Function read_function(const WireField& field, LoadContext& context);

/// opset_import entries: the domain "ai.onnx" is "", versions are positive, no domain has two
/// versions.
OpsetImports read_opset_imports(
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& entries,
    LoadContext& context);

}  // namespace lapidary::onnx_io
