// SPDX-License-Identifier: Apache-2.0
// Inputs of many shapes in one session: each run gives the results of a new session, whether its
// shapes are new, known, or were dropped from the session's cache in between.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/exec/session.h>

#include "second_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

/// A loop, a branch, working memory, views, outputs that share storage, and an index that may be
/// out of range.
const char* const varied = R"((x: f32[n,8], c: bool[], trips: i64[], at: i64[]) -> (y, z, kept, row)
    a = Relu(x)
    kept = Identity(a)
    b = Loop(trips, _, a) {body: graph { (i: i64[], go: bool[], v: f32[n,8]) -> (again, w)
        again = Identity(go)
        u = Add(v, a)
        w = Mul(u, k: f32[1]{0.5}) }}
    y = If(c) {then_branch: graph { () -> (t) t = Add(b, o: f32[1]{1.0}) }, else_branch: graph { () -> (e) e = Neg(b) }}
    r = Reshape(y, to: i64[2]{8,-1})
    m = MatMul(b, r)
    z = Softmax(m)
    row = Gather(m, at)
)";

NamedValues inputs_of(const Model& model, std::int64_t n, std::uint64_t seed, std::int64_t at = 0) {
    NamedValues values = generate_inputs(model, {}, {seed, {{"n", n}}});
    for (auto& [name, value] : values) {
        if (name == "c") value = Tensor::scalar(seed % 2 == 0);
        if (name == "trips") value = Tensor::scalar(static_cast<std::int64_t>(seed % 4));
        if (name == "at") value = Tensor::scalar(at);
    }
    return values;
}

void expect_same(const NamedValues& found, const NamedValues& expected, const std::string& where) {
    ASSERT_EQ(found.size(), expected.size()) << where;
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(same_contents(found[i].second.tensor(), expected[i].second.tensor()))
            << where << ", output " << found[i].first;
}

/// Runs random shapes, some more often than others and more than a session keeps, and sometimes a
/// run that fails half way.
void expect_as_alone(const SessionOptions& options, const std::string& name) {
    const ModelPtr model = std::make_shared<const Model>(model_of(varied, 18));
    SessionOptions plain;
    plain.enable_mem_pattern = false;
    Session alone = Session::compile(model, plain);
    Session session = Session::compile(model, options);
    std::mt19937 random(7);
    RunResult result;
    for (int i = 0; i < 160; ++i) {
        const std::int64_t n =
            random() % 3 == 0 ? 1 + static_cast<std::int64_t>(random() % 4) : 1 + i % 40;
        const std::string where =
            name + ", run " + std::to_string(i) + " of " + std::to_string(n) + " rows";
        if (random() % 8 == 0) {
            EXPECT_THROW(session.run(inputs_of(*model, n, random(), 99), {}, result), Error)
                << where;
            continue;
        }
        const NamedValues inputs = inputs_of(*model, n, random());
        session.run(inputs, {}, result);
        expect_same(result.outputs, alone.run(inputs).outputs, where);
    }
}

TEST(ChangingShapes, GiveWhatASessionOfTheirOwnGives) {
    for (const ExecutionMode mode : {ExecutionMode::sequential, ExecutionMode::parallel})
        for (const bool plans : {true, false}) {
            SessionOptions options;
            options.resources.mode = mode;
            options.resources.inter_threads = 2;
            options.enable_mem_pattern = plans;
            options.check_writes = true;
            expect_as_alone(options, std::string(plans ? "planned" : "not planned"));
        }
}

TEST(ChangingShapes, OnADeviceToo) {
    for (const bool repeats : {false, true}) {
        const auto provider = std::make_shared<SecondProvider>(rule_of(
            [](const Node& node) { return node.op_type != "Loop" && node.op_type != "Reshape"; }));
        if (repeats) provider->offer_repeats();
        SessionOptions options;
        options.providers = {provider};
        expect_as_alone(options, "on a device");
    }
}

TEST(ChangingShapes, ArePlannedOnceTheyComeAgain) {
    const ModelPtr model = std::make_shared<const Model>(model_of(varied, 18));
    Session session = Session::compile(model);
    const auto planned = [&](std::int64_t n) {
        session.run(inputs_of(*model, n, 3));
        return session.plan().arena_bytes;
    };
    const std::uint64_t of_eight = planned(8);
    EXPECT_GT(of_eight, 0u) << "the first are, at once";
    EXPECT_EQ(planned(9), 0u) << "those after them may come only once";
    const std::uint64_t of_nine = planned(9);
    EXPECT_GT(of_nine, of_eight);
    EXPECT_EQ(planned(8), of_eight);
    EXPECT_EQ(planned(9), of_nine);
    for (std::int64_t n = 20; n < 60; ++n) EXPECT_EQ(planned(n), 0u) << n;
    EXPECT_EQ(planned(9), 0u) << "because many other shapes came in between";
    EXPECT_EQ(planned(9), of_nine);
}

/// Values requested by name take another path than the graph's outputs, which must also work with
/// changing shapes.
TEST(ChangingShapes, ExtraOutputsComeInBetween) {
    const ModelPtr model = std::make_shared<const Model>(model_of(varied, 18));
    Session session = Session::compile(model);
    for (std::int64_t n = 1; n < 40; ++n) {
        const NamedValues inputs = inputs_of(*model, n, static_cast<std::uint64_t>(n));
        RunOptions with;
        with.extra_outputs = {"b"};
        const NamedValues all = session.run(inputs, with).outputs;
        ASSERT_EQ(all.size(), 5u);
        expect_same(session.run(inputs).outputs, {all.begin(), all.begin() + 4},
                    std::to_string(n) + " rows");
    }
}

}  // namespace
}  // namespace lapidary::test
