// SPDX-License-Identifier: Apache-2.0
// If, Loop, Scan and SequenceMap, run through sessions because they need subgraphs.
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

NamedValues run(const std::string& text, const NamedValues& inputs,
                const SessionOptions& options = {}) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return Session::compile(model, options).run(inputs).outputs;
}

std::string failure_of(const std::string& text, const NamedValues& inputs,
                       const SessionOptions& options = {}) {
    try {
        run(text, inputs, options);
    } catch (const Error& e) { return e.what(); }
    return "no error";
}

std::vector<float> floats(const RuntimeValue& value) {
    const auto data = value.tensor().data<float>();
    return {data.begin(), data.end()};
}
Tensor f32(Shape shape, std::vector<float> values) {
    return Tensor::of<float>(std::move(shape), values);
}
Tensor i64(std::int64_t value) { return Tensor::scalar(value); }

constexpr const char* doubling = R"((n: i64[], c: bool[], x: f32[2]) -> (last, all)
last, all = Loop(n, c, x) {body: graph { (i: i64[], go: bool[], v: f32[2]) -> (go_on, w, seen)
  go_on = Identity(go)
  w = Add(v, v)
  seen = Identity(v)
}})";

TEST(Loop, CarriesStatesAndCollectsScanOutputs) {
    const auto out =
        run(doubling, {{"n", i64(3)}, {"c", Tensor::scalar(true)}, {"x", f32({2}, {1, 3})}});
    EXPECT_EQ(floats(out[0].second), (std::vector<float>{8, 24}));
    EXPECT_EQ(out[1].second.tensor().shape(), (Shape{3, 2}));
    EXPECT_EQ(floats(out[1].second), (std::vector<float>{1, 3, 2, 6, 4, 12}));
}

TEST(Loop, GivesNumberAndConditionInTheRankThatTheBodyDeclares) {
    const auto out = run(R"((n: i64[], c: bool[], x: i64[2]) -> (last, seen)
last, seen = Loop(n, c, x) {body: graph { (i: i64[1], go: bool[1], v: i64[2]) -> (go_on, w, both)
  go_on = Identity(go)
  pair = Concat(i, one: i64[1]{1}) {axis: 0}
  both = Concat(go, go) {axis: 0}
  w = Add(v, pair)
}})",
                         {{"n", i64(3)},
                          {"c", Tensor::scalar(true)},
                          {"x", Tensor::of<std::int64_t>({2}, {10, 20})}});
    const auto last = out[0].second.tensor().data<std::int64_t>();
    EXPECT_EQ(std::vector(last.begin(), last.end()), (std::vector<std::int64_t>{13, 23}));
    EXPECT_EQ(out[1].second.tensor().shape(), (Shape{3, 2}));
}

TEST(Loop, WithoutIterationsGivesTheInitialStateAndEmptyScans) {
    for (const auto& [trips, condition] : {std::pair{0, true}, {-5, true}, {3, false}}) {
        const auto out =
            run(doubling,
                {{"n", i64(trips)}, {"c", Tensor::scalar(condition)}, {"x", f32({2}, {1, 3})}});
        EXPECT_EQ(floats(out[0].second), (std::vector<float>{1, 3}));
        EXPECT_EQ(out[1].second.tensor().shape(), (Shape{0, 2}));
        EXPECT_EQ(out[1].second.tensor().dtype(), DType::f32);
    }
}

TEST(Loop, RunsUntilTheBodySaysStop) {
    const char* text = R"((limit: f32[]) -> (y, steps)
y, steps = Loop(_, _, start: f32[]{1.0}) {body: graph { (i: i64[], go: bool[], v: f32[]) -> (more, w, i_out)
  w = Add(v, v)
  more = Less(w, limit)
  i_out = Identity(i)
}})";
    const auto out = run(text, {{"limit", f32({}, {20})}});
    EXPECT_EQ(floats(out[0].second), (std::vector<float>{32}));
    EXPECT_EQ(to_int64s(out[1].second.tensor()), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

TEST(Loop, CarriesSequences) {
    const char* text = R"((n: i64[]) -> (joined)
empty = SequenceEmpty()
s = Loop(n, _, empty) {body: graph { (i: i64[], go: bool[], items: seq(f32[?])) -> (more, longer)
  more = Identity(go)
  f = Cast(i) {to: 1}
  shape = Constant() {value: i64[1]{1}}
  item = Reshape(f, shape)
  longer = SequenceInsert(items, item)
}}
joined = ConcatFromSequence(s) {axis: 0})";
    EXPECT_EQ(floats(run(text, {{"n", i64(4)}})[0].second), (std::vector<float>{0, 1, 2, 3}));
}

TEST(Loop, RefusesAtOnceWhatItsShapesShowToOutgrowMemory) {
    SessionOptions small;
    small.limits.tensor_bytes = 1 << 16;
    const char* doubling = R"((n: i64[], x: f32[?,3]) -> (last)
last = Loop(n, _, x) {body: graph { (i: i64[], go: bool[], v: f32[?,3]) -> (more, w)
  more = Identity(go)
  w = Concat(v, v) {axis: 0}
}})";
    const NamedValues x{{"n", i64(40)}, {"x", f32({2, 3}, {1, 2, 3, 4, 5, 6})}};
    const std::string reported = failure_of(doubling, x, small);
    EXPECT_NE(reported.find("\"w\" grows to f32[8192,3] in iteration 12 of 40"), std::string::npos)
        << reported;
    const char* stacked = R"((n: i64[], x: f32[?]) -> (last, all)
last, all = Loop(n, _, x) {body: graph { (i: i64[], go: bool[], v: f32[?]) -> (more, w, w2)
  more = Identity(go)
  w = Neg(v)
  w2 = Identity(w)
}})";
    const std::string count =
        failure_of(stacked, {{"n", i64(9000)}, {"x", f32({2}, {1, 2})}}, small);
    EXPECT_NE(count.find("is f32[2], over 9000 iterations too much"), std::string::npos) << count;
}

TEST(Loop, WhatStaysWithinMemoryRuns) {
    SessionOptions small;
    small.limits.tensor_bytes = 1 << 16;
    const char* longer = R"((n: i64[], x: f32[?]) -> (last)
last = Loop(n, _, x) {body: graph { (i: i64[], go: bool[], v: f32[?]) -> (more, w)
  more = Identity(go)
  one = Cast(i) {to: 1}
  shape = Constant() {value: i64[1]{1}}
  item = Reshape(one, shape)
  w = Concat(v, item) {axis: 0}
}})";
    EXPECT_EQ(
        run(longer, {{"n", i64(200)}, {"x", f32({1}, {7})}}, small)[0].second.tensor().shape(),
        Shape{201});
    // Its condition ends it long before the count does, at an unknown iteration.
    const char* ends = R"((n: i64[], x: f32[?]) -> (last)
last = Loop(n, _, x) {body: graph { (i: i64[], go: bool[], v: f32[?]) -> (more, w)
  four = Constant() {value: i64[]{4}}
  more = Less(i, four)
  w = Concat(v, v) {axis: 0}
}})";
    EXPECT_EQ(run(ends, {{"n", i64(60)}, {"x", f32({1}, {1})}}, small)[0].second.tensor().shape(),
              Shape{32});
}

TEST(Loop, RefusesScanOutputsThatChangeShape) {
    const char* text = R"((n: i64[], x: f32[?]) -> (last, all)
last, all = Loop(n, _, x) {body: graph { (i: i64[], go: bool[], v: f32[?]) -> (more, w, w2)
  more = Identity(go)
  w = Concat(v, v) {axis: 0}
  w2 = Identity(w)
}})";
    EXPECT_NE(failure_of(text, {{"n", i64(2)}, {"x", f32({1}, {1})}}).find("was f32[2] before"),
              std::string::npos);
    // The carried tensor doubles until the budget ends it.
    SessionOptions small;
    small.limits.tensor_bytes = 1 << 16;
    const char* growing = R"((n: i64[], x: f32[?]) -> (last)
last = Loop(n, _, x) {body: graph { (i: i64[], go: bool[], v: f32[?]) -> (more, w)
  more = Identity(go)
  w = Concat(v, v) {axis: 0}
}})";
    EXPECT_NE(
        failure_of(growing, {{"n", i64(INT64_MAX)}, {"x", f32({1}, {1})}}, small).find("Concat"),
        std::string::npos);
}

TEST(Loop, NestsWithCapturedValues) {
    const char* text = R"((n: i64[], x: f32[]) -> (y)
y = Loop(n, _, x) {body: graph { (i: i64[], go: bool[], v: f32[]) -> (more, w)
  more = Identity(go)
  w = Loop(n, _, v) {body: graph { (j: i64[], go2: bool[], u: f32[]) -> (more2, t)
    more2 = Identity(go2)
    t = Add(u, x)
  }}
}})";
    EXPECT_EQ(floats(run(text, {{"n", i64(3)}, {"x", f32({}, {2})}})[0].second),
              (std::vector<float>{2 + 9 * 2}));
}

TEST(If, ReturnsValuesOfTheChosenBranchOnly) {
    const char* text = R"((c: bool[], x: f32[2]) -> (y)
y = If(c) {then_branch: graph { () -> (x_again)
x_again = Identity(x) }, else_branch: graph { () -> (e)
k = Constant() {value: i64[1]{9}}
e = Gather(x, k) }})";
    EXPECT_EQ(floats(run(text, {{"c", Tensor::scalar(true)}, {"x", f32({2}, {5, 6})}})[0].second),
              (std::vector<float>{5, 6}));
    EXPECT_NE(failure_of(text, {{"c", Tensor::scalar(false)}, {"x", f32({2}, {5, 6})}})
                  .find("index 9 is out of range [-2, 1] for axis 0 of f32[2]"),
              std::string::npos);
}

constexpr const char* running_sum =
    R"( {num_scan_inputs: 1, body: graph { (s: f32[], v: f32[]) -> (t, seen)
  t = Add(s, v)
  seen = Identity(t)
})";

TEST(Scan, GoesAlongAnyAxisInBothDirections) {
    const std::string text =
        std::string("(x: f32[3]) -> (total, sums)\ntotal, sums = Scan(zero: f32[]{0.0}, x)") +
        running_sum;
    auto out = run(text + "}", {{"x", f32({3}, {1, 2, 4})}});
    EXPECT_EQ(floats(out[0].second), (std::vector<float>{7}));
    EXPECT_EQ(floats(out[1].second), (std::vector<float>{1, 3, 7}));
    out = run(text + ", scan_input_directions: [1], scan_output_directions: [1]}",
              {{"x", f32({3}, {1, 2, 4})}});
    EXPECT_EQ(floats(out[1].second), (std::vector<float>{7, 6, 4}));
    out = run(text + "}", {{"x", f32({3}, {1, 2, 4})}});
    const char* columns = R"((x: f32[2,3]) -> (y)
y = Scan(x) {num_scan_inputs: 1, scan_input_axes: [-1], scan_output_axes: [1], body: graph { (v: f32[2]) -> (w)
  w = Neg(v)
}})";
    out = run(columns, {{"x", f32({2, 3}, {1, 2, 3, 4, 5, 6})}});
    EXPECT_EQ(out[0].second.tensor().shape(), (Shape{2, 3}));
    EXPECT_EQ(floats(out[0].second), (std::vector<float>{-1, -2, -3, -4, -5, -6}));
}

TEST(Scan, OfVersion8RunsEachBatchEntryToItsLength) {
    const std::string text =
        std::string(
            "(x: f32[2,3], lengths: i64[2]) -> (total, sums)\ntotal, sums = Scan@8(lengths, "
            "zero: f32[2]{0.0, 10.0}, x)") +
        running_sum + "}";
    const auto out = run(text, {{"x", f32({2, 3}, {1, 2, 4, 1, 2, 4})},
                                {"lengths", Tensor::of<std::int64_t>({2}, {3, 1})}});
    EXPECT_EQ(floats(out[0].second), (std::vector<float>{7, 11}));
    EXPECT_EQ(floats(out[1].second), (std::vector<float>{1, 3, 7, 11, 0, 0}));
    EXPECT_NE(failure_of(text, {{"x", f32({2, 3}, {1, 2, 4, 1, 2, 4})},
                                {"lengths", Tensor::of<std::int64_t>({2}, {4, 1})}})
                  .find("sequence length 4"),
              std::string::npos);
}

TEST(Scan, RefusesInputsOfDifferentLength) {
    const char* text = R"((x: f32[?], y: f32[?]) -> (z)
z = Scan(x, y) {num_scan_inputs: 2, body: graph { (a: f32[], b: f32[]) -> (c)
  c = Add(a, b)
}})";
    EXPECT_EQ(floats(run(text, {{"x", f32({2}, {1, 2})}, {"y", f32({2}, {3, 4})}})[0].second),
              (std::vector<float>{4, 6}));
    EXPECT_NE(failure_of(text, {{"x", f32({2}, {1, 2})}, {"y", f32({1}, {3})}})
                  .find("1 steps where the first has 2"),
              std::string::npos);
}

TEST(SequenceMap, AppliesItsBodyToEachItem) {
    const char* text = R"((x: f32[4], k: f32[2]) -> (y)
size = Constant() {value: i64[]{2}}
s = SplitToSequence(x, size)
t = SequenceMap(s, k) {body: graph { (a: f32[2], b: f32[2]) -> (c)
  c = Mul(a, b)
}}
y = ConcatFromSequence(t) {axis: 0})";
    EXPECT_EQ(
        floats(run(text, {{"x", f32({4}, {1, 2, 3, 4})}, {"k", f32({2}, {10, 100})}})[0].second),
        (std::vector<float>{10, 200, 30, 400}));
}

}  // namespace
}  // namespace lapidary
