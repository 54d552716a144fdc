// SPDX-License-Identifier: Apache-2.0
// The tables of ONNX Runtime's own format (.ort, FlatBuffers with the identifier ORTM), as far as a
// graph needs them: numbers of fields in onnxruntime/core/flatbuffers/schema/ort.fbs. Enumerations
// of element types and of attributes are ONNX's own (TensorProto.DataType,
// AttributeProto.AttributeType). Node edges, indices, implicit inputs and types of kernels follow
// from the graph and are not read.
#pragma once

#include "ort_format/flat_buffer.h"

namespace lapidary::ort_format {

/// Graphs are stored in the same way in all of them: what changed is what stands beside.
inline constexpr int oldest_version = 1, newest_version = 6;

namespace session {
inline constexpr Field version{0, "InferenceSession.ort_version"},
    model{1, "InferenceSession.model"};
}

namespace model {
inline constexpr Field ir_version{0, "Model.ir_version"}, opset_import{1, "Model.opset_import"},
    producer_name{2, "Model.producer_name"}, producer_version{3, "Model.producer_version"},
    domain{4, "Model.domain"}, model_version{5, "Model.model_version"}, doc{6, "Model.doc_string"},
    graph{7, "Model.graph"}, graph_doc{8, "Model.graph_doc_string"},
    metadata{9, "Model.metadata_props"};
}

namespace opset {
inline constexpr Field domain{0, "OperatorSetId.domain"}, version{1, "OperatorSetId.version"};
}

namespace pair {
inline constexpr Field key{0, "StringStringEntry.key"}, value{1, "StringStringEntry.value"};
}

namespace graph {
inline constexpr Field initializers{0, "Graph.initializers"}, values{1, "Graph.node_args"},
    nodes{2, "Graph.nodes"}, inputs{5, "Graph.inputs"}, outputs{6, "Graph.outputs"},
    sparse{7, "Graph.sparse_initializers"}, runtime_optimizations{8, "Graph.runtime_optimizations"};
}

namespace node {
inline constexpr Field name{0, "Node.name"}, doc{1, "Node.doc_string"}, domain{2, "Node.domain"},
    op_type{5, "Node.op_type"}, type{6, "Node.type"}, provider{7, "Node.execution_provider_type"},
    inputs{8, "Node.inputs"}, outputs{9, "Node.outputs"}, attributes{10, "Node.attributes"};
inline constexpr std::int32_t primitive = 0;  // of Node.type; others are what a provider compiled
}  // namespace node

namespace attribute {
inline constexpr Field name{0, "Attribute.name"}, doc{1, "Attribute.doc_string"},
    type{2, "Attribute.type"}, f{3, "Attribute.f"}, i{4, "Attribute.i"}, s{5, "Attribute.s"},
    t{6, "Attribute.t"}, g{7, "Attribute.g"}, floats{8, "Attribute.floats"},
    ints{9, "Attribute.ints"}, strings{10, "Attribute.strings"}, tensors{11, "Attribute.tensors"},
    graphs{12, "Attribute.graphs"};
/// Of Attribute.type, as AttributeProto.AttributeType has them; the format has no place for those
/// from end_of_kinds to end_of_onnx_kinds.
enum Kind : std::int32_t {
    is_float = 1,
    is_int,
    is_string,
    is_tensor,
    is_graph,
    is_floats,
    is_ints,
    is_strings,
    is_tensors,
    is_graphs,
    end_of_kinds,
    end_of_onnx_kinds = 15
};
}  // namespace attribute

namespace tensor {
inline constexpr Field name{0, "Tensor.name"}, doc{1, "Tensor.doc_string"}, dims{2, "Tensor.dims"},
    data_type{3, "Tensor.data_type"}, raw_data{4, "Tensor.raw_data"},
    string_data{5, "Tensor.string_data"}, external_offset{6, "Tensor.external_data_offset"};
}

namespace sparse_tensor {
inline constexpr Field values{0, "SparseTensor.values"}, indices{1, "SparseTensor.indices"},
    dims{2, "SparseTensor.dims"};
}

namespace value_info {
inline constexpr Field name{0, "ValueInfo.name"}, doc{1, "ValueInfo.doc_string"},
    type{2, "ValueInfo.type"};
}

namespace type_info {
inline constexpr Field denotation{0, "TypeInfo.denotation"}, kind{1, "TypeInfo.value_type"},
    value{2, "TypeInfo.value"};
// of TypeInfo.value_type
inline constexpr std::uint8_t none = 0, tensor = 1, sequence = 2, map = 3;
}  // namespace type_info

namespace tensor_type {
inline constexpr Field element{0, "TensorTypeAndShape.elem_type"},
    shape{1, "TensorTypeAndShape.shape"};
}

namespace sequence_type {
inline constexpr Field element{0, "SequenceType.elem_type"};
}

namespace map_type {
inline constexpr Field key{0, "MapType.key_type"}, value{1, "MapType.value_type"};
}

namespace shape {
inline constexpr Field dims{0, "Shape.dim"};
}

namespace dimension {
inline constexpr Field value{0, "Dimension.value"}, denotation{1, "Dimension.denotation"};
}

namespace dimension_value {
inline constexpr Field kind{0, "DimensionValue.dim_type"}, size{1, "DimensionValue.dim_value"},
    name{2, "DimensionValue.dim_param"};
inline constexpr std::int8_t unknown = 0, number = 1, symbol = 2;  // of DimensionValue.dim_type
}  // namespace dimension_value

}  // namespace lapidary::ort_format
