// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lapidary {

struct WavSound {
    std::int64_t rate = 0;       // samples per second
    std::vector<float> samples;  // of one channel, the mean of those in the file; -1 to 1
};

/// A RIFF WAVE file of PCM (8, 16, 24 or 32 bits) or 32-bit floats, WAVE_FORMAT_EXTENSIBLE too.
/// Throws invalid_input saying what is wrong with it, not_supported for other encodings,
/// io_failure.
WavSound load_wav(const std::filesystem::path& path);

}  // namespace lapidary
