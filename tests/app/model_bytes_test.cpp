// SPDX-License-Identifier: Apache-2.0
// Models sent to another process: the same structure and ids, weights when they are requested.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_diff.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>

#include "support/test_data.h"
#include "worker/protocol/bytes/model_bytes.h"

namespace lapidary::app {
namespace {

std::vector<std::byte> written(const Model& model, const Model* base = nullptr) {
    const ModelBytes bytes(model, base);
    ByteWriter count;
    bytes.write(count);
    std::vector<std::byte> block(count.size());
    ByteWriter writer(block);
    bytes.write(writer);
    EXPECT_EQ(writer.size(), block.size());
    return block;
}

/// Values come from the model that was sent.
ReadWeight weights_in(const Model& model) {
    return [&model](std::uint32_t tensor, std::size_t begin, std::size_t count, std::byte* to) {
        tensors_of(model).at(tensor)->read(begin, count, to);
    };
}

Model read(std::vector<std::byte>& bytes, const Model* base, const ReadWeight& ask) {
    ByteReader reader(bytes, nullptr);
    Model model = read_model(reader, base, ask);
    EXPECT_EQ(reader.left(), 0u);
    return model;
}

void expect_same_attributes(const Node& a, const Node& b);

void expect_same(const Graph& a, const Graph& b) {
    ASSERT_EQ(a.node_slots(), b.node_slots());
    ASSERT_EQ(a.value_slots(), b.value_slots());
    EXPECT_EQ(std::vector(a.nodes().begin(), a.nodes().end()),
              std::vector(b.nodes().begin(), b.nodes().end()));
    EXPECT_EQ(std::vector(a.inputs().begin(), a.inputs().end()),
              std::vector(b.inputs().begin(), b.inputs().end()));
    EXPECT_EQ(std::vector(a.outputs().begin(), a.outputs().end()),
              std::vector(b.outputs().begin(), b.outputs().end()));
    for (std::uint32_t slot = 0; slot < a.value_slots(); ++slot) {
        const ValueId id(slot);
        ASSERT_EQ(a.is_alive(id), b.is_alive(id)) << slot;
        if (!a.is_alive(id)) continue;
        const Value &x = a.value(id), &y = b.value(id);
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.type, y.type) << x.name;
        EXPECT_EQ(x.kind, y.kind) << x.name;
        EXPECT_EQ(x.producer, y.producer) << x.name;
        EXPECT_EQ(x.producer_output, y.producer_output) << x.name;
        EXPECT_EQ(x.outer, y.outer) << x.name;
        EXPECT_EQ(x.uses.size(), y.uses.size()) << x.name;
        EXPECT_EQ(x.captured_by, y.captured_by) << x.name;
        EXPECT_EQ(x.output_uses, y.output_uses) << x.name;
        EXPECT_EQ(x.declared, y.declared) << x.name;
        ASSERT_EQ(x.constant.has_value(), y.constant.has_value()) << x.name;
        if (x.constant) { EXPECT_TRUE(same_contents(*x.constant, *y.constant)) << x.name; }
    }
    for (std::uint32_t slot = 0; slot < a.node_slots(); ++slot) {
        const NodeId id(slot);
        ASSERT_EQ(a.is_alive(id), b.is_alive(id)) << slot;
        if (!a.is_alive(id)) continue;
        const Node &x = a.node(id), &y = b.node(id);
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.qualified_op(), y.qualified_op());
        EXPECT_EQ(x.version, y.version);
        EXPECT_EQ(x.inputs, y.inputs);
        EXPECT_EQ(x.outputs, y.outputs);
        EXPECT_EQ(x.captures, y.captures);
        EXPECT_EQ(x.origins, y.origins);
        expect_same_attributes(x, y);
    }
    GraphTextOptions all;
    all.printed_elements = 64;
    EXPECT_EQ(print_graph(a, all), print_graph(b, all));
}

void expect_same_attributes(const Node& a, const Node& b) {
    ASSERT_EQ(a.attributes.size(), b.attributes.size());
    for (std::size_t i = 0; i < a.attributes.size(); ++i) {
        EXPECT_EQ(a.attributes[i].name, b.attributes[i].name);
        ASSERT_EQ(a.attributes[i].value.index(), b.attributes[i].value.index());
        if (const auto* graph = std::get_if<GraphPtr>(&a.attributes[i].value))
            expect_same(**graph, *std::get<GraphPtr>(b.attributes[i].value));
    }
}

Model optimized(const Model& model, Level level) {
    OptimizeOptions options;
    options.level = level;
    return optimize(model, options).model;
}

/// All but the one whose weights, 4.4 GB, would be read.
std::vector<SampleInfo> samples_to_read() {
    std::vector<SampleInfo> samples(list_samples().begin(), list_samples().end());
    std::erase_if(samples, [](const SampleInfo& info) { return info.name == "llama-1b"; });
    return samples;
}

TEST(ModelBytes, ModelsComeBackWithTheSameIds) {
    for (const SampleInfo& info : samples_to_read()) {
        SCOPED_TRACE(info.name);
        const Model model = build_sample(std::string(info.name));
        std::vector<std::byte> bytes = written(model);
        const Model back = read(bytes, nullptr, weights_in(model));
        EXPECT_EQ(back.opset_imports, model.opset_imports);
        EXPECT_EQ(back.ir_version, model.ir_version);
        EXPECT_EQ(back.functions.size(), model.functions.size());
        expect_same(model.graph, back.graph);
    }
}

TEST(ModelBytes, AVariantIsSentAsWhatDiffers) {
    for (const SampleInfo& info : samples_to_read())
        for (const Level level : {Level::basic, Level::all}) {
            SCOPED_TRACE(std::string(info.name) + " " + std::string(name_of(level)));
            const Model model = build_sample(std::string(info.name)),
                        variant = optimized(model, level);
            std::vector<std::byte> whole = written(model), changes = written(variant, &model);
            const Model base = read(whole, nullptr, weights_in(model));
            const Model back = read(changes, &base, weights_in(variant));
            expect_same(variant.graph, back.graph);
        }
}

TEST(ModelBytes, LargeWeightsAreNotHeldUntilTheyAreRead) {
    const Model model = build_sample("squeezenet");
    std::vector<std::byte> bytes = written(model);
    std::size_t asked = 0;
    const ReadWeight weights = weights_in(model);
    const Model back =
        read(bytes, nullptr,
             [&](std::uint32_t tensor, std::size_t begin, std::size_t count, std::byte* to) {
                 asked += count;
                 weights(tensor, begin, count, to);
             });
    EXPECT_LT(bytes.size(), 1'000'000u) << "the weights of the sample take several megabytes";
    std::size_t large = 0;
    for (const ValueId id : back.graph.initializers()) {
        const Tensor& weight = *back.graph.value(id).constant;
        EXPECT_EQ(weight.is_deferred(), weight.byte_size() > most_sent_bytes);
        large += weight.is_deferred();
    }
    EXPECT_GT(large, 10u);
    EXPECT_EQ(asked, 0u);
    for (const ValueId id : back.graph.initializers()) {
        const Tensor& weight = *back.graph.value(id).constant;
        if (!weight.is_deferred()) continue;
        float first = 0;
        weight.read(0, sizeof first, reinterpret_cast<std::byte*>(&first));
        EXPECT_EQ(first, model.graph.value(id).constant->data<float>()[0]);
        const Tensor held = with_values(weight);
        EXPECT_TRUE(same_contents(held, *model.graph.value(id).constant));
        EXPECT_TRUE(weight.is_deferred()) << "the copy and its memory are released";
        break;
    }
    EXPECT_GT(asked, 0u);
}

TEST(ModelBytes, WeightsOfTheFirstModelAreThoseOfTheReader) {
    const Model model = build_sample("squeezenet"), variant = optimized(model, Level::basic);
    std::vector<std::byte> whole = written(model), changes = written(variant, &model);
    const Model base = read(whole, nullptr, {});
    const Model back = read(changes, &base, {});
    std::size_t shared = 0;
    for (const ValueId id : back.graph.initializers())
        if (base.graph.is_alive(id) && base.graph.value(id).constant)
            shared += back.graph.value(id).constant->identity() ==
                      base.graph.value(id).constant->identity();
    EXPECT_GT(shared, 10u);
    EXPECT_LT(changes.size(), whole.size() / 2);
}

TEST(ModelBytes, WeightsThatStayedBehindWithoutASourceAreAnError) {
    const Model model = build_sample("squeezenet");
    std::vector<std::byte> bytes = written(model);
    const Model back = read(bytes, nullptr, {});
    for (const ValueId id : back.graph.initializers())
        if (const Tensor& weight = *back.graph.value(id).constant; weight.is_deferred()) {
            EXPECT_THROW(static_cast<void>(weight.data<float>()), Error);
            return;
        }
    FAIL() << "no weight stayed behind";
}

TEST(ModelBytes, TruncatedBytesAreRefused) {
    const Model model = build_sample("mlp"), variant = optimized(model, Level::all);
    std::vector<std::byte> bytes = written(variant, &model);
    for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + cut / 64) {
        ByteReader broken(std::span<std::byte>(bytes).first(cut), nullptr);
        EXPECT_THROW(read_model(broken, &model, {}), Error) << cut;
    }
    ByteReader other(bytes, nullptr);
    EXPECT_THROW(read_model(other, nullptr, {}), Error) << "it was written for a base";
}

}  // namespace
}  // namespace lapidary::app
