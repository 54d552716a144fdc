// SPDX-License-Identifier: Apache-2.0
// Counts of right answers, described member by member (lapidary/internal/members.h).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/members_json.h>
#include <lapidary/proof/accuracy.h>

namespace lapidary {
namespace app {

/// Three arrays of one length, an element per box: files of many boxes stay small.
struct FoundBoxes {
    std::vector<float> scores;
    std::vector<std::uint64_t> samples;
    std::vector<std::uint16_t> thresholds;
};
/// DetectionCounts as files have it.
struct DetectionForm {
    std::map<std::int64_t, std::uint64_t> expected;
    std::map<std::int64_t, FoundBoxes> found;
};

}  // namespace app

template <>
struct Members<app::FoundBoxes> {
    using T = app::FoundBoxes;
    static constexpr auto list = members<T>(member<&T::scores>("scores").required(),
                                            member<&T::samples>("samples").required(),
                                            member<&T::thresholds>("thresholds").required());
    static void check(const T& boxes) {
        if (boxes.samples.size() != boxes.scores.size() ||
            boxes.thresholds.size() != boxes.scores.size())
            fail_input("the arrays are of different lengths");
    }
};
template <>
struct Members<app::DetectionForm> {
    using T = app::DetectionForm;
    static constexpr auto list =
        members<T>(member<&T::expected>("expected_boxes"), member<&T::found>("found_boxes"));
};
template <>
struct StoredAs<DetectionCounts> {
    using Form = app::DetectionForm;
    static Form form_of(const DetectionCounts& counts) {
        Form form{counts.expected, {}};
        for (const auto& [label, boxes] : counts.found)
            for (auto& columns = form.found[label]; const MatchedBox& box : boxes) {
                columns.scores.push_back(box.score);
                columns.samples.push_back(box.sample);
                columns.thresholds.push_back(box.thresholds);
            }
        return form;
    }
    static DetectionCounts value_of(const Form& form) {
        DetectionCounts counts{form.expected, {}};
        for (const auto& [label, columns] : form.found)
            for (auto& boxes = counts.found[label]; const float score : columns.scores)
                boxes.push_back(
                    {score, columns.samples[boxes.size()], columns.thresholds[boxes.size()]});
        return counts;
    }
};
template <>
struct StoredAs<ClassCounts> {
    using Form = std::array<std::uint64_t, 3>;
    static Form form_of(const ClassCounts& counts) {
        return {counts.right, counts.wrongly_found, counts.missed};
    }
    static ClassCounts value_of(const Form& form) { return {form[0], form[1], form[2]}; }
};
template <>
struct Members<AccuracyCounts> {
    using T = AccuracyCounts;
    static constexpr auto list = members<T>(
        member<&T::samples>("samples").required(), member<&T::left_out>("left_out").required(),
        member<&T::rows>("rows").required(), member<&T::top1>("top1").required(),
        member<&T::topk>("topk").required(), member<&T::k>("k").required(),
        member<&T::classes>("classes").required(), member<&T::cosine_sum>("cosine_sum").required(),
        member<&T::vectors>("vectors").required(), member<&T::words>("words"),
        member<&T::word_errors>("word_errors"), member<&T::characters>("characters"),
        member<&T::character_errors>("character_errors"), inlined<&T::detections>(),
        member<&T::out_of_range>("out_of_range").required(),
        member<&T::warnings>("warnings").required());
};

}  // namespace lapidary
