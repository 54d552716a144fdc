// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/training_info.h"

#include <lapidary/base/error.h>

#include "onnx_io/onnx.pb.h"
#include "onnx_io/read/place.h"
#include "onnx_io/preserved.h"

namespace lapidary::onnx_io {
namespace {

void check_tensor(const onnx::TensorProto& proto, LoadContext& context) {
    if (proto.data_location() != 1) return;
    const std::string name = proto.name();
    StringPairs entries = pairs_of(proto.external_data());
    std::erase_if(entries, [](const auto& entry) { return entry.first == "length"; });
    context.external.find(name, entries, 0);
    fail_unsupported(
        "tensor " + quote(name) +
        " of the training information has external data, which is not supported there");
}

void check_sparse(const onnx::SparseTensorProto& proto, LoadContext& context) {
    check_tensor(proto.values(), context);
    check_tensor(proto.indices(), context);
}

// recursion bounded by the parser
void check_graph(const onnx::GraphProto& graph, LoadContext& context) {
    for (const auto& t : graph.initializer()) check_tensor(t, context);
    for (const auto& t : graph.sparse_initializer()) check_sparse(t, context);
    for (const auto& node : graph.node())
        for (const auto& a : node.attribute()) {
            check_tensor(a.t(), context);
            for (const auto& t : a.tensors()) check_tensor(t, context);
            check_sparse(a.sparse_tensor(), context);
            for (const auto& t : a.sparse_tensors()) check_sparse(t, context);
            check_graph(a.g(), context);
            for (const auto& g : a.graphs()) check_graph(g, context);
        }
}

}  // namespace

void check_training_info(const WireField& whole, LoadContext& context) {
    try {
        WireReader reader(whole, "TrainingInfoProto");
        for (WireField field; reader.next(field);) {
            if (field.number != 1 && field.number != 2) continue;
            require_bytes(field, "TrainingInfoProto",
                          field.number == 1 ? "initialization" : "algorithm");
            onnx::GraphProto graph;
            parse_message(graph, field.text(), field.payload_offset, "GraphProto");
            check_graph(graph, context);
        }
    } catch (Error& e) {
        add_place(e, "training information");
        throw;
    }
    context.warnings.add("training information", "model",
                         "holds training information, which is kept but not used");
}

}  // namespace lapidary::onnx_io
