// SPDX-License-Identifier: Apache-2.0
// Where the largest elements of an output are, which is what a classifier or a decoder answers.
#pragma once

#include <cstdint>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

struct AnswerCounts {
    std::int64_t all = 0, changed = 0;  // rows along the last axis
};

/// A row has changed where the element that is the largest of `expected` is not the largest of
/// `actual`. Two equal ones are both the largest. Rows of fewer than two elements, and rows with a
/// NaN in `expected`, are no answers. Both are floats of one shape.
AnswerCounts count_answers(const Tensor& actual, const Tensor& expected);

}  // namespace lapidary
