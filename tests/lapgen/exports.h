// SPDX-License-Identifier: Apache-2.0
// Writes random models as files for other programs.
#pragma once

#include <filesystem>

#include "lapgen/generator.h"

namespace lapidary::lapgen {

/// Writes `folder`/original.onnx, inputs.npz, TARGET_LEVEL.onnx for every target at every level,
/// and release_N_TARGET.onnx for ONNX Runtime 1.N: portable at level extended, cpu at level all. An
/// export that is refused gets a line in refused.txt, "TARGET_LEVEL: reason". Notes of exports are
/// in notes.txt, "TARGET_LEVEL: note". Returns the number of exports written.
int write_exports(const GeneratedModel& generated, const std::filesystem::path& folder);

}  // namespace lapidary::lapgen
