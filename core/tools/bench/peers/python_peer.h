// SPDX-License-Identifier: Apache-2.0
// An engine as a Python package in a child process.
#pragma once

#include <filesystem>
#include <memory>

#include "bench/peers/python_package.h"

namespace lapidary {

/// Starts the interpreter and asks its package for the version. Throws Error{not_supported} when
/// there is no package.
std::unique_ptr<BenchPeer> open_python_peer(const std::filesystem::path& python,
                                            const PeerPackage& package);

}  // namespace lapidary
