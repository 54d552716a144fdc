// SPDX-License-Identifier: Apache-2.0
// Where nodes come from in the program that a model was exported from, as commands write it to
// JSON.
#pragma once

#include <lapidary/graph/node_source.h>
#include <lapidary/inspect/difference_text.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// {"modules": [{"path", "class"}], "lines": [{"file", "line", "function", "code"}]}
Json source_json(const NodeSource& source);

}  // namespace lapidary::cli
