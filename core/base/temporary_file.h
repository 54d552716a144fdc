// SPDX-License-Identifier: Apache-2.0
// The temporaries that AtomicFile writes: ".NAME.lapidary-XXXXXXXXXX.tmp". A living writer holds a lock (flock) on its
// own, which ends with the process however it ends: what is not locked belongs to nobody.
#pragma once

#include <filesystem>
#include <string_view>

namespace lapidary {

/// A name for a temporary beside `path` that nothing carries yet, in all likelihood.
std::filesystem::path temporary_name_for(const std::filesystem::path& path);
/// Whether a file of that name is a temporary.
bool is_temporary_name(std::string_view name);

/// Opens a new empty file that has no name, in `folder`, locked; -1 where the system or file system cannot.
int open_unnamed(const std::filesystem::path& folder);

/// Gives an unnamed file a name. Returns 0 or the system's error.
int link_unnamed(int descriptor, const std::filesystem::path& name);

/// Creates a new file, locked. Returns -1 with errno set where it cannot.
int create_locked(const std::filesystem::path& name);

/// Removes the temporaries in `folder` that no living process holds.
void remove_stale_temporaries(const std::filesystem::path& folder) noexcept;

}  // namespace lapidary
