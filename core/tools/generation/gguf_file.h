// SPDX-License-Identifier: Apache-2.0
// Files in llama.cpp's format (GGUF, version 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary {

/// Types of elements as GGUF numbers them. The last three have blocks of 32: a scale (q4_1: and a
/// minimum) in float16, then 4 or 8 bits for each element.
enum class GgufType : std::uint32_t { f32 = 0, f16 = 1, q4_0 = 2, q4_1 = 3, q8_0 = 8 };

/// Bytes of so many elements, which are whole blocks.
std::uint64_t gguf_bytes(GgufType type, std::uint64_t elements);

/// A matrix that is written row by row, or one row.
struct GgufTensor {
    std::string name;
    GgufType type = GgufType::f32;
    std::int64_t rows = 1, width = 0;
    bool is_vector = false;  // one row, of rank 1
    /// Writes row `r` to as many bytes as a row has.
    std::function<void(std::int64_t r, std::span<std::byte> to)> write_row;
};

class GgufFile {
public:
    void add(std::string_view key, std::uint32_t value);
    void add(std::string_view key, float value);
    void add(std::string_view key, std::string_view value);
    void add(GgufTensor tensor) { tensors_.push_back(std::move(tensor)); }
    /// Replaces the file atomically. Throws io_failure, cancelled.
    void save(const std::filesystem::path& path, const CancelToken& cancel = {}) const;

private:
    std::string pairs_;
    std::uint64_t pair_count_ = 0;
    std::vector<GgufTensor> tensors_;
};

}  // namespace lapidary
