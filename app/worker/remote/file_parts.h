// SPDX-License-Identifier: Apache-2.0
// Files of this machine, cut into parts for a FileStore of another one.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>

#include "worker/remote/file_store.h"

namespace lapidary::app {

/// Reads a file and calls take() with part after part. Cuts depend on the bytes around them alone
/// (content-defined chunking, W. Xia et al., FastCDC, 2016), so that the same weights give the same
/// parts wherever they lie in a file. Parts have a megabyte on average. Throws io_failure with the
/// file, cancelled.
void cut_file(const std::filesystem::path& file, const CancelToken& cancel,
              const std::function<void(std::span<const std::byte>)>& take);

/// Files that lie in one folder on the other machine.
struct FileGroup {
    std::filesystem::path folder;      // of this machine
    std::vector<std::string> names;    // relative to it, with "/", UTF-8
    std::filesystem::path named = {};  // what the user named, relative to it; empty: the folder
};

/// The files of what a user named: a file, a folder with all files in it, or a model with its files
/// of external data. Throws io_failure where there is no such file, limit_exceeded for a folder
/// with more than 200,000 files.
FileGroup files_of(const std::filesystem::path& named, bool is_model, const Progress& progress);

/// The files of a group in parts, as FileStore::place() takes them.
std::vector<FileInParts> parts_of(const FileGroup& group, const Progress& progress);

}  // namespace lapidary::app
