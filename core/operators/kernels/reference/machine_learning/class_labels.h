// SPDX-License-Identifier: Apache-2.0
// Class labels of the ai.onnx.ml classifiers: integers or text.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/text_room.h"

namespace lapidary::reference {

struct ClassLabels {
    /// From classlabels_strings and classlabels_ints or classlabels_int64s.
    explicit ClassLabels(const Node& node)
        : strings(node.strings_attribute("classlabels_strings")) {
        ints = node.ints_attribute("classlabels_ints");
        if (ints.empty()) ints = node.ints_attribute("classlabels_int64s");
    }
    bool is_text() const { return !strings.empty(); }
    std::size_t size() const { return is_text() ? strings.size() : ints.size(); }
    DType dtype() const { return is_text() ? DType::string : DType::i64; }

    std::vector<std::string> strings;
    std::vector<std::int64_t> ints;
};

/// Output 0 of a classifier: one label per row.
class LabelOutput {
public:
    LabelOutput(KernelContext& context, const ClassLabels& labels, Shape shape)
        : labels_(labels), room_(context),
          tensor_(context.output(0, labels.dtype(), std::move(shape))) {}
    void set(std::int64_t row, std::int64_t label) {
        const auto from = static_cast<std::size_t>(label), to = static_cast<std::size_t>(row);
        if (labels_.is_text()) {
            room_.take(labels_.strings[from]);
            tensor_.mutable_data<std::string>()[to] = labels_.strings[from];
        } else tensor_.mutable_data<std::int64_t>()[to] = labels_.ints[from];
    }

private:
    const ClassLabels& labels_;
    TextRoom room_;
    Tensor& tensor_;
};

}  // namespace lapidary::reference
