// SPDX-License-Identifier: Apache-2.0
// Dense tensors: an element type, a concrete shape and shared storage.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lapidary/tensor/dtype.h>
#include <lapidary/tensor/float16.h>
#include <lapidary/graph/shape.h>

namespace lapidary {

/// "[1,3,224,224]"
std::string to_string(const Shape& shape);
/// Product of the dimensions; throws limit_exceeded on overflow, invalid_input on a negative
/// dimension.
std::int64_t element_count(std::span<const std::int64_t> shape);

/// The DType of a C++ storage type: float -> f32, Half -> f16, std::string -> string, bool ->
/// boolean ...
template <typename T>
inline constexpr DType dtype_of = DType::undefined;
template <>
inline constexpr DType dtype_of<float> = DType::f32;
template <>
inline constexpr DType dtype_of<double> = DType::f64;
template <>
inline constexpr DType dtype_of<Half> = DType::f16;
template <>
inline constexpr DType dtype_of<BFloat16> = DType::bf16;
template <>
inline constexpr DType dtype_of<std::int8_t> = DType::i8;
template <>
inline constexpr DType dtype_of<std::int16_t> = DType::i16;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::i32;
template <>
inline constexpr DType dtype_of<std::int64_t> = DType::i64;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::u8;
template <>
inline constexpr DType dtype_of<std::uint16_t> = DType::u16;
template <>
inline constexpr DType dtype_of<std::uint32_t> = DType::u32;
template <>
inline constexpr DType dtype_of<std::uint64_t> = DType::u64;
template <>
inline constexpr DType dtype_of<bool> = DType::boolean;
template <>
inline constexpr DType dtype_of<std::string> = DType::string;
template <>
inline constexpr DType dtype_of<std::complex<float>> = DType::complex64;
template <>
inline constexpr DType dtype_of<std::complex<double>> = DType::complex128;

/// A dense row-major tensor. Copies share storage. A caller that writes through mutable_data() must
/// be the only holder (as kernels that write a fresh output are). Storage is 64-byte aligned when
/// allocated here and may be borrowed (memory-mapped weights, arena slots). Rank 0 is a scalar with
/// one element.
class Tensor {
public:
    Tensor() = default;  // no element type, no elements: "absent"
    /// Allocates. Contents are uninitialised for numeric types, empty strings for DType::string.
    /// Throws limit_exceeded when the byte count overflows or memory is refused.
    Tensor(DType dtype, Shape shape);
    /// Refers to `data` (at least storage_bytes long, aligned for the type); `owner` keeps it alive
    /// and may be null.
    static Tensor borrow(DType dtype, Shape shape, void* data, std::shared_ptr<const void> owner);
    /// Refers to `data`, however it is aligned. The first call that needs an address aligned for
    /// the type makes a copy, from any thread; bytes() gives `data` itself.
    static Tensor borrow_unaligned(DType dtype, Shape shape, const std::byte* data,
                                   std::shared_ptr<const void> owner);
    /// Writes parts [begin, end) of a deferred tensor, the first of them to `to`; from any thread.
    using WriteParts = std::function<void(std::byte* to, std::size_t begin, std::size_t end)>;
    /// A tensor that is computed from `sources` when its elements are first asked for, on any
    /// thread. `write` writes its parts, which are adjacent and have `part_bytes` each. A caller
    /// that needs the elements in another place or order reads the parts instead; the tensor is
    /// then never computed. Not for strings. Throws invalid_input when the parts do not fill it
    /// exactly.
    static Tensor deferred(DType dtype, Shape shape, std::size_t part_bytes, WriteParts write,
                           std::vector<Tensor> sources);
    /// A deferred tensor that has the elements of `half`, which are float16 or bfloat16, as
    /// float32. `write` writes them, a part being one element. Kernels that read 16 bits as well
    /// take them from widened_from().
    static Tensor widened(const Tensor& half, WriteParts write);
    /// A tensor from a list: Tensor::of<std::int64_t>({2}, {3, 4}).
    template <typename T>
    static Tensor of(Shape shape, const std::vector<T>& values);
    template <typename T>
    static Tensor scalar(const T& value) {
        return of<T>({}, std::vector<T>{value});
    }

    explicit operator bool() const { return dtype_ != DType::undefined; }  // false: absent
    DType dtype() const { return dtype_; }         // element type; undefined: absent
    const Shape& shape() const { return shape_; }  // dimensions, outermost first
    /// its size; `axis` is less than rank()
    std::int64_t dim(std::size_t axis) const { return shape_[axis]; }
    int rank() const { return static_cast<int>(shape_.size()); }  // number of dimensions
    std::int64_t size() const { return size_; }                   // elements
    std::size_t byte_size() const { return bytes_; }              // of the storage used

    const void* raw() const { return address(); }  // the first element; null when absent or empty
    void* mutable_raw() { return address(); }      // the same, to write
    /// Typed access. Throws internal when T is not the storage type (checked).
    template <typename T>
    std::span<const T> data() const {
        require(dtype_of<T>);
        return {static_cast<const T*>(address()), static_cast<std::size_t>(size_)};
    }
    template <typename T>
    /// Typed access to write; throws as data().
    std::span<T> mutable_data() {
        require(dtype_of<T>);
        return {static_cast<T*>(address()), static_cast<std::size_t>(size_)};
    }
    /// The storage as it lies in memory; of borrow_unaligned() not aligned for the type.
    std::span<const std::byte> bytes() const {
        return {static_cast<const std::byte*>(is_made_later() ? address() : data_), bytes_};
    }
    /// True for a deferred() tensor whose elements were not requested yet.
    bool is_deferred() const;
    /// The 16-bit floats that a widened() tensor has as float32, in its shape; absent: it was made
    /// in another way.
    Tensor widened_from() const;
    /// Copies bytes [begin, begin + count) to `to`. A deferred tensor stays deferred, whole parts
    /// of it go there directly. Throws io_failure when the file that it is made of was truncated
    /// (as asking for its elements does).
    void read(std::size_t begin, std::size_t count, std::byte* to) const;
    /// Identifies the storage: equal for copies, different for different storages. Does not compute
    /// a deferred tensor.
    const void* identity() const {
        return is_made_later() ? static_cast<const void*>(origin_) : data_;
    }
    /// Drops the pages of a tensor in a mapped file from memory until they are read again. Does
    /// nothing for other storage.
    void drop_pages() const;

    /// Same storage under another shape of equal element count; throws invalid_input otherwise.
    Tensor reshaped(Shape shape) const;
    /// A deep copy in fresh storage.
    Tensor clone() const;
    /// True when the storage belongs to someone else and this tensor does not keep it alive (an
    /// arena slot).
    bool is_unowned() const { return data_ != nullptr && owner_ == nullptr; }
    /// What keeps the storage alive; null: nothing does.
    const std::shared_ptr<const void>& owner() const { return owner_; }

private:
    struct Origin;
    void require(DType expected) const;
    bool is_made_later() const { return data_ == nullptr && origin_ != nullptr; }
    void* address() const { return origin_ == nullptr ? data_ : made_address(); }
    void* made_address() const;
    void drop_source_pages() const;
    DType dtype_ = DType::undefined;
    Shape shape_;
    std::int64_t size_ = 0;
    std::size_t bytes_ = 0;
    void* data_ = nullptr;      // null: there is none, or it is deferred
    Origin* origin_ = nullptr;  // kept by owner_; null: data_ is aligned
    std::shared_ptr<const void> owner_;
};

template <typename T>
Tensor Tensor::of(Shape shape, const std::vector<T>& values) {
    Tensor t(dtype_of<T>, std::move(shape));
    auto out = t.mutable_data<T>();
    for (std::size_t i = 0; i < out.size() && i < values.size(); ++i) out[i] = values[i];
    return t;
}

/// Elements of any integer or bool tensor widened to int64; throws invalid_input for other types.
std::vector<std::int64_t> to_int64s(const Tensor& tensor);
/// Elements of any numeric tensor (all float formats, integers, 4-bit, bool) as double.
std::vector<double> to_doubles(const Tensor& tensor);
/// True when type, shape and every byte (string) agree.
bool same_contents(const Tensor& a, const Tensor& b);

}  // namespace lapidary
