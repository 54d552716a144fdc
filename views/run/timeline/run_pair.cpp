// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/run_pair.h"

#include <algorithm>
#include <map>

namespace lapidary::views {
namespace {

constexpr std::size_t mostMarks = 5;
constexpr std::int64_t leastMarkedPart = 20;  // of the whole loss: one in so many

/// Outermost kernels of the calling thread that begin in the run, none over another.
std::vector<std::size_t> kernelsOf(const Profile& profile, const Span& run) {
    const auto begin = std::ranges::lower_bound(profile.kernels, run.begin_ns, {}, &Span::begin_ns);
    std::vector<std::size_t> found;
    std::int64_t end = run.begin_ns;
    for (auto at = begin; at != profile.kernels.end() && at->begin_ns < run.end_ns; ++at) {
        if (at->depth > 0 || at->thread != 0 || at->begin_ns < end) continue;
        found.push_back(std::size_t(at - profile.kernels.begin()));
        end = at->end_ns;
    }
    return found;
}

/// The same kernel of another run has the same key: what it is of, and the how manieth of these.
class Keys {
public:
    explicit Keys(const KernelGroups& groups) : groups_(groups) {}
    std::pair<std::uint32_t, int> of(std::size_t kernel) {
        const std::uint32_t group = groups_.of_kernel[kernel];
        return {group, seen_[group]++};
    }

private:
    const KernelGroups& groups_;
    std::map<std::uint32_t, int> seen_;
};

TimelineLane laneOf(const Profile& profile, const std::vector<PairedKernel>& kernels,
                    std::size_t PairedKernel::*side, std::int64_t begin) {
    std::vector<TimelineSpan> spans;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (kernels[i].*side == PairedKernel::none) continue;
        const Span& span = profile.kernels[kernels[i].*side];
        spans.push_back({span.begin_ns - begin, span.end_ns - begin, std::uint32_t(i),
                         TimelineKind::kernel, true});
    }
    std::ranges::sort(spans, {}, &TimelineSpan::begin);
    return TimelineLane(std::move(spans));
}

/// The longest time without a kernel, where waiting cost enough to be marked.
void findGap(RunPair& pair) {
    if (pair.betweenNs <= 0 || pair.betweenNs * leastMarkedPart < pair.lostNs()) return;
    std::int64_t end = 0;
    const auto look = [&](std::int64_t begin) {
        if (begin - end > pair.gapEnd - pair.gapBegin) pair.gapBegin = end, pair.gapEnd = begin;
    };
    for (const TimelineSpan& span : pair.slowest) {
        look(span.begin);
        end = std::max(end, span.end);
    }
    look(pair.slowestNs);
}

}  // namespace

std::optional<RunPair> pairRuns(const Profile& profile, const KernelGroups& groups) {
    const std::vector<Span>& runs = profile.run_spans;
    if (runs.size() < 2) return std::nullopt;
    RunPair pair;
    pair.typicalRun = *typical_run(profile).index;
    pair.slowestRun =
        std::size_t(std::ranges::max_element(runs, {}, &Span::duration_ns) - runs.begin());
    if (pair.typicalRun == pair.slowestRun) return std::nullopt;
    const Span &typical = runs[pair.typicalRun], &slowest = runs[pair.slowestRun];
    pair.typicalNs = typical.duration_ns();
    pair.slowestNs = slowest.duration_ns();
    std::map<std::pair<std::uint32_t, int>, std::size_t> inTypical;
    Keys typicalKeys(groups), slowestKeys(groups);
    for (const std::size_t kernel : kernelsOf(profile, typical))
        inTypical.emplace(typicalKeys.of(kernel), kernel);
    std::int64_t lost = 0;
    for (const std::size_t kernel : kernelsOf(profile, slowest)) {
        PairedKernel paired;
        paired.slowest = kernel;
        paired.lostNs = profile.kernels[kernel].duration_ns();
        if (const auto at = inTypical.find(slowestKeys.of(kernel)); at != inTypical.end()) {
            paired.typical = at->second;
            paired.lostNs -= profile.kernels[at->second].duration_ns();
            inTypical.erase(at);
        }
        lost += paired.lostNs;
        pair.kernels.push_back(paired);
    }
    for (const auto& [key, kernel] : inTypical) {
        pair.kernels.push_back(
            {kernel, PairedKernel::none, -profile.kernels[kernel].duration_ns()});
        lost += pair.kernels.back().lostNs;
    }
    if (pair.kernels.empty()) return std::nullopt;
    pair.betweenNs = pair.lostNs() - lost;
    pair.typical = laneOf(profile, pair.kernels, &PairedKernel::typical, typical.begin_ns);
    pair.slowest = laneOf(profile, pair.kernels, &PairedKernel::slowest, slowest.begin_ns);
    findGap(pair);
    std::vector<std::size_t> order(pair.kernels.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::greater<>(),
                             [&](std::size_t i) { return pair.kernels[i].lostNs; });
    for (const std::size_t i : order) {
        const std::int64_t own = pair.kernels[i].lostNs;
        if (pair.marks.size() == mostMarks || own <= 0 || own * leastMarkedPart < pair.lostNs())
            break;
        pair.marks.push_back(i);
    }
    return pair;
}

}  // namespace lapidary::views
