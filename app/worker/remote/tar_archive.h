// SPDX-License-Identifier: Apache-2.0
// Tape archives of files (POSIX.1-1988, format ustar), as far as programs need them.
#pragma once

#include <cstdint>
#include <string>

namespace lapidary::app {

/// The 512 bytes before a file's content, which is filled up with zeros to a multiple of that.
/// Throws not_supported for a name that the format has no room for.
std::string tar_header(const std::string& name, std::uint64_t bytes, bool is_executable);

/// The bytes behind a content of that length.
std::string tar_padding(std::uint64_t bytes);

/// The end of an archive.
std::string tar_end();

}  // namespace lapidary::app
