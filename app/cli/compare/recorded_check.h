// SPDX-License-Identifier: Apache-2.0
// A model against a recording of its framework, as the command check prints it.
#pragma once

#include <iosfwd>

#include <lapidary/inspect/recording_check.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// Outputs, the first module that differs, what of the model it is, and what was not compared.
void print_recording_check(std::ostream& out, const Recording& recording,
                           const RecordingCheck& check);

/// {"framework", "model", "modules", "first", "between", "notes"}
Json recording_json(const Recording& recording, const RecordingCheck& check);

}  // namespace lapidary::cli
