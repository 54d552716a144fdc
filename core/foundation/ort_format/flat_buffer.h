// SPDX-License-Identifier: Apache-2.0
// Reads FlatBuffers (flatbuffers.dev, "FlatBuffer Internals") of files that may be damaged or
// hostile. Every number is read once, within the bounds of the file, at any alignment; what a file
// makes its reader do is bounded by its size. The FlatBuffers library's own reader trusts a
// verified file: it reads offsets again after they were checked, from a mapping that another
// program may change. Its verifier needs quadratic time for lists that many tables share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lapidary::ort_format {

/// A field of a table: its number in the schema, and what messages call it ("Graph.nodes").
struct Field {
    std::uint16_t number;
    const char* name;
};

class FlatTable;

/// The bytes of one file, which must outlive the tables. Throws Error{invalid_model} where they lie
/// outside of it, or where the same bytes are referred to so often that reading them all would take
/// more than `most_read` bytes.
class FlatBuffer {
public:
    FlatBuffer(std::span<const std::byte> bytes, std::uint64_t most_read)
        : bytes_(bytes), most_read_(most_read) {}
    FlatBuffer(const FlatBuffer&) = delete;
    FlatBuffer& operator=(const FlatBuffer&) = delete;

    FlatTable root();
    /// Where bytes() of a table begin in the file.
    std::uint64_t offset_of(std::span<const std::byte> part) const {
        return static_cast<std::uint64_t>(part.data() - bytes_.data());
    }

private:
    friend class FlatTable;
    template <typename T>
    T read(std::uint64_t at, const char* what) const;
    /// What the unsigned offset at `at` refers to, which lies behind it.
    std::uint64_t follow(std::uint64_t at, const char* what) const;
    /// Elements of the vector at `at`, all within the file.
    std::uint64_t length(std::uint64_t at, std::uint64_t element_bytes, const char* what) const;
    std::string_view text(std::uint64_t at, const char* what);
    void count(std::uint64_t bytes);

    std::span<const std::byte> bytes_;
    std::uint64_t most_read_, read_ = 0, payload_ = 0;
};

/// One table. Fields that the file leaves out read as absent, zero or empty.
class FlatTable {
public:
    /// A scalar: bool, integers and float of the width that the schema has.
    template <typename T>
    T number(Field field, T absent = {}) const;
    std::string_view text(Field field) const;
    std::optional<FlatTable> table(Field field) const;
    std::vector<FlatTable> tables(Field field) const;
    std::vector<std::string_view> texts(Field field) const;
    /// int64, int32 or float.
    template <typename T>
    std::vector<T> numbers(Field field) const;
    /// A vector of bytes, as it lies in the file. All of a file together have at most as many as
    /// the file.
    std::span<const std::byte> bytes(Field field) const;
    bool has(Field field) const { return place(field) != 0; }

private:
    friend class FlatBuffer;
    FlatTable(FlatBuffer& buffer, std::uint64_t at) : buffer_(&buffer), at_(at) {}
    std::uint64_t place(Field field) const;   // 0: absent
    std::uint64_t target(Field field) const;  // of an offset; 0: absent
    /// Of a vector of offsets: element_at() of where each leads to.
    template <typename ElementAt>
    auto elements(Field field, const ElementAt& element_at) const;

    FlatBuffer* buffer_;
    std::uint64_t at_;
};

}  // namespace lapidary::ort_format
