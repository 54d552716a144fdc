// SPDX-License-Identifier: Apache-2.0
// Temporary files beside the file that is written: ".NAME.lapidary-XXXXXXXXXX.tmp" of AtomicFile,
// and those with other endings. A living writer holds a lock (flock) on its file. The lock ends
// with the process in any case, so a file without a lock is stale.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace lapidary {

inline constexpr std::string_view written_ending = ".tmp";  // of what AtomicFile writes

/// A name for a temporary beside `path` that is most likely unused.
std::filesystem::path temporary_name_for(const std::filesystem::path& path,
                                         std::string_view ending = written_ending);
/// Whether a file of that name is a temporary with that ending.
bool is_temporary_name(std::string_view name, std::string_view ending = written_ending);

/// Opens a new empty file that has no name, in `folder`, locked; -1 where the system or file system
/// cannot.
int open_unnamed(const std::filesystem::path& folder);

/// Gives an unnamed file a name. Returns 0 or the system's error.
int link_unnamed(int descriptor, const std::filesystem::path& name);

/// Creates a new file, locked. Returns -1 with errno set where it cannot.
int create_locked(const std::filesystem::path& name);

/// Removes such a file, then releases its lock, so that no other process can take it in between.
void remove_locked(int descriptor, const std::filesystem::path& name);

/// Removes the temporary files in `folder` with that ending that no living process holds. Calls
/// `before` for each one first. No other process removes it at the same time. `before` must not
/// throw.
void remove_stale_temporaries(
    const std::filesystem::path& folder, std::string_view ending = written_ending,
    const std::function<void(const std::filesystem::path&)>& before = {}) noexcept;

}  // namespace lapidary
