// SPDX-License-Identifier: Apache-2.0
// Float results of 8-bit products whose both sides have zero points: each sum gets its row's sum
// times its column's zero point. Every bit as the reference kernels, on every instruction set.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_text.h>

#include "support/byte_values.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::mt19937 generator(23);

// About whole vectors, panels and tiles of every instruction set.
TEST(TwoZeroPoints, RowsAndColumnsOfEveryRemainder) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
    for (std::int64_t rows = 1; rows <= 13; ++rows) sizes.emplace_back(rows, 20 + rows);
    for (std::int64_t columns = 1; columns <= 130; ++columns) sizes.emplace_back(7, columns);
    for (const auto& [rows, columns] : sizes)
        for (const DType type : {DType::u8, DType::i8}) {
            const std::int64_t inner = 1 + (rows + columns) % 70;
            const std::vector<RuntimeValue> inputs{
                random_bytes(generator, {rows, inner}, DType::u8),
                random_bytes(generator, {inner, columns}, type),
                Tensor::scalar(0.02f),
                random_reals(generator, {columns}, 0.001f, 0.02f),
                byte_scalar(DType::u8, 119),
                random_bytes(generator, {columns}, type),
                random_reals(generator, {columns}, -2, 2)};
            const Tensor expected =
                run_kernel_tensor("com.microsoft", "MatMulIntegerToFloat", 1, inputs);
            KernelRun fast;
            fast.kernel = "integer.matmul_integer_to_float";
            fast.constants = {1, 3, 5, 6};
            for_each_isa([&](Isa isa) {
                EXPECT_EQ(
                    difference(expected, run_kernel_tensor("com.microsoft", "MatMulIntegerToFloat",
                                                           1, inputs, {}, fast)),
                    "")
                    << name_of(isa) << " " << rows << " x " << inner << " x " << columns;
            });
        }
}

// The largest that 32 bits hold.
TEST(TwoZeroPoints, LargestSums) {
    const std::int64_t inner = 33000, columns = 21;
    Tensor x(DType::u8, {3, inner}), w(DType::i8, {inner, columns}), zeros(DType::i8, {columns});
    for (auto& v : x.mutable_data<std::uint8_t>()) v = 255;
    for (auto& v : w.mutable_data<std::int8_t>()) v = 127;
    for (auto& v : zeros.mutable_data<std::int8_t>()) v = -128;
    const std::vector<RuntimeValue> inputs{
        x, w, Tensor::scalar(0.02f), Tensor::scalar(0.01f), byte_scalar(DType::u8, 1), zeros};
    const Tensor expected = run_kernel_tensor("com.microsoft", "MatMulIntegerToFloat", 1, inputs);
    KernelRun fast;
    fast.kernel = "integer.matmul_integer_to_float";
    fast.constants = {1, 3, 5};
    for_each_isa([&](Isa isa) {
        EXPECT_EQ(difference(expected, run_kernel_tensor("com.microsoft", "MatMulIntegerToFloat", 1,
                                                         inputs, {}, fast)),
                  "")
            << name_of(isa);
    });
}

// Ranges, and with them scales and zero points of the rows, are those of each run.
TEST(TwoZeroPoints, RunsAfterOneAnotherWithOtherInputs) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(
        "(x: f32[n,70]) -> (y)\n"
        "y = com.microsoft::DynamicQuantizeMatMul(x, w: u8[70,83], s: f32[1]{0.013}, "
        "z: u8[1]{101}, b: f32[83])\n",
        {.opset = 20});
    SessionOptions plain;
    plain.reference_kernels = true;
    Session reference = Session::compile(model, plain);
    for_each_isa([&](Isa isa) {
        for (const int threads : {1, 3}) {
            SessionOptions options;
            options.resources.threads = threads;
            Session session = Session::compile(model, options);
            for (const auto& [rows, low, high] :
                 std::vector<std::tuple<std::int64_t, float, float>>{
                     {130, -1, 3}, {130, -40, 2}, {9, 0, 0.5f}, {130, -1, 3}, {131, 2, 90}}) {
                const NamedValues inputs{{"x", random_reals(generator, {rows, 70}, low, high)}};
                EXPECT_EQ(difference(reference.run(inputs).outputs.at(0).second.tensor(),
                                     session.run(inputs).outputs.at(0).second.tensor()),
                          "")
                    << name_of(isa) << " " << threads << " threads, " << rows << " rows in [" << low
                    << ", " << high << "]";
            }
        }
    });
}

}  // namespace
}  // namespace lapidary::test
