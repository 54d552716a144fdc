// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include <lapidary/bench/bench.h>
#include <lapidary/cost/cost_rollback.h>
#include <lapidary/base/error.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/profile/profile.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/exec/session.h>
#include <lapidary/profile/session_overhead.h>

#include "profile/recorder.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

std::shared_ptr<const Profile> profiled(const char* sample, int repetitions, int threads = 2) {
    const auto model = std::make_shared<const Model>(build_sample(sample));
    SessionOptions options;
    options.resources.threads = threads;
    Session s = Session::compile(model, options);
    RunOptions run;
    run.profile = true;
    run.repetitions = repetitions;
    return s.run(generate_inputs(*model), run).profile;
}

/// Two Convs, a Relu and a Loop with an Add in its body, one after the other, `lengths`
/// microseconds each; 1 us without a kernel at the end of each run.
Profile profile_with_runs(const std::vector<std::vector<std::int64_t>>& lengths) {
    struct Kernel {
        const char *name, *op;
        int depth;
    };
    constexpr Kernel kernels[] = {{"c1", "Conv", 0},
                                  {"c2", "Conv", 0},
                                  {"r", "Relu", 0},
                                  {"l", "Loop", 0},
                                  {"l/a", "Add", 1}};
    Profile profile;
    std::int64_t at = 0;
    for (std::size_t run = 0; run < lengths.size(); ++run) {
        Span whole;
        whole.kind = EventKind::run;
        whole.run = static_cast<int>(run);
        whole.begin_ns = at;
        for (std::size_t i = 0; i < std::size(kernels); ++i) {
            Span span;
            span.label = profile.labels.add({.name = kernels[i].name, .op = kernels[i].op});
            span.depth = kernels[i].depth;
            span.node = span.depth == 0 ? NodeId(static_cast<std::uint32_t>(i)) : NodeId();
            span.run = whole.run;
            span.begin_ns = span.depth > 0 ? profile.kernels.back().begin_ns : at;
            span.end_ns = span.begin_ns + lengths[run][i] * 1000;
            at = std::max(at, span.end_ns);
            profile.kernels.push_back(span);
        }
        at += 1000;
        whole.end_ns = at;
        profile.run_spans.push_back(whole);
    }
    profile.runs = static_cast<int>(lengths.size());
    return profile;
}

TEST(TypicalRun, IsTheOneInTheMiddle) {
    EXPECT_FALSE(typical_run(Profile{}).index);
    const auto of = [](const std::vector<std::int64_t>& convs) {
        std::vector<std::vector<std::int64_t>> runs;
        for (const std::int64_t conv : convs) runs.push_back({conv, 10, 5, 8, 4});
        return typical_run(profile_with_runs(runs)).index.value();
    };
    EXPECT_EQ(of({7}), 0u);
    EXPECT_EQ(of({7, 3}), 1u) << "the shorter of the two in the middle";
    EXPECT_EQ(of({9, 3, 5}), 2u);
    EXPECT_EQ(of({5, 9, 5, 5, 1}), 0u) << "the first of equal ones";
}

TEST(TypicalRun, SaysSoWhereANodeWasHeldUpInIt) {
    const std::string verdict =
        summarize(profile_with_runs(
                      {{100, 50, 30, 20, 12}, {100, 50, 330, 20, 12}, {700, 50, 30, 20, 12}}))
            .verdict;
    EXPECT_NE(
        verdict.find("the slowest node is r (66 %; it was held up, another run took 30.0 µs)"),
        std::string::npos)
        << verdict;
    EXPECT_TRUE(verdict.starts_with("Not sure, as a node was held up")) << verdict;
}

TEST(TypicalRun, NamesTheSlowestNodeThatDidTheWorkItself) {
    const std::string verdict = summarize(profile_with_runs({{10, 5, 3, 200, 150}})).verdict;
    EXPECT_TRUE(verdict.starts_with("91 % of 219 µs goes to 1 Loop node")) << verdict;
    EXPECT_NE(verdict.find("the slowest node is l/a (68 %)"), std::string::npos) << verdict;
}

TEST(TypicalRun, NamesTheSessionOverheadFirstWhereItIsTheLargest) {
    Profile profile = profile_with_runs({{10, 5, 3, 8, 4}});
    const std::string busy = summarize(profile).verdict;
    EXPECT_EQ(busy.find("session overhead"), std::string::npos) << busy;
    profile.run_spans[0].end_ns += 100'000;
    const ProfileSummary idle = summarize(profile);
    const SessionOverhead overhead = session_overhead(profile);
    EXPECT_GT(overhead.share, idle.operators.front().share);
    EXPECT_TRUE(idle.verdict.starts_with(percent_text(overhead.share) + " of " +
                                         time_text(idle.wall_ms) + " is session overhead"))
        << idle.verdict;
    EXPECT_NE(idle.verdict.find(percent_text(idle.operators.front().share) + " goes to"),
              std::string::npos)
        << idle.verdict;
}

TEST(TypicalRun, GivesTimesSharesAndTotalsWhateverHeldUpAnother) {
    const std::vector<std::int64_t> usual{100, 50, 30, 20, 12};
    const Profile calm = profile_with_runs({usual, usual, usual, usual, usual});
    const Profile held_up =
        profile_with_runs({usual, {5000, 50, 30, 20, 12}, usual, usual, {100, 50, 3000, 20, 12}});
    const ProfileSummary a = summarize(calm), b = summarize(held_up);
    EXPECT_DOUBLE_EQ(b.wall_ms, 0.201);
    EXPECT_DOUBLE_EQ(b.kernel_ms, 0.2);
    EXPECT_EQ(b.verdict, a.verdict);
    EXPECT_NE(b.verdict.find("75 % of 201 µs goes to 2 Conv nodes"), std::string::npos)
        << b.verdict;
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        EXPECT_EQ(b.nodes[i].name, a.nodes[i].name);
        EXPECT_DOUBLE_EQ(b.nodes[i].ms, a.nodes[i].ms);
        EXPECT_DOUBLE_EQ(b.nodes[i].share, a.nodes[i].share);
        EXPECT_EQ(b.nodes[i].calls, 5);
    }
    EXPECT_DOUBLE_EQ(b.nodes.front().max_ms, 5) << "the longest call is reported, too";
    double rows = session_overhead(held_up).run_ms, shares = session_overhead(held_up).share;
    for (const OperatorTotal& op : b.operators) rows += op.self_ms, shares += op.share;
    EXPECT_NEAR(rows, b.wall_ms, 1e-12);
    EXPECT_NEAR(shares, 1, 1e-12);
    Graph graph;
    const CostMap rolled = roll_back(held_up, graph, graph);
    EXPECT_NEAR(rolled.unattributed_ms, b.kernel_ms, 1e-12) << "none of the nodes is in this graph";
    const MedianEstimate reported = estimate_run_time(held_up);
    EXPECT_DOUBLE_EQ(reported.median, b.wall_ms);
    EXPECT_LE(reported.low, reported.median);
    EXPECT_GE(reported.high, reported.median);
}

TEST(Recorder, FullBuffersDropAndCount) {
    Recorder r(2, 3);
    for (int i = 0; i < 5; ++i) r.add(1, {.begin_ns = 10 - i});
    EXPECT_EQ(r.dropped(), 2u);
    ASSERT_EQ(r.events().size(), 3u);
    EXPECT_EQ(r.events().front().begin_ns, 8);
}

TEST(Profile, IsCompleteAndAddsUp) {
    const auto p = profiled("squeezenet", 3);
    ASSERT_EQ(p->run_spans.size(), 3u);
    EXPECT_EQ(p->dropped_events, 0u);
    const ProfileSummary s = summarize(*p);
    EXPECT_LE(s.kernel_ms, s.wall_ms);
    double operators = 0, nodes = 0;
    for (const OperatorTotal& o : s.operators) operators += o.self_ms;
    for (const NodeTotal& n : s.nodes) nodes += n.ms;
    EXPECT_NEAR(operators, s.kernel_ms, 1e-6);
    EXPECT_NEAR(nodes, s.kernel_ms, 1e-6);
    const auto conv = std::ranges::find(s.operators, "Conv", &OperatorTotal::op);
    ASSERT_NE(conv, s.operators.end());
    EXPECT_EQ(conv->count, 26);
    const OperatorTotal& slowest = s.operators.front();
    EXPECT_NE(s.verdict.find(std::to_string(slowest.count) + " " + slowest.op + " node"),
              std::string::npos)
        << s.verdict;
    EXPECT_GT(p->peak_bytes, 0);
    EXPECT_GT(p->weight_bytes, 4'000'000);
    EXPECT_FALSE(p->phases.empty());
    EXPECT_FALSE(p->ranges.empty());
    for (const Span& r : p->ranges) EXPECT_FALSE(p->name(r).empty());
}

// A run of several repetitions that is cancelled when `finished` of them are done.
struct CancelledRun {
    explicit CancelledRun(int finished) {
        options.profile = true;
        options.repetitions = 5;
        options.progress = [this, finished, before = 0, ended = 0](int done, int) mutable {
            if (done < before) ++ended;
            before = done;
            if (ended == finished) options.cancel.cancel();
        };
    }
    RunOptions options;
};

TEST(Profile, FinishedRunsAreKeptWhereAskedFor) {
    const auto model = std::make_shared<const Model>(build_sample("squeezenet"));
    Session session = Session::compile(model, {});
    const NamedValues inputs = generate_inputs(*model);
    const RunResult whole = session.run(inputs);
    CancelledRun later(2);
    later.options.keep_finished = true;
    const RunResult kept = session.run(inputs, later.options);
    ASSERT_TRUE(kept.profile);
    EXPECT_EQ(kept.profile->runs, 2);
    ASSERT_EQ(kept.profile->run_spans.size(), 2u);
    const auto of_run = [&](int run) {
        return std::ranges::count(kept.profile->kernels, run, &Span::run);
    };
    EXPECT_EQ(of_run(0), of_run(1)) << "the third run left none of its own";
    EXPECT_EQ(static_cast<std::size_t>(of_run(0) + of_run(1)), kept.profile->kernels.size());
    ASSERT_EQ(kept.outputs.size(), whole.outputs.size());
    const auto values = kept.outputs[0].second.tensor().data<float>();
    EXPECT_TRUE(std::ranges::equal(values, whole.outputs[0].second.tensor().data<float>()));
    CancelledRun unasked(2), early(0);
    EXPECT_THROW(session.run(inputs, unasked.options), Error);
    early.options.keep_finished = true;
    EXPECT_THROW(session.run(inputs, early.options), Error) << "nothing was finished";
}

// The fields that the trace-event format demands of each phase letter.
void expect_valid_event(const nlohmann::json& e) {
    ASSERT_TRUE(e.is_object());
    ASSERT_TRUE(e.at("ph").is_string());
    ASSERT_TRUE(e.at("name").is_string());
    ASSERT_TRUE(e.at("pid").is_number_integer());
    const std::string ph = e.at("ph");
    ASSERT_TRUE(ph == "X" || ph == "M" || ph == "i" || ph == "C") << ph;
    if (ph == "M") {
        ASSERT_TRUE(e.at("args").at("name").is_string());
        return;
    }
    ASSERT_TRUE(e.at("ts").is_number());
    ASSERT_GE(e.at("ts").get<double>(), 0);
    ASSERT_TRUE(e.at("args").is_object());
    if (ph == "X") {
        ASSERT_TRUE(e.at("tid").is_number_integer());
        ASSERT_GE(e.at("dur").get<double>(), 0);
        ASSERT_TRUE(e.at("cat").is_string());
    }
    if (ph == "i") { ASSERT_TRUE(e.at("s") == "t" || e.at("s") == "p" || e.at("s") == "g"); }
    if (ph == "C") {
        for (const auto& v : e.at("args")) ASSERT_TRUE(v.is_number());
    }
}

// Times between kernels belong to the session, and on a busy machine to others: label `timed`.
// steps cost several times as much there
constexpr double between_kernels = under_sanitizer ? 0.15 : 0.05;

TEST(ProfileTime, KernelsTakeNearlyAllOfIt) {
    const auto p = profiled("squeezenet", 3);
    const ProfileSummary s = summarize(*p);
    EXPECT_GT(s.kernel_ms, (1 - between_kernels) * s.wall_ms);
}

TEST(ChromeTrace, IsValidAndAddsUp) {
    const auto p = profiled("squeezenet", 2);
    std::ostringstream text;
    write_chrome_trace(*p, text);
    const auto root = nlohmann::json::parse(text.str());
    ASSERT_TRUE(root.at("traceEvents").is_array());
    double run = 0, kernels = 0;
    const int typical = typical_run(*p).number.value();
    for (const auto& e : root["traceEvents"]) {
        ASSERT_NO_FATAL_FAILURE(expect_valid_event(e)) << e;
        if (e["ph"] != "X") continue;
        if (e["name"] == "model_run" && e["args"]["run"] == typical) run += e["dur"].get<double>();
        if (e["cat"] == "Node" && !e["args"].contains("depth") && e["args"]["run"] == typical)
            kernels += e["dur"].get<double>();
    }
    const ProfileSummary summary = summarize(*p);
    EXPECT_GT(run, 0);
    EXPECT_NEAR(run, 1e3 * summary.wall_ms, 1e-6 * run);
    EXPECT_NEAR(kernels, 1e3 * summary.kernel_ms, 1e-6 * run);
    EXPECT_LE(kernels, run);
}

TEST(ChromeTrace, ReadsWhatItWrites) {
    const auto p = profiled("lenet", 2);
    const TemporaryFolder folder;
    const auto path = folder / "trace.json";
    save_chrome_trace(*p, path);
    const Profile back = load_chrome_trace(path);
    EXPECT_EQ(back.model_name, p->model_name);
    EXPECT_EQ(back.threads, p->threads);
    ASSERT_EQ(back.kernels.size(), p->kernels.size());
    for (std::size_t i = 0; i < back.kernels.size(); ++i) {
        EXPECT_EQ(back.text(back.kernels[i]), p->text(p->kernels[i]));
        EXPECT_EQ(back.kernels[i].node, p->kernels[i].node);
        EXPECT_EQ(back.kernels[i].begin_ns, p->kernels[i].begin_ns);
        EXPECT_EQ(back.kernels[i].end_ns, p->kernels[i].end_ns);
    }
    EXPECT_EQ(summarize(back).verdict, summarize(*p).verdict);
    EXPECT_EQ(back.memory.size(), p->memory.size());
}

/// A file that is gone when the test is.
class TraceFile {
public:
    explicit TraceFile(const std::string& text) : path_(folder_ / "trace.json") {
        std::ofstream(path_, std::ios::binary) << text;
    }
    const std::filesystem::path& path() const { return path_; }

private:
    TemporaryFolder folder_;
    std::filesystem::path path_;
};

std::string onnxruntime_event(const char* category, const char* name, int begin_us, int duration_us,
                              const std::string& args) {
    return std::string("{\"cat\" : \"") + category +
           "\",\"pid\" :7,\"tid\" :139000123,\"dur\" :" + std::to_string(duration_us) +
           ",\"ts\" :" + std::to_string(begin_us) + ",\"ph\" : \"X\",\"name\" :\"" + name +
           "\",\"args\" : {" + args + "}}";
}

const std::string onnxruntime_profile =
    "[\n" + onnxruntime_event("Session", "session_initialization", 0, 90, "") + ",\n" +
    onnxruntime_event("Node", "inner_kernel_time", 120, 10,
                      "\"op_name\" : \"Add\",\"provider\" : \"CPUExecutionProvider\"") +
    ",\n" + onnxruntime_event("Node", "loop_kernel_time", 110, 50, "\"op_name\" : \"Loop\"") +
    ",\n" +
    onnxruntime_event("Node", "conv_kernel_time", 170, 20,
                      "\"op_name\" : \"Conv\",\"node_index\" : \"91\",\"output_size\" : "
                      "\"400\",\"thread_scheduling_stats\" : {\"main_thread\": {\"core\": 0}, "
                      "\"sub_threads\": {\"14\": {\"num_run\": 1}}},\"input_type_shape\" : "
                      "[{\"float\":[1,3,8,8]},{\"int64\":[]}],\"output_type_shape\" : "
                      "[{\"float\":[1,1,10,10]}]") +
    ",\n" + onnxruntime_event("Session", "model_run", 100, 100, "") + ",\n" +
    onnxruntime_event("Session", "SequentialExecutor::Execute", 101, 98, "") + ",\n" +
    onnxruntime_event("Node", "conv_kernel_time", 320, 20, "\"op_name\" : \"Conv\"") + ",\n" +
    onnxruntime_event("Session", "model_run", 300, 50, "") + "\n]\n";

TEST(ChromeTrace, ReadsProfilesOfOnnxRuntime) {
    const TraceFile file(onnxruntime_profile);
    const Profile p = load_chrome_trace(file.path());
    EXPECT_EQ(p.runs, 2);
    EXPECT_EQ(p.threads, 2);
    EXPECT_TRUE(p.note.empty());
    ASSERT_EQ(p.phases.size(), 1u);
    ASSERT_EQ(p.kernels.size(), 4u);
    EXPECT_EQ(p.name(p.kernels[0]), "loop");
    EXPECT_EQ(p.kernels[0].depth, 0);
    EXPECT_EQ(p.name(p.kernels[1]), "inner");
    EXPECT_EQ(p.kernels[1].depth, 1);
    EXPECT_EQ(p.provider(p.kernels[1]), "CPU");
    EXPECT_EQ(p.shapes(p.kernels[2]), "f32[1,3,8,8] x i64[] -> f32[1,1,10,10]");
    EXPECT_EQ(p.kernels[2].bytes, 400);
    EXPECT_FALSE(p.kernels[2].node);
    EXPECT_EQ(p.kernels[2].run, 0);
    EXPECT_EQ(p.kernels[3].run, 1);
    EXPECT_EQ(p.kernels[3].thread, 0);
    EXPECT_DOUBLE_EQ(summarize(p).kernel_ms, 0.02) << "of the shorter of the two runs";
}

TEST(ChromeTrace, FilesThatBreakOffGiveWhatCameBefore) {
    const TraceFile file(
        onnxruntime_profile.substr(0, onnxruntime_profile.find("conv_kernel_time")));
    const Profile p = load_chrome_trace(file.path());
    EXPECT_EQ(p.kernels.size(), 2u);
    EXPECT_NE(p.note.find("breaks off after 3 events"), std::string::npos) << p.note;
    EXPECT_EQ(p.runs, 1);  // the one that was under way
    EXPECT_DOUBLE_EQ(summarize(p).wall_ms, 0.05);
}

TEST(ChromeTrace, FilesWithNoEventThatIsReadSaySo) {
    const std::string kernel = onnxruntime_event("kernel", "sgemm", 0, 5, "");
    const TraceFile other("[" + kernel + "," + kernel + "]");
    const Profile p = load_chrome_trace(other.path());
    EXPECT_TRUE(p.kernels.empty());
    EXPECT_NE(p.note.find("None of its events is shown (2 read)"), std::string::npos) << p.note;
    EXPECT_NE(p.note.find("Session, Node, Range and Copy"), std::string::npos) << p.note;
    const TraceFile mixed("[" + kernel + "," + onnxruntime_event("Node", "a", 9, 5, "") + "]");
    const Profile both = load_chrome_trace(mixed.path());
    EXPECT_EQ(both.kernels.size(), 1u);
    EXPECT_EQ(both.note, "");
    const TraceFile empty("[]");
    EXPECT_EQ(load_chrome_trace(empty.path()).note, "");
}

TEST(ChromeTrace, RunsOfOneNumberAreDistinguishedByTime) {
    Profile p =
        profile_with_runs({{100, 50, 30, 20, 12}, {90, 50, 30, 20, 12}, {300, 50, 30, 20, 12}});
    for (auto* spans : {&p.run_spans, &p.kernels})
        for (Span& span : *spans) span.run = 0;
    std::ostringstream text;
    write_chrome_trace(p, text);
    const TraceFile file(text.str());
    const ProfileSummary s = summarize(load_chrome_trace(file.path()));
    EXPECT_DOUBLE_EQ(s.wall_ms, 0.201);
    EXPECT_DOUBLE_EQ(s.kernel_ms, 0.2) << "no kernel of another run is counted";
}

TEST(ChromeTrace, ReadsLargeFilesAndStopsWhenCancelled) {
    std::string text = "[";
    const std::string event =
        onnxruntime_event("Node", "conv_kernel_time", 170, 20, "\"op_name\" : \"Conv\"");
    for (int i = 0; i < 50000; ++i) text += event + ",\n";
    text += event + "]";
    const TraceFile file(text);
    EXPECT_EQ(load_chrome_trace(file.path()).kernels.size(), 50001u);
    CancelToken cancel;
    cancel.cancel();
    EXPECT_THROW(load_chrome_trace(file.path(), cancel), Error);
}

TEST(ChromeTrace, HostileFilesAreRefusedOrSurvived) {
    const TemporaryFolder folder;
    const auto path = folder / "trace.json";
    const auto write = [&](const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
    };
    write("{\"traceEvents\": 5}");
    EXPECT_THROW(load_chrome_trace(path), Error);
    write("not json");
    EXPECT_THROW(load_chrome_trace(path), Error);
    write(
        R"([1, null, {"ph": "X", "cat": "Node", "name": 3, "ts": "x", "dur": 1e308, "tid": {}, "args": []}])");
    EXPECT_EQ(load_chrome_trace(path).kernels.size(), 1u);
    std::filesystem::remove(path);
    EXPECT_THROW(load_chrome_trace(path), Error);
}

}  // namespace
}  // namespace lapidary
