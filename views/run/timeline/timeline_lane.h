// SPDX-License-Identifier: GPL-3.0-or-later
// Spans of a thread at one depth, with sums and longest spans by block, so that a picture of
// millions costs as much as one of hundreds.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace lapidary::views {

enum class TimelineKind : std::uint8_t { phase, run, kernel, range };

/// A span with the place of its record: the index into phases, run_spans, kernels or ranges of the
/// profile.
struct TimelineSpan {
    std::int64_t begin = 0, end = 0;  // ns
    std::uint32_t index = 0;
    TimelineKind kind = TimelineKind::kernel;
    bool isWork = false;  // a kernel or range that lies in no other: what the thread was busy with
};

/// Spans that do not overlap, in time order. Immutable once made.
class TimelineLane {
public:
    using const_iterator = std::vector<TimelineSpan>::const_iterator;

    TimelineLane() = default;
    explicit TimelineLane(std::vector<TimelineSpan> spans);
    TimelineLane(std::initializer_list<TimelineSpan> spans)
        : TimelineLane(std::vector<TimelineSpan>(spans)) {}

    std::size_t size() const { return spans_.size(); }
    bool empty() const { return spans_.empty(); }
    const TimelineSpan& operator[](std::size_t index) const { return spans_[index]; }
    const_iterator begin() const { return spans_.begin(); }
    const_iterator end() const { return spans_.end(); }

    /// The first of the longest spans of [first, last), which is not empty.
    std::size_t longest(std::size_t first, std::size_t last) const;
    /// ns that the spans of [first, last) cover together.
    std::int64_t covered(std::size_t first, std::size_t last) const;
    /// ns of [begin, end) that spans with isWork cover.
    std::int64_t workBetween(std::int64_t begin, std::int64_t end) const;

private:
    static constexpr std::size_t fanout = 64;
    std::vector<TimelineSpan> spans_;
    struct Before {
        std::int64_t covered = 0, work = 0;
    };
    Before before(std::size_t index) const;
    std::vector<Before> before_;  // by block of `fanout` spans
    // by level: of blocks of fanout, fanout^2 ... spans
    std::vector<std::vector<std::uint32_t>> longest_;
};

}  // namespace lapidary::views
