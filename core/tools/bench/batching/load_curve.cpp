// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <random>

#include <lapidary/bench/batcher.h>
#include <lapidary/base/error.h>
#include <lapidary/internal/joined_threads.h>

#include "bench/measurement/elapsed.h"

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int slices = 4;  // of each of the two per point

/// Counts of one batcher in the time slices of one point.
struct Tally {
    std::vector<double> latency_ms;  // of requests
    double seconds = 0;
    std::size_t rows = 0, runs = 0;

    LoadPoint point(int concurrency) const {
        LoadPoint p;
        p.concurrency = concurrency;
        p.requests = latency_ms.size();
        p.latency_ms = summarize_samples(latency_ms);
        p.per_second = seconds > 0 ? static_cast<double>(rows) / seconds : 0;
        p.rows_per_run = runs > 0 ? static_cast<double>(rows) / static_cast<double>(runs) : 0;
        return p;
    }
};

/// Callers that send one request after the other until time is up; the last answers count.
void run_slice(Batcher& batcher, const std::vector<NamedValues>& requests, int concurrency,
               double seconds, const CancelToken& cancel, Tally& tally) {
    std::mutex mutex;
    std::exception_ptr failure;
    std::atomic<bool> stop{false};
    const BatcherCounts before = batcher.counts();
    const auto start = Clock::now();
    JoinedThreads callers([&] { stop = true; });
    callers.start(concurrency, "threads that send requests", [&](int k) {
        const NamedValues& inputs = requests[static_cast<std::size_t>(k) % requests.size()];
        std::vector<double> own;
        while (!stop.load() && !cancel.is_cancelled() && seconds_since(start) < seconds) {
            const auto sent = Clock::now();
            try {
                batcher.submit(inputs).get();
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                stop = true;
                return;
            }
            own.push_back(1e3 * seconds_since(sent));
        }
        const std::lock_guard lock(mutex);
        tally.latency_ms.insert(tally.latency_ms.end(), own.begin(), own.end());
    });
    callers.join();
    tally.seconds += seconds_since(start);
    if (failure) std::rethrow_exception(failure);
    const BatcherCounts after = batcher.counts();
    tally.rows += after.rows - before.rows;
    tally.runs += after.runs - before.runs;
}

}  // namespace

std::vector<LoadComparison> measure_load(
    const ModelPtr& model, const std::vector<NamedValues>& requests, const ServingOptions& options,
    const Progress& progress, const std::function<void(const LoadComparison&)>& on_point) {
    if (requests.empty()) fail_input("no request was given");
    progress.step("compile", -1);
    Batcher grouped(model, options.batcher, progress);
    BatcherOptions alone = options.batcher;
    alone.max_batch = 1;
    Batcher single(model, alone, progress);
    for (Batcher* batcher : {&grouped, &single}) batcher->submit(requests.front()).get();
    std::mt19937_64 random(options.seed);
    std::vector<LoadComparison> curve;
    for (const int concurrency : options.concurrency) {
        if (concurrency < 1 || concurrency > 1024)
            fail_input("concurrency: expected 1 to 1024, found " + std::to_string(concurrency));
        Tally with, without;
        // The first run with each batch size makes a plan: it does not count for the latency.
        Tally unmeasured;
        run_slice(grouped, requests, concurrency, options.seconds / slices / 4, progress.cancel,
                  unmeasured);
        for (int slice = 0; slice < slices; ++slice) {
            progress.step(
                "callers: " + std::to_string(concurrency),
                (static_cast<double>(curve.size()) + static_cast<double>(slice) / slices) /
                    static_cast<double>(options.concurrency.size()));
            const bool grouped_first = random() % 2;
            for (const bool now_grouped : {grouped_first, !grouped_first})
                run_slice(now_grouped ? grouped : single, requests, concurrency,
                          options.seconds / slices, progress.cancel, now_grouped ? with : without);
        }
        progress.cancel.throw_if_cancelled();
        curve.push_back({with.point(concurrency), without.point(concurrency)});
        if (on_point) on_point(curve.back());
    }
    return curve;
}

}  // namespace lapidary
