// SPDX-License-Identifier: Apache-2.0
// Groups requests of many callers into runs of a model, and measures the effect on latency and
// throughput.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>
#include <lapidary/exec/session.h>

namespace lapidary {

/// How requests are grouped.
struct BatcherOptions {
    std::int64_t max_batch = 8;  // rows of one run; 1: no grouping
    double max_delay_ms = 2;     // longest time that a request waits for others
    SessionOptions session;      // of the session that runs them
};

/// Counts since construction.
struct BatcherCounts {
    std::size_t requests = 0;  // answered, errors included
    std::size_t runs = 0;      // of the session
    std::size_t rows = 0;      // of all runs together
    std::size_t failures = 0;  // requests answered with an error
};

/// Takes requests from any thread and runs them in the order of arrival, compatible ones in one
/// run. Compatible requests have the same inputs with the same element types and sizes (except the
/// batch), and equal values for inputs without a batch dimension. Inputs are concatenated along the
/// batch dimension and outputs split again, so the model must treat rows independently. If a run of
/// several requests fails, each is run alone, so that only faulty ones get an error.
class Batcher {
public:
    /// Compiles the model. Throws not_supported, naming input or output, for a model without a free
    /// batch dimension, with one that does not appear in every output, or with inputs that are no
    /// tensors; what Session::compile() throws.
    Batcher(const ModelPtr& model, const BatcherOptions& options, const Progress& progress = {});
    Batcher(const Batcher&) = delete;
    Batcher& operator=(const Batcher&) = delete;
    /// Waits until all submitted requests are answered.
    ~Batcher();

    /// The outputs for inputs of one or more rows. A request of more than `max_batch` rows runs
    /// alone. The future throws Error{invalid_input} for inputs that do not fit the model, and what
    /// Session::run() throws.
    std::future<NamedValues> submit(NamedValues inputs);
    /// May be called from any thread.
    BatcherCounts counts() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Figures with a number of callers, each of which sends its next request when its last is
/// answered.
struct LoadPoint {
    int concurrency = 1;       // callers at a time
    std::size_t requests = 0;  // answered
    SampleSummary latency_ms;  // of single requests, from submitting to the answer
    double per_second = 0;     // rows
    double rows_per_run = 0;   // mean over the runs
};

/// One number of callers, with grouping and without.
struct LoadComparison {
    LoadPoint grouped, single;  // requests run in groups; each alone
};

/// How to measure a batcher.
struct ServingOptions {
    BatcherOptions batcher;  // of the grouped points; the single ones have max_batch 1
    std::vector<int> concurrency{1, 2, 4, 8};  // numbers of callers, one point each
    double seconds = 2;                        // per point
    std::uint64_t seed = 1;                    // of the order of slices
};

/// The latency/throughput curve. `requests`: caller k sends number k modulo their count. Grouping
/// and not grouping take turns in slices of time, so that both see the same machine. `on_point`
/// gets each point when it is done. Throws what Batcher throws, the first error of a request,
/// cancelled.
std::vector<LoadComparison> measure_load(
    const ModelPtr& model, const std::vector<NamedValues>& requests, const ServingOptions& options,
    const Progress& progress = {}, const std::function<void(const LoadComparison&)>& on_point = {});

}  // namespace lapidary
