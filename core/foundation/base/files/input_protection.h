// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/files/file_identity.h"

namespace lapidary {

/// Remembers a file that was read, while an InputProtection (lapidary/internal/output_file.h) for
/// all files that are read exists.
void note_input_file(const FileIdentity& file);

/// The name under which this file was read; empty for a file that was not read.
std::optional<std::filesystem::path> input_file_at(std::uint64_t device, std::uint64_t inode);

/// False if a file was read under this absolute name and has changed since; true for every other
/// name.
bool is_input_unchanged(const std::filesystem::path& path);

}  // namespace lapidary
