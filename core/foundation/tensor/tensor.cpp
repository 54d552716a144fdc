// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor/tensor.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include <lapidary/base/error.h>

#include "base/checked.h"
#include "base/files/mapping_guard.h"
#include "base/memory/page_memory.h"
#include "tensor/aligned_copies.h"

namespace lapidary {

std::string to_string(const Shape& shape) {
    std::string out = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? "," : "") + std::to_string(shape[i]);
    return out + "]";
}

std::int64_t element_count(std::span<const std::int64_t> shape) {
    const auto text = [&] { return to_string(Shape(shape.begin(), shape.end())); };
    std::int64_t count = 1;
    bool overflow = false, empty = false;
    for (std::int64_t d : shape) {
        if (d < 0) fail_input("shape " + text() + " has a negative dimension");
        if (d == 0) empty = true;
        if (const auto p = checked_multiply(count, d); p && !overflow) count = *p;
        else overflow = true;
    }
    if (empty) return 0;
    if (overflow) fail_limit("the element count of shape " + text() + " overflows");
    return count;
}

Tensor::Tensor(DType dtype, Shape shape) : dtype_(dtype), shape_(std::move(shape)) {
    size_ = element_count(shape_);
    bytes_ = storage_bytes(dtype_, size_);
    const auto refuse = [&] {
        fail_limit("the system refused " + std::to_string(bytes_) + " bytes for a tensor " +
                   std::string(name_of(dtype_)) + to_string(shape_));
    };
    if (dtype == DType::string) {
        try {
            auto strings =
                std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(size_));
            data_ = strings->data();
            owner_ = std::move(strings);
        } catch (const std::exception&) { refuse(); }
        return;
    }
    if (bytes_ > (std::size_t{1} << 62)) refuse();
    data_ = allocate_block(bytes_, Pages::usual);
    if (data_ == nullptr) refuse();
    owner_ =
        std::shared_ptr<const void>(data_, [](const void* p) { free_block(const_cast<void*>(p)); });
}

Tensor Tensor::borrow(DType dtype, Shape shape, void* data, std::shared_ptr<const void> owner) {
    Tensor t;
    t.dtype_ = dtype;
    t.shape_ = std::move(shape);
    t.size_ = element_count(t.shape_);
    t.bytes_ = storage_bytes(dtype, t.size_);
    t.data_ = data;
    t.owner_ = std::move(owner);
    return t;
}

namespace {

/// For each Origin, the bytes of storage that were allocated for it.
struct MadeCopies {
    std::mutex mutex;
    std::unordered_map<const void*, std::uint64_t> bytes;
};

/// Never destroyed, because there may be static tensors.
MadeCopies& made_copies() {
    static auto* const copies = new MadeCopies;
    return *copies;
}

}  // namespace

std::uint64_t aligned_copy_bytes(const Tensor& tensor) {
    const std::lock_guard lock(made_copies().mutex);
    const auto found = made_copies().bytes.find(tensor.owner().get());
    return found == made_copies().bytes.end() ? 0 : found->second;
}

/// The source of a tensor without its own storage yet: unaligned bytes, or parts.
struct Tensor::Origin {
    explicit Origin(std::shared_ptr<const void> kept, std::span<const std::byte> unaligned)
        : owner(std::move(kept)), bytes(unaligned) {}
    Origin(std::size_t one_part, WriteParts writer, std::vector<Tensor> from)
        : part_bytes(one_part), write(std::move(writer)), sources(std::move(from)) {}
    Origin(const Origin&) = delete;
    Origin& operator=(const Origin&) = delete;
    /// Of a mapped file: memory need not hold pages that are no longer used.
    ~Origin() {
        MappingGuard::drop_pages(bytes.data(), bytes.size());
        if (!is_made.load(std::memory_order_acquire)) return;
        const std::lock_guard lock(made_copies().mutex);
        made_copies().bytes.erase(this);
    }

    void write_parts(std::byte* to, std::size_t begin, std::size_t end) const {
        write(to, begin, end);
        if (MappingGuard::damage_count() == 0) return;
        for (const Tensor& source : sources)
            MappingGuard::require_files_unchanged(source.identity());
    }

    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
    std::size_t part_bytes = 0;
    WriteParts write;
    std::vector<Tensor> sources;
    Tensor half;  // of a widened() tensor

    std::shared_mutex
        mutex;  // of part_bytes, write and sources, and of `storage` while it is not made
    std::atomic<bool> is_made{false};
    Tensor storage;
};

Tensor Tensor::borrow_unaligned(DType dtype, Shape shape, const std::byte* data,
                                std::shared_ptr<const void> owner) {
    const std::size_t size = storage_bytes(dtype, element_count(shape));
    auto origin = std::make_shared<Origin>(std::move(owner), std::span(data, size));
    Tensor t = borrow(dtype, std::move(shape), const_cast<std::byte*>(data), origin);
    t.origin_ = origin.get();
    return t;
}

Tensor Tensor::deferred(DType dtype, Shape shape, std::size_t part_bytes, WriteParts write,
                        std::vector<Tensor> sources) {
    const std::size_t size = storage_bytes(dtype, element_count(shape));
    if (dtype == DType::string || part_bytes == 0 || size % part_bytes != 0)
        fail_input("a tensor " + std::string(name_of(dtype)) + to_string(shape) + " of " +
                   std::to_string(size) + " bytes is not made of parts of " +
                   std::to_string(part_bytes));
    auto origin = std::make_shared<Origin>(part_bytes, std::move(write), std::move(sources));
    Tensor t = borrow(dtype, std::move(shape), nullptr, origin);
    t.origin_ = origin.get();
    return t;
}

Tensor Tensor::widened(const Tensor& half, WriteParts write) {
    if (half.dtype() != DType::f16 && half.dtype() != DType::bf16)
        fail_input("a tensor " + std::string(name_of(half.dtype())) + to_string(half.shape()) +
                   " is not widened: float16 and bfloat16 are");
    Tensor t = deferred(DType::f32, half.shape(), sizeof(float), std::move(write), {half});
    t.origin_->half = half;
    return t;
}

Tensor Tensor::widened_from() const {
    if (origin_ == nullptr || !origin_->half) return {};
    return origin_->half.reshaped(shape_);
}

void* Tensor::made_address() const {
    Origin& origin = *origin_;
    if (!origin.is_made.load(std::memory_order_acquire)) {
        const std::unique_lock lock(origin.mutex);
        if (!origin.is_made.load(std::memory_order_relaxed)) {
            Tensor made(dtype_, {size_});
            if (origin.write)
                origin.write_parts(static_cast<std::byte*>(made.data_), 0,
                                   bytes_ / origin.part_bytes);
            else std::memcpy(made.data_, origin.bytes.data(), bytes_);
            drop_source_pages();
            origin.write = {};
            origin.sources.clear();
            origin.storage = std::move(made);
            const std::lock_guard copies_lock(made_copies().mutex);
            made_copies().bytes[&origin] = bytes_;
            origin.is_made.store(true, std::memory_order_release);
        }
    }
    return origin.storage.data_;
}

bool Tensor::is_deferred() const {
    return is_made_later() && !origin_->is_made.load(std::memory_order_acquire);
}

void Tensor::read(std::size_t begin, std::size_t count, std::byte* to) const {
    if (begin > bytes_ || count > bytes_ - begin)
        fail(ErrorCode::internal, "bytes " + std::to_string(begin) + " to " +
                                      std::to_string(begin + count) + " of a tensor of " +
                                      std::to_string(bytes_));
    if (is_deferred()) {
        const std::shared_lock lock(origin_->mutex);
        if (!origin_->is_made.load(std::memory_order_relaxed)) {
            const std::size_t part = origin_->part_bytes, first = begin / part,
                              last = (begin + count + part - 1) / part;
            if (begin % part == 0 && count % part == 0)
                return origin_->write_parts(to, first, last);
            std::vector<std::byte> whole((last - first) * part);
            origin_->write_parts(whole.data(), first, last);
            std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(begin - first * part), count,
                        to);
            return;
        }
    }
    if (count != 0) std::memcpy(to, bytes().data() + begin, count);
}

void Tensor::drop_pages() const {
    if (data_ != nullptr) return MappingGuard::drop_pages(data_, bytes_);
    if (origin_ == nullptr) return;
    const std::shared_lock lock(origin_->mutex);
    drop_source_pages();
}

void Tensor::drop_source_pages() const {
    MappingGuard::drop_pages(origin_->bytes.data(), origin_->bytes.size());
    for (const Tensor& source : origin_->sources) source.drop_pages();
}

void Tensor::require(DType expected) const {
    if (dtype_ != expected)
        fail(ErrorCode::internal, "tensor holds " + std::string(name_of(dtype_)) + ", read as " +
                                      std::string(name_of(expected)));
}

Tensor Tensor::reshaped(Shape shape) const {
    const std::int64_t count = element_count(shape);
    if (count != size_)
        fail_input("cannot view " + to_string(shape_) + " (" + std::to_string(size_) +
                   " elements) as " + to_string(shape) + " (" + std::to_string(count) +
                   " elements)");
    Tensor t = *this;
    t.shape_ = std::move(shape);
    return t;
}

Tensor Tensor::clone() const {
    if (!*this) return {};
    Tensor t(dtype_, shape_);
    if (dtype_ == DType::string)
        std::ranges::copy(data<std::string>(), t.mutable_data<std::string>().begin());
    else if (bytes_ != 0) std::memcpy(t.data_, bytes().data(), bytes_);
    return t;
}

bool same_contents(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
    if (!a || a.byte_size() == 0) return true;
    if (a.dtype() == DType::string)
        return std::ranges::equal(a.data<std::string>(), b.data<std::string>());
    return a.identity() == b.identity() ||
           std::memcmp(a.bytes().data(), b.bytes().data(), a.byte_size()) == 0;
}

}  // namespace lapidary
