// SPDX-License-Identifier: Apache-2.0
// The report says before a run what the session plans in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    return model;
}

SessionOptions options_of(const MemoryAssumptions& a) {
    SessionOptions options;
    options.resources.threads = a.threads;
    options.enable_mem_pattern = a.plan;
    options.enable_cpu_mem_arena = a.arena;
    options.session_passes.set =
        a.fused_steps ? SessionPasses::Set::all : SessionPasses::Set::preparing;
    options.free_dimensions = a.dimensions;
    return options;
}

/// Blocks of the plan in the arena, by name.
void expect_same_plan(const ModelPtr& model, const MemoryAssumptions& assumptions,
                      const std::string& name) {
    SCOPED_TRACE(name);
    const MemoryReport report = memory_report(model, assumptions);
    Session session = Session::compile(model, options_of(assumptions));
    GenerateOptions generate;
    generate.dimensions = assumptions.dimensions;
    generate.usual = true;
    const NamedValues inputs = generate_inputs(*model, {}, generate);
    session.run(inputs);
    session.run(inputs);
    const PlanInfo plan = session.plan();
    ASSERT_EQ(report.steps.size(), plan.steps.size());
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
        EXPECT_EQ(report.steps[i], plan.steps[i].name);
    EXPECT_EQ(report.weight_bytes, plan.weight_bytes);
    std::map<std::string, const TensorLifetime*> tensors;
    for (const TensorLifetime& t : report.tensors)
        if (t.value) tensors[t.name] = &t;
    std::size_t different = 0;
    for (const MemoryBlock& block : plan.blocks) {
        const auto found = tensors.find(block.value);
        if (found == tensors.end()) {
            ADD_FAILURE() << block.value << " is not in the report";
            continue;
        }
        const TensorLifetime& t = *found->second;
        if (t.bytes == block.bytes && t.offset == block.offset &&
            t.first_step == block.first_step && t.last_step == block.last_step)
            continue;
        if (++different <= 3)
            ADD_FAILURE() << block.value << " " << t.type << ": expected " << block.bytes << " at "
                          << block.offset << " in " << block.first_step << "-" << block.last_step
                          << ", found " << t.bytes << " at " << t.offset << " in " << t.first_step
                          << "-" << t.last_step;
    }
    EXPECT_EQ(different, 0u);
    std::uint64_t in_block = 0;
    for (const TensorLifetime& t : report.tensors)
        if (t.role != TensorRole::output) in_block = std::max(in_block, t.offset + t.bytes);
    EXPECT_GE(report.block_bytes, plan.arena_bytes);
    EXPECT_GE(in_block, plan.arena_bytes - 64);
    EXPECT_TRUE(report.unknown.empty()) << report.unknown[0];
}

TEST(MemoryReport, SamplesArePlannedAsTheyRun) {
    for (const char* name : {"mlp", "lenet", "squeezenet", "resnet18", "mobilenetv2", "shufflenet",
                             "bert-tiny", "lstm"})
        expect_same_plan(std::make_shared<const Model>(build_sample(name)), {}, name);
}

TEST(MemoryReport, SwitchesAndSizesArePlannedAsTheyRun) {
    const auto bert = std::make_shared<const Model>(build_sample("bert-tiny"));
    MemoryAssumptions a;
    a.fused_steps = false;
    expect_same_plan(bert, a, "steps not fused");
    a = {};
    a.threads = 1;
    expect_same_plan(bert, a, "one thread");
    a.threads = 3;
    a.dimensions = {{"batch", 3}, {"sequence", 17}};
    expect_same_plan(bert, a, "other sizes");
}

std::int64_t measured_peak(const ModelPtr& model, const MemoryAssumptions& assumptions,
                           MeasuredMemory& measured) {
    Session session = Session::compile(model, options_of(assumptions));
    const NamedValues inputs = generate_inputs(*model, {}, {.usual = true});
    for (int i = 0; i < 2; ++i) session.run(inputs);
    RunOptions run;
    run.profile = true;
    const auto profile = session.run(inputs, run).profile;
    measured = measured_memory(*profile);
    return profile->peak_bytes;
}

TEST(MemoryReport, PeaksAreThoseMeasured) {
    for (const char* name : {"bert-tiny", "squeezenet", "mobilenetv2", "lstm"}) {
        const auto model = std::make_shared<const Model>(build_sample(name));
        MemoryStudy study(model);
        for (int options = 0; options < 8; ++options) {
            MemoryAssumptions a;
            a.fused_steps = (options & 1) == 0;
            a.plan = (options & 2) == 0;
            a.arena = (options & 4) == 0;
            SCOPED_TRACE(std::string(name) + (a.plan ? ", planned" : ", not planned") +
                         (a.arena ? ", arena" : ", heap") +
                         (a.fused_steps ? ", fused" : ", not fused"));
            const MemoryReport report = study.report(a);
            MeasuredMemory measured;
            const std::int64_t peak = measured_peak(model, a, measured);
            EXPECT_EQ(static_cast<std::int64_t>(a.plan ? report.block_bytes : report.needed_bytes),
                      peak);
            EXPECT_LE(report.needed_bytes, report.block_bytes);
            EXPECT_EQ(measured.peak_bytes, peak);
            ASSERT_EQ(measured.at_steps.size(), report.steps.size());
            EXPECT_EQ(*std::max_element(measured.at_steps.begin(), measured.at_steps.end()), peak);
            if (!a.plan) {
                const auto highest =
                    std::max_element(measured.at_steps.begin(), measured.at_steps.end()) -
                    measured.at_steps.begin();
                EXPECT_EQ(static_cast<std::int64_t>(
                              report.moments[static_cast<std::size_t>(highest)].used()),
                          peak);
            }
        }
    }
}

// Three Relu results of 4 kB wait for the Concat while a chain of larger ones passes by.
constexpr const char* waiting = R"((x: f32[n,1024]) -> (y)
a = Sin(x)
b = Tanh(a)
c = Concat(b, b, b, b) {axis: 1}
d = Sin(c)
e = Cos(d)
f = ReduceSum(e, k: i64[1]{1}) {keepdims: 1}
y = Add(f, b))";

TEST(MemoryReport, NamesTensorsAliveAtThePeak) {
    MemoryAssumptions a;
    a.fused_steps = false;
    a.plan = false;
    a.arena = false;
    const MemoryReport report = memory_report(model_of(waiting), a);
    ASSERT_EQ(report.steps.size(), 7u);
    EXPECT_EQ(report.needed_bytes, 4096u + 16384 + 16384);
    EXPECT_EQ(report.peak_step, 3u);
    ASSERT_EQ(report.at_peak.size(), 3u);
    const TensorLifetime& kept = report.tensors[report.at_peak[2]];
    EXPECT_EQ(kept.name, "b");
    EXPECT_EQ(kept.type, "f32[1,1024]");
    EXPECT_EQ(kept.written_by, report.steps[1]);
    EXPECT_EQ(kept.kept_by, report.steps[6]);
    EXPECT_EQ(kept.first_step, 1u);
    EXPECT_EQ(kept.last_step, 6u);
    EXPECT_NE(report.verdict.find("Activations planned: 36.9 kB"), std::string::npos)
        << report.verdict;
    EXPECT_NE(report.verdict.find("2 tensors of f32[1,4096] alive"), std::string::npos)
        << report.verdict;
    ASSERT_EQ(report.assumed.size(), 1u);
    EXPECT_EQ(report.assumed[0], (std::pair<std::string, std::int64_t>("n", 1)));
    EXPECT_EQ(report.tensors.back().role, TensorRole::output);
    EXPECT_TRUE(report.tensors.back().kept_by.empty());
}

TEST(MemoryReport, SwitchesChangeWhatIsHeld) {
    MemoryStudy study(
        model_of("(x: f32[n,1024]) -> (y)\na = Sin(x)\nb = Tanh(a)\nc = Exp(b)\ny = ReduceSum(c, "
                 "k: i64[1]{1})"));
    MemoryAssumptions a;
    a.fused_steps = false;
    const MemoryReport best = study.report(a);
    a.in_place = false;
    const MemoryReport apart = study.report(a);
    EXPECT_EQ(best.block_bytes, 4096u + 4);
    EXPECT_EQ(apart.block_bytes, 8192u + 4);
    EXPECT_TRUE(
        std::ranges::none_of(apart.tensors, [](const TensorLifetime& t) { return t.shares >= 0; }));
    a = {};
    a.fused_steps = false;
    a.plan = false;
    const MemoryReport arena = study.report(a);
    EXPECT_EQ(arena.block_bytes, std::uint64_t{1} << 20);  // the first region
    EXPECT_EQ(arena.moments[0].waste, arena.block_bytes - arena.moments[0].used());
    a.arena = false;
    EXPECT_EQ(study.report(a).block_bytes, arena.needed_bytes);
    a = {};
    a.fused_steps = false;
    a.dimensions["n"] = 10;
    EXPECT_TRUE(study.report(a).assumed.empty());
    EXPECT_EQ(study.report(a).block_bytes, 10 * best.block_bytes);
    EXPECT_EQ(study.free_dimensions(),
              (std::vector<std::pair<std::string, std::int64_t>>{{"n", 1}}));
}

TEST(MemoryReport, AProcessTakesWhatIsWritten) {
    // 4 MB of activations at a time, of which a region of the arena holds twice as many.
    MemoryStudy study(
        model_of("(x: f32[1024,1024]) -> (y)\na = Sin(x)\nb = Tanh(a)\nc = Exp(b)\ny = "
                 "ReduceSum(c, k: i64[1]{1})"));
    MemoryAssumptions a;
    a.fused_steps = false;
    a.plan = false;
    const MemoryReport arena = study.report(a);
    const ProcessMemory& process = arena.process;
    EXPECT_EQ(process.total(), process.program + process.graph + process.weights + process.packed +
                                   process.activations + process.inputs);
    EXPECT_EQ(process.inputs, std::uint64_t{4} << 20);
    EXPECT_GE(process.activations, arena.needed_bytes);
    EXPECT_LT(process.activations, arena.needed_bytes + 64 * 1024);
    EXPECT_EQ(process.mapped_weights, 0u);
    a.arena = false;
    const MemoryReport heap = study.report(a);
    EXPECT_LE(heap.process.activations, process.activations);
    EXPECT_LT(process.activations - heap.process.activations, 64u * 1024)
        << "pages that are never written take no memory";
    // The run that a plan is made of has none.
    a = {};
    a.fused_steps = false;
    EXPECT_GE(study.report(a).process.total(), arena.process.total());
}

TEST(MemoryReport, WeightsCountOnceWithTheFileThatHoldsThem) {
    TemporaryFolder folder;
    const std::string path = (folder / "m.onnx").string();
    save_model(build_sample("mlp"), path);
    const auto model = std::make_shared<const Model>(load_model(path));
    const MemoryReport report = memory_report(model);
    EXPECT_EQ(report.process.mapped_weights, 0u) << "a small file is a copy in the process";
    EXPECT_GE(report.process.weights, model->file_bytes);
    EXPECT_GT(report.process.packed, report.weight_bytes / 2);
    EXPECT_LE(report.process.unneeded_weights, report.weight_bytes);
    EXPECT_GT(report.process.unneeded_weights, report.weight_bytes / 2)
        << "the layers' weights are packed";
    EXPECT_EQ(memory_report(model).process, report.process) << "asking changes nothing";
}

TEST(MemoryReport, TensorsNeverOverlapUnlessTheyShare) {
    const auto model = std::make_shared<const Model>(build_sample("squeezenet"));
    MemoryStudy study(model);
    for (int options = 0; options < 4; ++options) {
        MemoryAssumptions a;
        a.plan = (options & 1) == 0;
        a.arena = (options & 2) == 0;
        const MemoryReport report = study.report(a);
        for (std::size_t i = 0; i < report.tensors.size(); ++i)
            for (std::size_t j = i + 1; j < report.tensors.size(); ++j) {
                const TensorLifetime &s = report.tensors[i], &t = report.tensors[j];
                if (t.first_step > s.last_step || s.first_step > t.last_step ||
                    t.offset >= s.offset + s.bytes || s.offset >= t.offset + t.bytes)
                    continue;
                EXPECT_GE(t.shares, 0) << s.name << " and " << t.name << " overlap";
            }
        for (const MemoryMoment& m : report.moments) EXPECT_LE(m.used(), report.address_end);
    }
}

TEST(MemoryReport, NamesSizesThatOnlyARunShows) {
    const MemoryReport report =
        memory_report(model_of("(x: f32[6]) -> (y)\na = Relu(x)\ni = NonZero(a)\ny = Neg(i)"));
    ASSERT_FALSE(report.unknown.empty());
    EXPECT_EQ(report.unknown[0], "i");
    EXPECT_GT(report.needed_bytes, 0u);
    const auto nothing = std::make_shared<Model>();
    EXPECT_EQ(memory_report(nothing).needed_bytes, 0u);
    EXPECT_FALSE(memory_report(nothing).verdict.empty());
    EXPECT_THROW(memory_report(model_of("(x) -> (y)\ny = Foo(x)")), Error);
}

TEST(MemoryReport, CountsTheLargestBranch) {
    const auto model = std::make_shared<const Model>([] {
        Model m = *model_of(
            "(c: bool[], x: f32[64]) -> (y)\na = Neg(x)\n"
            "y = If(c) {else_branch: graph { () -> (e)  e = Identity(a) }, then_branch: graph { () "
            "-> (t)  b = Exp(a)  "
            "t = MatMul(b, b) }}");
        return m;
    }());
    const MemoryReport report = memory_report(model);
    EXPECT_TRUE(std::ranges::any_of(report.tensors, [](const TensorLifetime& t) {
        return t.role == TensorRole::workspace && t.name.starts_with("subgraphs of ");
    }));
}

TEST(MeasuredMemory, StartsFromWhatWasHeldBefore) {
    Profile profile;
    const auto event = [&](EventKind kind, std::int64_t ns, std::int64_t bytes) {
        Span e;
        e.kind = kind;
        e.begin_ns = e.end_ns = ns;
        e.bytes = bytes;
        profile.memory.push_back(e);
    };
    event(EventKind::allocation, 10, 100);
    event(EventKind::release, 20, 60);
    event(EventKind::allocation, 30, 20);
    for (const auto& [begin, end] : {std::pair{5, 15}, std::pair{16, 25}, std::pair{26, 40}}) {
        Span k;
        k.kind = EventKind::kernel;
        k.begin_ns = begin;
        k.end_ns = end;
        profile.kernels.push_back(k);
    }
    profile.peak_bytes = 1100;
    const MeasuredMemory measured = measured_memory(profile);
    EXPECT_EQ(measured.peak_bytes, 1100);
    EXPECT_EQ(measured.curve.back().second, 1060);
    EXPECT_EQ(measured.at_steps, (std::vector<std::int64_t>{1100, 1100, 1060}));
    profile.dropped_events = 1;
    EXPECT_TRUE(measured_memory(profile).at_steps.empty());
}

}  // namespace
}  // namespace lapidary
