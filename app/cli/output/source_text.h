// SPDX-License-Identifier: Apache-2.0
// Where nodes come from in the program that a model was exported from, as commands print it.
#pragma once

#include <string>

#include <lapidary/graph/node_source.h>

#include "cli/output/json_output.h"

namespace lapidary::cli {

/// "net.py:12 in encoder.layer.0 (BertLayer)", or the part of it that is known; safe to print.
std::string source_text(const NodeSource& source);

/// {"modules": [{"path", "class"}], "lines": [{"file", "line", "function", "code"}]}
Json source_json(const NodeSource& source);

}  // namespace lapidary::cli
