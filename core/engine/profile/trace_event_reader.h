// SPDX-License-Identifier: Apache-2.0
// The events of a Chrome trace, one after the other as a parser meets them: a trace of any size
// takes the memory of one event here. Understands the list form, the object form with
// "traceEvents", and what ONNX Runtime writes in args.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lapidary {

/// Fields of other types than expected keep their defaults: files may hold anything.
struct TraceEvent {
    std::string phase, category, name;
    std::string op, kernel, fallback, provider;
    std::string shapes;           // of our own traces
    std::string inputs, outputs;  // of ONNX Runtime's: "f32[1,3,224,224] x f32[64,3,7,7]"
    double start_us = 0, duration_us = 0;
    std::int64_t begin_ns = -1, end_ns = -1;  // of our own traces
    std::int64_t thread = 0, bytes = 0, depth = -1, run = -1, node_index = -1;

    /// As new, but for the memory that the strings hold.
    void clear();
};

/// What stands beside the events in the object form.
struct TraceFacts {
    std::string model_name;
    // in the arguments of runs, of files in ONNX Runtime's format that are not of it
    std::string written_by;
    std::int64_t threads = 0, peak_bytes = 0, weight_bytes = 0, dropped_events = 0;
    std::set<std::string> pool_threads;  // ids of ONNX Runtime's workers that took part
};

struct TraceEnd {
    std::uint64_t events = 0;
    bool has_events = false;  // the list of events was found
    std::size_t stopped_at = 0;
    // why reading stopped at that byte, before the end: empty when it did not
    std::string problem;
};

/// Calls `add` for each event, its argument being valid during the call. `add` may throw.
TraceEnd read_trace_events(std::span<const std::byte> json,
                           const std::function<void(const TraceEvent&)>& add, TraceFacts& facts);

}  // namespace lapidary
