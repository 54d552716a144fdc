// SPDX-License-Identifier: Apache-2.0
// Runs that repeat are captured and replayed as a whole: bit for bit what plain launches give, for
// each set of shapes, also where addresses, sizes or numbers read on the host change in between.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/profile/profile.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

ModelPtr model_of_text(const char* graph, std::int64_t opset = 17) {
    Model model = model_of(graph, opset);
    infer_types(model);
    return std::make_shared<const Model>(std::move(model));
}

/// How runs of the session were carried out, after one more of them.
std::string note_of(Session& session, const NamedValues& inputs) {
    RunOptions options;
    options.profile = true;
    return session.run(inputs, options).profile->note;
}

constexpr Tolerance bit_for_bit{0, 0, false};

/// Both sessions give the same for each of the inputs, in turn.
void expect_equal_runs(Session& replaying, Session& plain, const std::vector<NamedValues>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const NamedValues expected = plain.run(inputs[i]).outputs;
        for (const OutputComparison& o :
             compare_outputs(replaying.run(inputs[i]).outputs, expected, bit_for_bit))
            EXPECT_TRUE(o.comparison.matches)
                << "run " << i << ", " << o.name << ": " << o.comparison.reason;
    }
}

struct Case {
    const char* name;
    const char* graph;
    std::int64_t opset = 17;
    std::map<std::string, std::int64_t> sizes = {};
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case cases[] = {
    {"Products",
     "(a: f32[9,65]) -> (y)\np = MatMul(a, b: f32[65,70])\nq = Add(p, c: f32[70])\nr = Relu(q)\ny "
     "= Softmax(r)"},
    // the second input comes beside the first node, whose memory it may not take
    {"TwoInputs",
     "(a: f32[20,33], b: f32[20,33]) -> (z)\nr = Relu(a)\ns = Add(r, b)\nz = Mul(s, a)"},
    // the second input is read last: it comes before the kernels, not into memory that they are
    // done with
    {"LateInput",
     "(a: f32[20,33], b: f32[20,33]) -> (z)\nr = Softmax(a)\ns = Softmax(r)\nt = Softmax(s)\nc = "
     "Neg(b)\n"
     "z = Add(t, c)"},
    {"Convolutions",
     "(x: f32[1,6,11,13]) -> (y)\na = Conv(x, w: f32[8,6,3,3], b: f32[8]) {pads: [1,1,1,1]}\n"
     "c = Relu(a)\nd = MaxPool(c) {kernel_shape: [2,2], strides: [2,2]}\ny = GlobalAveragePool(d)"},
    {"Lstm",
     "(x: f32[5,2,10]) -> (y, h, c)\nr = Relu(x)\ny, h, c = LSTM(r, w: f32[1,28,10], r: "
     "f32[1,28,7]) {hidden_size: 7}"},
};

class Replay : public testing::TestWithParam<Case> {};

TEST_P(Replay, GivesWhatPlainLaunchesGive) {
    const ModelPtr model = model_of_text(GetParam().graph, GetParam().opset);
    for (int order : {0, 1, 2}) {
        Session replaying = Session::compile(model, emulated_options({.order = order}));
        Session plain =
            Session::compile(model, emulated_options({.order = order, .replays = false}));
        std::vector<NamedValues> inputs;
        for (std::uint64_t seed = 1; seed <= 6; ++seed)
            inputs.push_back(generate_inputs(*model, {}, {.seed = seed}));
        expect_equal_runs(replaying, plain, inputs);
        const std::string note = note_of(replaying, inputs[0]);
        EXPECT_NE(note.find(name_of_provider() + ": 1 graph, the largest of "), std::string::npos)
            << note;
        EXPECT_NE(note_of(plain, inputs[0]).find("0 graphs"), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Replay, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

TEST(ReplayOfShapes, EachSetOfShapesHasItsGraph) {
    const ModelPtr model = model_of_text(
        "(a: f32[rows,33]) -> (y)\np = MatMul(a, b: f32[33,21])\nq = Add(p, c: f32[21])\ny = "
        "Softmax(q)");
    Session replaying = Session::compile(model, emulated_options({}));
    Session plain = Session::compile(model, emulated_options({.replays = false}));
    std::vector<NamedValues> inputs;
    for (std::uint64_t seed = 1; seed <= 12; ++seed)
        inputs.push_back(generate_inputs(
            *model, {},
            {.seed = seed, .dimensions = {{"rows", seed % 3 == 0 ? 5 : 18 + seed % 2}}}));
    expect_equal_runs(replaying, plain, inputs);
    for (const NamedValues& of_shape : {inputs[0], inputs[1], inputs[2]})
        EXPECT_NE(note_of(replaying, of_shape).find("1 graph, "), std::string::npos);
}

TEST(ReplayOfShapes, NumbersThatTheHostReadsMustBeEqualForAReplay) {
    const ModelPtr model = model_of_text(
        "(x: f32[40], from: i64[1], to: i64[1]) -> (y)\na = Relu(x)\nb = Slice(a, from, to)\ny = "
        "Neg(b)");
    Session replaying = Session::compile(model, emulated_options({}));
    Session plain = Session::compile(model, emulated_options({.replays = false}));
    std::vector<NamedValues> inputs;
    for (std::uint64_t seed = 1; seed <= 9; ++seed) {
        NamedValues values = generate_inputs(*model, {}, {.seed = seed});
        const std::int64_t begin = seed < 5 ? 3 : static_cast<std::int64_t>(seed);
        values[1].second = Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{begin});
        values[2].second = Tensor::of<std::int64_t>({1}, std::vector<std::int64_t>{begin + 20});
        inputs.push_back(std::move(values));
    }
    expect_equal_runs(replaying, plain, inputs);
}

TEST(ReplayReasons, AreReportedWhereNothingIsReplayed) {
    const ModelPtr waits =
        model_of_text("(x: f32[40]) -> (y)\na = Relu(x)\nb = NonZero(a)\ny = Neg(b)");
    Session session = Session::compile(waits, emulated_options({}));
    const NamedValues inputs = generate_inputs(*waits, {}, {.seed = 3});
    for (int i = 0; i < 4; ++i) session.run(inputs);
    EXPECT_NE(note_of(session, inputs).find("0 graphs"), std::string::npos);

    Session plain = Session::compile(waits, emulated_options({.replays = false}));
    EXPECT_NE(note_of(plain, inputs).find("option graphs is off"), std::string::npos);
    EXPECT_THROW(emulated_provider({{"graphs", "often"}}), Error);
}

TEST(ReplayReasons, AFaultOfAReplayedRunNamesItsNode) {
    const ModelPtr model = model_of_text(
        "(x: f32[3,4], i: i64[2]) -> (y)\na = Relu(x)\ny = Gather(a, i) as \"chooser\"");
    Session session = Session::compile(model, emulated_options({}));
    const auto inputs = [](std::int64_t second) {
        return NamedValues{
            {"x", Tensor::of<float>({3, 4}, std::vector<float>(12, 1.0f))},
            {"i", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{1, second})}};
    };
    for (int i = 0; i < 5; ++i) EXPECT_NO_THROW(session.run(inputs(2)));
    try {
        session.run(inputs(7));
        FAIL() << "it ran";
    } catch (const Error& error) {
        EXPECT_NE(
            std::string(error.what()).find("node chooser: index 7 is out of range of 3 elements"),
            std::string::npos)
            << error.what();
    }
    EXPECT_NO_THROW(session.run(inputs(0)));
}

}  // namespace
}  // namespace lapidary::test
