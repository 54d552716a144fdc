// SPDX-License-Identifier: Apache-2.0
// Libraries that are opened while the program runs.
#pragma once

#include <filesystem>
#include <string>

namespace lapidary {

/// Who finds the names that a library exports: those who ask it, or every library opened after it
/// too.
enum class SymbolScope { local, global };

/// A library that stays loaded until the process ends: libraries of devices keep threads.
class SharedLibrary {
public:
    /// A name without a folder is looked for where the system keeps its libraries. What cannot be
    /// opened is false, with the loader's words in `reason`.
    static SharedLibrary open(const std::filesystem::path& file, SymbolScope scope,
                              std::string& reason);

    explicit operator bool() const { return handle_ != nullptr; }
    /// The address of what the library exports under that name; null: nothing.
    void* find(const char* name) const;

private:
    void* handle_ = nullptr;
};

/// The loader's words without the name of the file, with which it begins some of them.
std::string without_file_name(std::string reason, const std::filesystem::path& file);

/// How names of libraries begin and end: "lib" and ".so", "" and ".dll".
extern const char *const shared_library_beginning, *const shared_library_ending;
/// Whether versions stand behind the ending, as in "libonnxruntime.so.1".
extern const bool has_library_versions;

}  // namespace lapidary
