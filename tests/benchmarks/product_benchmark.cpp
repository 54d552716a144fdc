// SPDX-License-Identifier: Apache-2.0
// Matrix products with constant weights: M x K by K x N, float and 8-bit.
#include <array>

#include "benchmarks/kernel_benchmark.h"

namespace lapidary::bench {
namespace {

Tensor scalar_f32(float value) { return Tensor::scalar(value); }

void float_product(benchmark::State& state) {
    const std::int64_t m = state.range(1), n = state.range(2), k = state.range(3);
    KernelCase kernel{"",
                      "MatMul",
                      13,
                      {random_tensor(DType::f32, {m, k}), random_tensor(DType::f32, {k, n})},
                      {1}};
    kernel.operations = 2.0 * static_cast<double>(m * n * k);
    kernel.bytes = 4.0 * static_cast<double>(m * k + k * n + m * n);
    run_kernel_benchmark(state, kernel);
}

void integer_product(benchmark::State& state) {
    const std::int64_t m = state.range(1), n = state.range(2), k = state.range(3);
    KernelCase kernel{
        "com.microsoft",
        "MatMulIntegerToFloat",
        1,
        {random_tensor(DType::u8, {m, k}), random_tensor(DType::i8, {k, n}), scalar_f32(0.01f),
         scalar_f32(0.02f), Tensor::scalar<std::uint8_t>(128), Tensor::scalar<std::int8_t>(0)},
        {1, 3, 5}};
    kernel.operations = 2.0 * static_cast<double>(m * n * k);
    kernel.bytes = static_cast<double>(m * k + k * n + 4 * m * n);
    kernel.integer = true;
    run_kernel_benchmark(state, kernel);
}

/// Products of BERT base and GPT-2, a decoder's step, squares.
void sizes(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"threads", "m", "n", "k"})->UseRealTime()->Unit(benchmark::kMicrosecond);
    for (const int threads : {1, 2})
        for (const auto& [m, n, k] : {std::array{128, 768, 768},
                                      {128, 3072, 768},
                                      {128, 768, 3072},
                                      {32, 768, 768},
                                      {1, 768, 768},
                                      {1, 3072, 768},
                                      {4, 2304, 768},
                                      {8, 2304, 768},
                                      {512, 512, 512},
                                      {64, 64, 64}})
            benchmark->Args({threads, m, n, k});
}

BENCHMARK(float_product)->Apply(sizes);
BENCHMARK(integer_product)->Apply(sizes);

}  // namespace
}  // namespace lapidary::bench
