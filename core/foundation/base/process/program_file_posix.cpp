// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/program_file.h>

#include <unistd.h>

namespace lapidary {

std::filesystem::path program_file() {
    std::error_code failed;
    const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::filesystem::path() : file;
}

std::string program_file_name(const std::string& name) { return name; }

bool is_executable(const std::filesystem::path& file) { return ::access(file.c_str(), X_OK) == 0; }

}  // namespace lapidary
