// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all, written through a stream.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace lapidary {

/// Calls `write` with a stream whose text goes to the file in pieces: files may be larger than one
/// would hold in memory. What `write` throws comes through and leaves the file that was there.
/// Throws what AtomicFile throws.
void save_by_stream(const std::filesystem::path& path,
                    const std::function<void(std::ostream&)>& write);

}  // namespace lapidary
