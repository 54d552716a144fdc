// SPDX-License-Identifier: Apache-2.0
#include "ort_format/flat_buffer.h"

#include <bit>
#include <cstring>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary::ort_format {
namespace {

static_assert(std::endian::native == std::endian::little,
              "FlatBuffers are little-endian and read as they are");

constexpr std::uint64_t offset_bytes = 4;
constexpr std::uint64_t vtable_header = 4;  // its own size, and that of the table
constexpr std::uint64_t part_bytes = 32;    // what a table or text takes in memory at the least

[[noreturn]] void fail_outside(const char* what, std::uint64_t at, std::uint64_t needed,
                               std::uint64_t size) {
    fail_model("the file is damaged or cut off: " + std::string(what) + " needs " +
               std::to_string(needed) + " bytes at byte " + std::to_string(at) + ", the file has " +
               std::to_string(size));
}

}  // namespace

template <typename T>
T FlatBuffer::read(std::uint64_t at, const char* what) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(T))
        fail_outside(what, at, sizeof(T), bytes_.size());
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
}

std::uint64_t FlatBuffer::follow(std::uint64_t at, const char* what) const {
    const auto offset = read<std::uint32_t>(at, what);
    if (offset == 0)
        fail_model("the file is damaged: " + std::string(what) + " at byte " + std::to_string(at) +
                   " refers to itself");
    return at + offset;
}

std::uint64_t FlatBuffer::length(std::uint64_t at, std::uint64_t element_bytes,
                                 const char* what) const {
    const std::uint64_t count = read<std::uint32_t>(at, what), begin = at + offset_bytes;
    if (count * element_bytes > bytes_.size() - begin)
        fail_outside(what, begin, count * element_bytes, bytes_.size());
    return count;
}

std::string_view FlatBuffer::text(std::uint64_t at, const char* what) {
    const std::uint64_t size = length(at, 1, what);
    count(size + part_bytes);
    return {reinterpret_cast<const char*>(bytes_.data()) + at + offset_bytes,
            static_cast<std::size_t>(size)};
}

void FlatBuffer::count(std::uint64_t bytes) {
    if (bytes > most_read_ - read_)
        fail_model(
            "the file is damaged: its parts refer to the same bytes again and again; reading all "
            "would take more "
            "than " +
            std::to_string(most_read_) + " bytes of a file of " + std::to_string(bytes_.size()));
    read_ += bytes;
}

FlatTable FlatBuffer::root() { return {*this, follow(0, "the root table")}; }

std::uint64_t FlatTable::place(Field field) const {
    const auto back = static_cast<std::int64_t>(buffer_->read<std::int32_t>(at_, field.name));
    const std::int64_t vtable = static_cast<std::int64_t>(at_) - back;
    if (vtable < 0)
        fail_model("the file is damaged: the table of " + std::string(field.name) + " at byte " +
                   std::to_string(at_) + " has its list of fields before the file");
    const auto start = static_cast<std::uint64_t>(vtable);
    const std::uint64_t entry = vtable_header + std::uint64_t{2} * field.number;
    if (entry + 2 > buffer_->read<std::uint16_t>(start, field.name)) return 0;
    const auto offset = buffer_->read<std::uint16_t>(start + entry, field.name);
    return offset == 0 ? 0 : at_ + offset;
}

std::uint64_t FlatTable::target(Field field) const {
    const std::uint64_t at = place(field);
    return at == 0 ? 0 : buffer_->follow(at, field.name);
}

template <typename T>
T FlatTable::number(Field field, T absent) const {
    const std::uint64_t at = place(field);
    return at == 0 ? absent : buffer_->read<T>(at, field.name);
}

std::string_view FlatTable::text(Field field) const {
    const std::uint64_t at = target(field);
    return at == 0 ? std::string_view() : buffer_->text(at, field.name);
}

std::optional<FlatTable> FlatTable::table(Field field) const {
    const std::uint64_t at = target(field);
    if (at == 0) return std::nullopt;
    buffer_->count(part_bytes);
    return FlatTable(*buffer_, at);
}

template <typename ElementAt>
auto FlatTable::elements(Field field, const ElementAt& element_at) const {
    std::vector<decltype(element_at(std::uint64_t{}))> all;
    const std::uint64_t at = target(field);
    if (at == 0) return all;
    const std::uint64_t count = buffer_->length(at, offset_bytes, field.name);
    buffer_->count(count * part_bytes);
    all.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i)
        all.push_back(element_at(buffer_->follow(at + offset_bytes * (i + 1), field.name)));
    return all;
}

std::vector<FlatTable> FlatTable::tables(Field field) const {
    return elements(field, [this](std::uint64_t at) { return FlatTable(*buffer_, at); });
}

std::vector<std::string_view> FlatTable::texts(Field field) const {
    return elements(field, [&](std::uint64_t at) { return buffer_->text(at, field.name); });
}

template <typename T>
std::vector<T> FlatTable::numbers(Field field) const {
    std::vector<T> all;
    const std::uint64_t at = target(field);
    if (at == 0) return all;
    const std::uint64_t count = buffer_->length(at, sizeof(T), field.name);
    buffer_->count(count * sizeof(T));
    all.resize(static_cast<std::size_t>(count));
    if (count > 0)
        std::memcpy(all.data(), buffer_->bytes_.data() + at + offset_bytes, all.size() * sizeof(T));
    return all;
}

std::span<const std::byte> FlatTable::bytes(Field field) const {
    const std::uint64_t at = target(field);
    if (at == 0) return {};
    const std::uint64_t count = buffer_->length(at, 1, field.name);
    if (count > buffer_->bytes_.size() - buffer_->payload_)
        fail_model("the file is damaged: several of " + std::string(field.name) +
                   " refer to the same bytes");
    buffer_->payload_ += count;
    return buffer_->bytes_.subspan(static_cast<std::size_t>(at + offset_bytes),
                                   static_cast<std::size_t>(count));
}

template std::int8_t FlatTable::number(Field, std::int8_t) const;
template std::uint8_t FlatTable::number(Field, std::uint8_t) const;
template std::int32_t FlatTable::number(Field, std::int32_t) const;
template std::int64_t FlatTable::number(Field, std::int64_t) const;
template float FlatTable::number(Field, float) const;
template std::vector<std::int64_t> FlatTable::numbers(Field) const;
template std::vector<float> FlatTable::numbers(Field) const;

}  // namespace lapidary::ort_format
