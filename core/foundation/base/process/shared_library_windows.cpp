// SPDX-License-Identifier: Apache-2.0
#include "base/process/shared_library.h"

#include <windows.h>

#include <system_error>

namespace lapidary {

const char *const shared_library_beginning = "", *const shared_library_ending = ".dll";
const bool has_library_versions = false;

// On Windows names are always found through the library's own handle; the scope has no effect.
SharedLibrary SharedLibrary::open(const std::filesystem::path& file, SymbolScope,
                                  std::string& reason) {
    SharedLibrary library;
    library.handle_ = ::LoadLibraryExW(file.c_str(), nullptr,
                                       file.is_absolute() ? LOAD_WITH_ALTERED_SEARCH_PATH : 0);
    if (library) return library;
    const std::error_code error(static_cast<int>(::GetLastError()), std::system_category());
    reason = file.string() + ": " + error.message();
    return library;
}

void* SharedLibrary::find(const char* name) const {
    return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle_), name));
}

std::string without_file_name(std::string reason, const std::filesystem::path& file) {
    if (const std::string name = file.string() + ": "; reason.starts_with(name))
        reason.erase(0, name.size());
    return reason;
}

}  // namespace lapidary
