// SPDX-License-Identifier: Apache-2.0
#include "cli/run/kernel_peaks.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace lapidary::cli {

std::vector<KernelPeak> kernel_peaks(const Graph& executed, const std::vector<NodeTotal>& nodes,
                                     const Roofs& roofs, double run_ms) {
    std::map<NodeId, RooflinePoint> points;
    for (RooflinePoint& point : roofline(executed, nodes, roofs))
        points.emplace(point.node, std::move(point));
    struct Sums {
        double ms = 0, known_ms = 0, ideal_ms = 0, memory_ms = 0, cache_ms = 0, flop = 0, bytes = 0;
        std::string arithmetic;
    };
    std::map<std::tuple<std::string, std::string, std::string>, Sums> sums;
    for (const NodeTotal& node : nodes) {
        Sums& s = sums[{node.op, node.kernel, node.provider}];
        s.ms += node.ms;
        const auto point = points.find(node.node);
        if (point == points.end()) continue;
        const RooflinePoint& p = point->second;
        if (s.known_ms == 0)
            s.arithmetic = p.arithmetic;  // the node that takes longest comes first
        s.known_ms += p.ms;
        s.ideal_ms += p.ms * p.share_of_peak;
        s.memory_ms += p.memory_bound ? p.ms : 0;
        s.cache_ms += p.from_cache && p.work.flop == 0 ? p.ms : 0;
        s.flop += p.work.flop;
        s.bytes += p.work.bytes;
    }
    std::vector<KernelPeak> peaks;
    for (const auto& [key, s] : sums) {
        const auto& [op, kernel, provider] = key;
        KernelPeak k{.op = op,
                     .kernel = kernel,
                     .provider = provider,
                     .arithmetic = s.arithmetic,
                     .ms = s.ms,
                     .share = run_ms > 0 ? s.ms / run_ms : 0,
                     .lost_ms = s.ms - s.ideal_ms};
        if (s.known_ms > 0) {
            k.gflops = s.flop / s.known_ms / 1e6;
            k.gb_per_s = s.bytes / s.known_ms / 1e6;
            k.share_of_peak = s.ideal_ms / s.known_ms;
            k.bound = 2 * s.memory_ms > s.known_ms  ? "memory"
                      : 2 * s.cache_ms > s.known_ms ? "caches"
                                                    : "arithmetic";
        }
        peaks.push_back(std::move(k));
    }
    std::ranges::stable_sort(peaks, std::ranges::greater(), &KernelPeak::lost_ms);
    return peaks;
}

}  // namespace lapidary::cli
