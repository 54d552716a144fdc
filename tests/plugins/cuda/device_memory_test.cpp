// SPDX-License-Identifier: Apache-2.0
// A hundred sessions in a row, each run until its runs are replayed, leave device memory as it was.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

/// Of a GPU: MiB in use. Of the emulated device, whose blocks are mappings of their own: mappings
/// of this process.
long device_memory_in_use() {
    if (!is_on_gpu()) {
        std::ifstream maps("/proc/self/maps");
        long count = 0;
        for (std::string line; std::getline(maps, line);) ++count;
        return count;
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
        ::popen("nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits", "r"),
        &::pclose);
    char text[64] = "-1";
    return pipe && std::fgets(text, sizeof(text), pipe.get()) ? std::atol(text) : -1;
}

TEST(DeviceMemory, AHundredSessionsLeaveItAsItWas) {
    Model made = model_of(
        "(x: f32[1,6,11,13]) -> (y)\na = Conv(x, w: f32[8,6,3,3], b: f32[8]) {pads: [1,1,1,1]}\nc "
        "= Relu(a)\n"
        "d = MaxPool(c) {kernel_shape: [2,2], strides: [2,2]}\ny = GlobalAveragePool(d)");
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const auto run_sessions = [&](int count) {
        for (int i = 0; i < count; ++i) {
            Session session = Session::compile(model, emulated_options({}));
            for (int run = 0; run < 5; ++run) session.run(inputs);
        }
    };
    run_sessions(5);
    const long before = device_memory_in_use();
    ASSERT_GT(before, 0);
    run_sessions(100);
    const long grown = device_memory_in_use() - before;
    // a block of each session, or its queue, would be a hundred
    EXPECT_LT(grown, 20);
    EXPECT_GT(grown, -200);
}

TEST(DeviceMemory, WeightsOfSeveralSessionsAreThereOnce) {
    if (is_on_gpu()) GTEST_SKIP() << "a GPU does not count its blocks";
    constexpr std::uint64_t weights = 24;
    std::string graph = "(x0: f32[4,16]) -> (y)\n";
    for (std::uint64_t i = 0; i < weights; ++i)
        graph += (i + 1 == weights ? "y" : "x" + std::to_string(i + 1)) + " = MatMul(x" +
                 std::to_string(i) + ", w" + std::to_string(i) + ": f32[16,16])\n";
    Model made = model_of(graph);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    const NamedValues expected = Session::compile(model, reference_options()).run(inputs).outputs;
    emulated_provider();
    void* const plugin = ::dlopen(path_of_plugin(), RTLD_NOW | RTLD_NOLOAD);
    ASSERT_TRUE(plugin);
    const auto blocks =
        reinterpret_cast<std::uint64_t (*)()>(::dlsym(plugin, "lapidary_emulated_blocks"));
    ASSERT_TRUE(blocks);
    const std::uint64_t before = blocks();
    {
        std::vector<std::unique_ptr<Session>> sessions;
        for (int i = 0; i < 5; ++i) {
            sessions.push_back(
                std::make_unique<Session>(Session::compile(model, emulated_options({}))));
            EXPECT_EQ(blocks(), before + weights) << "after " << i + 1 << " sessions were compiled";
        }
        for (const auto& session : sessions)
            for (const OutputComparison& output :
                 compare_outputs(session->run(inputs).outputs, expected))
                EXPECT_TRUE(output.comparison.matches) << output.comparison.reason;
        sessions.erase(sessions.begin(), sessions.end() - 1);
        EXPECT_GE(blocks(), before + weights);
    }
    EXPECT_EQ(blocks(), before);
}

/// Like a Reshape; where axes of more than one element change places it has memory of its own.
TEST(DeviceMemory, TransposesThatMoveNothingLieWhereTheirInputDoes) {
    const auto planned = [](const char* permutation) {
        Model made = model_of(("(x: f32[1,1,12,64]) -> (z)\na = Relu(x)\nb = Transpose(a) {perm: " +
                               std::string(permutation) +
                               "}\nc = Abs(b)\ny = Add(c, b)\nm = ReduceMax(y)\nn = ReduceMax(m) "
                               "{keepdims: 0}\nz = Add(a, n)")
                                  .c_str());
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
        EXPECT_EQ(compare_with_reference(model, inputs, {}, exact_arithmetic), "");
        Session session = Session::compile(model, emulated_options({}));
        session.run(inputs);
        session.run(inputs);
        return session.plan().providers.at(0).planned_bytes;
    };
    EXPECT_LT(planned("[0,2,1,3]"), planned("[0,1,3,2]"));
}

/// Parts that lie one after the other where a device begins its values; else they are copied.
TEST(DeviceMemory, PartsOfASplitLieWhereItsInputDoes) {
    const auto planned = [](std::int64_t rows, const std::string& parts) {
        Model made = model_of(
            "(x: f32[N,1]) -> (z)\na = Add(x, w: f32[768])\nb, c, d = Split(a, s: i64[3]{" + parts +
            "}) {axis: 1}\ne = Reshape(c, t: i64[2]{-1,256})\nf = ReduceMax(b) {axes: [1]}\n"
            "g = ReduceMin(e) {axes: [1]}\nh = ReduceMax(d) {axes: [1]}\nz = Concat(f, g, h) "
            "{axis: 1}");
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const auto inputs_of = [](std::int64_t count) {
            std::vector<float> values(static_cast<std::size_t>(count));
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<float>(i % 97) - 40;
            return NamedValues{{"x", Tensor::of<float>({count, 1}, values)}};
        };
        const NamedValues inputs = inputs_of(rows);
        for (int order : {0, 1, 2})
            EXPECT_EQ(compare_with_reference(model, inputs, {.order = order}, exact_arithmetic),
                      "");
        Session session = Session::compile(model, emulated_options({}));
        Session reference = Session::compile(model, reference_options());
        for (std::int64_t count : {rows, rows, std::int64_t{1}, std::int64_t{3}, rows}) {
            const NamedValues of_count = inputs_of(count);
            const RunResult expected = reference.run(of_count), actual = session.run(of_count);
            for (const OutputComparison& output :
                 compare_outputs(actual.outputs, expected.outputs, exact_arithmetic))
                EXPECT_TRUE(output.comparison.matches) << count << ": " << output.comparison.reason;
        }
        return session.plan().providers.at(0).planned_bytes;
    };
    const std::uint64_t shared = planned(1, "256,256,256");
    EXPECT_LT(shared, planned(1, "257,256,255"))
        << "the second part does not begin where values may";
    EXPECT_LT(shared * 2, planned(2, "256,256,256")) << "parts of two rows alternate";
}

}  // namespace
}  // namespace lapidary::test
