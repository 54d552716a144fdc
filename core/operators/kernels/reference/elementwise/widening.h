// SPDX-License-Identifier: Apache-2.0
// 16-bit floats in and out of float arithmetic: kernels compute in float (or double for f64) and
// round once per stored element.
#pragma once

#include <type_traits>

#include "kernels/dispatch.h"
#include "kernels/kernel.h"

namespace lapidary::reference {

/// A float tensor's elements as T (float or double): the tensor's own storage when it already has
/// that type, else a converted copy in scratch memory. Null tensors stay null. Accepts f16, bf16,
/// f32 and f64; throws not_supported for other types.
template <typename T>
class Widened {
public:
    Widened(KernelContext& context, const Tensor* tensor);
    Widened(KernelContext& context, const Tensor& tensor) : Widened(context, &tensor) {}
    const T* data() const { return data_; }
    const T& operator[](std::int64_t i) const { return data_[i]; }
    std::int64_t size() const { return size_; }
    explicit operator bool() const { return data_ != nullptr || present_; }

private:
    Tensor copy_;
    const T* data_ = nullptr;
    std::int64_t size_ = 0;
    bool present_ = false;
};

/// An output tensor written as T: its own storage when it has that type, else scratch that store()
/// rounds into it. Call store() once, when all elements are written.
template <typename T>
class Narrowed {
public:
    Narrowed(KernelContext& context, Tensor& output);
    T* data() { return data_; }
    T& operator[](std::int64_t i) { return data_[i]; }
    std::int64_t size() const { return output_.size(); }
    void store();

private:
    Tensor& output_;
    Tensor scratch_;
    T* data_ = nullptr;
};

/// Calls body<double>() for f64, body<float>() for f32, f16 and bf16; throws not_supported naming
/// the type.
template <typename Body>
void dispatch_compute(DType dtype, Body&& body) {
    if (dtype == DType::f64) body.template operator()<double>();
    else if (dtype == DType::f32 || dtype == DType::f16 || dtype == DType::bf16)
        body.template operator()<float>();
    else
        fail_unsupported("element type " + std::string(name_of(dtype)) +
                         " is not supported by this operator");
}

/// Throws invalid_input unless both tensors have the same element type; `what` names them.
void require_same_type(const Tensor& a, const Tensor& b, std::string_view what);

extern template class Widened<float>;
extern template class Widened<double>;
extern template class Narrowed<float>;
extern template class Narrowed<double>;

}  // namespace lapidary::reference
