// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/timeline_lane.h"

#include <algorithm>

namespace lapidary::views {
namespace {

std::int64_t length(const TimelineSpan& span) { return span.end - span.begin; }

}  // namespace

TimelineLane::TimelineLane(std::vector<TimelineSpan> spans) : spans_(std::move(spans)) {
    const std::size_t blocks = (spans_.size() + fanout - 1) / fanout;
    before_.reserve(blocks + 1);
    std::vector<std::uint32_t> longest;
    longest.reserve(blocks);
    Before sum;
    for (std::size_t block = 0; block < blocks; ++block) {
        before_.push_back(sum);
        std::size_t best = block * fanout;
        for (std::size_t i = best; i < std::min(spans_.size(), (block + 1) * fanout); ++i) {
            sum.covered += length(spans_[i]);
            if (spans_[i].isWork) sum.work += length(spans_[i]);
            if (length(spans_[i]) > length(spans_[best])) best = i;
        }
        longest.push_back(std::uint32_t(best));
    }
    before_.push_back(sum);
    while (longest.size() > 1) {
        std::vector<std::uint32_t> above;
        for (std::size_t i = 0; i < longest.size(); ++i) {
            if (i % fanout == 0) above.push_back(longest[i]);
            else if (length(spans_[longest[i]]) > length(spans_[above.back()]))
                above.back() = longest[i];
        }
        longest_.push_back(std::move(longest));
        longest = std::move(above);
    }
    longest_.push_back(std::move(longest));
}

std::size_t TimelineLane::longest(std::size_t first, std::size_t last) const {
    std::size_t best = first;
    for (std::size_t at = first; at < last;) {
        // The largest whole block that begins here.
        std::size_t size = 1, level = 0;
        while (level < longest_.size() && at % (size * fanout) == 0 && at + size * fanout <= last)
            size *= fanout, ++level;
        const std::size_t candidate = level == 0 ? at : longest_[level - 1][at / size];
        if (length(spans_[candidate]) > length(spans_[best])) best = candidate;
        at += size;
    }
    return best;
}

TimelineLane::Before TimelineLane::before(std::size_t index) const {
    Before sum = before_[index / fanout];
    for (std::size_t i = index / fanout * fanout; i < index; ++i) {
        sum.covered += length(spans_[i]);
        if (spans_[i].isWork) sum.work += length(spans_[i]);
    }
    return sum;
}

std::int64_t TimelineLane::covered(std::size_t first, std::size_t last) const {
    return first < last ? before(last).covered - before(first).covered : 0;
}

std::int64_t TimelineLane::workBetween(std::int64_t begin, std::int64_t end) const {
    const auto first =
        std::lower_bound(spans_.begin(), spans_.end(), begin,
                         [](const TimelineSpan& s, std::int64_t t) { return s.end <= t; });
    const auto last =
        std::lower_bound(first, spans_.end(), end,
                         [](const TimelineSpan& s, std::int64_t t) { return s.begin < t; });
    if (first == last) return 0;
    std::int64_t work = before(std::size_t(last - spans_.begin())).work -
                        before(std::size_t(first - spans_.begin())).work;
    if (first->isWork) work -= std::max<std::int64_t>(0, begin - first->begin);
    if ((last - 1)->isWork) work -= std::max<std::int64_t>(0, (last - 1)->end - end);
    return work;
}

}  // namespace lapidary::views
