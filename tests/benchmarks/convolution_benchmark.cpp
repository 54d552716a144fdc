// SPDX-License-Identifier: Apache-2.0
// Convolutions of ResNet-50 and MobileNetV2 on blocked channels, plain ones, and 8-bit ones.
#include "benchmarks/kernel_benchmark.h"
#include "ops/channel_block.h"

namespace lapidary::bench {
namespace {

/// An image of `from` channels and `size` x `size` pixels to `to` channels by a `window` x `window`
/// filter.
struct Layer {
    std::int64_t from, to, size, window, stride, groups;
    static Layer of(const benchmark::State& state) {
        return {state.range(1), state.range(2), state.range(3),
                state.range(4), state.range(5), state.range(6)};
    }
    std::int64_t out() const { return (size + 2 * (window / 2) - window) / stride + 1; }
    Shape weight() const { return {to, from / groups, window, window}; }
    double operations() const {
        return 2.0 * static_cast<double>(to * out() * out() * (from / groups) * window * window);
    }
    std::vector<Attribute> attributes() const {
        using Ints = std::vector<std::int64_t>;
        const std::int64_t pad = window / 2;
        return {{"kernel_shape", Ints{window, window}, {}, {}},
                {"strides", Ints{stride, stride}, {}, {}},
                {"pads", Ints{pad, pad, pad, pad}, {}, {}},
                {"group", groups, {}, {}}};
    }
};

void blocked_convolution(benchmark::State& state) {
    const Layer layer = Layer::of(state);
    KernelCase kernel{
        std::string(nchwc_domain),
        "Conv",
        1,
        {random_tensor(DType::f32, {1, layer.from, layer.size, layer.size}),
         random_tensor(DType::f32, layer.weight()), random_tensor(DType::f32, {layer.to})},
        {1, 2},
        layer.attributes()};
    kernel.attributes.push_back(
        {std::string(channel_block_attribute), cpu_channel_block(), {}, {}});
    kernel.operations = layer.operations();
    run_kernel_benchmark(state, kernel);
}

void plain_convolution(benchmark::State& state) {
    const Layer layer = Layer::of(state);
    KernelCase kernel{
        "",
        "Conv",
        11,
        {random_tensor(DType::f32, {1, layer.from, layer.size, layer.size}),
         random_tensor(DType::f32, layer.weight()), random_tensor(DType::f32, {layer.to})},
        {1, 2},
        layer.attributes()};
    kernel.operations = layer.operations();
    run_kernel_benchmark(state, kernel);
}

void integer_convolution(benchmark::State& state) {
    const Layer layer = Layer::of(state);
    const std::vector<float> scales(static_cast<std::size_t>(layer.to), 0.01f);
    const std::vector<std::int8_t> zeros(static_cast<std::size_t>(layer.to), 0);
    KernelCase kernel{
        "com.microsoft",
        "QLinearConv",
        1,
        {random_tensor(DType::u8, {1, layer.size, layer.size, layer.from}), Tensor::scalar(0.02f),
         Tensor::scalar<std::uint8_t>(128), random_tensor(DType::i8, layer.weight()),
         Tensor::of<float>({layer.to}, scales), Tensor::of<std::int8_t>({layer.to}, zeros),
         Tensor::scalar(0.5f), Tensor::scalar<std::uint8_t>(128)},
        {1, 2, 3, 4, 5, 6, 7},
        layer.attributes()};
    kernel.attributes.push_back({"channels_last", std::int64_t{1}, {}, {}});
    kernel.operations = layer.operations();
    kernel.integer = true;
    run_kernel_benchmark(state, kernel);
}

void add(benchmark::internal::Benchmark* benchmark,
         const std::vector<std::vector<std::int64_t>>& layers) {
    benchmark->ArgNames({"threads", "from", "to", "size", "window", "stride", "groups"})
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
    for (const std::int64_t threads : {1, 2})
        for (std::vector<std::int64_t> layer : layers) {
            layer.insert(layer.begin(), threads);
            benchmark->Args(layer);
        }
}

void network_layers(benchmark::internal::Benchmark* benchmark) {
    add(benchmark, {{64, 64, 56, 3, 1, 1},
                    {128, 128, 28, 3, 1, 1},
                    {256, 256, 14, 3, 1, 1},
                    {512, 512, 7, 3, 1, 1},
                    {128, 128, 56, 3, 2, 1},
                    {64, 256, 56, 1, 1, 1},
                    {256, 64, 56, 1, 1, 1},
                    {128, 512, 28, 1, 1, 1},
                    {1024, 256, 14, 1, 1, 1},
                    {2048, 512, 7, 1, 1, 1},
                    {96, 96, 56, 3, 1, 96},
                    {144, 144, 56, 3, 2, 144},
                    {576, 576, 14, 3, 1, 576}});
}

void plain_layers(benchmark::internal::Benchmark* benchmark) {
    add(benchmark, {{3, 64, 224, 7, 2, 1}, {3, 32, 224, 3, 2, 1}, {24, 20, 28, 3, 1, 1}});
}

void integer_layers(benchmark::internal::Benchmark* benchmark) {
    add(benchmark, {{64, 64, 56, 3, 1, 1},
                    {256, 256, 14, 3, 1, 1},
                    {64, 256, 56, 1, 1, 1},
                    {1024, 256, 14, 1, 1, 1},
                    {144, 144, 56, 3, 1, 144}});
}

BENCHMARK(blocked_convolution)->Apply(network_layers);
BENCHMARK(plain_convolution)->Apply(plain_layers);
BENCHMARK(integer_convolution)->Apply(integer_layers);

}  // namespace
}  // namespace lapidary::bench
