// SPDX-License-Identifier: Apache-2.0
// Small text files that appear whole or not at all: projects, journals, exported tables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

/// Writes to a temporary file in the same folder, syncs it, renames it over `path`, syncs the
/// folder: whatever happens meanwhile, `path` holds the old text or the new one. Throws
/// Error{io_failure} with the operating system's reason.
void save_text(const std::filesystem::path& path, std::string_view text);
/// The whole file. Refuses folders, devices and pipes. Throws io_failure, limit_exceeded above
/// `most_bytes`.
std::string load_text(const std::filesystem::path& path, std::uint64_t most_bytes);
/// Its lines without their ends, LF or CR LF, and without the byte order mark of UTF-8 that some
/// programs write in front. Throws as load_text(), and invalid_input naming the line for bytes of
/// zero, which no text in UTF-8 has.
std::vector<std::string> load_lines(const std::filesystem::path& path, std::uint64_t most_bytes);

}  // namespace lapidary
