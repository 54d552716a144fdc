// SPDX-License-Identifier: Apache-2.0
// The file of the running program.
#pragma once

#include <filesystem>
#include <string>

namespace lapidary {

/// The file of the running program, links followed; empty if the system does not say.
std::filesystem::path program_file();

/// The file name of a program called `name`: "lapidary-cli", on Windows "lapidary-cli.exe".
std::string program_file_name(const std::string& name);

/// Whether the file is there and this process may run it.
bool is_executable(const std::filesystem::path& file);

}  // namespace lapidary
