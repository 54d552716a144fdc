// SPDX-License-Identifier: Apache-2.0
// QAttention and DynamicQuantizeLSTM on packed 8-bit weights against the reference kernels, on
// every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <lapidary/base/error.h>

#include "support/byte_values.h"
#include "support/kernel_compare.h"

namespace lapidary::test {
namespace {

const RuntimeValue omitted;

struct AttentionCase {
    std::int64_t batch = 2, sequence = 5, inputs = 24, heads = 3, size = 8;
    DType x_type = DType::u8, w_type = DType::i8;
    bool per_column = false;
    RuntimeValue mask, past;
    int unidirectional = 0;
    bool wants_present = false;
};

void expect_attention(const AttentionCase& c) {
    std::mt19937 generator(7);
    const std::int64_t hidden = c.heads * c.size, width = 3 * hidden;
    const Shape columns = c.per_column ? Shape{width} : Shape{};
    Tensor w_zero(c.w_type, columns);
    for (std::int64_t i = 0; i < w_zero.size(); ++i)
        static_cast<std::uint8_t*>(w_zero.mutable_raw())[i] = static_cast<std::uint8_t>(
            (c.w_type == DType::u8 ? 120 : 0) + (c.per_column ? i % 5 : 3));
    const std::vector<RuntimeValue> inputs{
        random_bytes(generator, {c.batch, c.sequence, c.inputs}, c.x_type),
        random_bytes(generator, {c.inputs, width}, c.w_type),
        random_reals(generator, {width}, -1, 1),
        Tensor::scalar(0.01f),
        c.per_column ? random_reals(generator, {width}, 0.001f, 0.003f) : Tensor::scalar(0.002f),
        c.mask,
        byte_scalar(c.x_type, c.x_type == DType::u8 ? 130 : -3),
        w_zero,
        c.past};
    KernelRun run;
    run.constants = {1, 2, 3, 4, 6, 7};
    run.outputs = c.wants_present ? 2 : 1;
    expect_as_reference("com.microsoft", "QAttention", 1, "attention.projected_integer", inputs,
                        {attribute("num_heads", static_cast<int>(c.heads)),
                         attribute("unidirectional", c.unidirectional)},
                        2e-5, run);
}

TEST(QuantizedAttention, TypesAndZeroPoints) {
    for (const DType x : {DType::u8, DType::i8})
        for (const DType w : {DType::u8, DType::i8})
            for (const bool per_column : {false, true}) {
                AttentionCase c;
                c.x_type = x;
                c.w_type = w;
                c.per_column = per_column;
                expect_attention(c);
            }
}

TEST(QuantizedAttention, SizesAndTails) {
    for (const std::int64_t sequence : {1, 4, 33})
        for (const std::int64_t inputs : {1, 7, 64})
            for (const std::int64_t size : {1, 5, 16})
                expect_attention(
                    {.batch = 1, .sequence = sequence, .inputs = inputs, .heads = 2, .size = size});
}

TEST(QuantizedAttention, MasksPastAndCausality) {
    expect_attention({.mask = Tensor::of<std::int32_t>({2}, {3, 5})});
    expect_attention({.mask = Tensor::of<std::int32_t>({2, 5}, {1, 1, 0, 1, 0, 1, 1, 1, 1, 1})});
    expect_attention({.unidirectional = 1, .wants_present = true});
    expect_attention(
        {.past = noise({2, 2, 3, 4, 8}, 5), .unidirectional = 1, .wants_present = true});
    expect_attention({.mask = Tensor::of<std::int32_t>({2, 9}, std::vector<std::int32_t>(18, 1)),
                      .past = noise({2, 2, 3, 4, 8}, 5)});
}

struct LstmCase {
    std::int64_t directions = 1, steps = 6, batch = 2, inputs = 9, hidden = 8;
    DType type = DType::i8;
    bool per_column = false;
    std::vector<RuntimeValue> more;  // B, sequence_lens, initial_h, initial_c, P
    std::vector<Attribute> attributes;
};

/// A quantized state differs by a whole step where a sum lies exactly between two; this data has no
/// such sum.
void expect_lstm(const LstmCase& c, std::uint32_t seed = 3) {
    std::mt19937 generator(seed);
    const std::int64_t columns = 4 * c.hidden;
    const Shape scales = c.per_column ? Shape{c.directions, columns} : Shape{c.directions};
    const auto zeros = [&] {
        Tensor t(c.type, scales);
        for (std::int64_t i = 0; i < t.size(); ++i)
            static_cast<std::uint8_t*>(t.mutable_raw())[i] =
                static_cast<std::uint8_t>(c.type == DType::u8 ? 125 + i % 3 : 0);
        return t;
    };
    std::vector<RuntimeValue> inputs{
        noise({c.steps, c.batch, c.inputs}, seed),
        random_bytes(generator, {c.directions, c.inputs, columns}, c.type),
        random_bytes(generator, {c.directions, c.hidden, columns}, c.type)};
    for (std::size_t i = 0; i < 5; ++i) inputs.push_back(i < c.more.size() ? c.more[i] : omitted);
    inputs.push_back(random_reals(generator, scales, 0.002f, 0.004f));
    inputs.push_back(zeros());
    inputs.push_back(random_reals(generator, scales, 0.002f, 0.004f));
    inputs.push_back(zeros());
    std::vector<Attribute> attributes = c.attributes;
    attributes.push_back(attribute("hidden_size", static_cast<int>(c.hidden)));
    if (c.directions == 2) attributes.push_back(attribute("direction", "bidirectional"));
    KernelRun run;
    run.outputs = 3;
    run.constants = {1, 2, 8, 9, 10, 11};
    expect_as_reference("com.microsoft", "DynamicQuantizeLSTM", 1, "recurrent.quantized_lstm",
                        inputs, attributes, 2e-5, run);
}

TEST(QuantizedLstm, SizesTypesAndDirections) {
    for (const std::int64_t hidden : {1, 3, 8, 16, 17, 40})
        for (const std::int64_t inputs : {1, 4, 9})
            for (const std::int64_t directions : {1, 2})
                expect_lstm({.directions = directions, .inputs = inputs, .hidden = hidden});
    for (const DType type : {DType::u8, DType::i8})
        for (const bool per_column : {false, true})
            for (const std::int64_t batch : {1, 5})
                expect_lstm(
                    {.directions = 2, .batch = batch, .type = type, .per_column = per_column});
    expect_lstm({.directions = 2, .steps = 3, .batch = 3, .inputs = 20, .hidden = 60});
}

TEST(QuantizedLstm, StatesLengthsPeepholesAndFunctions) {
    const Tensor bias = noise({2, 64}, 4), lengths = Tensor::of<std::int32_t>({3}, {6, 2, 0}),
                 h = noise({2, 3, 8}, 5), cells = noise({2, 3, 8}, 6),
                 peepholes = noise({2, 24}, 7);
    expect_lstm({.directions = 2, .batch = 3, .more = {bias, lengths, h, cells}});
    expect_lstm({.directions = 2, .batch = 3, .more = {bias, omitted, h, cells, peepholes}});
    expect_lstm({.directions = 2,
                 .batch = 3,
                 .more = {bias, lengths, h, cells, peepholes},
                 .attributes = {attribute("input_forget", 1), attribute("clip", 0.7f)}});
    expect_lstm({.batch = 3,
                 .attributes = {attribute("direction", "reverse"),
                                attribute("activations", std::vector<std::string>{
                                                             "HardSigmoid", "Relu", "Tanh"})}});
    expect_lstm({.steps = 1,
                 .batch = 3,
                 .attributes = {attribute(
                     "activations", std::vector<std::string>{"Sigmoid", "Tanh", "LeakyRelu"})}});
}

TEST(QuantizedLstm, DeclinesWeightsThatAreComputed) {
    KernelRun run;
    run.kernel = "recurrent.quantized_lstm";
    run.constants = {2, 8, 9, 10, 11};
    const Tensor scale = Tensor::of<float>({1}, {0.01f}), zero(DType::i8, {1});
    EXPECT_THROW(
        run_kernel("com.microsoft", "DynamicQuantizeLSTM", 1,
                   {noise({2, 1, 3}, 1), Tensor(DType::i8, {1, 3, 8}), Tensor(DType::i8, {1, 2, 8}),
                    omitted, omitted, omitted, omitted, omitted, scale, zero, scale, zero},
                   {attribute("hidden_size", 2)}, run),
        Error);
}

}  // namespace
}  // namespace lapidary::test
