// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile/trace_file.h>

#include <algorithm>
#include <limits>
#include <map>

#include <lapidary/base/error.h>

#include "base/files/mapped_file.h"
#include "profile/trace_event_reader.h"

namespace lapidary {
namespace {

std::int64_t nanoseconds(double us) {
    return us > -9e12 && us < 9e12 ? static_cast<std::int64_t>(us * 1e3) : 0;
}

int small_number(std::int64_t value) {
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

bool take_suffix(std::string_view& name, std::string_view suffix) {
    if (!name.ends_with(suffix)) return false;
    name.remove_suffix(suffix.size());
    return true;
}

/// Between kinds of memory: a step of this program that says what it copied, or a node that ONNX
/// Runtime put in. Bytes of its other nodes are those of their outputs.
bool is_copy(const TraceEvent& e) {
    return (e.begin_ns >= 0 && e.bytes > 0) || e.op == "MemcpyToHost" || e.op == "MemcpyFromHost";
}

class Builder {
public:
    explicit Builder(Profile& profile) : profile_(profile) {}

    void add(const TraceEvent& e) {
        std::string_view name = e.name;
        if (e.phase == "X" && e.category == "Copy") {
            profile_.memory.push_back(span_of(e, EventKind::copy, name));
        } else if (e.phase == "i" && e.category == "Memory") {
            const bool takes = name == "allocate";
            Span s = span_of(e, takes ? EventKind::allocation : EventKind::release, name);
            s.end_ns = s.begin_ns;
            profile_.memory.push_back(s);
        } else if (e.phase == "X" && e.category == "Session") {
            // model_run again
            if (name == "SequentialExecutor::Execute" || name == "ParallelExecutor::Execute")
                return leave_out(e);
            if (name == "model_run") profile_.run_spans.push_back(span_of(e, EventKind::run, name));
            else profile_.phases.push_back(span_of(e, EventKind::phase, name));
        } else if (e.phase == "X" && e.category == "Node") {
            if (name.ends_with("_fence_before") || name.ends_with("_fence_after"))
                return leave_out(e);
            has_their_names_ = take_suffix(name, "_kernel_time") || has_their_names_;
            has_own_depths_ = has_own_depths_ || e.begin_ns >= 0;
            profile_.kernels.push_back(
                span_of(e, is_copy(e) ? EventKind::copy : EventKind::kernel, name));
        } else if (e.phase == "X" && e.category == "Range") {
            profile_.ranges.push_back(span_of(e, EventKind::range, name));
        } else {
            ++others_;
        }
    }

    /// Events of kinds that are not read.
    std::uint64_t others() const { return others_; }

    /// ONNX Runtime reports neither which run a kernel belongs to nor that it ran inside of
    /// another: time does.
    void finish() {
        auto& runs = profile_.run_spans;
        std::ranges::stable_sort(runs, {}, &Span::begin_ns);
        auto& kernels = profile_.kernels;
        if (has_own_depths_) {
            const auto outer_first = [](const Span& a, const Span& b) {
                return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.depth < b.depth;
            };
            if (!std::ranges::is_sorted(kernels, {}, &Span::begin_ns))
                std::ranges::stable_sort(kernels, outer_first);
            for (std::size_t i = 0; i < runs.size(); ++i)
                if (runs[i].run != static_cast<int>(i)) return number_runs();
            return;
        }
        add_unfinished_run();
        number_runs();
        // In whole microseconds, what took less than one comes before what began in the same one;
        // else the longer is around.
        std::ranges::stable_sort(kernels, [](const Span& a, const Span& b) {
            if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
            const bool a_is_empty = a.end_ns == a.begin_ns, b_is_empty = b.end_ns == b.begin_ns;
            return a_is_empty != b_is_empty ? a_is_empty : a.end_ns > b.end_ns;
        });
        std::map<int, std::vector<std::int64_t>> open;  // by thread: ends of the kernels around
        for (Span& k : kernels) {
            auto& ends = open[k.thread];
            while (!ends.empty() && (ends.back() <= k.begin_ns || ends.back() < k.end_ns))
                ends.pop_back();
            k.depth = static_cast<int>(ends.size());
            ends.push_back(k.end_ns);
        }
    }

    /// Who wrote the events, by what only they write.
    TraceSource source() const {
        return has_own_depths_    ? TraceSource::lapidary
               : has_their_names_ ? TraceSource::onnxruntime
                                  : TraceSource::other;
    }

private:
    /// By time: a kernel belongs to the run that began last before it.
    void number_runs() {
        auto& runs = profile_.run_spans;
        for (std::size_t i = 0; i < runs.size(); ++i) runs[i].run = static_cast<int>(i);
        for (Span& k : profile_.kernels) {
            const auto after = std::ranges::upper_bound(runs, k.begin_ns, {}, &Span::begin_ns);
            if (after != runs.begin()) k.run = std::prev(after)->run;
        }
    }

    /// A run is written at its end: kernels behind the last one belong to a run that the file does
    /// not hold whole.
    void add_unfinished_run() {
        const std::int64_t last_end = profile_.run_spans.empty()
                                          ? std::numeric_limits<std::int64_t>::min()
                                          : profile_.run_spans.back().end_ns;
        Span run;
        run.kind = EventKind::run;
        run.label = profile_.labels.add({.name = "model_run"});
        bool any = false;
        for (const Span& k : profile_.kernels) {
            // both rounded down, a short one begins at the end
            if (k.begin_ns < last_end || k.end_ns <= last_end) continue;
            run.begin_ns = any ? std::min(run.begin_ns, k.begin_ns) : k.begin_ns;
            run.end_ns = any ? std::max(run.end_ns, k.end_ns) : k.end_ns;
            any = true;
        }
        if (any) profile_.run_spans.push_back(run);
    }

    /// Its thread counts all the same: threads are numbered as they appear.
    void leave_out(const TraceEvent& e) { thread_of(e.thread); }

    Span span_of(const TraceEvent& e, EventKind kind, std::string_view name) {
        Span s;
        s.kind = kind;
        s.label = label_of(e, name);
        s.thread = thread_of(e.thread);
        s.run = small_number(e.run);
        s.depth = small_number(e.depth);
        // The index that ONNX Runtime gives is one of its own graph.
        if (e.begin_ns >= 0 && e.node_index >= 0 && e.node_index < Id<NodeTag>::none)
            s.node = NodeId(static_cast<std::uint32_t>(e.node_index));
        s.begin_ns = e.begin_ns >= 0 ? e.begin_ns : nanoseconds(e.start_us);
        s.end_ns = e.end_ns >= 0
                       ? e.end_ns
                       : s.begin_ns + std::max<std::int64_t>(nanoseconds(e.duration_us), 0);
        s.bytes = e.bytes;
        return s;
    }

    LabelId label_of(const TraceEvent& e, std::string_view name) {
        SpanText text{.name = name,
                      .op = e.op,
                      .kernel = e.kernel,
                      .shapes = e.shapes,
                      .fallback = e.fallback};
        if (e.shapes.empty() && !(e.inputs.empty() && e.outputs.empty())) {
            shapes_.assign(e.inputs).append(" -> ").append(e.outputs);
            text.shapes = shapes_;
        }
        if (!e.provider.empty()) {
            text.provider = e.provider;
            take_suffix(text.provider, "ExecutionProvider");  // "CPUExecutionProvider" is "CPU"
        }
        return profile_.labels.add(text);
    }

    /// Ids of the system become 0, 1 ... in the order of their appearance; small numbers stay.
    int thread_of(std::int64_t id) {
        constexpr std::int64_t largest_own = 1024;
        if (id >= 0 && id < largest_own) return static_cast<int>(id);
        return threads_.emplace(id, static_cast<int>(threads_.size())).first->second;
    }

    Profile& profile_;
    std::uint64_t others_ = 0;
    bool has_own_depths_ = false, has_their_names_ = false;
    std::map<std::int64_t, int> threads_;
    std::string shapes_;  // of the event at hand
};

}  // namespace

std::string_view name_of(TraceSource source) {
    return source == TraceSource::lapidary      ? "Lapidary"
           : source == TraceSource::onnxruntime ? "ONNX Runtime"
                                                : "another program";
}

LoadedTrace load_trace(const std::filesystem::path& path, const CancelToken& cancel) {
    const auto file = MappedFile::open(path);
    LoadedTrace loaded;
    Profile& profile = loaded.profile;
    profile.model_name = path.filename().string();
    Builder builder(profile);
    TraceFacts facts;
    std::uint64_t count = 0;
    const TraceEnd end = read_trace_events(
        file->bytes(),
        [&](const TraceEvent& e) {
            if (++count % 4096 == 0) cancel.throw_if_cancelled();
            builder.add(e);
        },
        facts);
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorCode::invalid_input, "not a Chrome trace: " + why).at(path.string());
    };
    if (!end.has_events)
        refuse(!end.problem.empty()
                   ? end.problem
                   : "expected a list of events or an object with \"traceEvents\"");
    if (!end.problem.empty()) {
        if (end.events == 0) refuse(end.problem);
        profile.note = "The file breaks off after " + std::to_string(end.events) +
                       " events, at byte " + std::to_string(end.stopped_at) +
                       "; what came before is shown.";
    }
    if (count > 0 && builder.others() == count)
        profile.note += std::string(profile.note.empty() ? "" : " ") +
                        "None of its events is shown (" + std::to_string(count) +
                        " read): only complete events (\"ph\": \"X\") of the categories Session, "
                        "Node, Range and Copy are, and instants of Memory.";
    builder.finish();
    for (auto* spans : {&profile.kernels, &profile.ranges, &profile.memory}) spans->shrink_to_fit();
    if (!facts.model_name.empty()) profile.model_name = facts.model_name;
    profile.threads = facts.threads > 0 ? small_number(facts.threads)
                                        : static_cast<int>(facts.pool_threads.size()) + 1;
    profile.peak_bytes = facts.peak_bytes;
    profile.weight_bytes = facts.weight_bytes;
    profile.dropped_events =
        static_cast<std::uint64_t>(std::max<std::int64_t>(facts.dropped_events, 0));
    profile.runs = static_cast<int>(profile.run_spans.size());
    loaded.source = facts.written_by == name_of(TraceSource::lapidary) ? TraceSource::lapidary
                                                                       : builder.source();
    return loaded;
}

Profile load_chrome_trace(const std::filesystem::path& path, const CancelToken& cancel) {
    return load_trace(path, cancel).profile;
}

}  // namespace lapidary
