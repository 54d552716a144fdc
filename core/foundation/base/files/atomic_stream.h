// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all, written through a stream.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace lapidary {

/// Calls `write` with a stream that writes to the file in pieces, so that files may be larger than
/// memory. An exception of `write` passes through and leaves the former file as it was. Throws what
/// AtomicFile throws.
void save_by_stream(const std::filesystem::path& path,
                    const std::function<void(std::ostream&)>& write);

}  // namespace lapidary
