// SPDX-License-Identifier: Apache-2.0
// A budget in bits per weight: what blocks take, which weights get more, and what comes out.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "base/threads/serial_threads.h"
#include "quantize/weights/bit_budget.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

SampleSourcePtr samples_for(const Model& model, std::size_t count, std::uint64_t seed = 1) {
    return generated_samples(std::make_shared<const Model>(model), count, seed);
}

/// The output hears the second product a hundred times as loud as the first.
const char* const uneven =
    "(x: f32[n,256]) -> (y)\na = MatMul(x, first: f32[256,64])\nb = MatMul(x, second: "
    "f32[256,64])\nl = Mul(b, loud: f32[]{100})\ny = Add(a, l)";

BitCandidate candidate(double elements, std::vector<std::pair<double, double>> choices) {
    BitCandidate made;
    made.elements = elements;
    for (const auto& [bits, error] : choices) made.choices.push_back({{}, bits * elements, error});
    return made;
}

/// Bits that the blocks of a model take, by the elements that they stand for.
double bits_of(const Model& model) {
    double bits = 0, elements = 0;
    for (NodeId id : model.graph.nodes()) {
        const Node& node = model.graph.node(id);
        if (node.op_type != "MatMulNBits") continue;
        elements += static_cast<double>(node.int_attribute("K", 0) * node.int_attribute("N", 0));
        for (std::size_t i = 1; i < node.inputs.size(); ++i)
            bits +=
                8.0 * static_cast<double>(model.graph.value(node.inputs[i]).constant->byte_size());
    }
    return elements > 0 ? bits / elements : 0;
}

bool is_first(const Model& model, const Node& node) {
    return model.graph.value(node.inputs[1]).name.starts_with("first");
}

bool has_note(const QuantizeResult& result, const std::string& words) {
    return std::ranges::any_of(result.notes, [&](const std::string& note) {
        return note.find(words) != std::string::npos;
    });
}

TEST(BitBudget, StoredBitsAreThoseOfTheTensors) {
    const Tensor weight(DType::f32, {100, 3});
    for (const int bits : {4, 8})
        for (const bool symmetric : {false, true}) {
            const BlockKind kind{bits, 32, symmetric};
            const BlockWeight blocks = quantize_blocks(weight, bits, 32, symmetric);
            const std::uint64_t bytes = blocks.values.byte_size() + blocks.scales.byte_size() +
                                        (blocks.zero_points ? blocks.zero_points.byte_size() : 0);
            EXPECT_EQ(stored_bits(100, 3, kind), static_cast<double>(8 * bytes));
        }
}

TEST(BitBudget, TheStepThatGivesMostForItsBitsComesFirst) {
    const std::vector<BitCandidate> all{candidate(100, {{4, 8}, {8, 1}}),
                                        candidate(100, {{4, 80}, {5, 40}, {8, 4}}),
                                        candidate(200, {{4, 0.5}, {8, 0.1}})};
    EXPECT_EQ(choose_within(all, 4), (std::vector<std::size_t>{0, 0, 0}));
    EXPECT_EQ(choose_within(all, 4.25), (std::vector<std::size_t>{0, 1, 0}));
    EXPECT_EQ(choose_within(all, 5), (std::vector<std::size_t>{0, 2, 0}));
    EXPECT_EQ(choose_within(all, 6), (std::vector<std::size_t>{1, 2, 0}));
    EXPECT_EQ(choose_within(all, 8), (std::vector<std::size_t>{1, 2, 1}));
    EXPECT_EQ(choose_within(all, 7.9), (std::vector<std::size_t>{1, 2, 0}))
        << "what does not fit whole is left";
    EXPECT_THROW(choose_within(all, 3.9), Error);
    EXPECT_TRUE(choose_within({}, 4.5).empty());
}

TEST(BitBudget, WhatCostsTheOutputsMoreGetsMoreBits) {
    const Model model = model_of(uneven);
    const auto samples = samples_for(model, 10);
    const QuantizeOptions options{
        .mode = QuantizeMode::weights, .fitted_blocks = true, .bits_per_weight = 6.5};
    const QuantizeResult result = quantize_model(model, options, samples.get());
    std::map<bool, std::int64_t> bits;  // by whether it is the first product
    for (NodeId id : result.model.graph.nodes())
        if (const Node& node = result.model.graph.node(id); node.op_type == "MatMulNBits")
            bits[is_first(result.model, node)] = node.int_attribute("bits", 0);
    EXPECT_EQ(bits[true], 4);
    EXPECT_EQ(bits[false], 8);
    EXPECT_LE(bits_of(result.model), 6.5);
    EXPECT_GT(bits_of(result.model), 6);
    EXPECT_TRUE(has_note(result, "1 of 2 weights have 8 bits"));
}

TEST(BitBudget, MoreBitsLoseLess) {
    const Model model = model_of(
        "(x: f32[n,256]) -> (y)\na = MatMul(x, w1: f32[256,96])\nb = Tanh(a)\nc = MatMul(b, w2: "
        "f32[96,64])\nd = Tanh(c)\ny = MatMul(d, w3: f32[64,32])");
    const auto samples = samples_for(model, 10);
    double before = 0;
    for (const double bits : {4.6, 5.2, 6.5, 8.5}) {
        const QuantizeResult result = quantize_model(
            model, {.mode = QuantizeMode::weights, .fitted_blocks = true, .bits_per_weight = bits},
            samples.get());
        EXPECT_LE(bits_of(result.model), bits);
        const TemporaryFolder folder;
        save_model(result.model, folder / "q.onnx");
        const double sqnr =
            evaluate_quantized(std::make_shared<const Model>(model),
                               std::make_shared<const Model>(load_model(folder / "q.onnx")),
                               *samples_for(model, 8, 50), 1)
                .sqnr_db();
        EXPECT_GT(sqnr, before) << bits;
        before = sqnr;
    }
}

TEST(BitBudget, WithoutSamplesErrorsOfWeightsDecide) {
    const Model model = model_of(uneven);
    const QuantizeOptions options{.mode = QuantizeMode::weights, .bits_per_weight = 5};
    const QuantizeResult result = quantize_model(model, options);
    EXPECT_EQ(result.quantized, 2u);
    EXPECT_LE(bits_of(result.model), 5);
    EXPECT_TRUE(has_note(result, "their own errors"));
}

TEST(BitBudget, TypesOfSomeNodesStay) {
    const Model model = model_of(uneven);
    const QuantizeOptions options{
        .mode = QuantizeMode::weights, .bits_per_weight = 9, .weights_of = {"l=s4"}};
    const QuantizeResult result = quantize_model(model, options);
    for (NodeId id : result.model.graph.nodes()) {
        const Node& node = result.model.graph.node(id);
        if (node.op_type != "MatMulNBits") continue;
        EXPECT_EQ(node.int_attribute("bits", 0), is_first(result.model, node) ? 8 : 4);
    }
}

TEST(BitBudget, RefusesWhatCannotBe) {
    const Model model = model_of(uneven);
    for (const double bits : {4.1, -1.0, 17.0})
        EXPECT_THROW(quantize_model(model, {.mode = QuantizeMode::weights,
                                            .fitted_blocks = true,
                                            .bits_per_weight = bits}),
                     Error)
            << bits;
    const QuantizeResult other = quantize_model(model, {.bits_per_weight = 5});
    EXPECT_TRUE(has_note(other, "budgets of blocks")) << "of another mode";
}

}  // namespace
}  // namespace lapidary
