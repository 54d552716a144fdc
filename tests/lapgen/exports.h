// SPDX-License-Identifier: Apache-2.0
// Random models as files for other programs to load.
#pragma once

#include <filesystem>

#include "lapgen/generator.h"

namespace lapidary::lapgen {

/// Writes `folder`/original.onnx, inputs.npz and TARGET_LEVEL.onnx for the targets portable and plain at every level.
/// What cannot be exported is left out, with a line in refused.txt: "TARGET_LEVEL: reason". Returns how many exports
/// were written.
int write_exports(const GeneratedModel& generated, const std::filesystem::path& folder);

}  // namespace lapidary::lapgen
