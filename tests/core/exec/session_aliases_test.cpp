// SPDX-License-Identifier: Apache-2.0
// Values that control flow, sequences and optionals pass on are never overwritten, in any run.
#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/bench/repeated_run.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

Session session_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    SessionOptions options;
    options.check_writes = true;
    return Session::compile(std::move(model), options);
}

Tensor row(float first) {
    return Tensor::of<float>({1, 4}, {first, first + 1, first + 2, first + 3});
}

/// y = x + 10 handed on + x, m = (x + 10) * x.
void expect_handed_on(const std::string& text, const NamedValues& others) {
    Session session = session_of(text);
    for (int run = 0; run < 4; ++run) {
        const auto first = static_cast<float>(1 + run);
        NamedValues inputs = others;
        inputs.emplace_back("x", row(first));
        const NamedValues outputs = session.run(inputs).outputs;
        for (std::size_t i = 0; i < 4; ++i) {
            const float x = first + static_cast<float>(i);
            EXPECT_EQ(find(outputs, "m")->tensor().data<float>()[i], (x + 10) * x) << "run " << run;
            EXPECT_EQ(find(outputs, "y")->tensor().data<float>()[i], 2 * x + 10) << "run " << run;
        }
    }
}

TEST(SessionAliases, IfHandsOn) {
    for (const char* branch :
         {"e = Identity(a)", "e0 = Identity(a)  e = Reshape(e0, s: i64[2]{-1,4})"})
        expect_handed_on(std::string(R"((x: f32[n,4], cond: bool[]) -> (m, y)
a = Add(x, c: f32[]{10})
b = If(cond) {then_branch: graph { () -> (t)  t = Neg(a) }, else_branch: graph { () -> (e)  )") +
                             branch + R"( }}
m = Mul(a, x)
y = Add(b, x)
)",
                         {{"cond", Tensor::scalar(false)}});
}

TEST(SessionAliases, LoopHandsOn) {
    expect_handed_on(R"((x: f32[n,4], trips: i64[]) -> (m, y)
a = Add(x, c: f32[]{10})
b = Loop(trips, _, a) {body: graph { (it: i64[], ci: bool[], si: f32[n,4]) -> (co, so)  co = Identity(ci)  so = )"
                     R"(Identity(si) }}
m = Mul(a, x)
y = Add(b, x)
)",
                     {{"trips", Tensor::scalar<std::int64_t>(2)}});
    expect_handed_on(R"((x: f32[n,4], trips: i64[]) -> (m, y)
a = Add(x, c: f32[]{10})
b = Loop(trips, _, a) {body: graph { (it: i64[], ci: bool[], si: f32[n,4]) -> (co, si)  co = Identity(ci) }}
m = Mul(a, x)
y = Add(b, x)
)",
                     {{"trips", Tensor::scalar<std::int64_t>(0)}});
}

TEST(SessionAliases, ScanHandsOn) {
    expect_handed_on(R"((x: f32[n,4]) -> (m, y)
a = Add(x, c: f32[]{10})
b, k = Scan(a, x) {num_scan_inputs: 1, body: graph { (si: f32[n,4], r: f32[4]) -> (so, rs)  so = Identity(si)  rs )"
                     R"(= Neg(r) }}
m = Mul(a, x)
y = Add(b, x)
)",
                     {});
}

TEST(SessionAliases, SequencesAndOptionalsHandOn) {
    expect_handed_on(R"((x: f32[n,4]) -> (m, y)
a = Add(x, c: f32[]{10})
s = SequenceConstruct(a)
m = Mul(a, x)
b = SequenceAt(s, i: i64[]{0})
y = Add(b, x)
)",
                     {});
    expect_handed_on(R"((x: f32[n,4]) -> (m, y)
a = Add(x, c: f32[]{10})
e = SequenceEmpty()
s = SequenceInsert(e, a)
m = Mul(a, x)
b = SequenceAt(s, i: i64[]{-1})
y = Add(b, x)
)",
                     {});
    expect_handed_on(R"((x: f32[n,4]) -> (m, y)
a = Add(x, c: f32[]{10})
s = Optional(a)
m = Mul(a, x)
b = OptionalGetElement(s)
y = Add(b, x)
)",
                     {});
}

// The caller holds outputs of three runs: each has storage of its own.
TEST(SessionAliases, OutputsThatTheCallerKeepsStay) {
    Session session = session_of(R"((x: f32[n,4]) -> (y, z)
a = Add(x, c: f32[]{10})
y = Reshape(a, s: i64[1]{-1})
z = Identity(a)
)");
    std::vector<NamedValues> kept;
    for (int run = 0; run < 5; ++run)
        kept.push_back(session.run({{"x", row(static_cast<float>(run))}}).outputs);
    for (int run = 0; run < 5; ++run)
        for (const auto& [name, value] : kept[static_cast<std::size_t>(run)])
            EXPECT_EQ(value.tensor().data<float>()[3], static_cast<float>(run + 13))
                << name << " of run " << run;
}

// An output that comes back as the next input is read while another one is written.
TEST(SessionAliases, AnOutputMayBeTheNextInput) {
    Session session = session_of("(x: f32[n,4]) -> (y)\ny = Add(x, c: f32[]{1})\n");
    NamedValues state{{"x", row(0)}};
    for (int run = 1; run < 6; ++run) {
        state = {{"x", session.run(state).outputs[0].second}};
        EXPECT_EQ(state[0].second.tensor().data<float>()[0], static_cast<float>(run));
    }
}

TEST(RepeatedRun, RunsOnChangedInputsInBetween) {
    const NamedValues inputs{{"x", row(1)},
                             {"ids", Tensor::of<std::int64_t>({1, 3}, {4, 5, 6})},
                             {"sizes", Tensor::of<std::int64_t>({2}, {7, 8})}};
    const NamedValues changed = changed_inputs(inputs);
    EXPECT_TRUE(same_contents(changed[0].second.tensor(), Tensor::of<float>({1, 4}, {4, 3, 2, 1})));
    EXPECT_TRUE(
        same_contents(changed[1].second.tensor(), Tensor::of<std::int64_t>({1, 3}, {6, 5, 4})));
    EXPECT_TRUE(same_contents(changed[2].second.tensor(), inputs[2].second.tensor()));

    Session session = session_of("(x: f32[1,4]) -> (y)\ny = Neg(x)\n");
    const RepeatedRun runs = run_repeatedly(session, {inputs[0]}, {{{changed[0]}}});
    EXPECT_EQ(runs.first[0].second.tensor().data<float>()[0], -1.0f);
    EXPECT_EQ((*runs.between.at(0))[0].second.tensor().data<float>()[0], -4.0f);
    EXPECT_EQ(runs.last[0].second.tensor().data<float>()[0], -1.0f);
}

}  // namespace
}  // namespace lapidary
