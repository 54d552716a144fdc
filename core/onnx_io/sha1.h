// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lapidary::onnx_io {

/// SHA-1 as 40 lower-case hexadecimal digits: what ONNX puts in the `checksum` of external data. Finds
/// accidents, not attacks.
std::string sha1_hex(std::span<const std::byte> bytes);

}  // namespace lapidary::onnx_io
