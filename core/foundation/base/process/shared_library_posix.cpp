// SPDX-License-Identifier: Apache-2.0
#include "base/process/shared_library.h"

#include <dlfcn.h>

namespace lapidary {

const char *const shared_library_beginning = "lib", *const shared_library_ending = ".so";
const bool has_library_versions = true;

SharedLibrary SharedLibrary::open(const std::filesystem::path& file, SymbolScope scope,
                                  std::string& reason) {
    SharedLibrary library;
    library.handle_ = ::dlopen(
        file.c_str(), RTLD_NOW | (scope == SymbolScope::global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (library) return library;
    const char* const words = ::dlerror();
    reason = words ? words : "the loader gave no reason";
    return library;
}

void* SharedLibrary::find(const char* name) const { return ::dlsym(handle_, name); }

std::string without_file_name(std::string reason, const std::filesystem::path& file) {
    if (const std::string name = file.string() + ": "; reason.starts_with(name))
        reason.erase(0, name.size());
    return reason;
}

}  // namespace lapidary
