// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <lapidary/proof/accuracy.h>
#include <lapidary/exec/session.h>

#include "accuracy/average_precision.h"

namespace lapidary {

/// Reads the boxes from the outputs of a run on one picture, as AccuracyOptions::boxes says. Throws
/// invalid_input naming outputs and shapes where there are none.
std::vector<FoundBox> found_boxes(const NamedValues& outputs, const AccuracyOptions& options);

}  // namespace lapidary
