// SPDX-License-Identifier: Apache-2.0
// Random models as files for other programs to load.
#pragma once

#include <filesystem>

#include "lapgen/generator.h"

namespace lapidary::lapgen {

/// Writes `folder`/original.onnx, inputs.npz, TARGET_LEVEL.onnx for every target at every level,
/// and release_N_TARGET.onnx for ONNX Runtime 1.N: portable at level extended, cpu at level all.
/// What cannot be exported is left out, with a line in refused.txt: "TARGET_LEVEL: reason";
/// notes.txt has those of exports, "TARGET_LEVEL: note". Returns how many exports were written.
int write_exports(const GeneratedModel& generated, const std::filesystem::path& folder);

}  // namespace lapidary::lapgen
