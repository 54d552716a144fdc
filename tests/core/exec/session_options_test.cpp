// SPDX-License-Identifier: Apache-2.0
// Session options under ONNX Runtime's names: each does what it says.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>

#include "base/threads/thread_affinity.h"
#include "base/threads/session_threads.h"

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

std::string failure_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& e) { return e.message(); }
    return "no error";
}

SessionOptions with(const std::string& key, const std::string& value) {
    SessionOptions options;
    options.resources.config[key] = value;
    return options;
}

TEST(SessionOptions, NamesOfVersion01AreTaken) {
    SessionOptions options;
    options.intra_threads = 3;
    options.inter_threads = 2;
    options.execution_mode = ExecutionMode::parallel;
    options.allow_spinning = false;
    options.config_entries["session.set_denormal_as_zero"] = "1";
    const SessionOptions resolved = resolve_config(options);
    EXPECT_EQ(resolved.resources,
              (RunResources{3, 2, ExecutionMode::parallel, false, options.config_entries}));
    EXPECT_TRUE(resolved.denormal_as_zero);
}

TEST(SessionOptions, ConfigEntriesSetTheirFields) {
    EXPECT_TRUE(resolve_config(with("session.set_denormal_as_zero", "1")).denormal_as_zero);
    EXPECT_FALSE(resolve_config(with("session.intra_op.allow_spinning", "0")).resources.spinning);
    EXPECT_EQ(resolve_config(with("session.intra_op_thread_affinities", "2")).thread_affinities,
              "2");
    EXPECT_EQ(resolve_config(with("intra_op_num_threads", "3")).resources.threads, 3);
    EXPECT_EQ(resolve_config(with("inter_op_num_threads", "2")).resources.inter_threads, 2);
    EXPECT_EQ(resolve_config(with("execution_mode", "ORT_PARALLEL")).resources.mode,
              ExecutionMode::parallel);
    EXPECT_FALSE(resolve_config(with("enable_mem_pattern", "0")).enable_mem_pattern);
    EXPECT_FALSE(resolve_config(with("enable_cpu_mem_arena", "0")).enable_cpu_mem_arena);
    EXPECT_EQ(resolve_config(with("arena_extend_strategy", "kSameAsRequested")).arena_extend,
              ArenaExtend::same_as_requested);
    EXPECT_EQ(compute_of(resolve_config(with("lapidary.compute", "bf16"))), Compute::bf16);
    EXPECT_EQ(config_keys().size(), 10u);
}

TEST(SessionOptions, UnknownEntriesAndValuesAreRefused) {
    const std::string unknown = failure_of([] { resolve_config(with("session.fly", "1")); });
    EXPECT_NE(unknown.find("\"session.fly\""), std::string::npos) << unknown;
    for (const ConfigKey& key : config_keys())
        EXPECT_NE(unknown.find(key.name), std::string::npos) << unknown;
    EXPECT_NE(failure_of([] {
                  resolve_config(with("enable_mem_pattern", "yes"));
              }).find("expected 0 or 1, found \"yes\""),
              std::string::npos);
    EXPECT_NE(failure_of([] {
                  resolve_config(with("intra_op_num_threads", "-1"));
              }).find("a number from 0 to 1024"),
              std::string::npos);
    EXPECT_NE(failure_of([] {
                  resolve_config(with("execution_mode", "fast"));
              }).find("ORT_SEQUENTIAL or ORT_PARALLEL"),
              std::string::npos);
}

TEST(SessionOptions, DenormalsAreZeroWhereAsked) {
    const ModelPtr model = model_of("(x: f32[n]) -> (y)\ny = Mul(x, w: f32[1]{1.0})");
    for (const char* value : {"0", "1"})
        for (int threads : {1, 2}) {
            SessionOptions options = with("session.set_denormal_as_zero", value);
            options.resources.threads = threads;
            Session s = Session::compile(model, options);
            const std::int64_t n = 1 << 20;
            Tensor x(DType::f32, {n});
            for (float& f : x.mutable_data<float>()) f = 1e-40f;
            const Tensor y = s.run({{"x", x}}).outputs[0].second.tensor();
            for (std::int64_t i = 0; i < n; i += 1111)
                ASSERT_EQ(y.data<float>()[static_cast<std::size_t>(i)] == 0, *value == '1');
            volatile float tiny = 1e-40f;
            EXPECT_NE(tiny * 1.0f, 0.f) << "the caller's own arithmetic stays as it was";
        }
}

TEST(SessionOptions, AffinitiesAreCheckedAndApplied) {
    const auto usable = thread_processors();
    ASSERT_TRUE(usable);
    int first = 0;
    while (!usable->contains(first)) ++first;
    const std::string one = std::to_string(first + 1);
    EXPECT_EQ(parse_affinities(one, 2), (std::vector<std::vector<int>>{{first}}));
    EXPECT_EQ(parse_affinities(one + "," + one + ";" + one + "-" + one, 3),
              (std::vector<std::vector<int>>{{first, first}, {first}}));
    EXPECT_NE(failure_of([&] {
                  parse_affinities(one, 3);
              }).find("are for 1 workers; with 3 threads there are 2"),
              std::string::npos);
    EXPECT_NE(failure_of([] { parse_affinities("0", 2); }).find("from 1 on"), std::string::npos);
    EXPECT_NE(failure_of([] { parse_affinities("x", 2); }).find("found \"x\""), std::string::npos);
    EXPECT_NE(failure_of([] { parse_affinities("1024", 2); }).find("may not use processor 1024"),
              std::string::npos);

    auto setup = std::make_shared<ThreadSetup>();
    setup->processors = parse_affinities(one, 2);
    const auto threads = make_session_threads(2, true, setup);
    std::atomic<int> seen{0}, elsewhere{0};
    threads->execute([&] {
        for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
             seen == 0 && elsewhere == 0 && std::chrono::steady_clock::now() < end;)
            threads->parallel_tasks(64, [&](std::int64_t, int worker) {
                std::this_thread::sleep_for(std::chrono::microseconds(20));
                if (worker == 0) return;
                const ProcessorSet mine = thread_processors().value_or(ProcessorSet());
                ++(mine.count() == 1 && mine.contains(first) ? seen : elsewhere);
            });
    });
    EXPECT_GT(seen.load(), 0);
    EXPECT_EQ(elsewhere.load(), 0);
}

TEST(SessionOptions, WithoutArenaAndPatternResultsAreTheSame) {
    const auto model = std::make_shared<const Model>(build_sample("lenet"));
    const NamedValues inputs = generate_inputs(*model);
    const RunResult expected = Session::compile(model).run(inputs);
    for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
             {"enable_mem_pattern", "0"},
             {"enable_cpu_mem_arena", "0"},
             {"arena_extend_strategy", "kSameAsRequested"},
             {"session.intra_op.allow_spinning", "0"}}) {
        Session s = Session::compile(model, with(key, value));
        for (int i = 0; i < 3; ++i) {
            RunOptions run;
            run.shrink_arena = i == 1;
            EXPECT_TRUE(same_contents(s.run(inputs, run).outputs[0].second.tensor(),
                                      expected.outputs[0].second.tensor()))
                << key;
        }
    }
}

SessionOptions parallel(int inter, int intra) {
    SessionOptions options = with("execution_mode", "ORT_PARALLEL");
    options.resources.inter_threads = inter;
    options.resources.threads = intra;
    return options;
}

TEST(ParallelExecution, ResultsAreThoseOfOneStepAtATime) {
    for (const char* sample : {"squeezenet", "bert-tiny", "lstm"}) {
        const auto model = std::make_shared<const Model>(build_sample(sample));
        const NamedValues inputs = generate_inputs(*model);
        for (int share : {1, 2}) {
            SessionOptions sequential;
            sequential.resources.threads = share;
            const NamedValues expected = Session::compile(model, sequential).run(inputs).outputs;
            for (int inter : {1, 2, 4}) {
                Session s = Session::compile(model, parallel(inter, inter * share));
                for (int i = 0; i < 3; ++i) {
                    const RunResult r = s.run(inputs);
                    ASSERT_EQ(r.outputs.size(), expected.size());
                    for (std::size_t o = 0; o < expected.size(); ++o)
                        EXPECT_TRUE(same_contents(r.outputs[o].second.tensor(),
                                                  expected[o].second.tensor()))
                            << sample << ", " << inter << " x " << share;
                }
                EXPECT_EQ(s.plan().arena_bytes, 0u);
            }
        }
    }
}

TEST(ParallelExecution, BranchesRunAtTheSameTime) {
    // Two loops without anything in common; the profile shows them side by side.
    const std::string body =
        "{body: graph { (i: i64[], c: bool[], v: f32[1]) -> (d, w)\nd = Identity(c)\nw = Neg(v) }}";
    const ModelPtr model = model_of("(x: f32[1], n: i64[]) -> (y)\na = Loop(n, go: bool[]{1}, x) " +
                                    body + "\nb = Loop(n, go, x) " + body + "\ny = Add(a, b)");
    Session s = Session::compile(model, parallel(2, 2));
    RunOptions options;
    options.profile = true;
    const NamedValues inputs{{"x", Tensor::of<float>({1}, {3})},
                             {"n", Tensor::scalar<std::int64_t>(20'001)}};
    bool overlap = false;
    // on a busy machine the second thread may come late
    for (int round = 0; round < 10 && !overlap; ++round) {
        const RunResult r = s.run(inputs, options);
        EXPECT_EQ(r.outputs[0].second.tensor().data<float>()[0], -6.f);
        std::vector<Span> loops;
        for (const Span& k : r.profile->kernels)
            if (r.profile->op(k) == "Loop") loops.push_back(k);
        ASSERT_EQ(loops.size(), 2u);
        overlap = loops[1].begin_ns < loops[0].end_ns && loops[0].thread != loops[1].thread;
    }
    EXPECT_TRUE(overlap);
}

TEST(ParallelExecution, ErrorsAndExtraOutputs) {
    const ModelPtr model = model_of(
        "(x: f32[4], i: i64[1]) -> (y)\na = Neg(x)\nb = Gather(a, i) as \"pick\"\nc = Abs(x)\nd = "
        "Exp(c)\ny = Add(b, "
        "d)");
    SessionOptions session_options = parallel(3, 3);
    session_options.session_passes.set = SessionPasses::Set::none;  // inner values are asked for
    Session s = Session::compile(model, session_options);
    const auto inputs = [](std::int64_t at) {
        return NamedValues{{"x", Tensor::of<float>({4}, {1, 2, 3, 4})},
                           {"i", Tensor::of<std::int64_t>({1}, {at})}};
    };
    for (int round = 0; round < 20; ++round) {
        try {
            s.run(inputs(9));
            ADD_FAILURE() << "no error";
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("node \"pick\""), std::string::npos) << e.what();
        }
        RunOptions options;
        options.extra_outputs = {"a", "c"};
        const RunResult r = s.run(inputs(2), options);
        ASSERT_EQ(r.outputs.size(), 3u);
        EXPECT_EQ(r.outputs[1].second.tensor().data<float>()[3], -4.f);
        EXPECT_EQ(r.outputs[2].second.tensor().data<float>()[3], 4.f);
    }
}

TEST(ParallelExecution, CanBeCancelled) {
    Session s = Session::compile(model_of(R"((x: f32[1]) -> (y)
y = Loop(_, go: bool[]{1}, x) {body: graph { (i: i64[], c: bool[], v: f32[1]) -> (d, w)
d = Identity(c)
w = Neg(v) }})"),
                                 parallel(2, 2));
    RunOptions options;
    std::thread canceller([token = options.cancel] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        token.cancel();
    });
    EXPECT_THROW(s.run({{"x", Tensor::of<float>({1}, {1})}}, options), Error);
    canceller.join();
}

}  // namespace
}  // namespace lapidary
