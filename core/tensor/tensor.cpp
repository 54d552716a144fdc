// SPDX-License-Identifier: Apache-2.0
#include <lapidary/tensor.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <lapidary/error.h>

#include "base/checked.h"
#include "base/mapping_guard.h"
#include "base/page_memory.h"

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
        fail_limit("the system refused " + std::to_string(bytes_) + " bytes for a tensor " + std::string(name_of(dtype_)) +
                   to_string(shape_));
    };
    if (dtype == DType::string) {
        try {
            auto strings = std::make_shared<std::vector<std::string>>(static_cast<std::size_t>(size_));
            data_ = strings->data();
            owner_ = std::move(strings);
        } catch (const std::exception&) {
            refuse();
        }
        return;
    }
    if (bytes_ > (std::size_t{1} << 62)) refuse();
    data_ = allocate_block(bytes_, Pages::usual);
    if (data_ == nullptr) refuse();
    owner_ = std::shared_ptr<const void>(data_, [](const void* p) { std::free(const_cast<void*>(p)); });
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

/// Bytes at an odd address, and their copy once somebody needed one.
struct Tensor::Unaligned {
    Unaligned(std::shared_ptr<const void> kept, const std::byte* data, std::size_t size) : owner(std::move(kept)), bytes(data, size) {}
    Unaligned(const Unaligned&) = delete;
    Unaligned& operator=(const Unaligned&) = delete;
    /// Of a mapped file: memory need not hold what nobody refers to any more.
    ~Unaligned() { MappingGuard::drop_pages(bytes.data(), bytes.size()); }
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
    std::once_flag copied;
    Tensor copy;
};

Tensor Tensor::borrow_unaligned(DType dtype, Shape shape, const std::byte* data, std::shared_ptr<const void> owner) {
    const std::size_t size = storage_bytes(dtype, element_count(shape));
    auto unaligned = std::make_shared<Unaligned>(std::move(owner), data, size);
    Tensor t = borrow(dtype, std::move(shape), const_cast<std::byte*>(data), unaligned);
    t.unaligned_ = unaligned.get();
    return t;
}

void* Tensor::aligned_address() const {
    std::call_once(unaligned_->copied, [this] {
        Tensor copy(dtype_, {static_cast<std::int64_t>(size_)});
        std::memcpy(copy.data_, data_, bytes_);
        MappingGuard::drop_pages(data_, bytes_);
        unaligned_->copy = std::move(copy);
    });
    return unaligned_->copy.data_;
}

void Tensor::require(DType expected) const {
    if (dtype_ != expected)
        fail(ErrorCode::internal,
             "tensor holds " + std::string(name_of(dtype_)) + ", read as " + std::string(name_of(expected)));
}

Tensor Tensor::reshaped(Shape shape) const {
    const std::int64_t count = element_count(shape);
    if (count != size_)
        fail_input("cannot view " + to_string(shape_) + " (" + std::to_string(size_) + " elements) as " + to_string(shape) +
                   " (" + std::to_string(count) + " elements)");
    Tensor t = *this;
    t.shape_ = std::move(shape);
    return t;
}

Tensor Tensor::clone() const {
    if (!*this) return {};
    Tensor t(dtype_, shape_);
    if (dtype_ == DType::string) std::ranges::copy(data<std::string>(), t.mutable_data<std::string>().begin());
    else if (bytes_ != 0) std::memcpy(t.data_, data_, bytes_);
    return t;
}

bool same_contents(const Tensor& a, const Tensor& b) {
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
    if (!a || a.byte_size() == 0) return true;
    if (a.dtype() == DType::string) return std::ranges::equal(a.data<std::string>(), b.data<std::string>());
    return a.bytes().data() == b.bytes().data() || std::memcmp(a.bytes().data(), b.bytes().data(), a.byte_size()) == 0;
}

}  // namespace lapidary
