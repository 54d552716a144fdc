// SPDX-License-Identifier: Apache-2.0
// Libraries that are opened while the program runs.
#pragma once

#include <filesystem>
#include <string>

namespace lapidary {

/// Who can find the names that a library exports. local: only through the library's own handle.
/// global: also every library that is opened after it.
enum class SymbolScope { local, global };

/// A library that stays loaded until the process ends: libraries of devices keep threads.
class SharedLibrary {
public:
    /// A name without a folder is searched for in the system's library folders. The result is false
    /// where the library cannot be opened, with the loader's message in `reason`.
    static SharedLibrary open(const std::filesystem::path& file, SymbolScope scope,
                              std::string& reason);

    explicit operator bool() const { return handle_ != nullptr; }
    /// The address of the exported name; null: the library does not export it.
    void* find(const char* name) const;

private:
    void* handle_ = nullptr;
};

/// The loader's message without the file name at its beginning, if it has one.
std::string without_file_name(std::string reason, const std::filesystem::path& file);

/// How names of libraries begin and end: "lib" and ".so", "" and ".dll".
extern const char *const shared_library_beginning, *const shared_library_ending;
/// Whether versions stand behind the ending, as in "libonnxruntime.so.1".
extern const bool has_library_versions;

}  // namespace lapidary
