// SPDX-License-Identifier: Apache-2.0
// Where the largest elements of an output are, which is what a classifier or a decoder answers.
#pragma once

#include <cstdint>
#include <string_view>

#include <lapidary/tensor/tensor.h>

namespace lapidary {

struct AnswerCounts {
    std::int64_t all = 0, changed = 0;  // rows along the last axis
};

/// True if the last axis is taken for one of classes: floats of rank 1 to 3, of two or more to a
/// row, whose name says nothing else. Names are read word by word ("lastHiddenState" and
/// "present.0.key" are three words each): "logits" is of classes; words of caches (present, past,
/// cache), of hidden states (hidden, state, embedding, embeddings, pooler, pooled, feature,
/// features), of attention (attention, attentions) and of boxes (box, boxes, bbox, bboxes) are not.
bool holds_answers(std::string_view name, const Tensor& output);

/// A row has changed where the element that is the largest of `expected` is not the largest of
/// `actual`. Two equal ones are both the largest. Rows of fewer than two elements, and rows with a
/// NaN in `expected`, are no answers. Both are floats of one shape.
AnswerCounts count_answers(const Tensor& actual, const Tensor& expected);

/// Of an output of this name; none where it does not hold answers.
AnswerCounts count_answers(std::string_view name, const Tensor& actual, const Tensor& expected);

}  // namespace lapidary
