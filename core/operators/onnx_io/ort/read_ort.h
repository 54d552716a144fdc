// SPDX-License-Identifier: Apache-2.0
// Translates ONNX Runtime's own format (.ort) to ONNX, so that one reader checks both.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>

#include "onnx_io/read/warning_list.h"

namespace lapidary::onnx_io {

/// Whether the bytes have the identifier of the format (ORTM at byte 4).
bool is_ort_file(std::span<const std::byte> bytes);

/// The same model as an encoded ModelProto. Numbers of tensors stay where they are: each tensor
/// names their place in `bytes` as external data with offset and length and without a location.
/// Nodes keep the order of the file, which may be any. Throws Error{invalid_model} for a damaged
/// file, not_supported for an unknown version of the format and for what ONNX cannot say (nodes
/// that a provider compiled, tensors whose data lies in a file that the format does not name),
/// limit_exceeded for graphs and types that nest deeper than allowed, cancelled.
std::string translate_ort(std::span<const std::byte> bytes, const Limits& limits,
                          WarningList& warnings, const CancelToken& cancel);

}  // namespace lapidary::onnx_io
