// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/graph/attribute.h>
#include <lapidary/tensor/tensor.h>

#include "onnx_io/read/load_context.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx_io {

struct ReadTensor {
    std::string name;
    std::string doc;
    StringPairs metadata;
    Tensor tensor;
    std::string preserved;  // unknown fields
};

/// One TensorProto, from wherever it stands in a file: the only way tensor data enters a graph.
/// Payload, shape and element type agree afterwards; data is borrowed from the file where its
/// alignment allows. `what` names the tensor in messages until its own name is known.
ReadTensor read_tensor(WireReader reader, LoadContext& context, const std::string& what);

/// One SparseTensorProto: shapes of values and indices agree, indices ascend and lie within the
/// shape. `name` of the result is the name of its values.
SparseTensor read_sparse_tensor(WireReader reader, LoadContext& context, const std::string& what);

/// Throws limit_exceeded when the sparse tensors of a small file, this one and those before, would
/// make huge dense ones.
void check_dense_form(const SparseTensor& sparse, LoadContext& context);
/// The dense form, checked so.
Tensor read_dense_form(const SparseTensor& sparse, LoadContext& context);

}  // namespace lapidary::onnx_io
