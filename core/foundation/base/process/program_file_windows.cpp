// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/program_file.h>

#include <windows.h>

#include <vector>

namespace lapidary {

std::filesystem::path program_file() {
    std::vector<wchar_t> name(32768);
    const DWORD length =
        ::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
    return length == 0 || length == name.size()
               ? std::filesystem::path()
               : std::filesystem::path(name.data(), name.data() + length);
}

std::string program_file_name(const std::string& name) { return name + ".exe"; }

bool is_executable(const std::filesystem::path& file) {
    std::error_code failed;
    return std::filesystem::is_regular_file(file, failed);
}

}  // namespace lapidary
