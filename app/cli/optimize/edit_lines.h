// SPDX-License-Identifier: Apache-2.0
// Lines of edits as options of commands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/edit/edit_script.h>
#include <lapidary/graph/model.h>

namespace lapidary::cli {

/// The lines of a file and those of the command line behind them. `file` may be empty: there is
/// none. Throws what parse_edit_script() throws, with the file's name.
EditScript read_edit_lines(const std::filesystem::path& file,
                           const std::vector<std::string>& lines);

/// Whether both have the same names of inputs in one order, and `b` no output that `a` lacks.
bool has_same_interface(const Model& a, const Model& b);

}  // namespace lapidary::cli
