// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/accuracy_json.h"

#include <cmath>
#include <string>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

#include "worker/protocol/accuracy_members.h"
#include "worker/protocol/described_json.h"

namespace lapidary::app {
namespace {

/// No data set has more of anything; a million parts of so many still add up in 64 bits.
constexpr std::uint64_t most_counted = std::uint64_t{1} << 43;

void check_part(const char* name, std::uint64_t part, const char* of, std::uint64_t all) {
    if (part > all)
        fail_input("counts of accuracy: " + std::string(name) + " is " + std::to_string(part) +
                   ", more than " + of + ", which is " + std::to_string(all));
}

void check_classes(const AccuracyCounts& counts) {
    std::uint64_t right = 0, labels = 0, answers = 0;
    for (const auto& [label, one] : counts.classes) {
        for (const std::uint64_t count : {one.right, one.wrongly_found, one.missed})
            check_part("a count of class", count, "rows", counts.rows);
        right += one.right;
        labels += one.right + one.missed;
        answers += one.right + one.wrongly_found;
        check_part("the sum of right answers by class", right, "top1", counts.top1);
        check_part("the sum of labels by class", labels, "rows", counts.rows);
        check_part("the sum of answers by class", answers, "rows", counts.rows);
    }
}

/// Throws invalid_input for counts that no run gives.
void check_counts(const AccuracyCounts& counts) {
    using Named = std::pair<const char*, std::uint64_t>;
    for (const auto& [name, count] :
         {Named("samples", counts.samples), Named("left_out", counts.left_out),
          Named("rows", counts.rows), Named("words", counts.words),
          Named("word_errors", counts.word_errors), Named("characters", counts.characters),
          Named("character_errors", counts.character_errors)})
        check_part(name, count, "the largest count", most_counted);
    for (const auto& [label, boxes] : counts.detections.expected)
        check_part("expected_boxes", boxes, "the largest count", most_counted);
    check_part("topk", counts.topk, "rows", counts.rows);
    check_part("top1", counts.top1, "topk", counts.topk);
    check_part("out_of_range", counts.out_of_range, "rows", counts.rows);
    check_part("vectors", counts.vectors, "samples", counts.samples);
    if (counts.samples == 0) {
        check_part("rows", counts.rows, "samples", 0);
        check_part("words", counts.words, "samples", 0);
    }
    check_classes(counts);
    constexpr double slack = 1.001;  // a cosine is at most 1, but for rounding
    if (std::isfinite(counts.cosine_sum) &&
        std::abs(counts.cosine_sum) > slack * static_cast<double>(counts.vectors))
        fail_input("counts of accuracy: cosine_sum is beyond the number of vectors, which is " +
                   std::to_string(counts.vectors));
}

}  // namespace

std::string accuracy_text(const AccuracyCounts& counts) {
    return MembersWriter<Json>()(counts).dump(1, ' ', false, Json::error_handler_t::replace);
}

AccuracyCounts parse_accuracy(std::string_view text) {
    auto counts =
        read_json<AccuracyCounts>(parse_json(text, "counts of accuracy"), "counts of accuracy");
    check_counts(counts);
    return counts;
}

}  // namespace lapidary::app
