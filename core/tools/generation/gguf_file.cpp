// SPDX-License-Identifier: Apache-2.0
#include "generation/gguf_file.h"

#include <bit>

#include "base/files/atomic_file.h"

namespace lapidary {
namespace {

static_assert(std::endian::native == std::endian::little, "GGUF has the bytes of such machines");

constexpr std::uint32_t gguf_version = 3;
constexpr std::uint64_t alignment = 32;
constexpr std::uint64_t block_size = 32;
constexpr std::uint32_t u32_value = 4, f32_value = 6, string_value = 8;  // types of values

template <typename T>
void put(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void put_text(std::string& to, std::string_view text) {
    put(to, static_cast<std::uint64_t>(text.size()));
    to.append(text);
}

std::uint64_t aligned(std::uint64_t size) { return (size + alignment - 1) / alignment * alignment; }

std::uint64_t row_bytes(const GgufTensor& tensor) {
    return gguf_bytes(tensor.type, static_cast<std::uint64_t>(tensor.width));
}

std::uint64_t bytes_of(const GgufTensor& tensor) {
    return row_bytes(tensor) * static_cast<std::uint64_t>(tensor.rows);
}

}  // namespace

std::uint64_t gguf_bytes(GgufType type, std::uint64_t elements) {
    switch (type) {
    case GgufType::f32: return elements * 4;
    case GgufType::f16: return elements * 2;
    case GgufType::q4_0: return elements / block_size * 18;
    case GgufType::q4_1: return elements / block_size * 20;
    case GgufType::q8_0: return elements / block_size * 34;
    }
    return 0;
}

void GgufFile::add(std::string_view key, std::uint32_t value) {
    put_text(pairs_, key);
    put(pairs_, u32_value);
    put(pairs_, value);
    ++pair_count_;
}

void GgufFile::add(std::string_view key, float value) {
    put_text(pairs_, key);
    put(pairs_, f32_value);
    put(pairs_, value);
    ++pair_count_;
}

void GgufFile::add(std::string_view key, std::string_view value) {
    put_text(pairs_, key);
    put(pairs_, string_value);
    put_text(pairs_, value);
    ++pair_count_;
}

void GgufFile::save(const std::filesystem::path& path, const CancelToken& cancel) const {
    std::string head = "GGUF";
    put(head, gguf_version);
    put(head, static_cast<std::uint64_t>(tensors_.size()));
    put(head, pair_count_);
    head += pairs_;
    std::uint64_t at = 0;
    for (const GgufTensor& tensor : tensors_) {
        put_text(head, tensor.name);
        put(head, std::uint32_t{tensor.is_vector ? 1u : 2u});
        put(head, static_cast<std::uint64_t>(tensor.width));  // the innermost first
        if (!tensor.is_vector) put(head, static_cast<std::uint64_t>(tensor.rows));
        put(head, static_cast<std::uint32_t>(tensor.type));
        put(head, at);
        at = aligned(at + bytes_of(tensor));
    }
    head.resize(aligned(head.size()));
    AtomicFile file(path);
    file.write(head);
    const std::vector<std::byte> zeros(alignment);
    std::vector<std::byte> row;
    for (const GgufTensor& tensor : tensors_) {
        row.resize(row_bytes(tensor));
        for (std::int64_t r = 0; r < tensor.rows; ++r) {
            cancel.throw_if_cancelled();
            tensor.write_row(r, row);
            file.write(row);
        }
        const std::uint64_t bytes = bytes_of(tensor);
        file.write(std::span(zeros).first(static_cast<std::size_t>(aligned(bytes) - bytes)));
    }
    file.commit();
}

}  // namespace lapidary
