// SPDX-License-Identifier: Apache-2.0
// Puts pre- and postprocessing into a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// The input becomes one of uint8; the model gets (x - mean) / deviation of it, in the element type
/// that it had. One number for all channels or one for each; `axis` is that of the channels
/// (negative: from the end). `opset` is that of new nodes, here and below. Throws invalid_input for
/// an input, axis or numbers that do not fit, naming them.
void wrap_normalization(GraphEdit& edit, const std::string& input, const std::vector<double>& mean,
                        const std::vector<double>& deviation, std::int64_t axis,
                        std::int64_t opset);

/// The input of rank 4 takes channels last, or first (`channels_last` false); the model reads a
/// Transpose of it.
void wrap_layout(GraphEdit& edit, const std::string& input, bool channels_last, std::int64_t opset);

/// The input takes pictures of any height and width; the model reads them resized (linear, half
/// pixels) to the sizes that it had. Of rank 4 with channels first and known sizes; opset 11 or
/// newer, floats.
void wrap_resize(GraphEdit& edit, const std::string& input, std::int64_t opset);

/// The output becomes its Softmax along the last axis; the name stays.
void wrap_softmax(GraphEdit& edit, const std::string& output, std::int64_t opset);

/// The output is replaced by the `count` highest values along the last axis, under its name, and
/// their indices, "<name>_indices". Where `labels` has the name of each class, the output
/// "<name>_labels" has those of the highest. Opset 10 or newer.
void wrap_top_k(GraphEdit& edit, const std::string& output, std::int64_t count, std::int64_t opset,
                const std::vector<std::string>& labels = {});

/// Limits of NonMaxSuppression.
struct BoxLimits {
    std::int64_t count = 100;  // boxes of a class
    double overlap = 0.5;      // above which the lower score goes
    double score = 0;          // below which a box goes
};
/// Adds an output "selected_indices" with the boxes that NonMaxSuppression keeps. `boxes` is
/// [batch, boxes, 4], `scores` [batch, classes, boxes], both float32. Opset 10 or newer.
void wrap_box_selection(GraphEdit& edit, const std::string& boxes, const std::string& scores,
                        const BoxLimits& limits, std::int64_t opset);

}  // namespace lapidary
