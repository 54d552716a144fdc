// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/elementwise/widening.h"

#include <algorithm>

namespace lapidary::reference {

template <typename T>
Widened<T>::Widened(KernelContext& context, const Tensor* tensor) {
    if (!tensor) return;
    present_ = true;
    size_ = tensor->size();
    if (tensor->dtype() == dtype_of<T>) {
        data_ = tensor->template data<T>().data();
        return;
    }
    copy_ = context.scratch(dtype_of<T>, tensor->shape());
    T* to = copy_.template mutable_data<T>().data();
    dispatch<FloatTypes>(tensor->dtype(), [&]<typename S>() {
        const auto from = tensor->template data<S>();
        std::transform(from.begin(), from.end(), to,
                       [](S v) { return static_cast<T>(static_cast<compute_t<S>>(v)); });
    });
    data_ = to;
}

template <typename T>
Narrowed<T>::Narrowed(KernelContext& context, Tensor& output) : output_(output) {
    if (output.dtype() != dtype_of<T>) scratch_ = context.scratch(dtype_of<T>, output.shape());
    data_ = (scratch_ ? scratch_ : output).template mutable_data<T>().data();
}

template <typename T>
void Narrowed<T>::store() {
    if (!scratch_) return;
    dispatch<FloatTypes>(output_.dtype(), [&]<typename S>() {
        auto to = output_.template mutable_data<S>();
        std::transform(data_, data_ + to.size(), to.begin(),
                       [](T v) { return S(static_cast<compute_t<S>>(v)); });
    });
}

void require_same_type(const Tensor& a, const Tensor& b, std::string_view what) {
    if (a.dtype() != b.dtype())
        fail_input(std::string(what) + ": expected one element type, found " +
                   std::string(name_of(a.dtype())) + " and " + std::string(name_of(b.dtype())));
}

template class Widened<float>;
template class Widened<double>;
template class Narrowed<float>;
template class Narrowed<double>;

}  // namespace lapidary::reference
