// SPDX-License-Identifier: Apache-2.0
// A model against a recording of its framework, as the command check writes it to JSON.
#pragma once

#include <lapidary/inspect/recording_check.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// {"framework", "model", "modules", "first", "between", "suspects", "notes"}
Json recording_json(const Recording& recording, const RecordingCheck& check);

}  // namespace lapidary::cli
