// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <lapidary/base/progress.h>

namespace lapidary {

/// SHA-1 as 40 lower-case hexadecimal digits, as in the `checksum` of ONNX's external data. Detects
/// accidental damage, not attacks.
std::string sha1_hex(std::span<const std::byte> bytes);

struct FileDigest {
    std::string sha256;       // 64 lower-case hexadecimal digits
    std::uint64_t bytes = 0;  // of all files
};
/// SHA-256 (FIPS 180-4) of the concatenated contents of the files. Throws io_failure with the file,
/// cancelled.
FileDigest sha256_of_files(std::span<const std::filesystem::path> files,
                           const CancelToken& cancel = {});

}  // namespace lapidary
