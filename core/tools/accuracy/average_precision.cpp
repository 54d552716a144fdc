// SPDX-License-Identifier: Apache-2.0
#include "accuracy/average_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace lapidary {
namespace {

constexpr int recall_steps = 100;  // precision is read at so many steps of recall and at 0

/// Mean over recalls 0, 0.01 ... 1 of the best precision at that recall or a higher one. `right`:
/// sorted by descending score.
double average_precision(const std::vector<char>& right, std::uint64_t expected) {
    std::vector<double> precision(right.size()), recall(right.size());
    double hits = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        hits += right[i];
        precision[i] = hits / static_cast<double>(i + 1);
        recall[i] = hits / static_cast<double>(expected);
    }
    for (std::size_t i = right.size(); i-- > 1;)
        precision[i - 1] = std::max(precision[i - 1], precision[i]);
    double sum = 0;
    for (int step = 0; step <= recall_steps; ++step) {
        const auto at = std::ranges::lower_bound(recall, static_cast<double>(step) / recall_steps);
        if (at != recall.end()) sum += precision[static_cast<std::size_t>(at - recall.begin())];
    }
    return sum / (recall_steps + 1);
}

double area(const LabelledBox& box) {
    return std::max(0.0, static_cast<double>(box.right) - box.left) *
           std::max(0.0, static_cast<double>(box.bottom) - box.top);
}

}  // namespace

double box_overlap(const LabelledBox& a, const LabelledBox& b) {
    LabelledBox common;
    common.left = std::max(a.left, b.left);
    common.top = std::max(a.top, b.top);
    common.right = std::min(a.right, b.right);
    common.bottom = std::min(a.bottom, b.bottom);
    const double both = area(common), all = area(a) + area(b) - both;
    return all > 0 ? both / all : 0;
}

void count_boxes(const std::vector<FoundBox>& found, const std::vector<LabelledBox>& expected,
                 std::uint64_t sample, DetectionCounts& counts) {
    std::vector<FoundBox> ordered = found;
    std::ranges::stable_sort(ordered, [](const FoundBox& a, const FoundBox& b) {
        return std::tuple(a.box.label, -a.score) < std::tuple(b.box.label, -b.score);
    });
    for (const LabelledBox& box : expected) ++counts.expected[box.label];
    for (std::size_t first = 0; first < ordered.size();) {
        const std::int64_t label = ordered[first].box.label;
        std::size_t last = first;
        while (last < ordered.size() && ordered[last].box.label == label) ++last;
        const std::size_t counted = std::min(last, first + most_found_boxes);
        std::vector<MatchedBox>& matched = counts.found[label];
        std::vector<std::uint16_t> taken(expected.size(), 0);  // a bit per threshold
        for (std::size_t i = first; i < counted; ++i) {
            MatchedBox match{ordered[i].score, sample, 0};
            for (std::size_t t = 0; t < overlap_thresholds; ++t) {
                const auto bit = static_cast<std::uint16_t>(1u << t);
                double best = overlap_threshold(t);
                std::size_t at = expected.size();
                for (std::size_t e = 0; e < expected.size(); ++e) {
                    if (expected[e].label != label || (taken[e] & bit) != 0) continue;
                    const double overlap = box_overlap(ordered[i].box, expected[e]);
                    if (overlap < best || (at < expected.size() && overlap == best)) continue;
                    best = overlap;
                    at = e;
                }
                if (at == expected.size()) continue;
                taken[at] = static_cast<std::uint16_t>(taken[at] | bit);
                match.thresholds = static_cast<std::uint16_t>(match.thresholds | bit);
            }
            matched.push_back(match);
        }
        first = last;
    }
}

double overlap_threshold(std::size_t index) { return 0.5 + 0.05 * static_cast<double>(index); }

double DetectionCounts::average_precision(std::int64_t label, std::size_t threshold) const {
    const auto wanted = expected.find(label);
    if (wanted == expected.end() || wanted->second == 0)
        return std::numeric_limits<double>::quiet_NaN();
    std::vector<MatchedBox> boxes;
    if (const auto at = found.find(label); at != found.end()) boxes = at->second;
    // Of equal scores the earlier sample first, so that the order of parts does not matter.
    std::ranges::stable_sort(boxes, [](const MatchedBox& a, const MatchedBox& b) {
        return std::tuple(-a.score, a.sample) < std::tuple(-b.score, b.sample);
    });
    std::vector<char> right;
    for (const MatchedBox& box : boxes) right.push_back((box.thresholds >> threshold & 1) != 0);
    return lapidary::average_precision(right, wanted->second);
}

double DetectionCounts::mean_average_precision(std::size_t threshold) const {
    double sum = 0;
    std::size_t classes = 0;
    for (const auto& [label, count] : expected) {
        if (count == 0) continue;
        sum += average_precision(label, threshold);
        ++classes;
    }
    return classes > 0 ? sum / static_cast<double>(classes)
                       : std::numeric_limits<double>::quiet_NaN();
}

double DetectionCounts::mean_average_precision() const {
    double sum = 0;
    for (std::size_t t = 0; t < overlap_thresholds; ++t) sum += mean_average_precision(t);
    return sum / static_cast<double>(overlap_thresholds);
}

void DetectionCounts::add(const DetectionCounts& other) {
    for (const auto& [label, count] : other.expected) expected[label] += count;
    for (const auto& [label, boxes] : other.found) {
        std::vector<MatchedBox>& mine = found[label];
        mine.insert(mine.end(), boxes.begin(), boxes.end());
    }
}

}  // namespace lapidary
