// SPDX-License-Identifier: Apache-2.0
// Queries all of whose keys are masked by the lowest float32, as in padding. Scores vanish beside
// that number, so each key counts the same, and nothing becomes NaN, in every precision and by
// every kernel of attention.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <lapidary/proof/compare.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

struct Case {
    const char* name;
    const char* graph;  // its input m masks keys of the first batch
    std::int64_t opset = 17;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr Case cases[] = {
    {"AddedToScores",
     "(q: f32[2,3,9,16], k: f32[2,3,16,40], v: f32[2,3,40,24], m: i64[2,40]) -> (y)\nf = Cast(m) "
     "{to: 1}\n"
     "n = Sub(one: f32[]{1.0}, f)\nb = Mul(n, c: f32[]{-3.4028234e38})\nu = Unsqueeze(b, a: "
     "i64[2]{1,2})\n"
     "s = MatMul(q, k)\nd = Add(s, u)\np = Softmax(d)\ny = MatMul(p, v)"},
    {"ChosenInPlaceOfScores",
     "(q: f32[2,3,9,16], k: f32[2,3,16,40], v: f32[2,3,40,24], m: i64[2,40]) -> (y)\nf = Cast(m) "
     "{to: 9}\n"
     "u = Unsqueeze(f, a: i64[2]{1,2})\ns = MatMul(q, k)\nd = Where(u, s, c: "
     "f32[]{-3.4028234e38})\np = Softmax(d)\n"
     "y = MatMul(p, v)"},
    {"ComputedWithATriangle",
     "(q: f32[2,2,24,16], k: f32[2,2,16,24], v: f32[2,2,24,16], m: i64[2,24]) -> (y)\nf = Cast(m) "
     "{to: 1}\n"
     "n = Sub(one: f32[]{1.0}, f)\nb = Mul(n, c: f32[]{-3.4028234e38})\nu = Unsqueeze(b, a: "
     "i64[2]{1,2})\n"
     "o = Expand(one, r: i64[2]{24,24})\ne = Trilu(o) {upper: 0}\ng = Cast(e) {to: 9}\n"
     "t = Where(g, zero: f32[]{0.0}, c)\nw = Add(u, t)\ns = MatMul(q, k)\nd = Add(s, w)\np = "
     "Softmax(d)\n"
     "y = MatMul(p, v)"},
    {"BiasOfManyQueries",
     "(q: f32[2,70,48], k: f32[2,150,48], v: f32[2,150,48], m: i64[2,150]) -> (y)\nf = Cast(m) "
     "{to: 1}\n"
     "n = Sub(one: f32[]{1.0}, f)\nb = Mul(n, c: f32[]{-3.4028234e38})\nu = Unsqueeze(b, a: "
     "i64[2]{1,2})\n"
     "e = Expand(u, z: i64[4]{2,3,70,150})\n"
     "y = com.microsoft::MultiHeadAttention(q, k, v, _, _, e) {num_heads: 3}"},
    {"BiasOfOneQuery",
     "(q: f32[2,1,48], k: f32[2,150,48], v: f32[2,150,48], m: i64[2,150]) -> (y)\nf = Cast(m) {to: "
     "1}\n"
     "n = Sub(one: f32[]{1.0}, f)\nb = Mul(n, c: f32[]{-3.4028234e38})\nu = Unsqueeze(b, a: "
     "i64[2]{1,2})\n"
     "e = Expand(u, z: i64[4]{2,3,1,150})\n"
     "y = com.microsoft::MultiHeadAttention(q, k, v, _, _, e) {num_heads: 3}"},
    {"BiasOfManyKeys",
     "(q: f32[2,9,16], k: f32[2,2000,16], v: f32[2,2000,16], m: i64[2,2000]) -> (y)\nf = Cast(m) "
     "{to: 1}\n"
     "n = Sub(one: f32[]{1.0}, f)\nb = Mul(n, c: f32[]{-3.4028234e38})\nu = Unsqueeze(b, a: "
     "i64[2]{1,2})\n"
     "e = Expand(u, z: i64[4]{2,1,9,2000})\n"
     "y = com.microsoft::MultiHeadAttention(q, k, v, _, _, e) {num_heads: 1}"},
};

class MaskedRows : public testing::TestWithParam<Case> {
protected:
    /// All keys of the first batch are masked, of the second those of the first half.
    static void mask_keys(NamedValues& inputs) {
        for (auto& [name, value] : inputs) {
            if (name != "m") continue;
            const auto mask = value.tensor().mutable_data<std::int64_t>();
            for (std::size_t i = 0; i < mask.size(); ++i)
                mask[i] = i >= mask.size() * 3 / 4 ? 1 : 0;
        }
    }
};

/// Rounding to 11 bits leaves some 60 dB, to 8 bits some 40; a query of which one key counts more
/// has less than 20.
TEST_P(MaskedRows, CountEachKeyAlike) {
    Model made = model_of(GetParam().graph, GetParam().opset);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    mask_keys(inputs);
    const NamedValues expected = Session::compile(model, reference_options()).run(inputs).outputs;
    for (const std::string precision : {"exact", "tf32x3", "tf32", "fp16", "bf16"})
        for (const bool has_hopper : {false, true})
            for (const SessionPasses::Set passes :
                 {SessionPasses::Set::none, SessionPasses::Set::all}) {
                EmulatedRun run{.order = 1, .precision = precision, .passes = passes};
                run.has_hopper = has_hopper;
                Session session = Session::compile(model, emulated_options(run));
                const double least = precision == "bf16" ? 34 : precision == "exact" ? 100 : 50;
                for (const OutputComparison& output :
                     compare_outputs(session.run(inputs).outputs, expected))
                    EXPECT_GT(output.comparison.sqnr_db, least)
                        << precision
                        << (passes == SessionPasses::Set::all ? ", passes of sessions" : "")
                        << (has_hopper ? ", hopper" : "");
            }
}

INSTANTIATE_TEST_SUITE_P(All, MaskedRows, testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

/// A query of NaN gives NaN, and no other query does.
TEST_P(MaskedRows, AQueryOfNaNGivesNaN) {
    Model made = model_of(GetParam().graph, GetParam().opset);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    inputs[0].second.tensor().mutable_data<float>()[0] = NAN;
    for (const std::string precision : {"exact", "tf32", "fp16", "bf16"})
        for (const SessionPasses::Set passes :
             {SessionPasses::Set::none, SessionPasses::Set::all}) {
            Session session = Session::compile(
                model, emulated_options({.precision = precision, .passes = passes}));
            const NamedValues outputs = session.run(inputs).outputs;
            const auto found = outputs[0].second.tensor().data<float>();
            const auto nans = std::ranges::count_if(found, [](float v) { return std::isnan(v); });
            EXPECT_TRUE(std::isnan(found[0])) << precision;
            EXPECT_LE(nans, 24) << precision << ": more than the values of a head";
        }
}

/// Models of 16 bits have the lowest number of their type in masks; in sums of 16 bits scores are
/// lost in that, too.
TEST(MaskedRowsOfHalves, CountEachKeyAlike) {
    Model made = model_of(
        "(q: f16[1,2,19,16], k: f16[1,2,64,16], v: f16[1,2,64,16], r: f16[1,2,1,16]) -> (y, z, w)\n"
        "m = Expand(l: f16[]{-65504.0}, s: i64[4]{1,1,1,64})\ny = Attention(q, k, v, m)\nz = "
        "Attention(r, k, v, m)\n"
        "w = ReduceMean(v, a: i64[1]{2}) {keepdims: 1}",
        23);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 3});
    Session session = Session::compile(model, emulated_options({}));
    const NamedValues outputs = session.run(inputs).outputs;
    const auto mean = outputs[2].second.tensor().data<Half>();
    for (std::size_t output : {0, 1}) {
        const auto found = outputs[output].second.tensor().data<Half>();
        const std::size_t queries = found.size() / mean.size();
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::size_t head = i / (queries * 16), column = i % 16;
            EXPECT_NEAR(static_cast<float>(found[i]), static_cast<float>(mean[head * 16 + column]),
                        2e-3)
                << i;
        }
    }
}

}  // namespace
}  // namespace lapidary::test
