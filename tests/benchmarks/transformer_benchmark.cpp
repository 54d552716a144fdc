// SPDX-License-Identifier: Apache-2.0
// Attention, normalization, softmax and elementwise work of transformers.
#include <array>

#include "benchmarks/kernel_benchmark.h"

namespace lapidary::bench {
namespace {

/// Attention-23: heads of 64, `queries` rows against `keys` rows.
void attention(benchmark::State& state) {
    const std::int64_t heads = state.range(1), queries = state.range(2), keys = state.range(3);
    constexpr std::int64_t width = 64;
    KernelCase kernel{"",
                      "Attention",
                      23,
                      {random_tensor(DType::f32, {1, heads, queries, width}),
                       random_tensor(DType::f32, {1, heads, keys, width}),
                       random_tensor(DType::f32, {1, heads, keys, width})}};
    kernel.operations = 4.0 * static_cast<double>(heads * queries * keys * width);
    kernel.bytes = 8.0 * static_cast<double>(heads * (queries + keys) * width);
    run_kernel_benchmark(state, kernel);
}

void layer_normalization(benchmark::State& state) {
    const std::int64_t rows = state.range(1), width = state.range(2);
    KernelCase kernel{"",
                      "LayerNormalization",
                      17,
                      {random_tensor(DType::f32, {rows, width}), random_tensor(DType::f32, {width}),
                       random_tensor(DType::f32, {width})},
                      {1, 2}};
    kernel.bytes = 8.0 * static_cast<double>(rows * width);
    run_kernel_benchmark(state, kernel);
}

void skip_layer_normalization(benchmark::State& state) {
    const std::int64_t rows = state.range(1), width = state.range(2);
    KernelCase kernel{
        "com.microsoft",
        "SkipLayerNormalization",
        1,
        {random_tensor(DType::f32, {1, rows, width}), random_tensor(DType::f32, {1, rows, width}),
         random_tensor(DType::f32, {width}), random_tensor(DType::f32, {width})},
        {2, 3}};
    kernel.bytes = 12.0 * static_cast<double>(rows * width);
    run_kernel_benchmark(state, kernel);
}

void softmax(benchmark::State& state) {
    const std::int64_t rows = state.range(1), width = state.range(2);
    KernelCase kernel{"", "Softmax", 13, {random_tensor(DType::f32, {rows, width})}};
    kernel.bytes = 8.0 * static_cast<double>(rows * width);
    run_kernel_benchmark(state, kernel);
}

void elementwise(benchmark::State& state, const char* domain, const char* op, std::int64_t version,
                 int operands) {
    const std::int64_t count = state.range(1);
    KernelCase kernel{domain, op, version, {}};
    for (int i = 0; i < operands; ++i) kernel.inputs.push_back(random_tensor(DType::f32, {count}));
    kernel.bytes = 4.0 * (operands + 1) * static_cast<double>(count);
    run_kernel_benchmark(state, kernel);
}

void heads(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"threads", "heads", "queries", "keys"})
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
    for (const int threads : {1, 2})
        for (const auto& [h, q, k] :
             {std::array{12, 128, 128}, {12, 32, 32}, {12, 1, 128}, {12, 512, 512}, {8, 1, 2048}})
            benchmark->Args({threads, h, q, k});
}

void rows(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"threads", "rows", "width"})->UseRealTime()->Unit(benchmark::kMicrosecond);
    for (const int threads : {1, 2})
        for (const auto& [r, w] : {std::array{128, 768}, {1, 768}, {1536, 128}, {4096, 1024}})
            benchmark->Args({threads, r, w});
}

void counts(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgNames({"threads", "count"})->UseRealTime()->Unit(benchmark::kMicrosecond);
    for (const int threads : {1, 2})
        for (const int count : {1 << 10, 1 << 16, 1 << 20, 1 << 24})
            benchmark->Args({threads, count});
}

BENCHMARK(attention)->Apply(heads);
BENCHMARK(layer_normalization)->Apply(rows);
BENCHMARK(skip_layer_normalization)->Apply(rows);
BENCHMARK(softmax)->Apply(rows);
BENCHMARK_CAPTURE(elementwise, Add, "", "Add", 14, 2)->Apply(counts);
BENCHMARK_CAPTURE(elementwise, Relu, "", "Relu", 14, 1)->Apply(counts);
BENCHMARK_CAPTURE(elementwise, Gelu, "", "Gelu", 20, 1)->Apply(counts);
BENCHMARK_CAPTURE(elementwise, Tanh, "", "Tanh", 13, 1)->Apply(counts);
BENCHMARK_CAPTURE(elementwise, Exp, "", "Exp", 13, 1)->Apply(counts);

}  // namespace
}  // namespace lapidary::bench
