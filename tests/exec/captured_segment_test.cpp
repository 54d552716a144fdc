// SPDX-License-Identifier: Apache-2.0
// Segments of steps that a device replays give the same results as steps that are run one by one,
// and are replayed only if all their inputs are unchanged. The provider keeps no memory alive and
// compares the requests of its kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "second_provider.h"

namespace lapidary::test {
namespace {

std::shared_ptr<SecondProvider> repeating(std::function<bool(const Node&)> takes) {
    auto provider = std::make_shared<SecondProvider>(rule_of(std::move(takes)));
    provider->offer_repeats();
    return provider;
}

SessionOptions options_with(const std::shared_ptr<SecondProvider>& provider) {
    SessionOptions options;
    options.check_writes = false;  // the check needs every step
    options.session_passes.set = SessionPasses::Set::none;
    // the same as for replayed kernels, whose working memory depends on it
    options.resources.threads = 1;
    if (provider) options.providers = {provider};
    return options;
}

NamedValues inputs_of(const Model& model, std::uint64_t seed, DimensionSizes sizes = {}) {
    return generate_inputs(model, {}, {.seed = seed, .dimensions = std::move(sizes)});
}

void expect_same(const RunResult& split, const RunResult& alone, const std::string& run) {
    ASSERT_EQ(split.outputs.size(), alone.outputs.size());
    for (std::size_t i = 0; i < alone.outputs.size(); ++i)
        EXPECT_TRUE(
            same_contents(split.outputs[i].second.tensor(), alone.outputs[i].second.tensor()))
            << alone.outputs[i].first << ", run " << run;
}

class RepeatedSample : public testing::TestWithParam<const char*> {};

/// The CPU runs nodes in between, whose results go to the device and back.
TEST_P(RepeatedSample, GivesWhatTheCpuGivesAlone) {
    const auto model = std::make_shared<const Model>(build_sample(GetParam()));
    Session alone = Session::compile(model, options_with(nullptr));
    for (const std::uint64_t divisor : {1, 3, 7}) {
        const auto takes = [&](const Node& n) { return divisor == 1 || n.id.index % divisor != 0; };
        const auto provider = repeating(takes);
        {
            Session split = Session::compile(model, options_with(provider));
            for (std::uint64_t seed = 0; seed < 4; ++seed)
                expect_same(split.run(inputs_of(*model, seed)), alone.run(inputs_of(*model, seed)),
                            std::to_string(seed) + " without every " + std::to_string(divisor));
        }
        EXPECT_GE(provider->counts().repeats, 2);
        EXPECT_EQ(provider->counts().blocks, 0);  // recorded runs keep no memory alive
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, RepeatedSample,
                         testing::Values("lenet", "shufflenet", "bert-tiny", "lstm"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

ModelPtr model_of(const char* text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    infer_types(*model);
    return model;
}

constexpr const char* layers =
    "(x: f32[rows,8]) -> (y)\na = Relu(x)\nb = Exp(a)\nc = Sigmoid(b)\nd = Neg(c)\ny = Tanh(d)";

std::function<bool(const Node&)> all = [](const Node&) { return true; };

TEST(CapturedSegment, IsRepeatedFromTheThirdRunOn) {
    const ModelPtr model = model_of(layers);
    const auto provider = repeating(all);
    Session split = Session::compile(model, options_with(provider));
    for (int run = 1; run <= 5; ++run) {
        split.run(inputs_of(*model, 1, {{"rows", 4}}));
        EXPECT_EQ(provider->counts().repeats, std::max(run - 2, 0));
        EXPECT_EQ(provider->counts().kernels, 5 * run);
    }
}

TEST(CapturedSegment, ProfiledRunsAreRunStepByStep) {
    const ModelPtr model = model_of(layers);
    const auto provider = repeating(all);
    Session split = Session::compile(model, options_with(provider));
    RunOptions watched;
    watched.profile = true;
    for (int run = 0; run < 4; ++run) split.run(inputs_of(*model, 1, {{"rows", 4}}), watched);
    EXPECT_EQ(provider->counts().repeats, 0);
    RunOptions keeping;
    keeping.extra_outputs = {"c"};
    for (int run = 0; run < 4; ++run) split.run(inputs_of(*model, 1, {{"rows", 4}}), keeping);
    EXPECT_EQ(provider->counts().repeats, 0);
    SessionOptions options = options_with(provider);
    options.check_writes = true;
    Session checking = Session::compile(model, options);
    for (int run = 0; run < 4; ++run) checking.run(inputs_of(*model, 1, {{"rows", 4}}));
    options.check_writes = false;
    options.resources.mode = ExecutionMode::parallel;
    Session branching = Session::compile(model, options);
    for (int run = 0; run < 4; ++run) branching.run(inputs_of(*model, 1, {{"rows", 4}}));
    EXPECT_EQ(provider->counts().repeats, 0);
}

/// One copy in the middle of the plan separates two segments; the second reads host values that
/// change.
TEST(CapturedSegment, OfSeveralEachIsComparedByItself) {
    const ModelPtr model = model_of(
        "(x: f32[24], to: i64[2]) -> (y, m)\na = Relu(x)\nb = Exp(a)\nm = Abs(b)\n"
        "c = Neg(m)\nd = Reshape(c, to)\ny = Tanh(d)");
    const auto provider = repeating([](const Node& n) { return n.op_type != "Abs"; });
    Session split = Session::compile(model, options_with(provider));
    Session alone = Session::compile(model, options_with(nullptr));
    const std::int64_t rows[] = {4, 4, 4, 6, 6, 4, 6, 4, 3, 2, 1, 8, 12, 4};
    std::uint64_t seed = 0;
    for (const std::int64_t n : rows) {
        NamedValues inputs = inputs_of(*model, ++seed);
        inputs[1].second = Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{n, 24 / n});
        expect_same(split.run(inputs), alone.run(inputs), std::to_string(seed));
    }
    // the first segment in all runs but two, the second where the shape is one of the newest four
    EXPECT_GT(provider->counts().repeats, 12);
    EXPECT_LT(provider->counts().repeats, 24);
}

TEST(CapturedSegment, MovesWithTheMemoryOfItsFrame) {
    const ModelPtr model = model_of(layers);
    const auto provider = repeating(all);
    Session split = Session::compile(model, options_with(provider));
    Session alone = Session::compile(model, options_with(nullptr));
    const std::int64_t rows[] = {4, 4, 4, 900, 4, 900, 900, 4, 4, 5000, 5000, 5000, 900, 4};
    std::uint64_t seed = 0;
    for (const std::int64_t n : rows) {
        const NamedValues inputs = inputs_of(*model, ++seed, {{"rows", n}});
        RunOptions options;
        options.shrink_arena = seed % 5 == 0;
        expect_same(split.run(inputs, options), alone.run(inputs), std::to_string(seed));
    }
    EXPECT_GT(provider->counts().repeats, 3);
}

/// An output that stays on the device gets other memory while the previous one is in use.
TEST(CapturedSegment, IsRunStepByStepWhereResidentValuesMoved) {
    const ModelPtr model = model_of(layers);
    const auto provider = repeating(all);
    {
        Session split = Session::compile(model, options_with(provider));
        Session alone = Session::compile(model, options_with(nullptr));
        RunOptions options;
        options.resident_outputs = {"y"};
        std::vector<std::pair<DeviceValue, Tensor>> held;
        for (std::uint64_t seed = 0; seed < 16; ++seed) {
            const NamedValues inputs = inputs_of(*model, seed, {{"rows", 4}});
            RunResult result = split.run(inputs, options);
            held.emplace_back(result.residents[0].value,
                              alone.run(inputs).outputs[0].second.tensor());
            for (const auto& [value, expected] : held)
                EXPECT_TRUE(same_contents(value.to_host(), expected)) << seed;
            if (seed % 8 >= 4) held.clear();
        }
        EXPECT_GT(provider->counts().repeats, 4);
        EXPECT_LT(provider->counts().repeats, 14);
    }
    EXPECT_EQ(provider->counts().blocks, 0);
}

TEST(CapturedSegment, ARunThatWasCancelledLeavesNothing) {
    const ModelPtr model = model_of(layers);
    const auto provider = repeating(all);
    Session split = Session::compile(model, options_with(provider));
    Session alone = Session::compile(model, options_with(nullptr));
    const int total = static_cast<int>(split.plan().steps.size());
    for (int run = 0; run < 3 * total; ++run) {
        const NamedValues inputs =
            inputs_of(*model, static_cast<std::uint64_t>(run), {{"rows", 4}});
        RunOptions cancelled;
        int reported = 0;
        cancelled.progress = [&](int done, int) {
            EXPECT_EQ(done, ++reported);
            if (done == 1 + run % total) cancelled.cancel.cancel();
        };
        if (run % 3 == 1 && run % total != total - 1)
            EXPECT_THROW(split.run(inputs, cancelled), Error);
        else expect_same(split.run(inputs), alone.run(inputs), std::to_string(run));
    }
    EXPECT_GT(provider->counts().repeats, total);
}

}  // namespace
}  // namespace lapidary::test
