// SPDX-License-Identifier: Apache-2.0
// Everything that takes long ends soon after it is cancelled at any moment, by Error{cancelled}; a
// session runs again afterwards. Only CancelTime.*, which gates nothing, checks the time; this test
// finds hangs.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include <pthread.h>
#include <time.h>

#include <fmt/format.h>

#include <lapidary/proof/bisect.h>
#include <lapidary/base/error.h>
#include <lapidary/export/export_model.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/exec/session.h>

#include "linear/long_graphs.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Work = std::function<void(const Progress&)>;

Attribute ints(std::string name, std::vector<std::int64_t> values) {
    return {std::move(name), AttributeValue(std::move(values)), {}, {}};
}
Attribute integer(std::string name, std::int64_t value) {
    return {std::move(name), AttributeValue(value), {}, {}};
}

/// A node over inputs of these shapes, named a, b, c ...
Model one_node(const char* op, const std::vector<SymbolicShape>& shapes,
               std::vector<Attribute> attributes = {}) {
    Model model;
    model.opset_imports[""] = 23;
    GraphEdit edit(model.graph);
    edit.set_default_version(23);
    edit.set_name("long");
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        inputs.push_back(edit.add_input(std::string(1, static_cast<char>('a' + i)),
                                        Type::tensor(DType::f32, shapes[i])));
    edit.add_output(edit.node(op, std::move(inputs), std::move(attributes), "n"));
    edit.finish();
    infer_types(model);
    return model;
}

/// Loop of a million iterations around a small product.
Model endless_loop() {
    auto body = std::make_shared<Graph>();
    {
        GraphEdit edit(*body);
        edit.set_default_version(23);
        edit.set_name("body");
        edit.add_input("i", Type::tensor(DType::i64, SymbolicShape{}));
        const ValueId condition =
            edit.add_input("go", Type::tensor(DType::boolean, SymbolicShape{}));
        const ValueId value = edit.add_input("v", Type::tensor(DType::f32, SymbolicShape{64, 64}));
        edit.add_output(edit.node("Identity", {condition}));
        edit.add_output(edit.node("Tanh", {edit.node("MatMul", {value, value})}));
        edit.finish();
    }
    Model model;
    model.opset_imports[""] = 23;
    GraphEdit edit(model.graph);
    edit.set_default_version(23);
    edit.set_name("long");
    const ValueId a = edit.add_input("a", Type::tensor(DType::f32, SymbolicShape{64, 64}));
    const ValueId trips = edit.add_initializer("trips", Tensor::scalar<std::int64_t>(1'000'000));
    edit.add_output(edit.node("Loop", {trips, {}, a},
                              {Attribute{"body", AttributeValue(GraphPtr(body)), {}, {}}}, "n"));
    edit.finish();
    infer_types(model);
    return model;
}

Model long_graph(std::string_view name, std::int64_t size) {
    for (const test::LongGraph& graph : test::long_graphs())
        if (graph.name == name) {
            Model model = graph.make(size);
            infer_types(model);
            return model;
        }
    throw std::logic_error("no such graph");
}

/// Weights of 400 MB that are packed.
Model heavy_weights() {
    Model model;
    model.opset_imports[""] = 23;
    GraphEdit edit(model.graph);
    edit.set_default_version(23);
    edit.set_name("heavy");
    ValueId v = edit.add_input("a", Type::tensor(DType::f32, SymbolicShape{1, 5000}));
    for (int i = 0; i < 4; ++i) {
        Tensor weight(DType::f32, {5000, 5000});
        std::ranges::fill(weight.mutable_data<float>(), 0.5f + static_cast<float>(i));
        v = edit.node("MatMul",
                      {v, edit.add_initializer("w" + std::to_string(i), std::move(weight))});
    }
    edit.add_output(v);
    edit.finish();
    infer_types(model);
    return model;
}

/// Runs of a session, which must give the same results after a cancel as before.
Work runs_of(const std::function<Model()>& make, int threads) {
    struct State {
        Session session;
        NamedValues inputs;
    };
    auto model = std::make_shared<const Model>(make());
    SessionOptions options;
    options.resources.threads = threads;
    auto state =
        std::make_shared<State>(State{Session::compile(model, options), generate_inputs(*model)});
    return [state](const Progress& progress) {
        RunOptions run;
        run.cancel = progress.cancel;
        state->session.run(state->inputs, run);
    };
}

struct Case {
    const char* name;
    std::function<Work()> make;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> cases() {
    const auto run = [](const char* name, std::function<Model()> make, int threads = 1) {
        return Case{name, [=] { return runs_of(make, threads); }};
    };
    const auto on = [](const char* name, std::function<Model()> make,
                       std::function<void(const ModelPtr&, const Progress&)> work) {
        return Case{name, [=] {
                        const auto model = std::make_shared<const Model>(make());
                        return Work([=](const Progress& progress) { work(model, progress); });
                    }};
    };
    const auto many_functions = [] {
        Model model = long_graph("many_functions", 100'000);
        return model;
    };
    const auto wide = [] { return long_graph("wide_concat", 100'000); };
    const auto square = [] { return one_node("MatMul", {{12000, 12000}, {12000, 12000}}); };
    const auto optimized = [](const ModelPtr& m, const Progress& p) {
        OptimizeOptions how;
        how.level = Level::all;
        optimize(*m, how, p);
    };
    return {
        run("RunMatMul", square),
        run("RunMatMulOnTwoThreads", square, 2),
        run(
            "RunBatchedMatMul",
            [] {
                return one_node("MatMul", {{4, 5000, 5000}, {4, 5000, 5000}});
            },
            2),
        run("RunConv",
            [] {
                return one_node("Conv", {{8, 256, 224, 224}, {256, 256, 3, 3}},
                                {ints("pads", {1, 1, 1, 1})});
            }),
        run("RunPointwiseConv",
            [] {
                return one_node("Conv", {{8, 512, 112, 112}, {2048, 512, 1, 1}});
            }),
        run("RunLstm",
            [] {
                return one_node("LSTM", {{4000, 16, 512}, {1, 4096, 512}, {1, 4096, 1024}},
                                {integer("hidden_size", 1024)});
            }),
        run("RunAttention",
            [] {
                return one_node("Attention",
                                {{4, 16, 4096, 64}, {4, 16, 4096, 64}, {4, 16, 4096, 64}});
            }),
        run("RunSoftmax",
            [] {
                return one_node("Softmax", {{20000, 5000}});
            }),
        run("RunChain", [] { return long_graph("mul_chain", 200'000); }),
        run("RunLoop", endless_loop),
        Case{"Infer",
             [] {
                 const auto model =
                     std::make_shared<Model>(long_graph("shape_arithmetic", 100'000));
                 return Work([model](const Progress& p) { infer_types(*model, {}, p); });
             }},
        on(
            "Optimize", [] { return long_graph("layer_normalization_chain", 50'000); }, optimized),
        on("OptimizeFunctions", many_functions, optimized),
        on(
            "Compile", [] { return long_graph("dense_chain", 100'000); },
            [](const ModelPtr& m, const Progress& p) { Session::compile(m, {}, p); }),
        on("CompileWeights", heavy_weights,
           [](const ModelPtr& m, const Progress& p) { Session::compile(m, {}, p); }),
        on("MemoryReport", wide,
           [](const ModelPtr& m, const Progress& p) { memory_report(m, {}, p); }),
        on("GenerateInputs", square,
           [](const ModelPtr& m, const Progress& p) {
               generate_inputs(*m, {}, {0, {}, p.cancel});
           }),
        on("Guard", wide, [](const ModelPtr& m, const Progress& p) { guard(*m, *m, {}, p); }),
        on(
            "Bisect", [] { return long_graph("convolution_chain", 20'000); },
            [](const ModelPtr& m, const Progress& p) {
                BisectOptions how;
                how.optimize.level = Level::all;
                how.exhaustive = true;
                bisect(*m, how, p);
            }),
        on(
            "Export", [] { return long_graph("mul_chain", 100'000); },
            [](const ModelPtr& m, const Progress& p) {
                ExportOptions how;
                how.target = ExportTarget::plain;
                export_model(*m, how, p);
            }),
        Case{"Save",
             [] {
                 const auto folder = std::make_shared<TemporaryFolder>();
                 const auto model = std::make_shared<const Model>(long_graph("mul_chain", 100'000));
                 return Work(
                     [=](const Progress& p) { save_model(*model, *folder / "long.onnx", {}, p); });
             }},
        Case{"Load",
             [] {
                 const auto folder = std::make_shared<TemporaryFolder>();
                 save_model(long_graph("mul_chain", 100'000), *folder / "long.onnx");
                 return Work(
                     [folder](const Progress& p) { load_model(*folder / "long.onnx", {}, p); });
             }},
    };
}

/// Milliseconds.
struct Wait {
    double wall = 0;
    // CPU time of the calling thread, which does not depend on other load
    double worked = 0;
};

/// CPU time of a thread in milliseconds.
double time_of(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// The time from the cancel, `delay` after the start, to the end of the work; empty if it ended
/// before.
std::optional<Wait> ends_after(const Work& work, std::chrono::milliseconds delay) {
    Progress progress;
    std::atomic<bool> done{false};
    Clock::time_point fired;
    clockid_t own_clock{};
    pthread_getcpuclockid(pthread_self(), &own_clock);
    double worked_before = 0;
    std::thread timer([&, cancel = progress.cancel] {
        for (const auto end = Clock::now() + delay; !done && Clock::now() < end;)
            std::this_thread::sleep_for(1ms);
        fired = Clock::now();
        worked_before = time_of(own_clock);
        cancel.cancel();
    });
    Clock::time_point ended;
    bool cancelled = false;
    std::string wrong;
    try {
        work(progress);
        ended = Clock::now();
    } catch (const Error& error) {
        ended = Clock::now();
        cancelled = error.code() == ErrorCode::cancelled;
        if (!cancelled) wrong = error.what();
    } catch (const std::exception& error) { wrong = error.what(); }
    const double worked = time_of(own_clock);
    done = true;
    timer.join();
    EXPECT_EQ(wrong, "");
    if (!cancelled) return std::nullopt;
    return Wait{std::chrono::duration<double, std::milli>(ended - fired).count(),
                worked - worked_before};
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class Cancel : public testing::TestWithParam<Case> {};
class CancelTime : public testing::TestWithParam<Case> {};

Wait longest_wait(const Case& c, std::initializer_list<int> delays) {
    const Work work = c.make();
    Wait longest;
    for (int delay : delays)
        if (const auto wait = ends_after(work, std::chrono::milliseconds(delay)))
            longest = {std::max(longest.wall, wait->wall), std::max(longest.worked, wait->worked)};
    return longest;
}

// Only work that does not check its token takes that long on an idle machine.
TEST_P(Cancel, EndsAsCancelled) {
    EXPECT_LT(longest_wait(GetParam(), {0, 40, 300}).wall, 5000 * time_factor);
}

TEST_P(CancelTime, EndsWithinATenthOfASecond) {
    const Wait longest = longest_wait(GetParam(), {0, 1, 5, 20, 60, 150, 400, 900});
    std::fputs(fmt::format("{:24} {:7.1f} ms, on a processor {:.1f} ms\n", GetParam().name,
                           longest.wall, longest.worked)
                   .c_str(),
               stdout);
    EXPECT_LT(longest.wall, 100);
}

INSTANTIATE_TEST_SUITE_P(All, CancelTime, testing::ValuesIn(cases()), name_of_case);
INSTANTIATE_TEST_SUITE_P(All, Cancel, testing::ValuesIn(cases()), name_of_case);

// Seconds of work cut short at twenty moments, in between small runs that must give what they gave
// at first.
TEST(CancelledSession, RunsAgainWithTheSameResults) {
    for (const int threads : {1, 2}) {
        const auto model = std::make_shared<const Model>(
            one_node("Conv", {{Dim::symbolic("batch"), 32, 40, 40}, {64, 32, 3, 3}}));
        SessionOptions options;
        options.resources.threads = threads;
        Session session = Session::compile(model, options);
        const NamedValues small = generate_inputs(*model, {}, {1, {{"batch", 2}}, {}}),
                          large = generate_inputs(*model, {}, {1, {{"batch", 300}}, {}});
        const RunResult expected = session.run(small);
        int cut = 0;
        for (int delay = 0; delay < 20; ++delay) {
            cut += ends_after([&](const Progress& p) { session.run(large, {.cancel = p.cancel}); },
                              std::chrono::milliseconds(delay))
                       .has_value();
            const RunResult found = session.run(small);
            ASSERT_EQ(found.outputs.size(), expected.outputs.size());
            const auto a = found.outputs[0].second.tensor().data<float>(),
                       b = expected.outputs[0].second.tensor().data<float>();
            ASSERT_TRUE(std::ranges::equal(a, b));
        }
        EXPECT_GT(cut, 0);
    }
}

}  // namespace
}  // namespace lapidary
