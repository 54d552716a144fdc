// SPDX-License-Identifier: Apache-2.0
// Values that other engines wrote down, under the names that the model has for them: outputs and
// inputs that Polygraphy saved (JSON, arrays of NumPy in base64), node outputs that ONNX Runtime
// dumped (a folder of .tensorproto files), archives of NumPy.
#pragma once

#include <cstdint>
#include <filesystem>

#include <lapidary/base/progress.h>
#include <lapidary/inspect/recording.h>

namespace lapidary {

/// What a file of JSON may have in bytes, arrays included.
inline constexpr std::uint64_t most_dump_json_bytes = 1ull << 30;

/// True for folders and files of JSON; archives are looked into first.
bool is_value_dump(const std::filesystem::path& path);

/// All values as inputs, as outputs and, each for itself, as modules. A value that cannot be read,
/// or that goes beyond `most_bytes`, is left out with the reason. Throws invalid_input where there
/// is no value at all, and what reading a file as a whole throws.
Recording load_value_dump(const std::filesystem::path& path, std::uint64_t most_bytes,
                          const CancelToken& cancel);

}  // namespace lapidary
