// SPDX-License-Identifier: Apache-2.0
// Python interpreters that have a package.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

/// Folder of a package of an interpreter, without importing it; empty when it has none.
std::filesystem::path package_folder(const std::filesystem::path& python,
                                     const std::string& module);

/// The interpreter of a virtual environment that `place` is, or lies in; empty: there is none.
std::filesystem::path python_above(const std::filesystem::path& place);

/// Whether it is called like an interpreter.
bool is_python(const std::filesystem::path& place);

/// Where interpreters are searched; tests use other places than those of the machine.
struct PythonSearch {
    std::filesystem::path given;               // an interpreter or a folder; empty: search
    std::string from_environment;              // of a variable; in place of the search too
    std::vector<std::filesystem::path> roots;  // virtual environments, in order
    std::filesystem::path python;              // of PATH; empty: none
};
/// The search of this machine: the variable, the active virtual environment, build/peers beside
/// this program, python3 of PATH.
PythonSearch python_search(const std::filesystem::path& given, const char* variable);

/// The first interpreter that has the module; empty: none has, and `searched` says which were
/// asked, to read.
std::filesystem::path find_python_with(const std::string& module, const PythonSearch& search,
                                       std::string& searched);

}  // namespace lapidary
