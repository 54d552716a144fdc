// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/proof/accuracy.h>

namespace lapidary {

struct FoundBox {
    LabelledBox box;
    float score = 0;
};

/// Intersection over union of two boxes; 0 where both are empty.
double box_overlap(const LabelledBox& a, const LabelledBox& b);

/// Matches the boxes found in one picture with those expected, class by class, the highest score
/// first, as COCO does: at each threshold a box takes the free expected one of the largest overlap
/// that reaches it. At most `most_found_boxes` of a class count.
void count_boxes(const std::vector<FoundBox>& found, const std::vector<LabelledBox>& expected,
                 std::uint64_t sample, DetectionCounts& counts);

}  // namespace lapidary
