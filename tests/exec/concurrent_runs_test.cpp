// SPDX-License-Identifier: Apache-2.0
// A session runs on several threads at once: each run gives what it gives alone, bit for bit,
// independent of the other runs.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

namespace lapidary::test {
namespace {

constexpr int callers = 4, rounds = 12;

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

bool is_same(const NamedValues& a, const NamedValues& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!a[i].second.is_tensor() || !b[i].second.is_tensor() ||
            !same_contents(a[i].second.tensor(), b[i].second.tensor()))
            return false;
    return true;
}

/// Options of a caller's runs.
RunOptions options_of(int caller, int round) {
    RunOptions options;
    options.profile = caller == 1 && round % 3 == 0;
    options.shrink_arena = caller == 2 && round % 4 == 0;
    return options;
}

void expect_same_on_many_threads(const ModelPtr& model, const std::vector<NamedValues>& inputs,
                                 const std::string& name) {
    for (const ExecutionMode mode : {ExecutionMode::sequential, ExecutionMode::parallel})
        for (const int intra : {1, 2}) {
            SessionOptions options;
            options.resources.mode = mode;
            options.resources.inter_threads = 2;
            options.resources.threads = intra;
            std::vector<NamedValues> expected;
            {
                Session alone = Session::compile(model, options);
                for (const NamedValues& i : inputs) expected.push_back(alone.run(i).outputs);
            }
            Session session = Session::compile(model, options);
            std::atomic<int> differences{0}, failures{0};
            std::vector<std::jthread> threads;
            for (int caller = 0; caller < callers; ++caller)
                threads.emplace_back([&, caller] {
                    RunResult result;  // one of an earlier run, of other shapes now and then
                    for (int round = 0; round < rounds; ++round) {
                        const std::size_t which =
                            static_cast<std::size_t>(caller + round / 2) % inputs.size();
                        try {
                            session.run(inputs[which], options_of(caller, round), result);
                        } catch (const Error&) {
                            ++failures;
                            continue;
                        }
                        if (!is_same(result.outputs, expected[which])) ++differences;
                        if (result.profile && result.profile->kernels.empty()) ++differences;
                        if (session.plan().steps.empty() || session.model().graph.outputs().empty())
                            ++failures;
                    }
                });
            threads.clear();
            EXPECT_EQ(differences, 0)
                << name << ", " << (mode == ExecutionMode::parallel ? "parallel" : "sequential")
                << ", " << intra << " threads";
            EXPECT_EQ(failures, 0) << name;
        }
}

TEST(ConcurrentRuns, SamplesGiveWhatTheyGiveAlone) {
    for (const char* name : {"mlp", "lenet", "bert-tiny", "lstm"}) {
        const auto model = std::make_shared<const Model>(build_sample(name));
        std::vector<NamedValues> inputs;
        for (std::uint64_t seed = 1; seed < 4; ++seed)
            inputs.push_back(generate_inputs(*model, {}, {seed, {}}));
        expect_same_on_many_threads(model, inputs, name);
    }
}

TEST(ConcurrentRuns, ShapesAndBodiesOfControlFlow) {
    const ModelPtr model = model_of(R"((x: f32[n,8], c: bool[], trips: i64[]) -> (y, z, kept)
a = Relu(x)
kept = Identity(a)
b = Loop(trips, _, a) {body: graph { (i: i64[], go: bool[], v: f32[n,8]) -> (again, w)
    again = Identity(go)
    u = Add(v, a)
    w = Mul(u, k: f32[1]{0.5}) }}
y = If(c) {then_branch: graph { () -> (t) t = Add(b, o: f32[1]{1.0}) }, else_branch: graph { () -> (e) e = )"
                                    R"(Identity(b) }}
d = Neg(x)
m = MatMul(d, q: f32[8,2]{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16})
z = ReduceSum(m))");
    std::vector<NamedValues> inputs;
    for (const std::int64_t n : {1, 3, 40, 400}) {
        NamedValues values =
            generate_inputs(*model, {}, {static_cast<std::uint64_t>(n), {{"n", n}}});
        for (auto& [name, value] : values) {
            if (name == "c") value = Tensor::scalar(n % 3 == 0);
            if (name == "trips") value = Tensor::scalar(n % 7);
        }
        inputs.push_back(std::move(values));
    }
    expect_same_on_many_threads(model, inputs, "control flow");
}

TEST(ConcurrentRuns, OneThatFailsOrIsCancelledLeavesTheOthersAlone) {
    const ModelPtr model = model_of(R"((x: f32[n]) -> (y)
a = Reshape(x, s: i64[2]{-1,4})
y = ReduceSum(a))");
    Session session = Session::compile(model);
    const auto input = [](std::int64_t n) { return NamedValues{{"x", Tensor(DType::f32, {n})}}; };
    std::atomic<int> wrong{0};
    std::vector<std::jthread> threads;
    for (int caller = 0; caller < callers; ++caller)
        threads.emplace_back([&, caller] {
            for (int round = 0; round < rounds; ++round) {
                RunOptions options;
                if (caller == 3) options.cancel.cancel();
                const ErrorCode expected =
                    caller == 3 ? ErrorCode::cancelled : ErrorCode::invalid_input;
                try {
                    session.run(input(caller == 1 ? 7 : 8), options);
                    if (caller == 1 || caller == 3) ++wrong;
                } catch (const Error& error) {
                    if (caller == 0 || caller == 2 || error.code() != expected) ++wrong;
                }
            }
        });
    threads.clear();
    EXPECT_EQ(wrong, 0);
}

// The memory limit of a session covers all its runs: memory that one run holds counts for the next.
TEST(ConcurrentRuns, TheLimitOfMemoryIsForAll) {
    const ModelPtr model = model_of("(x: f32[n]) -> (y)\ny = Relu(x)");
    SessionOptions options;
    options.limits.run_bytes = 3 << 20;
    options.enable_mem_pattern = false;
    Session session = Session::compile(model, options);
    const NamedValues input{{"x", Tensor(DType::f32, {1 << 18})}};  // 1 MB
    std::atomic<int> inside{0};
    RunOptions waiting;
    waiting.progress = [&](int, int) {  // holds its output until the other run has started
        ++inside;
        for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
             inside < 2 && std::chrono::steady_clock::now() < end;)
            std::this_thread::yield();
    };
    const RunResult held = session.run(input);
    std::vector<std::jthread> threads;
    std::vector<RunResult> results(2);
    for (RunResult& result : results)
        threads.emplace_back([&] { EXPECT_NO_THROW(session.run(input, waiting, result)); });
    threads.clear();
    EXPECT_THROW(session.run(input), Error) << "three outputs are held";
    results.clear();
    session.run(input);
}

}  // namespace
}  // namespace lapidary::test
