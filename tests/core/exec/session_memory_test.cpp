// SPDX-License-Identifier: Apache-2.0
// Prepared frames and shared storage: results stay those of separate storage, memory shrinks.
#include <gtest/gtest.h>

#include <numeric>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

Tensor ramp(Shape shape, float from = 0) {
    Tensor t(DType::f32, std::move(shape));
    std::iota(t.mutable_data<float>().begin(), t.mutable_data<float>().end(), from);
    return t;
}

std::vector<float> numbers(const NamedValues& outputs) {
    std::vector<float> all;
    for (const auto& [name, value] : outputs) {
        const std::vector<double> d = to_doubles(value.tensor());
        for (std::int64_t n : value.tensor().shape()) all.push_back(static_cast<float>(n));
        all.insert(all.end(), d.begin(), d.end());
    }
    return all;
}

void expect_same_as_heap(const std::string& text, const std::vector<NamedValues>& inputs) {
    Session planned = Session::compile(model_of(text));
    SessionOptions options;
    options.enable_mem_pattern = false;
    options.reference_kernels = true;
    Session heap = Session::compile(model_of(text), options);
    RunResult reused;
    for (int repetition = 0; repetition < 3; ++repetition)
        for (const NamedValues& i : inputs) {
            const std::vector<float> expected = numbers(heap.run(i).outputs);
            EXPECT_EQ(numbers(planned.run(i).outputs), expected);
            planned.run(i, {}, reused);
            EXPECT_EQ(numbers(reused.outputs), expected);
        }
    EXPECT_EQ(heap.plan().arena_bytes, 0u);
}

TEST(SessionMemory, ViewsTakeNoMemory) {
    const std::string text = R"((x: f32[n,16]) -> (y)
a = Relu(x)
b = Reshape(a, s: i64[2]{-1,4})
c = Identity(b)
d = Unsqueeze(c, k: i64[1]{0})
e = Squeeze(d, k)
f = Flatten(e)
y = ReduceSum(f))";
    expect_same_as_heap(text, {{{"x", ramp({4, 16})}}, {{"x", ramp({8, 16})}}});
    Session s = Session::compile(model_of(text));
    s.run({{"x", ramp({1024, 16})}});
    s.run({{"x", ramp({1024, 16})}});
    EXPECT_EQ(s.plan().arena_bytes, 1024u * 16 * 4);
    ASSERT_EQ(s.plan().blocks.size(), 6u);
    EXPECT_FALSE(s.plan().blocks[0].shares);
    EXPECT_TRUE(s.plan().blocks[1].shares);
}

TEST(SessionMemory, ConcatAndSplitCopyNothing) {
    const std::string text = R"((x: f32[1,64]) -> (y, z)
a = Relu(x)
b = Neg(x)
c = Concat(a, b, x) {axis: 1}
d, e, f = Split(c, s: i64[3]{64,64,64}) {axis: 1}
g = Add(d, e)
y = Mul(g, f)
z = Concat(g, a) {axis: -1})";
    expect_same_as_heap(text, {{{"x", ramp({1, 64}, -20)}}});
    Session s = Session::compile(model_of(text));
    for (int i = 0; i < 2; ++i) s.run({{"x", ramp({1, 64})}});
    EXPECT_LE(s.plan().arena_bytes, 3u * 256);
}

TEST(SessionMemory, InnerAxesAreCopied) {
    expect_same_as_heap(
        "(x: f32[n,m]) -> (y)\na = Relu(x)\nb = Neg(x)\nc = Concat(a, b) {axis: 1}\nd, e = "
        "Split(c) {axis: 1}\ny = "
        "Sub(e, d)",
        {{{"x", ramp({1, 32})}}, {{"x", ramp({2, 32})}}, {{"x", ramp({3, 5})}}});
}

TEST(SessionMemory, ViewsOfInputsConstantsAndOutputs) {
    expect_same_as_heap(R"((x: f32[4]) -> (a, b, c, d, x)
a = Reshape(x, s: i64[2]{2,2})
b = Identity(w: f32[2]{1,2})
e = Neg(x)
c = Identity(e)
d = Reshape(c, s)
)",
                        {{{"x", ramp({4})}}});
}

TEST(SessionMemory, ShapesThatDependOnData) {
    // NonZero's count differs with equal input shapes: its followers leave the plan for that run.
    expect_same_as_heap(R"((x: f32[6]) -> (y, n)
a = Relu(x)
i = NonZero(a)
r = Reshape(i, s: i64[1]{-1})
v = Gather(a, r)
p = Concat(v, a) {axis: 0}
q = Reshape(p, t: i64[2]{1,-1})
y = Neg(q)
n = Shape(v))",
                        {{{"x", ramp({6})}},
                         {{"x", ramp({6}, -3)}},
                         {{"x", ramp({6}, -9)}},
                         {{"x", ramp({6}, 4)}}});
}

TEST(SessionMemory, LoopsReuseTheirFrames) {
    const std::string text = R"((x: f32[16], n: i64[]) -> (y, all)
a = Neg(x)
y, all = Loop(n, go: bool[]{1}, x) {body: graph { (i: i64[], c: bool[], v: f32[16]) -> (d, w, o)
d = Identity(c)
p = Add(v, a)
q = Reshape(p, s: i64[2]{4,4})
r = Relu(q)
f = Reshape(r, t: i64[1]{16})
w = Add(f, v)
o = Sub(w, p) }})";
    std::vector<NamedValues> inputs;
    for (std::int64_t n : {3, 0, 1, 5})
        inputs.push_back({{"x", ramp({16}, static_cast<float>(n))}, {"n", Tensor::scalar(n)}});
    expect_same_as_heap(text, inputs);
}

TEST(SessionMemory, BranchesNotTakenAtFirstArePlannedLater) {
    expect_same_as_heap(
        R"((c: bool[], x: f32[8]) -> (y)
a = Neg(x)
y = If(c) {then_branch: graph { () -> (t) p = Abs(a)
q = Relu(p)
t = Add(q, p) }, else_branch: graph { () -> (e) u = Sign(a)
e = Identity(u) }})",
        {{{"c", Tensor::scalar(true)}, {"x", ramp({8})}},
         {{"c", Tensor::scalar(false)}, {"x", ramp({8})}}});
}

TEST(SessionMemory, OutputsThatAreKeptStay) {
    Session s = Session::compile(model_of("(x: f32[64]) -> (y)\na = Neg(x)\ny = Abs(a)"));
    std::vector<RunResult> kept;
    for (int i = 0; i < 6; ++i) kept.push_back(s.run({{"x", ramp({64}, static_cast<float>(i))}}));
    for (int i = 0; i < 6; ++i)
        EXPECT_EQ(kept[static_cast<std::size_t>(i)].outputs[0].second.tensor().data<float>()[0],
                  static_cast<float>(i));
}

TEST(SessionMemory, ManyShapesComeAndGo) {
    Session s =
        Session::compile(model_of("(x: f32[n]) -> (y)\na = Neg(x)\nb = Exp(a)\ny = Abs(a)"));
    for (int round = 0; round < 2; ++round)
        for (std::int64_t n = 1; n < 40; ++n)
            EXPECT_EQ(s.run({{"x", ramp({n})}}).outputs[0].second.tensor().data<float>().back(),
                      static_cast<float>(n - 1));
}

TEST(SessionMemory, AFailedRunLeavesTheSessionUsable) {
    Session s = Session::compile(
        model_of("(x: f32[4], i: i64[1]) -> (y)\na = Neg(x)\nb = Gather(a, i)\ny = Abs(b)"));
    const auto run = [&](std::int64_t at) {
        return s.run({{"x", ramp({4})}, {"i", Tensor::of<std::int64_t>({1}, {at})}})
            .outputs[0]
            .second.tensor()
            .data<float>()[0];
    };
    EXPECT_THROW(run(9), Error);
    EXPECT_EQ(run(2), 2.f);
    EXPECT_THROW(run(-9), Error);
    EXPECT_EQ(run(3), 3.f);
}

}  // namespace
}  // namespace lapidary
