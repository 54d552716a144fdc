// SPDX-License-Identifier: Apache-2.0
// Events of a run and what is made of them: tables, a Chrome trace.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/graph/ids.h>
#include <lapidary/base/progress.h>
#include <lapidary/profile/label_table.h>

namespace lapidary {

/// What happened: a phase of the session, a run, a kernel, a thread's part of one, memory taken and
/// given back, a copy between kinds of memory.
enum class EventKind : std::uint8_t { phase, run, kernel, range, allocation, release, copy };

/// A stretch of time in a recording, in numbers. What it says in words is a label of the profile
/// that it belongs to: Profile::name() and the like.
struct Span {
    std::int64_t begin_ns = 0, end_ns = 0;  // since the profile began
    std::int64_t bytes = 0;                 // taken, given back or copied
    LabelId label{};                        // of Profile::labels
    /// in the graph that ran (main graph only; subgraph nodes carry their path in the name)
    NodeId node;
    int thread = 0;  // 0: the one that called run()
    int depth = 0;   // nesting of subgraphs; of phases: inside of the one before with less
    int run = 0;     // which repetition
    EventKind kind = EventKind::kernel;                             // what it is of
    std::int64_t duration_ns() const { return end_ns - begin_ns; }  // of the span
};
static_assert(sizeof(Span) == 48, "recordings have millions of them");

/// A finished recording. Immutable once made.
struct Profile {
    std::string model_name;       // its file, or the name of its graph
    int threads = 1;              // of the session
    int runs = 0;                 // repetitions recorded
    std::vector<Span> phases;     // load, infer, compile, plan, ...
    std::vector<Span> run_spans;  // one per repetition: wall time of run()
    /// in time order; steps that copy between kinds of memory too, of kind copy
    std::vector<Span> kernels;
    /// parts of kernels per thread: from the first task that it took in a parallel loop to the end
    /// of the last
    std::vector<Span> ranges;
    std::vector<Span> memory;  // allocation and release instants
    std::uint64_t dropped_events = 0;
    std::int64_t peak_bytes = 0;  // activations held at once
    std::int64_t weight_bytes = 0;
    /// what a reader should know of how it came about: a file that broke off
    std::string note;
    /// What the spans say in words: see SpanText. A span is made with a label of this table.
    LabelTable labels;

    // The words of a span of this profile.
    const std::string& name(const Span& span) const { return labels.name(span.label); }
    const std::string& op(const Span& span) const { return labels.op(span.label); }
    const std::string& kernel(const Span& span) const { return labels.kernel(span.label); }
    const std::string& shapes(const Span& span) const { return labels.shapes(span.label); }
    const std::string& provider(const Span& span) const { return labels.provider(span.label); }
    const std::string& fallback(const Span& span) const { return labels.fallback(span.label); }
    SpanText text(const Span& span) const { return labels.text(span.label); }  // all of them
};

/// The run that times, shares and totals are of. One run that something held up moves a mean, and
/// with it every share; the run in the middle stays what it was, and its kernels and overhead add
/// up to its wall time.
struct TypicalRun {
    /// Of the run of median wall time in Profile::run_spans: of an even number the shorter of the
    /// two in the middle, of equal ones the first. Nothing: no run was recorded, and all kernels
    /// count as one.
    std::optional<std::size_t> index;
    std::optional<int> number;  // Span::run of what belongs to it
    std::int64_t wall_ns = 0;

    /// Whether the span is part of it.
    bool holds(const Span& span) const { return !number || span.run == *number; }
};
TypicalRun typical_run(const Profile& profile);  // of its run_spans

/// All kernels of an operator together, in the typical run.
struct OperatorTotal {
    std::string op;          // as in SpanText
    std::int64_t count = 0;  // calls
    double self_ms = 0;      // without kernels within it
    double share = 0;        // of the run's wall time, 0..1
};

/// A node: its time in the typical run, and its calls over all runs.
struct NodeTotal {
    NodeId node;                                     // in the graph that ran; none in subgraphs
    std::string name, op, kernel, shapes, provider;  // as in SpanText, of the first call
    bool is_copy = false;                            // between kinds of memory
    double ms = 0;                                   // of all its calls in the typical run
    double min_ms = 0, max_ms = 0;                   // of single calls, over all runs
    double share = 0;                                // ms of the typical run's wall time, 0..1
    std::int64_t calls = 0;                          // over all runs
    /// that ran on the plain reference kernel: handed to it, or it was chosen
    std::int64_t fallback_calls = 0;
    std::string fallback;  // why the first of them did; empty: none
};

/// Of a provider in the typical run, where not only the CPU had work.
struct ProviderTotal {
    std::string provider;     // copies belong to the one that is not the CPU
    std::int64_t nodes = 0;   // copies not among them
    double node_ms = 0;       // of top-level kernels
    double share = 0;         // node_ms of the run's wall time, 0..1
    std::int64_t copies = 0;  // calls
    double copy_ms = 0;       // of all copies
    double copied_bytes = 0;  // by all copies
};

/// The totals that tables and sentences are made of: those of the typical run.
struct ProfileSummary {
    /// wall time of the typical run, the median of all; what is below adds up to it
    double wall_ms = 0;
    double kernel_ms = 0;                  // of its top-level kernels
    std::vector<OperatorTotal> operators;  // slowest first
    std::vector<NodeTotal> nodes;          // slowest first
    std::vector<ProviderTotal> providers;  // slowest first; empty when only the CPU had work
    std::string verdict;                   // one sentence: where the time goes
};

/// Never fails: a profile without runs gives zeros and says so.
ProfileSummary summarize(const Profile& profile);

/// "ran on the reference kernel: " and why, followed by how many of the calls did where not all;
/// empty: none did.
std::string fallback_text(const NodeTotal& node);

/// Which kernel spans belong together: those of one node, or of one name where they have no node.
struct KernelGroups {
    std::vector<std::uint32_t> of_kernel;  // parallel to Profile::kernels
    std::vector<std::uint32_t> first;      // by group: a span that names it
};
/// In the order of the first span of each.
KernelGroups group_kernels(const Profile& profile);

/// Chrome trace-event JSON (chrome://tracing, Perfetto). Complete events; categories Session, Node,
/// Kernel, Memory as ORT's profiles name them.
void write_chrome_trace(const Profile& profile, std::ostream& out);
/// The same into a file, written whole or not at all. Throws io_failure.
void save_chrome_trace(const Profile& profile, const std::filesystem::path& path);
/// Reads a trace of write_chrome_trace() or a profile of ONNX Runtime (its names, shapes and
/// providers; runs and nesting from the times). A file that breaks off gives what came before, and
/// Profile::note. Throws invalid_input with the byte when there is no list of events, cancelled,
/// io_failure.
Profile load_chrome_trace(const std::filesystem::path& path, const CancelToken& cancel = {});

}  // namespace lapidary
