// SPDX-License-Identifier: Apache-2.0
// Quantized models say which lines of code their nodes stand for, where that takes little room.
#include <algorithm>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/node_source.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "graph/verify.h"

namespace lapidary {
namespace {

/// Two products with a Relu between; each node notes its line, and `padding` more bytes.
Model noted_products(std::size_t padding) {
    Model model;
    model.ir_version = 10;
    model.opset_imports[""] = 17;
    GraphEdit edit(model.graph);
    edit.set_default_version(17);
    constexpr std::int64_t width = 128;
    ValueId at = edit.add_input("x", Type::tensor(DType::f32, {4, width}));
    std::int64_t line = 0;
    for (const char* op : {"MatMul", "Relu", "MatMul"}) {
        std::vector<ValueId> inputs{at};
        if (op == std::string("MatMul"))
            inputs.push_back(edit.add_initializer(
                "w" + std::to_string(line),
                Tensor::of<float>({width, width}, std::vector<float>(width * width, 0.25F))));
        at = edit.add_value("value" + std::to_string(++line));
        edit.add_node({.op_type = op,
                       .inputs = inputs,
                       .outputs = {at},
                       .name = "node" + std::to_string(line),
                       .metadata = {{"pkg.torch.onnx.stack_trace",
                                     "File \"net.py\", line " + std::to_string(line) +
                                         ", in forward\n    x = f(x)\n"},
                                    {"more", std::string(padding, '.')}}});
    }
    edit.add_output(at);
    edit.finish();
    infer_types(model);
    return model;
}

std::int64_t line_of(const Node& node) {
    const NodeSource source = source_of(node);
    return source.lines.size() == 1 ? source.lines.front().line : 0;
}

TEST(ExporterNotes, ProductsOfIntegersTellTheLineOfTheirProduct) {
    for (const QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::weights}) {
        QuantizeOptions options;
        options.mode = mode;
        options.block = 64;
        const QuantizeResult result = quantize_model(noted_products(0), options);
        verify(result.model);
        ASSERT_EQ(result.quantized, 2U) << name_of(mode);
        std::vector<std::int64_t> products;
        for (const NodeId id : result.model.graph.nodes()) {
            const Node& node = result.model.graph.node(id);
            if (node.op_type.starts_with("MatMul")) products.push_back(line_of(node));
            if (node.op_type == "Relu") EXPECT_EQ(line_of(node), 2);
            if (node.op_type.ends_with("QuantizeLinear"))
                EXPECT_TRUE(node.metadata.empty()) << node.op_type;
        }
        EXPECT_EQ(products, (std::vector<std::int64_t>{1, 3})) << name_of(mode);
        for (const std::string& note : result.notes)
            EXPECT_EQ(note.find("left out"), std::string::npos) << note;
    }
}

TEST(ExporterNotes, NotesThatWouldTakeMuchRoomAreLeftOut) {
    const QuantizeResult result = quantize_model(noted_products(4000), {});
    for (const NodeId id : result.model.graph.nodes())
        EXPECT_TRUE(result.model.graph.node(id).metadata.empty());
    EXPECT_TRUE(std::ranges::any_of(
        result.notes, [](const std::string& note) { return note.starts_with("left out 12"); }));
}

}  // namespace
}  // namespace lapidary
