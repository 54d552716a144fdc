// SPDX-License-Identifier: Apache-2.0
#include "node_times/kernel_times.h"

#include <utility>

namespace lapidary {
namespace {

double milliseconds(const Span& span) { return static_cast<double>(span.duration_ns()) / 1e6; }

}  // namespace

KernelTimes& KernelTimesTable::kernel_of(const Profile& profile, const Span& span) {
    const std::string& name = profile.name(span);
    std::string key = name;
    if (span.node) key += '\n' + std::to_string(span.node.index);
    const auto [at, is_new] = places_.try_emplace(std::move(key), times_.kernels.size());
    if (is_new) {
        KernelTimes kernel;
        kernel.name = name;
        kernel.op = profile.op(span);
        if (span.node) kernel.nodes = {span.node};
        times_.kernels.push_back(std::move(kernel));
    }
    return times_.kernels[at->second];
}

void KernelTimesTable::add(const Profile& profile, const std::vector<int>& runs) {
    const std::size_t first = times_.wall_ms.size();
    times_.wall_ms.resize(first + runs.size());
    std::unordered_map<int, std::size_t> places;
    for (std::size_t i = 0; i < runs.size(); ++i) places.emplace(runs[i], first + i);
    for (const Span& run : profile.run_spans)
        if (const auto at = places.find(run.run); at != places.end())
            times_.wall_ms[at->second] += milliseconds(run);
    for (const Span& span : profile.kernels) {
        // what is deeper lies within the time of the node that holds its graph
        if (span.depth > 0) continue;
        const auto at = places.find(span.run);
        if (at == places.end()) continue;
        KernelTimes& kernel = kernel_of(profile, span);
        kernel.ms.resize(times_.wall_ms.size());
        kernel.ms[at->second] += milliseconds(span);
        kernel.calls += 1;
    }
}

RecordedTimes KernelTimesTable::take() {
    const std::size_t runs = times_.wall_ms.size();
    for (KernelTimes& kernel : times_.kernels) {
        kernel.ms.resize(runs);
        if (runs > 0) kernel.calls /= static_cast<double>(runs);
    }
    places_.clear();
    return std::exchange(times_, {});
}

}  // namespace lapidary
