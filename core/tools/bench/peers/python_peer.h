// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime as a Python package in a child process, for installations without a C library.
#pragma once

#include <filesystem>
#include <memory>

#include <lapidary/bench/bench.h>

namespace lapidary {

/// Starts the interpreter and asks its package for the version. Throws Error{not_supported} when
/// there is no package.
std::unique_ptr<OnnxRuntimePeer> open_python_peer(const std::filesystem::path& python);

}  // namespace lapidary
