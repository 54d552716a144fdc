// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/proof/accuracy.h>
#include <lapidary/exec/session.h>

#include "accuracy/average_precision.h"

namespace lapidary {

/// The boxes among the outputs of a run of one picture, as AccuracyOptions::boxes and its
/// neighbours say. Throws invalid_input naming outputs and shapes where there are none.
std::vector<FoundBox> found_boxes(const NamedValues& outputs, const AccuracyOptions& options);

}  // namespace lapidary
