// SPDX-License-Identifier: Apache-2.0
// Running a compiled model again allocates nothing, locks nothing and gives the same results;
// profiles list every allocation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "base/memory/page_memory.h"
#include "interposed.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

ModelPtr at_level(const Model& model, Level level) {
    OptimizeOptions options;
    options.level = level;
    return std::make_shared<const Model>(optimize(model, options).model);
}

// Reference kernels are written for readability and allocate. Only fast kernels allocate nothing.
bool runs_fast_kernels_only(const Session& session) {
    const PlanInfo plan = session.plan();
    return std::ranges::none_of(
        plan.steps, [](const StepInfo& s) { return s.kernel.starts_with("reference."); });
}

class SteadyState : public testing::TestWithParam<const char*> {};

TEST_P(SteadyState, AllocatesAndLocksNothing) {
    if (!can_count()) GTEST_SKIP() << "the sanitizer has the allocator";
    const Model sample = build_sample(GetParam());
    for (const Level level : {Level::disabled, Level::all})
        for (int threads : {1, 2}) {
            const ModelPtr model = at_level(sample, level);
            SessionOptions options;
            options.resources.threads = threads;
            Session session = Session::compile(model, options);
            if (!runs_fast_kernels_only(session)) continue;
            const NamedValues inputs = generate_inputs(*model);
            const RunOptions run_options;
            RunResult result;
            Counted fewest{~std::size_t{0}, 0, ~std::size_t{0}};
            for (int i = 0; i < 3; ++i) session.run(inputs, run_options, result);
            // Workers that went to sleep are called anew now and then: not in every run.
            for (int i = 0; i < (threads == 1 ? 1 : 10); ++i) {
                begin_counting();
                session.run(inputs, run_options, result);
                const Counted counted = end_counting();
                fewest.allocations = std::min(fewest.allocations, counted.allocations);
                fewest.locks = std::min(fewest.locks, counted.locks);
            }
            EXPECT_EQ(fewest.allocations, 0u) << GetParam() << ", " << threads << " threads";
            EXPECT_EQ(fewest.locks, 0u) << GetParam() << ", " << threads << " threads";
            // A new result allocates its list and the storage of outputs, independent of the number
            // of nodes.
            begin_counting();
            RunResult fresh = session.run(inputs, run_options);
            const Counted counted = end_counting();
            EXPECT_LE(counted.allocations, 1 + 6 * fresh.outputs.size());
        }
}

INSTANTIATE_TEST_SUITE_P(Samples, SteadyState,
                         testing::Values("mlp", "lenet", "squeezenet", "bert-tiny", "lstm"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

bool same_value(const RuntimeValue& a, const RuntimeValue& b) {
    if (a.is_tensor() && b.is_tensor()) return same_contents(a.tensor(), b.tensor());
    return a.describe() == b.describe();
}

// In the first run every value has its own storage; later runs share storage as planned.
void expect_same_each_run(const Model& source, const std::string& name) {
    for (const Level level : {Level::disabled, Level::all}) {
        const ModelPtr model = at_level(source, level);
        Session session = Session::compile(model);
        const NamedValues inputs = generate_inputs(*model);
        const NamedValues first = session.run(inputs).outputs;
        RunResult result;
        for (int run = 1; run < 4; ++run) {
            session.run(inputs, {}, result);
            ASSERT_EQ(result.outputs.size(), first.size());
            for (std::size_t i = 0; i < first.size(); ++i)
                EXPECT_TRUE(same_value(first[i].second, result.outputs[i].second))
                    << name << ", run " << run + 1 << ", output " << first[i].first;
        }
    }
}

TEST(PlannedMemory, SamplesGiveTheSameInEachRun) {
    for (const char* name :
         {"mlp", "lenet", "squeezenet", "mobilenetv2", "shufflenet", "bert-tiny", "lstm"})
        expect_same_each_run(build_sample(name), name);
}

TEST(PlannedMemory, RealModelsGiveTheSameInEachRun) {
    const std::filesystem::path folder = test_data() / "models" / "real";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is missing";
    int models = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().extension() != ".onnx" || file.file_size() > (1u << 20) ||
            file.path().stem() == "niivue")
            continue;  // minutes
        Model model;
        try {
            model = load_model(file.path());
            Session::compile(std::make_shared<const Model>(model)).run(generate_inputs(model));
        } catch (const Error&) {
            continue;  // a model for other tests
        }
        expect_same_each_run(model, file.path().filename().string());
        ++models;
    }
    EXPECT_GT(models, 20);
}

TEST(PageMemory, BlocksOfAnySizeAreAligned) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{65}, large_page - 1,
                                    large_page, large_page + 1, 3 * large_page + 64}) {
        auto* const block = static_cast<std::byte*>(allocate_block(bytes, Pages::large));
        ASSERT_NE(block, nullptr) << bytes;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % (bytes < large_page ? 64 : large_page),
                  0u)
            << bytes;
        std::memset(block, 1, std::max<std::size_t>(bytes, 1));
        free_block(block);
    }
    EXPECT_EQ(allocate_block(SIZE_MAX, Pages::large), nullptr);
}

TEST(ProfiledMemory, EveryAllocationIsReportedWithItsSize) {
    if (!can_count()) GTEST_SKIP() << "the sanitizer has the allocator";
    const auto model = std::make_shared<const Model>(build_sample("squeezenet"));
    SessionOptions options;
    options.resources.threads = 1;
    options.enable_mem_pattern = false;
    options.enable_cpu_mem_arena = false;
    Session session = Session::compile(model, options);
    const NamedValues inputs = generate_inputs(*model);
    RunOptions profiled;
    profiled.profile = true;
    RunResult result;
    std::vector<std::size_t> sizes;
    sizes.reserve(10'000);
    begin_counting(&sizes);
    session.run(inputs, profiled, result);
    end_counting();
    ASSERT_FALSE(sizes.empty());
    sizes.erase(sizes.begin());  // the recorder's buffer, made before the run
    std::vector<std::size_t> reported;
    std::int64_t held = 0;
    for (const Span& event : result.profile->memory) {
        held += event.kind == EventKind::allocation ? event.bytes : -event.bytes;
        if (event.kind == EventKind::allocation)
            reported.push_back((static_cast<std::size_t>(event.bytes) + 63) / 64 * 64);
    }
    EXPECT_GT(reported.size(), 30u);
    // Allocations from 128 kB on get separate pages, which are not part of the heap.
    constexpr std::size_t own_pages = 128 << 10;
    EXPECT_GT(std::erase_if(reported, [](std::size_t bytes) { return bytes >= own_pages; }), 0u);
    std::ranges::sort(reported);
    std::ranges::sort(sizes);
    EXPECT_EQ(reported, sizes);
    std::int64_t outputs = 0;
    for (const auto& [name, value] : result.outputs)
        outputs += static_cast<std::int64_t>(value.tensor().byte_size());
    EXPECT_EQ(held, outputs) << "all but the outputs was released";
}

}  // namespace
}  // namespace lapidary::test
