// SPDX-License-Identifier: Apache-2.0
// What a session costs besides its kernels: one figure for tables, traces and reports, and sums
// that are the wall time.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/profile/onnxruntime_profile.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>
#include <lapidary/profile/session_overhead.h>
#include <lapidary/profile/trace_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

Span span(Profile& profile, EventKind kind, const char* name, std::int64_t begin, std::int64_t end,
          int depth = 0, int thread = 0) {
    Span s;
    s.kind = kind;
    s.label = profile.labels.add({.name = name, .op = name});
    s.begin_ns = begin;
    s.end_ns = end;
    s.depth = depth;
    s.thread = thread;
    return s;
}

struct Recorded {
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const Model> executed;
};

Recorded recorded(const char* sample, int threads) {
    const auto model = std::make_shared<const Model>(build_sample(sample));
    SessionOptions options;
    options.resources.threads = threads;
    std::optional<Session> session = Session::compile(model, options);
    RunOptions run;
    run.profile = true;
    run.repetitions = 3;
    const RunResult result = session->run(generate_inputs(*model), run);
    const auto executed = std::make_shared<const Model>(session->model());
    const std::int64_t cleanup_ns = timed_end(session);
    EXPECT_FALSE(session);
    EXPECT_GT(cleanup_ns, 0);
    return {with_surrounding_phases(*result.profile, {5'000'000, 2'000'000, cleanup_ns}), executed};
}

TEST(SessionOverhead, IsTheTimeOfARunInWhichNoKernelRan) {
    Profile p;
    p.run_spans = {span(p, EventKind::run, "run", 100, 200),
                   span(p, EventKind::run, "run", 300, 400)};
    p.run_spans[1].run = 1;
    p.kernels = {span(p, EventKind::kernel, "a", 110, 130),
                 span(p, EventKind::kernel, "inner", 112, 120, 1),
                 span(p, EventKind::kernel, "b", 125, 150, 0, 1),
                 span(p, EventKind::kernel, "c", 150, 190),
                 span(p, EventKind::kernel, "between runs", 220, 250),
                 span(p, EventKind::kernel, "d", 300, 400)};
    const auto spans = overhead_spans(p);
    ASSERT_EQ(spans.size(), 2u);  // a and b overlap, c begins where b ends, d fills its run
    EXPECT_EQ(spans[0].begin_ns, 100);
    EXPECT_EQ(spans[0].end_ns, 110);
    EXPECT_EQ(spans[1].begin_ns, 190);
    EXPECT_EQ(spans[1].end_ns, 200);
    EXPECT_EQ(spans[1].run, 0);
    EXPECT_DOUBLE_EQ(session_overhead(p).run_ms, 20 / 1e6) << "of the first run: both take as long";
    EXPECT_DOUBLE_EQ(session_overhead(p).share, 0.2);
    EXPECT_TRUE(overhead_spans(Profile{}).empty());
}

TEST(SessionOverhead, FillsTheWallTimeWithTheKernelsToTheNanosecond) {
    const auto p = recorded("lenet", 2).profile;
    std::int64_t wall = 0, kernels = 0, between = 0;
    for (const Span& run : p->run_spans) wall += run.duration_ns();
    for (const Span& kernel : p->kernels) kernels += kernel.depth == 0 ? kernel.duration_ns() : 0;
    for (const OverheadSpan& gap : overhead_spans(*p)) between += gap.duration_ns();
    EXPECT_GT(between, 0);
    EXPECT_EQ(kernels + between, wall);
    const ProfileSummary summary = summarize(*p);
    EXPECT_NEAR(summary.kernel_ms + session_overhead(*p).run_ms, summary.wall_ms,
                1e-9 * summary.wall_ms);
}

TEST(SessionOverhead, PhasesComeInOrderAndAddUp) {
    const auto p = recorded("mlp", 1).profile;
    std::vector<std::string> outer;
    std::int64_t at = 0;
    double once = 0;
    const Span* initialization = nullptr;
    for (const Span& phase : p->phases) {
        if (phase.depth > 0) continue;
        outer.push_back(p->name(phase));
        EXPECT_GE(phase.begin_ns, at) << outer.back();
        at = phase.end_ns;
        once += static_cast<double>(phase.duration_ns()) / 1e6;
        if (outer.back() == initialization_phase) initialization = &phase;
    }
    EXPECT_EQ(outer, (std::vector<std::string>{"model load", "graph optimization",
                                               "session initialization", "session cleanup"}));
    ASSERT_TRUE(initialization);
    std::set<std::string> parts;
    for (const Span& phase : p->phases) {
        if (phase.depth == 0) continue;
        const std::string& name = p->name(phase);
        parts.insert(name);
        EXPECT_GE(phase.begin_ns, initialization->begin_ns) << name;
        EXPECT_LE(phase.end_ns, initialization->end_ns) << name;
    }
    for (const char* part : {"infer shapes", "choose kernels", "pack weights"})
        EXPECT_TRUE(parts.contains(part)) << part;
    EXPECT_EQ(p->phases.front().begin_ns, 0);
    EXPECT_GE(p->run_spans.front().begin_ns, initialization->end_ns);
    EXPECT_GE(p->kernels.front().begin_ns, p->run_spans.front().begin_ns);
    EXPECT_GE(p->phases.back().begin_ns, p->run_spans.back().end_ns);
    const SessionOverhead overhead = session_overhead(*p);
    EXPECT_DOUBLE_EQ(overhead.load_ms.value(), 5);
    EXPECT_DOUBLE_EQ(overhead.optimization_ms.value(), 2);
    EXPECT_NEAR(overhead.once_ms, once, 1e-9);
    double rows = 0;
    for (const PhaseTime& phase : phase_times(*p)) rows += phase.depth == 0 ? phase.ms.value() : 0;
    EXPECT_NEAR(rows, once, 1e-9);
}

TEST(SessionOverhead, StandsInTheChromeTraceAndComesBack) {
    const auto p = recorded("lenet", 2).profile;
    std::ostringstream text;
    write_chrome_trace(*p, text);
    double runs = 0, kernels = 0, between = 0;
    std::set<std::string> session;
    const Json trace = Json::parse(text.str());
    for (const Json& e : trace["traceEvents"]) {
        if (e["ph"] != "X") continue;
        const double us = e["dur"];
        if (e["name"] == "model_run") runs += us;
        else if (e["cat"] == "Session") session.insert(e["name"]);
        if (e["cat"] == "Node" && !e["args"].contains("depth")) kernels += us;
        if (e["cat"] == "Overhead") {
            EXPECT_EQ(e["name"], "session overhead");
            between += us;
        }
    }
    EXPECT_NEAR(kernels + between, runs, 1e-6 * runs);
    for (const std::string_view phase :
         {load_phase, optimization_phase, initialization_phase, cleanup_phase})
        EXPECT_TRUE(session.contains(std::string(phase))) << phase;
    const TemporaryFolder folder;
    save_chrome_trace(*p, folder / "t.json");
    const LoadedTrace back = load_trace(folder / "t.json");
    EXPECT_EQ(back.source, TraceSource::lapidary);
    const SessionOverhead there = session_overhead(back.profile), here = session_overhead(*p);
    EXPECT_DOUBLE_EQ(there.run_ms, here.run_ms);
    EXPECT_DOUBLE_EQ(there.once_ms, here.once_ms);
    EXPECT_DOUBLE_EQ(there.cleanup_ms.value(), here.cleanup_ms.value());
}

TEST(SessionOverhead, OfOnnxRuntimeIsWhatItsProfileReports) {
    const LoadedTrace trace =
        load_trace(fixtures_folder() / "traces" / "onnxruntime_squeezenet.json");
    EXPECT_EQ(trace.source, TraceSource::onnxruntime);
    const SessionOverhead overhead = session_overhead(trace.profile);
    EXPECT_TRUE(overhead.load_ms && overhead.initialization_ms);
    EXPECT_FALSE(overhead.optimization_ms);
    EXPECT_FALSE(overhead.cleanup_ms);
    EXPECT_DOUBLE_EQ(overhead.once_ms, *overhead.load_ms + *overhead.initialization_ms);
    const ProfileSummary summary = summarize(trace.profile);
    EXPECT_NEAR(summary.kernel_ms + overhead.run_ms, summary.wall_ms, 1e-9 * summary.wall_ms);
    EXPECT_EQ(trace.profile.peak_bytes, 0);
}

// ---- ONNX Runtime's own format

Json events_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return Json::parse(in);
}

/// Its events, arguments and types of values as a profile of ONNX Runtime has them.
TEST(OnnxRuntimeProfile, HasTheEventsThatOnnxRuntimeWrites) {
    const Recorded run = recorded("squeezenet", 2);
    const TemporaryFolder folder;
    save_onnxruntime_profile(*run.profile, &run.executed->graph, folder / "p.json");
    const Json ours = events_of(folder / "p.json"),
               theirs = events_of(fixtures_folder() / "traces" / "onnxruntime_squeezenet.json");
    ASSERT_TRUE(ours.is_array());
    std::set<std::string> keys, arguments, session;
    for (const Json& e : theirs) {
        for (const auto& [key, value] : e.items()) keys.insert(key);
        for (const auto& [key, value] : e["args"].items()) arguments.insert(key);
        if (e["cat"] == "Session") session.insert(e["name"]);
    }
    std::set<std::string> reported;
    std::map<std::string, int> counts;
    for (const Json& e : ours) {
        std::set<std::string> own;
        for (const auto& [key, value] : e.items()) own.insert(key);
        EXPECT_EQ(own, keys) << e;
        for (const char* whole : {"ts", "dur", "pid", "tid"})
            EXPECT_TRUE(e.at(whole).is_number_integer() && e.at(whole) >= 0) << e;
        EXPECT_EQ(e["ph"], "X");
        if (e["cat"] == "Session") {
            reported.insert(e["name"]);
            ++counts[e["name"]];
            continue;
        }
        EXPECT_EQ(e["cat"], "Node");
        EXPECT_TRUE(e["name"].get<std::string>().ends_with("_kernel_time")) << e;
        for (const char* needed :
             {"op_name", "provider", "node_index", "input_type_shape", "output_type_shape",
              "output_size", "parameter_size", "activation_size", "thread_scheduling_stats"})
            EXPECT_TRUE(e["args"].contains(needed)) << needed << " in " << e;
        for (const auto& [key, value] : e["args"].items())
            EXPECT_TRUE(arguments.contains(key)) << key;
        EXPECT_EQ(e["args"]["provider"], "CPUExecutionProvider");
        for (const char* text : {"node_index", "output_size", "parameter_size", "activation_size"})
            EXPECT_TRUE(e["args"][text].is_string()) << e;
    }
    EXPECT_EQ(reported, session);
    EXPECT_EQ(counts["model_run"], 3);
    EXPECT_EQ(counts["session_initialization"], 1);
}

TEST(OnnxRuntimeProfile, CountsBytesAndRunsAsTheyWere) {
    Profile p;
    p.phases = {span(p, EventKind::phase, "model load", 0, 7000),
                span(p, EventKind::phase, "graph optimization", 7000, 9000),
                span(p, EventKind::phase, "session initialization", 9000, 20500),
                span(p, EventKind::phase, "choose kernels", 9500, 9900, 1)};
    p.run_spans = {span(p, EventKind::run, "run 1", 30000, 61999)};
    Span conv = span(p, EventKind::kernel, "c\"1", 31500, 60999);
    conv.label =
        p.labels.add({.name = "c\"1",
                      .op = "com.microsoft.nchwc::Conv",
                      .shapes = "f32[1,3,8,8] x f32[4,3,1,1] x i64[] -> f16[1,4,8,8] bool[2]"});
    Span texts = span(p, EventKind::kernel, "s", 61000, 61500);
    texts.label = p.labels.add(
        {.name = "s", .op = "s", .shapes = "string[2] x sequence of 2 x f32[1] -> string[2]"});
    p.kernels = {conv, texts};
    p.ranges = {span(p, EventKind::range, "c\"1", 32000, 40000),
                span(p, EventKind::range, "c\"1", 32000, 50000, 0, 3),
                span(p, EventKind::range, "c\"1", 51000, 52000, 0, 3)};
    std::ostringstream out;
    write_onnxruntime_profile(p, nullptr, out);
    const Json events = Json::parse(out.str());
    ASSERT_EQ(events.size(), 6u);
    EXPECT_EQ(events[0]["name"], "model_loading_uri");
    EXPECT_EQ(events[1]["name"], "session_initialization");
    EXPECT_EQ(events[1]["ts"], 7);
    EXPECT_EQ(events[1]["dur"], 13);  // the optimization is part of it
    const Json& node = events[2];
    EXPECT_EQ(node["name"], "c\"1_kernel_time");
    EXPECT_EQ(node["ts"], 31);
    EXPECT_EQ(node["dur"], 29);
    const Json& args = node["args"];
    EXPECT_EQ(args["op_name"], "Conv");
    EXPECT_EQ(args["input_type_shape"],
              Json::parse(R"([{"float":[1,3,8,8]},{"float":[4,3,1,1]},{"int64":[]}])"));
    EXPECT_EQ(args["output_type_shape"], Json::parse(R"([{"float16":[1,4,8,8]},{"bool":[2]}])"));
    EXPECT_EQ(args["output_size"], std::to_string(4 * 64 * 2 + 2));
    EXPECT_FALSE(args.contains("parameter_size"))
        << "without a graph it is not known which inputs are parameters";
    EXPECT_EQ(args["thread_scheduling_stats"]["main_thread"]["Run"], 8);
    EXPECT_EQ(args["thread_scheduling_stats"]["sub_threads"]["3"]["num_run"], 2);
    EXPECT_FALSE(events[3]["args"].contains("input_type_shape")) << "a sequence is among them";
    EXPECT_FALSE(events[3]["args"].contains("output_size"))
        << "how long the strings are is not known";
    EXPECT_EQ(events[3]["args"]["thread_scheduling_stats"], "");
    EXPECT_EQ(events[4]["name"], "SequentialExecutor::Execute");
    EXPECT_EQ(events[5]["name"], "model_run");
}

TEST(OnnxRuntimeProfile, ComesBackWithItsFigures) {
    const Recorded run = recorded("lenet", 1);
    const TemporaryFolder folder;
    save_onnxruntime_profile(*run.profile, &run.executed->graph, folder / "p.json");
    const LoadedTrace back = load_trace(folder / "p.json");
    EXPECT_EQ(back.source, TraceSource::lapidary) << "it is in ONNX Runtime's format, not of it";
    EXPECT_EQ(back.profile.runs, 3);
    ASSERT_EQ(back.profile.kernels.size(), run.profile->kernels.size());
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < back.profile.kernels.size(); ++i) {
        const Span &there = back.profile.kernels[i], &here = run.profile->kernels[i];
        EXPECT_EQ(back.profile.name(there), run.profile->name(here));
        EXPECT_EQ(back.profile.shapes(there), run.profile->shapes(here));
        EXPECT_LE(std::abs(there.begin_ns - here.begin_ns), 1000);
        EXPECT_LE(std::abs(there.duration_ns() - here.duration_ns()), 1000);
        bytes += there.bytes;
    }
    EXPECT_GT(bytes, 0);
    EXPECT_NEAR(session_overhead(back.profile).load_ms.value(), 5, 1e-9);
    std::uint64_t parameters = 0;
    const Json events = events_of(folder / "p.json");
    for (const Json& e : events)
        if (e["cat"] == "Node" && e["args"]["op_name"].get<std::string>().starts_with("Gemm"))
            parameters += std::stoull(e["args"]["parameter_size"].get<std::string>());
    EXPECT_GT(parameters, 0u);
}

TEST(OnnxRuntimeProfile, KernelsThatBeginInOneMicrosecondKeepTheirOrder) {
    const TemporaryFolder folder;
    const auto kernel = [](const char* name, int ts, int dur) {
        return fmt::format(
            R"({{"cat":"Node","pid":1,"tid":1,"dur":{},"ts":{},"ph":"X","name":"{}_kernel_time",)"
            R"("args":{{"op_name":"Relu"}}}})",
            dur, ts, name);
    };
    // ONNX Runtime writes a kernel when it ends: what ran inside of another comes first.
    std::ofstream(folder / "p.json")
        << "[" << kernel("short", 5, 0) << "," << kernel("long", 5, 7) << ","
        << kernel("inner", 20, 3) << "," << kernel("outer", 20, 9) << "]";
    const Profile profile = load_chrome_trace(folder / "p.json");
    ASSERT_EQ(profile.kernels.size(), 4u);
    for (const auto& [i, name, depth] :
         {std::tuple(0, "short", 0), {1, "long", 0}, {2, "outer", 0}, {3, "inner", 1}}) {
        const Span& span = profile.kernels[static_cast<std::size_t>(i)];
        EXPECT_EQ(profile.name(span), name);
        EXPECT_EQ(span.depth, depth) << name;
    }
}

}  // namespace
}  // namespace lapidary
