// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/files/file_identity.h"

namespace lapidary {

/// Remembers a file that was read, while an InputProtection (lapidary/internal/output_file.h) of
/// all that is read lives.
void note_input_file(const FileIdentity& file);

/// The name under which a file was read that is to be replaced; nothing for every other file.
std::optional<std::filesystem::path> input_file_at(std::uint64_t device, std::uint64_t inode);

/// False once a file that was read under this absolute name is no longer what it was then; true for
/// every other name.
bool is_input_unchanged(const std::filesystem::path& path);

}  // namespace lapidary
