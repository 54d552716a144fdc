// SPDX-License-Identifier: Apache-2.0
// Runs that are replayed on the device, because all its commands are the same as before, give the
// same results as runs that walk their steps. Runs in between that differ are not replayed.
#include <gtest/gtest.h>

#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/profile/profile.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

ModelPtr model_of_text(const char* graph) {
    Model model = model_of(graph, 17);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

ModelPtr layers() {
    return model_of_text(
        "(x: f32[rows,33]) -> (y)\np = MatMul(x, b: f32[33,21])\nq = Add(p, c: f32[21])\n"
        "r = Relu(q)\ny = Softmax(r)");
}

NamedValues rows_of(const ModelPtr& model, std::uint64_t seed, std::int64_t rows = 6) {
    return generate_inputs(*model, {}, {.seed = seed, .dimensions = {{"rows", rows}}});
}

SessionOptions options_of(bool replays) {
    SessionOptions options = emulated_options({.replays = replays});
    options.check_writes = false;  // which looks at each step
    return options;
}

/// The provider's note after one more run, which walks its steps.
std::string note_of(Session& session, const NamedValues& inputs) {
    RunOptions options;
    options.profile = true;
    return session.run(inputs, options).profile->note;
}

int times_at_once(const std::string& note) {
    const std::size_t end = note.find(" times nodes were asked for all at once");
    if (end == std::string::npos) return 0;
    return std::stoi(note.substr(note.rfind(' ', end - 1) + 1));
}

void expect_equal(const RunResult& actual, const RunResult& expected, const std::string& what) {
    ASSERT_EQ(actual.outputs.size(), expected.outputs.size());
    for (std::size_t i = 0; i < expected.outputs.size(); ++i)
        EXPECT_TRUE(
            same_contents(actual.outputs[i].second.tensor(), expected.outputs[i].second.tensor()))
            << what << ", " << expected.outputs[i].first;
}

struct Pair {
    explicit Pair(const ModelPtr& model)
        : repeating(Session::compile(model, options_of(true))),
          plain(Session::compile(model, options_of(false))) {}
    void expect_equal_runs(const NamedValues& inputs, const std::string& what,
                           const RunOptions& options = {}) {
        expect_equal(repeating.run(inputs, options), plain.run(inputs), what);
    }
    Session repeating, plain;
};

TEST(RepeatedCalls, FromTheThirdRunOnStepsAreReplayed) {
    const ModelPtr model = layers();
    Pair pair(model);
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        pair.expect_equal_runs(rows_of(model, seed), "run " + std::to_string(seed));
    EXPECT_EQ(times_at_once(note_of(pair.repeating, rows_of(model, 1))), 4);
    EXPECT_EQ(times_at_once(note_of(pair.plain, rows_of(model, 1))), 0);
}

TEST(RepeatedCalls, OtherShapesInBetweenMoveTheValues) {
    const ModelPtr model = layers();
    Pair pair(model);
    const std::int64_t rows[] = {3, 3, 3, 40, 3, 3, 40, 40, 3, 200, 3, 40, 200, 200, 3, 3};
    std::uint64_t seed = 0;
    for (std::int64_t n : rows) {
        ++seed;
        pair.expect_equal_runs(rows_of(model, seed, n), "run " + std::to_string(seed));
    }
    EXPECT_GT(times_at_once(note_of(pair.repeating, rows_of(model, 1, 3))), 2);
}

TEST(RepeatedCalls, MemoryThatWasGivenBackInBetween) {
    const ModelPtr model = layers();
    Pair pair(model);
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        RunOptions options;
        options.shrink_arena = seed % 4 == 0;
        pair.expect_equal_runs(rows_of(model, seed), "run " + std::to_string(seed), options);
    }
    EXPECT_GT(times_at_once(note_of(pair.repeating, rows_of(model, 1))), 3);
}

TEST(RepeatedCalls, NumbersThatTheHostReadsAreCompared) {
    const ModelPtr model = model_of_text(
        "(x: f32[40], from: i64[1], to: i64[1]) -> (y)\na = Relu(x)\nb = Slice(a, from, to)\ny = "
        "Neg(b)");
    Pair pair(model);
    const auto inputs = [&](std::uint64_t seed, std::int64_t begin) {
        NamedValues values = generate_inputs(*model, {}, {.seed = seed});
        values[1].second = Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{begin});
        values[2].second = Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{begin + 20});
        return values;
    };
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        const std::int64_t begin = seed < 8    ? 3
                                   : seed < 16 ? 3 + static_cast<std::int64_t>(seed % 2)
                                               : static_cast<std::int64_t>(seed - 10);
        pair.expect_equal_runs(inputs(seed, begin), "run " + std::to_string(seed));
    }
    EXPECT_GE(times_at_once(note_of(pair.repeating, inputs(1, 3))), 5 + 5);
}

TEST(RepeatedCalls, ProfiledRunsAreRunStepByStep) {
    const ModelPtr model = layers();
    Pair pair(model);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) pair.repeating.run(rows_of(model, seed));
    RunOptions options;
    options.profile = true;
    const RunResult watched = pair.repeating.run(rows_of(model, 5), options);
    expect_equal(watched, pair.plain.run(rows_of(model, 5)), "watched");
    EXPECT_EQ(watched.profile->kernels.size(), pair.repeating.plan().steps.size());
    EXPECT_EQ(times_at_once(watched.profile->note), 2);
    for (std::uint64_t seed = 6; seed <= 8; ++seed)
        pair.expect_equal_runs(rows_of(model, seed), "run " + std::to_string(seed));
    EXPECT_EQ(times_at_once(note_of(pair.repeating, rows_of(model, 1))), 5);
}

TEST(RepeatedCalls, ProgressAndCancelling) {
    const ModelPtr model = layers();
    Pair pair(model);
    const int steps = static_cast<int>(pair.repeating.plan().steps.size());
    for (int run = 0; run < 9; ++run) {
        const NamedValues inputs = rows_of(model, static_cast<std::uint64_t>(run));
        std::vector<int> reported;
        RunOptions options;
        options.progress = [&](int done, int total) {
            EXPECT_EQ(total, steps);
            reported.push_back(done);
            if (run % 3 == 2 && done == steps - 1) options.cancel.cancel();
        };
        if (run % 3 == 2) {
            EXPECT_THROW(pair.repeating.run(inputs, options), Error) << "run " << run;
            EXPECT_EQ(reported.back(), steps - 1);
            continue;
        }
        pair.expect_equal_runs(inputs, "run " + std::to_string(run), options);
        ASSERT_EQ(static_cast<int>(reported.size()), steps);
        for (int i = 0; i < steps; ++i) EXPECT_EQ(reported[static_cast<std::size_t>(i)], i + 1);
    }
    EXPECT_GT(times_at_once(note_of(pair.repeating, rows_of(model, 1))), 3);
}

TEST(RepeatedCalls, ManyThreadsAndSessionsOnOneDevice) {
    const ModelPtr model = layers();
    Session plain = Session::compile(model, options_of(false));
    Session first = Session::compile(model, options_of(true)),
            second = Session::compile(model, options_of(true));
    std::vector<NamedValues> inputs;
    std::vector<RunResult> expected;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        inputs.push_back(rows_of(model, seed, seed % 2 == 0 ? 5 : 9));
        expected.push_back(plain.run(inputs.back()));
    }
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::size_t run = 0; run < 24; ++run) {
                const std::size_t of = (run / 3 + t) % inputs.size();
                const RunResult result = (t % 2 == 0 ? first : second).run(inputs[of]);
                expect_equal(result, expected[of],
                             "thread " + std::to_string(t) + ", run " + std::to_string(run));
            }
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(RepeatedCalls, AFaultNamesItsNode) {
    const ModelPtr model = model_of_text(
        "(x: f32[3,4], i: i64[2]) -> (y)\na = Relu(x)\nb = Neg(a)\ny = Gather(b, i) as "
        "\"chooser\"");
    Session session = Session::compile(model, options_of(true));
    const auto inputs = [](std::int64_t second) {
        return NamedValues{
            {"x", Tensor::of<float>({3, 4}, std::vector<float>(12, 1.0f))},
            {"i", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, second})}};
    };
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 4; ++i) EXPECT_NO_THROW(session.run(inputs(2)));
        try {
            session.run(inputs(7));
            FAIL() << "it ran";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what())
                          .find("node chooser: index 7 is out of range of 3 elements"),
                      std::string::npos)
                << error.what();
        }
    }
    EXPECT_GE(times_at_once(note_of(session, inputs(0))), 10);
}

TEST(RepeatedCalls, ShapesThatOnlyTheDeviceKnowsAreAskedForEachTime) {
    const ModelPtr model =
        model_of_text("(x: f32[12]) -> (y)\na = Relu(x)\nb = NonZero(a)\ny = Neg(b)");
    Pair pair(model);
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
        pair.expect_equal_runs(generate_inputs(*model, {}, {.seed = seed}),
                               "run " + std::to_string(seed));
    EXPECT_EQ(times_at_once(note_of(pair.repeating, generate_inputs(*model, {}, {.seed = 1}))), 0);
}

/// State that is handed from run to run, in two places in turn, and at times one that came from
/// elsewhere.
TEST(RepeatedCalls, StateThatStaysOnTheDevice) {
    const ModelPtr model = model_of_text(
        "(x: f32[1,16], state: f32[1,16]) -> (y, next)\na = MatMul(x, w: f32[16,16])\n"
        "b = MatMul(state, u: f32[16,16])\nc = Add(a, b)\nnext = Tanh(c)\ny = Neg(next)");
    Pair pair(model);
    RunOptions options;
    options.resident_outputs = {"next"};
    const NamedValues given = generate_inputs(*model, {}, {.seed = 3});
    RuntimeValue state = given[1].second;
    std::vector<DeviceValue> held;
    options.device_inputs = {{"state", pair.repeating.to_device("state", state.tensor())}};
    RunResult result;
    for (int i = 0; i < 24; ++i) {
        const NamedValues x{
            {"x", generate_inputs(*model, {}, {.seed = static_cast<std::uint64_t>(i)})[0].second}};
        pair.repeating.run(x, options, result);
        const RunResult expected = pair.plain.run({x[0], {"state", state}});
        ASSERT_TRUE(
            same_contents(result.outputs[0].second.tensor(), expected.outputs[0].second.tensor()))
            << i;
        ASSERT_TRUE(
            same_contents(result.residents[0].value.to_host(), expected.outputs[1].second.tensor()))
            << i;
        state = expected.outputs[1].second;
        options.device_inputs = {{"state", result.residents[0].value}};
        // its place is not free for later runs
        if (i % 10 == 9) held.push_back(result.residents[0].value);
        result.residents.clear();
    }
    RunOptions watched = options;
    watched.profile = true;
    EXPECT_GE(times_at_once(pair.repeating.run({given[0]}, watched).profile->note), 8);
}

}  // namespace
}  // namespace lapidary::test
