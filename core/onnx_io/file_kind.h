// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lapidary::onnx_io {

/// What a file that is certainly no ONNX model is, judged by its first bytes: "a git-lfs pointer (...)", or "".
std::string other_file_kind(std::span<const std::byte> bytes);

}  // namespace lapidary::onnx_io
