// SPDX-License-Identifier: Apache-2.0
// Checks of option values. Each returns what is wrong with the value, or an empty text.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lapidary::cli {

/// For a level, by our name or ONNX Runtime's.
std::string level_problem(const std::string& name);
/// For a pass, by our name or ONNX Runtime's.
std::string pass_problem(const std::string& name);
/// For a whole number of at least 0. CLI11 would read "-1" as the largest one.
std::string count_problem(const std::string& text);
/// For KEY=VALUE with the name of a session option. The value is checked when the session is made.
std::string config_problem(const std::string& entry);
/// For a file whose name must end in `extension` (".csv").
std::string extension_problem(const std::string& file, const std::string& extension);

/// Splits NAME=VALUE at the last "=" if `at_last`, for numbers, else at the first one after at
/// least one character. Throws UsageError naming the option.
std::pair<std::string, std::string> split_assignment(const std::string& option,
                                                     const std::string& text, bool at_last);

/// Names of the passes, in the order in which they run.
std::vector<std::string> pass_names();

}  // namespace lapidary::cli
