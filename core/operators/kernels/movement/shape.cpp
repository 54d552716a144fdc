// SPDX-License-Identifier: Apache-2.0
// Shape, Size and Constant: what costs no more than its output.
#include <algorithm>

#include "kernels/elementwise/reference_kernels.h"

namespace lapidary {
namespace {

class ShapeKernel final : public Kernel {
public:
    ShapeKernel(std::int64_t start, std::int64_t end, bool has_end)
        : start_(start), end_(end), has_end_(has_end) {}
    void run(KernelContext& context) const override {
        const Shape& dims = context.input(0).shape();
        const auto rank = static_cast<std::int64_t>(dims.size());
        const auto position = [&](std::int64_t p) {
            return std::clamp<std::int64_t>(p < 0 ? p + rank : p, 0, rank);
        };
        const std::int64_t start = position(start_),
                           end = std::max(has_end_ ? position(end_) : rank, start);
        auto* out =
            static_cast<std::int64_t*>(context.output(0, DType::i64, {end - start}).mutable_raw());
        std::copy(dims.begin() + start, dims.begin() + end, out);
    }

private:
    std::int64_t start_, end_;
    bool has_end_;
};

class SizeKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const std::int64_t count = context.input(0).size();
        *static_cast<std::int64_t*>(context.output(0, DType::i64, {}).mutable_raw()) = count;
    }
};

class ConstantKernel final : public Kernel {
public:
    explicit ConstantKernel(Tensor value) : value_(std::move(value)) {}
    void run(KernelContext& context) const override { context.set_output(0, value_); }

private:
    Tensor value_;
};

template <typename T>
Tensor list_of(const std::vector<T>& values) {
    return Tensor::of<T>({static_cast<std::int64_t>(values.size())}, values);
}

}  // namespace

std::unique_ptr<Kernel> make_shape(const KernelRequest& request, std::string&) {
    const Node& node = request.node;
    return std::make_unique<ShapeKernel>(node.int_attribute("start", 0),
                                         node.int_attribute("end", 0), node.has_attribute("end"));
}

std::unique_ptr<Kernel> make_size(const KernelRequest&, std::string&) {
    return std::make_unique<SizeKernel>();
}

std::unique_ptr<Kernel> make_constant(const KernelRequest& request, std::string& reason) {
    if (!request.node.attributes.empty()) {
        const AttributeValue& value = request.node.attributes.front().value;
        if (const auto* tensor = std::get_if<Tensor>(&value); tensor && !tensor->is_unowned())
            return std::make_unique<ConstantKernel>(*tensor);
        if (const auto* i = std::get_if<std::int64_t>(&value))
            return std::make_unique<ConstantKernel>(Tensor::scalar(*i));
        if (const auto* f = std::get_if<float>(&value))
            return std::make_unique<ConstantKernel>(Tensor::scalar(*f));
        if (const auto* is = std::get_if<std::vector<std::int64_t>>(&value))
            return std::make_unique<ConstantKernel>(list_of(*is));
        if (const auto* fs = std::get_if<std::vector<float>>(&value))
            return std::make_unique<ConstantKernel>(list_of(*fs));
    }
    reason = "the value is no dense number tensor";
    return nullptr;
}

}  // namespace lapidary
