// SPDX-License-Identifier: Apache-2.0
// Chrome trace-event JSON, object form: {"traceEvents": [...], "otherData": {...}}. Times in
// microseconds.
#include <lapidary/profile/profile.h>

#include <map>
#include <ostream>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include <lapidary/profile/session_overhead.h>
#include <lapidary/internal/shown_text.h>

#include "base/files/atomic_stream.h"

namespace lapidary {
namespace {

using nlohmann::json;

// Names of files may have a million characters, and each event carries its own.
constexpr std::size_t most_name_characters = 1000;
constexpr auto lenient = json::error_handler_t::replace;  // names of files need not be UTF-8

class ChromeTraceWriter {
public:
    explicit ChromeTraceWriter(std::ostream& out) : out_(out) {}

    void event(const json& e) {
        out_ << (first_ ? "\n" : ",\n") << e.dump(-1, ' ', false, lenient);
        first_ = false;
    }

    void complete(const Span& span, std::string_view category, const std::string& name, json args) {
        complete(span, span.thread, category, name, std::move(args));
    }

    void complete(const Span& span, int lane, std::string_view category, const std::string& name,
                  json args) {
        args["begin_ns"] = span.begin_ns;  // exact, for reading back
        args["end_ns"] = span.end_ns;
        event({{"ph", "X"},
               {"cat", category},
               {"name", elided(name, most_name_characters)},
               {"pid", 1},
               {"tid", lane},
               {"ts", static_cast<double>(span.begin_ns) / 1e3},
               {"dur", static_cast<double>(span.duration_ns()) / 1e3},
               {"args", std::move(args)}});
    }

private:
    std::ostream& out_;
    bool first_ = true;
};

json node_args(const Profile& profile, const Span& span) {
    const SpanText text = profile.text(span);
    json args{{"op_name", text.op}, {"provider", text.provider}, {"run", span.run}};
    if (!text.kernel.empty()) args["kernel"] = text.kernel;
    if (!text.shapes.empty()) args["shapes"] = elided(text.shapes, most_name_characters);
    if (!text.fallback.empty())
        args["ran_on_reference_kernel"] = elided(text.fallback, most_name_characters);
    if (span.node) args["node_index"] = span.node.index;
    if (span.depth) args["depth"] = span.depth;
    if (span.kind == EventKind::copy) args["bytes"] = span.bytes;
    return args;
}

/// A lane for each provider other than the CPU and each thread that gave it work, behind those of
/// the threads.
class ProviderLanes {
public:
    ProviderLanes(const Profile& profile, int first) : profile_(profile), next_(first) {
        for (const Span& span : profile.kernels) add(span);
    }
    int of(const Span& span) const {
        const auto it = lanes_.find({profile_.provider(span), span.thread});
        return it == lanes_.end() ? span.thread : it->second;
    }
    const std::map<std::pair<std::string, int>, int>& lanes() const { return lanes_; }

private:
    void add(const Span& span) {
        const std::string& provider = profile_.provider(span);
        if (provider != "CPU" && lanes_.try_emplace({provider, span.thread}, next_).second) ++next_;
    }
    const Profile& profile_;
    int next_;
    std::map<std::pair<std::string, int>, int> lanes_;  // provider and thread
};

std::string thread_name(int thread) {
    return thread == 0 ? "main" : "worker " + std::to_string(thread);
}

void name_lane(ChromeTraceWriter& writer, int lane, const std::string& name) {
    writer.event({{"ph", "M"},
                  {"name", "thread_name"},
                  {"pid", 1},
                  {"tid", lane},
                  {"args", {{"name", name}}}});
    writer.event({{"ph", "M"},
                  {"name", "thread_sort_index"},
                  {"pid", 1},
                  {"tid", lane},
                  {"args", {{"name", std::to_string(lane)}, {"sort_index", lane}}}});
}

}  // namespace

void write_chrome_trace(const Profile& profile, std::ostream& out) {
    out << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
    ChromeTraceWriter writer(out);
    writer.event({{"ph", "M"},
                  {"name", "process_name"},
                  {"pid", 1},
                  {"args", {{"name", "Lapidary: " + profile.model_name}}}});
    std::set<int> threads{0};
    for (const auto* spans : {&profile.kernels, &profile.ranges, &profile.memory})
        for (const Span& s : *spans) threads.insert(s.thread);
    const ProviderLanes providers(profile, *threads.rbegin() + 1);
    for (int t : threads) name_lane(writer, t, thread_name(t));
    for (const auto& [of, lane] : providers.lanes())
        name_lane(writer, lane,
                  elided(of.first, most_name_characters) +
                      (of.second == 0 ? "" : ", " + thread_name(of.second)));
    for (const Span& s : profile.phases)
        writer.complete(s, "Session", profile.name(s),
                        s.depth ? json{{"depth", s.depth}} : json::object());
    for (const Span& s : profile.run_spans)
        writer.complete(s, "Session", "model_run", {{"run", s.run}});
    for (const OverheadSpan& between : overhead_spans(profile)) {
        Span s;
        s.begin_ns = between.begin_ns;
        s.end_ns = between.end_ns;
        writer.complete(s, "Overhead", std::string(overhead_name), {{"run", between.run}});
    }
    for (const Span& s : profile.kernels)
        writer.complete(s, providers.of(s), "Node", profile.name(s) + "_kernel_time",
                        node_args(profile, s));
    for (const Span& s : profile.ranges)
        writer.complete(s, "Range", profile.name(s), node_args(profile, s));
    std::int64_t held = 0;
    for (const Span& s : profile.memory) {
        if (s.kind == EventKind::copy) {
            writer.complete(
                s, "Copy", profile.name(s),
                {{"bytes", s.bytes}, {"run", s.run}, {"provider", profile.provider(s)}});
            continue;
        }
        held += s.kind == EventKind::allocation ? s.bytes : -s.bytes;
        writer.event({{"ph", "i"},
                      {"s", "t"},
                      {"cat", "Memory"},
                      {"name", s.kind == EventKind::allocation ? "allocate" : "release"},
                      {"pid", 1},
                      {"tid", s.thread},
                      {"ts", static_cast<double>(s.begin_ns) / 1e3},
                      {"args", {{"bytes", s.bytes}, {"begin_ns", s.begin_ns}, {"run", s.run}}}});
        writer.event({{"ph", "C"},
                      {"cat", "Memory"},
                      {"name", "activations"},
                      {"pid", 1},
                      {"ts", static_cast<double>(s.begin_ns) / 1e3},
                      {"args", {{"bytes", held}}}});
    }
    const json other{{"model_name", profile.model_name},
                     {"threads", profile.threads},
                     {"runs", profile.runs},
                     {"peak_bytes", profile.peak_bytes},
                     {"weight_bytes", profile.weight_bytes},
                     {"dropped_events", profile.dropped_events}};
    out << "\n], \"otherData\": " << other.dump(-1, ' ', false, lenient) << "}\n";
}

void save_chrome_trace(const Profile& profile, const std::filesystem::path& path) {
    save_by_stream(path, [&](std::ostream& out) { write_chrome_trace(profile, out); });
}

}  // namespace lapidary
