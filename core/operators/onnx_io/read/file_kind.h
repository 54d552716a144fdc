// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lapidary::onnx_io {

/// Names the kind of a file that is certainly not an ONNX model, by its first bytes: "a git-lfs
/// pointer (...)". "" for other files.
std::string other_file_kind(std::span<const std::byte> bytes);

/// True where the file begins like text: no control characters but ends of lines and tabs.
bool is_plain_text(std::span<const std::byte> bytes);

}  // namespace lapidary::onnx_io
