// SPDX-License-Identifier: Apache-2.0
// Writes numbers, text and raw bytes one after another into a block of memory, and reads them. Both
// processes run on one machine, so numbers have its byte order. A writer function runs twice: first
// to count the bytes, then to write them into the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lapidary/internal/shared_memory.h>
#include <lapidary/base/error.h>

namespace lapidary::app {

class ByteWriter {
public:
    /// Only counts.
    ByteWriter() = default;
    /// Writes into `to`, whose size is the result of counting.
    explicit ByteWriter(std::span<std::byte> to) : to_(to), counts_(false) {}
    std::size_t size() const { return at_; }

    void raw(const void* data, std::size_t bytes) {
        if (!counts_) {
            if (bytes > to_.size() - at_)
                fail(ErrorCode::internal, "a result grew while it was written");
            if (bytes > 0) std::memcpy(to_.data() + at_, data, bytes);
        }
        at_ += bytes;
    }
    template <typename T>
    void number(T value) {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        raw(&value, sizeof value);
    }
    void text(std::string_view value) {
        number(std::uint64_t(value.size()));
        raw(value.data(), value.size());
    }
    /// The elements of a vector of plain values.
    template <typename T>
    void plain(const std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T>);
        number(std::uint64_t(values.size()));
        align(alignof(T));
        raw(values.data(), values.size() * sizeof(T));
    }
    void align(std::size_t to) {
        static constexpr std::byte zeros[64] = {};
        raw(zeros, (to - at_ % to) % to);
    }

private:
    std::span<std::byte> to_;
    std::size_t at_ = 0;
    bool counts_ = true;
};

/// Reads the bytes of a ByteWriter. Checks everything against the size of the block; throws
/// io_failure if the data is cut off.
class ByteReader {
public:
    /// `owner` keeps the bytes alive for values that point into them; may be null.
    ByteReader(std::span<std::byte> from, std::shared_ptr<const void> owner)
        : from_(from), owner_(std::move(owner)) {}
    std::size_t left() const { return from_.size() - at_; }
    const std::shared_ptr<const void>& owner() const { return owner_; }

    std::byte* raw(std::size_t bytes) {
        if (bytes > left()) broken();
        std::byte* const here = from_.data() + at_;
        at_ += bytes;
        return here;
    }
    template <typename T>
    T number() {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        T value;
        std::memcpy(&value, raw(sizeof value), sizeof value);
        return value;
    }
    /// The number of elements that follow, each of at least `least` bytes.
    std::size_t count(std::size_t least = 1) {
        const auto n = number<std::uint64_t>();
        if (n > left() / least) broken();
        return static_cast<std::size_t>(n);
    }
    std::string text() {
        const std::size_t n = count();
        return {reinterpret_cast<const char*>(raw(n)), n};
    }
    template <typename T>
    std::span<const T> plain() {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t n = count(sizeof(T));
        align(alignof(T));
        return {reinterpret_cast<const T*>(raw(n * sizeof(T))), n};
    }
    void align(std::size_t to) { raw((to - at_ % to) % to); }
    [[noreturn]] static void broken() {
        fail(ErrorCode::io_failure, "the result of the worker process breaks off or is none");
    }

private:
    std::span<std::byte> from_;
    std::shared_ptr<const void> owner_;
    std::size_t at_ = 0;
};

/// A new block with what write(ByteWriter&) writes, which is called twice. Throws limit_exceeded if
/// there is no room.
template <typename Write>
SharedMemory written_block(const Write& write) {
    ByteWriter counted;
    write(counted);
    SharedMemory block = SharedMemory::create(counted.size());
    ByteWriter written(block.bytes());
    write(written);
    return block;
}

}  // namespace lapidary::app
