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

namespace lapidary {

/// What happened: a phase of the session, a run, a kernel, a thread's part of one, memory taken and
/// given back, a copy between kinds of memory.
enum class EventKind : std::uint8_t { phase, run, kernel, range, allocation, release, copy };

/// A plain event as recorded; names are resolved afterwards.
struct ProfileEvent {
    EventKind kind = EventKind::kernel;  // which of the fields below mean something
    std::uint8_t depth = 0;              // nesting of subgraphs
    std::uint16_t thread = 0;            // 0: the thread that called run()
    /// kernel, range: index of the plan step; phase: PhaseId; memory: value
    std::uint32_t step = 0;
    std::uint32_t plan = 0;     // which plan (0 main, others subgraphs)
    std::int64_t begin_ns = 0;  // steady clock, relative to Profile start
    std::int64_t end_ns = 0;    // equal to begin for instants
    std::int64_t bytes = 0;     // allocation, release, copy
    /// kernel: as in Span; text of the program; null: it served the run itself
    const char* fallback = nullptr;
};

/// One resolved span.
struct Span {
    EventKind kind = EventKind::kernel;  // what it is of
    std::string name;                    // node name (or a made one), phase name
    std::string op;      // "Conv", "com.microsoft::Gelu", "MatMul + Add + Gelu (fused)"
    std::string kernel;  // "reference.conv"
    /// in the graph that ran (main graph only; subgraph nodes carry their path in name)
    NodeId node;
    int thread = 0;  // 0: the one that called run()
    int depth = 0;   // nesting of subgraphs; of phases: inside of the one before with less
    int run = 0;     // which repetition
    std::int64_t begin_ns = 0, end_ns = 0;  // since the profile began
    std::int64_t bytes = 0;                 // taken, given back or copied
    std::string shapes;            // "f32[1,3,224,224] x f32[64,3,7,7] -> f32[1,64,112,112]"
    std::string provider = "CPU";  // that ran it; of a copy: the one that is not the CPU
    /// why it ran on the plain reference kernel, chosen or handed to; empty: it did not
    std::string fallback;
    std::int64_t duration_ns() const { return end_ns - begin_ns; }  // of the span
};

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
    std::string op;          // as in Span
    std::int64_t count = 0;  // calls
    double self_ms = 0;      // without kernels within it
    double share = 0;        // of the run's wall time, 0..1
};

/// A node: its time in the typical run, and its calls over all runs.
struct NodeTotal {
    NodeId node;                                     // in the graph that ran; none in subgraphs
    std::string name, op, kernel, shapes, provider;  // as in Span, of the first call
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
