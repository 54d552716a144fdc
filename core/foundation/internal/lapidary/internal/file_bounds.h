// SPDX-License-Identifier: Apache-2.0
// Bounds which files a process opens, whoever names them: an argument, an edit script, a model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapidary {

/// Folders whose files may be read and written, together with all that is below them.
struct FileBounds {
    std::vector<std::filesystem::path> folders;
    bool may_replace = false;  // files that exist may be overwritten
};

/// From now on this process reads inputs and writes files below these folders alone, and below
/// scratch folders that it makes itself. For a process that works on behalf of another program;
/// to be called once, before it opens files. Without this call nothing is bounded.
void bound_files(FileBounds bounds);

/// True where the path lies in one of the folders, or is one of them. Symbolic links, "." and ".."
/// are followed first, and folders are compared by what they are, not by the spelling of their
/// names. The path need not exist.
bool is_below(const std::filesystem::path& path, const std::vector<std::filesystem::path>& folders);

/// ""net.onnx" lies outside of the folders that may be used: "/models""
std::string outside_text(const std::filesystem::path& path,
                         const std::vector<std::filesystem::path>& folders);

/// Throws invalid_input where bound_files() forbids to read the file.
void require_readable(const std::filesystem::path& path);
/// Throws invalid_input where bound_files() forbids to write the file.
void require_writable(const std::filesystem::path& path);
/// A scratch folder of this process, which may be used whatever the bounds are.
void allow_scratch_folder(const std::filesystem::path& folder);

}  // namespace lapidary
