// SPDX-License-Identifier: Apache-2.0
// Inputs that grow from run to run, as caches of a decoder do: a plan with room serves many of
// them, and gives what runs without a plan give.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <lapidary/exec/session.h>

#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

/// Attention over rows of a cache, with views, values that may be overwritten, and joined and split
/// storage of values that grow and of others.
const char* const decoder = R"((x: f32[1,n,8], past: f32[1,2,p,4]) -> (y, z, present)
    h = Reshape(x, heads: i64[4]{1,-1,2,4})
    k = Transpose(h) {perm: [0,2,1,3]}
    present = Concat(past, k) {axis: 2}
    t = Transpose(present) {perm: [0,1,3,2]}
    s = MatMul(k, t)
    e = Mul(s, half: f32[]{0.5})
    f = Relu(e)
    g = Neg(f)
    flat = Reshape(g, all: i64[1]{-1})
    w = Softmax(g)
    both = Concat(w, f) {axis: 0}
    a, b = Split(both, one: i64[2]{1,1}) {axis: 0}
    c = Sub(b, a)
    m = MatMul(w, present)
    u = Transpose(m) {perm: [0,2,1,3]}
    r = Reshape(u, back: i64[3]{1,-1,8})
    q = Concat(r, x) {axis: 0}
    y = Exp(q)
    d = ReduceSum(c) {keepdims: 0}
    o = ReduceMax(flat) {keepdims: 0}
    z = Add(d, o)
)";

constexpr std::int64_t prompt = 5;

Tensor varied(Shape shape, int seed) {
    Tensor tensor(DType::f32, std::move(shape));
    const std::span<float> values = tensor.mutable_data<float>();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>((static_cast<int>(i) * 7 + seed * 13) % 29) / 14 - 1;
    return tensor;
}

NamedValues inputs_of(std::int64_t fresh, const Tensor& past) {
    return {{"x", varied({1, fresh, 8}, static_cast<int>(past.dim(2)) + 1)}, {"past", past}};
}

class GrowingInputs : public testing::Test {
protected:
    GrowingInputs() : model_(std::make_shared<const Model>(model_of(decoder, 18))) {
        SessionOptions plain;
        plain.enable_mem_pattern = false;
        alone_ = std::make_unique<Session>(Session::compile(model_, plain));
        SessionOptions checked;
        checked.check_writes = true;
        session_ = std::make_unique<Session>(Session::compile(model_, checked));
    }
    /// A prompt and tokens behind it, each compared. Returns how many runs behind the prompt had no
    /// plan.
    int decode(std::int64_t rows) {
        Tensor past(DType::f32, {1, 2, 0, 4});
        int without_plan = 0;
        for (std::int64_t fresh = prompt; past.dim(2) < rows; fresh = 1) {
            const NamedValues inputs = inputs_of(fresh, past);
            const RunResult found = session_->run(inputs);
            const NamedValues expected = alone_->run(inputs).outputs;
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_TRUE(
                    same_contents(found.outputs[i].second.tensor(), expected[i].second.tensor()))
                    << expected[i].first << " behind " << past.dim(2) << " rows";
            // Whether this run's shapes have a plan shows once the next ones are looked for.
            without_plan += fresh == 1 && session_->plan().arena_bytes == 0;
            past = found.outputs[2].second.tensor().clone();
        }
        return without_plan;
    }
    const ModelPtr model_;
    std::unique_ptr<Session> alone_, session_;
};

TEST_F(GrowingInputs, ArePlannedForManyRunsAtOnce) {
    // The first of two runs in a row that grow has none; then 64 more have room.
    EXPECT_LE(decode(200), 4);
    EXPECT_EQ(decode(200), 0)
        << "smaller sizes have room in the newest plan, or plans of their own";
}

TEST_F(GrowingInputs, OtherSizesComeInBetween) {
    Tensor past(DType::f32, {1, 2, 0, 4});
    for (int i = 0; i < 150; ++i) {
        const std::int64_t fresh = i % 7 == 0 ? 3 : i % 11 == 0 ? 2 : 1;
        const NamedValues inputs = inputs_of(fresh, past);
        const NamedValues found = session_->run(inputs).outputs,
                          expected = alone_->run(inputs).outputs;
        for (std::size_t o = 0; o < expected.size(); ++o)
            EXPECT_TRUE(same_contents(found[o].second.tensor(), expected[o].second.tensor()))
                << expected[o].first << ", run " << i;
        past = i % 50 == 49 ? Tensor(DType::f32, {1, 2, 0, 4}) : found[2].second.tensor().clone();
    }
}

TEST_F(GrowingInputs, AFailedRunLeavesThePlanAsItIs) {
    decode(20);
    const Tensor past(DType::f32, {1, 2, 20, 4});
    CancelToken cancel;
    cancel.cancel();
    RunOptions cancelled;
    cancelled.cancel = cancel;
    EXPECT_ANY_THROW(session_->run(inputs_of(1, past), cancelled));
    EXPECT_EQ(decode(40), 0);
}

}  // namespace
}  // namespace lapidary::test
