// SPDX-License-Identifier: Apache-2.0
// Sessions split over the CPU and a second provider give what the CPU gives alone, bit for bit,
// with the copies that were planned and no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "split_sessions.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

class SplitSample : public testing::TestWithParam<std::string> {};

std::uint64_t weight_bytes(const Model& model) {
    std::uint64_t bytes = 0;
    for (ValueId v : model.graph.initializers())
        bytes += model.graph.value(v).constant->byte_size();
    return bytes;
}

/// Protecting the pages of large models takes long, so they are tested with one rule.
TEST_P(SplitSample, GivesWhatTheCpuGivesAlone) {
    const auto model = std::make_shared<const Model>(build_sample(GetParam()));
    // The CPU alone computes 16-bit floats in float32, which a session over another device need
    // not: other last bits.
    SessionOptions options;
    options.session_passes.disabled = {"widen_half_floats"};
    if (weight_bytes(*model) > (20u << 20)) expect_split_runs(model, rules()[3], options);
    else
        for (const NamedRule& rule : rules()) expect_split_runs(model, rule, options);
}

class SplitBranches : public testing::TestWithParam<std::string> {};

TEST_P(SplitBranches, GivesTheSameWithBranchesAtATime) {
    const auto model = std::make_shared<const Model>(build_sample(GetParam()));
    SessionOptions options;
    options.resources.mode = ExecutionMode::parallel;
    options.resources.inter_threads = 3;
    expect_split_runs(model, rules()[3], options);
}

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const SampleInfo& info : list_samples())
        // half a gigabyte, and operators of bert-base; 4.4 gigabytes, and operators of llama-160m
        if (info.name != "gpt2-small" && info.name != "llama-1b") names.emplace_back(info.name);
    return names;
}

std::string letters_of(const testing::TestParamInfo<std::string>& info) {
    std::string text = info.param;
    std::ranges::replace_if(
        text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return text;
}

INSTANTIATE_TEST_SUITE_P(Samples, SplitSample, testing::ValuesIn(sample_names()), letters_of);
INSTANTIATE_TEST_SUITE_P(Samples, SplitBranches, testing::Values("squeezenet", "lstm", "bert-tiny"),
                         letters_of);

class SplitModel : public testing::TestWithParam<std::string> {};

TEST_P(SplitModel, GivesWhatTheCpuGivesAlone) {
    const auto model = std::make_shared<const Model>(
        load_model(test_data() / "models" / "real" / (GetParam() + ".onnx")));
    // The CPU alone computes 16-bit floats in float32, which a session over another device need
    // not: other last bits.
    SessionOptions options;
    options.session_passes.disabled = {"widen_half_floats"};
    if (weight_bytes(*model) > (20u << 20)) expect_split_runs(model, rules()[3], options);
    else
        for (const NamedRule& rule : rules()) expect_split_runs(model, rule, options);
}

/// Models whose outputs were recorded, of at most so many bytes; all of them with
/// LAPIDARY_SPLIT_ALL in the environment.
std::vector<std::string> small_models() {
    std::vector<std::string> names;
    std::error_code absent;
    for (const auto& entry :
         std::filesystem::directory_iterator(test_data() / "models" / "ref", absent)) {
        const std::string name = entry.path().filename().string();
        const auto bytes =
            std::filesystem::file_size(test_data() / "models" / "real" / (name + ".onnx"), absent);
        if (!absent && (bytes < 400'000 || std::getenv("LAPIDARY_SPLIT_ALL")))
            names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SplitModel);
INSTANTIATE_TEST_SUITE_P(Recorded, SplitModel, testing::ValuesIn(small_models()), letters_of);

TEST(SplitRun, InnerValuesOfTheDeviceCanBeReturned) {
    const ModelPtr model = model_of(two_paths);
    RunOptions run;
    run.extra_outputs = {"a", "b"};
    SessionOptions options = one_kernel_per_node(taking({"Relu", "Exp", "Add"}));
    Session split = Session::compile(model, options);
    options.providers.clear();
    Session alone = Session::compile(model, options);
    const NamedValues inputs = inputs_of(*model, 1);
    expect_same(split.run(inputs, run), alone.run(inputs, run));
}

TEST(SplitRun, ShapesThatChangeKeepOneBlock) {
    const ModelPtr model = model_of(two_paths);
    const auto provider = taking({"Relu", "Exp", "Add"});
    Session split = Session::compile(model, one_kernel_per_node(provider));
    SessionOptions options;
    Session alone = Session::compile(model, options);
    for (const std::int64_t n : {5, 700, 3, 5000, 5, 700}) {
        GenerateOptions generate;
        generate.dimensions["n"] = n;
        const NamedValues inputs = generate_inputs(*model, {}, generate);
        for (int repeat = 0; repeat < 2; ++repeat)
            expect_same(split.run(inputs), alone.run(inputs));
    }
    EXPECT_EQ(provider->counts().blocks, 1);
    const PlanInfo plan = split.plan();
    ASSERT_EQ(plan.providers.size(), 1u);
    EXPECT_GE(plan.providers[0].planned_bytes, 3u * 4 * 700 * 4);  // a, x and b at once
    RunOptions shrink;
    shrink.shrink_arena = true;
    split.run(inputs_of(*model, 0), shrink);
    EXPECT_EQ(provider->counts().blocks, 0);
}

/// If the CPU reads only the shape of a device's value, no copy is needed.
TEST(SplitRun, ShapesOfValuesOfTheDeviceNeedNoCopy) {
    const ModelPtr model = model_of(R"((x: f32[4,n]) -> (y, s, c)
        a = Relu(x)
        h = Shape(a)
        s = Size(a)
        c = EyeLike(a)
        e = Exp(a)
        y = Reshape(e, h))");
    const auto provider = taking({"Relu", "Exp", "Reshape"});
    SessionOptions options = one_kernel_per_node(provider);
    for (const ExecutionMode mode : {ExecutionMode::sequential, ExecutionMode::parallel}) {
        options.resources.mode = mode;
        options.providers = {provider};
        Session split = Session::compile(model, options);
        std::vector<std::string> copies;
        for (const PlannedCopy& copy : split.placement().copies)
            copies.push_back(copy.value + " to " + copy.to);
        EXPECT_EQ(copies, (std::vector<std::string>{"x to second", "y to CPU"}));
        options.providers.clear();
        Session alone = Session::compile(model, options);
        for (const std::int64_t n : {5, 700, 5}) {
            GenerateOptions generate;
            generate.dimensions["n"] = n;
            const NamedValues inputs = generate_inputs(*model, {}, generate);
            for (int repeat = 0; repeat < 3; ++repeat) {
                const std::int64_t before = provider->counts().to_host;
                expect_same(split.run(inputs), alone.run(inputs));
                EXPECT_EQ(provider->counts().to_host - before, 1) << "y alone";
            }
        }
        expect_planned_copies(split, *provider, inputs_of(*model, 0));
    }
}

/// The shape is read from a copy on the host if another node needs that copy anyway.
TEST(SplitRun, ShapesAreReadFromACopyThatIsThereAnyway) {
    const ModelPtr model = model_of(R"((x: f32[4,n]) -> (y, h)
        a = Relu(x)
        h = Shape(a)
        y = Exp(a))");
    const auto provider = taking({"Relu"});
    SessionOptions options = one_kernel_per_node(provider);
    Session split = Session::compile(model, options);
    EXPECT_EQ(split.placement().copies.size(), 2u);
    options.providers.clear();
    Session alone = Session::compile(model, options);
    const NamedValues inputs = inputs_of(*model, 2);
    expect_same(split.run(inputs), alone.run(inputs));
}

TEST(SplitRun, TwoDevicesCopyByTheHost) {
    const ModelPtr model = model_of(R"((x: f32[4,n]) -> (y)
        a = Relu(x)
        b = Exp(a)
        y = Neg(b))");
    const auto third = std::make_shared<SecondProvider>(
        rule_of([](const Node& n) { return n.op_type == "Exp"; }), "third");
    SessionOptions options = one_kernel_per_node(taking({"Relu", "Neg"}));
    options.providers.push_back(third);
    Session split = Session::compile(model, options);
    std::vector<std::string> ways;
    for (const PlannedCopy& copy : split.placement().copies)
        ways.push_back(copy.value + " " + copy.from + " " + copy.to);
    EXPECT_EQ(ways, (std::vector<std::string>{"x CPU second", "a second CPU", "a CPU third",
                                              "b third CPU", "b CPU second", "y second CPU"}));
    options.providers.clear();
    Session alone = Session::compile(model, options);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const NamedValues inputs = inputs_of(*model, seed);
        expect_same(split.run(inputs), alone.run(inputs));
    }
}

TEST(SplitRun, RunsOfSeveralCallers) {
    const ModelPtr model = model_of(two_paths);
    Session split = Session::compile(model, one_kernel_per_node(taking({"Relu", "Add"})));
    Session alone = Session::compile(model);
    const NamedValues inputs = inputs_of(*model, 3);
    const RunResult expected = alone.run(inputs);
    std::vector<std::thread> callers;
    for (int c = 0; c < 3; ++c)
        callers.emplace_back([&] {
            for (int i = 0; i < 10; ++i) expect_same(split.run(inputs), expected);
        });
    for (std::thread& t : callers) t.join();
}

TEST(SplitRun, FailingKernelsNameTheirNode) {
    const ModelPtr model = model_of(R"((x: f32[n], s: i64[1]) -> (y)
        a = Relu(x)
        y = Reshape(a, s))");
    Session split = Session::compile(model, one_kernel_per_node(taking({"Relu", "Reshape"})));
    const auto run = [&](std::int64_t size) {
        Tensor x(DType::f32, {4}), s(DType::i64, {1});
        std::ranges::fill(x.mutable_data<float>(), 1.f);
        s.mutable_data<std::int64_t>()[0] = size;
        return split.run({{"x", x}, {"s", s}});
    };
    EXPECT_NO_THROW(run(4));
    try {
        run(3);
        FAIL() << "reshaped";
    } catch (const Error& e) {
        EXPECT_TRUE(std::string(e.what()).find("Reshape") != std::string::npos) << e.what();
    }
    EXPECT_NO_THROW(run(-1));
}

}  // namespace
}  // namespace lapidary::test
