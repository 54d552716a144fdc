// SPDX-License-Identifier: Apache-2.0
// What the values of options may be. Each check says what is wrong with a value, or nothing where
// it is good.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lapidary::cli {

/// A level by our name or ONNX Runtime's.
std::string level_problem(const std::string& name);
/// A pass by our name or ONNX Runtime's.
std::string pass_problem(const std::string& name);
/// A whole number from 0 on; CLI11 takes "-1" for the largest one.
std::string count_problem(const std::string& text);
/// KEY=VALUE with a session option's name. Values are checked when the session is made.
std::string config_problem(const std::string& entry);
/// A file whose name ends in `extension` (".csv").
std::string extension_problem(const std::string& file, const std::string& extension);

/// Splits NAME=VALUE at the last "=" for numbers and at the first that leaves a name otherwise:
/// tensor names may hold colons and slashes, seldom an equals sign. Throws UsageError naming the
/// option.
std::pair<std::string, std::string> split_assignment(const std::string& option,
                                                     const std::string& text, bool at_last);

/// Names of the passes, in the order in which they run.
std::vector<std::string> pass_names();

}  // namespace lapidary::cli
