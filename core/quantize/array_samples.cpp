// SPDX-License-Identifier: Apache-2.0
#include <lapidary/array_samples.h>

#include <algorithm>
#include <utility>

#include <lapidary/error.h>
#include <lapidary/tensor_file.h>

#include "quantize/sample_tensor.h"

namespace lapidary {
namespace {

struct Stack {
    std::string input;
    Type type;
    Tensor values;
};

bool fits(const Type& type, const Tensor& tensor) {
    if (!type.is_tensor() || tensor.rank() == 0 || is_packed(tensor.dtype()) || tensor.dtype() == DType::string)
        return false;
    if (!converts_to_input(tensor.dtype(), type.dtype)) return false;
    if (!type.shape) return true;
    if (type.shape->size() != tensor.shape().size()) return false;
    for (std::size_t d = 1; d < type.shape->size(); ++d)
        if ((*type.shape)[d].is_known() && (*type.shape)[d].value() != tensor.shape()[d]) return false;
    return true;
}

std::string list_of(const NamedValues& arrays) {
    std::string text;
    for (const auto& [name, value] : arrays)
        if (value.is_tensor())
            text += (text.empty() ? "" : ", ") + name + " " + std::string(name_of(value.tensor().dtype())) +
                    to_string(value.tensor().shape());
    return text;
}

/// Rows `first` to `first + count` of the first dimension, as the input wants them.
Tensor rows_of(const Stack& stack, std::int64_t first, std::int64_t count, const ImageOptions& pixels) {
    const Tensor& all = stack.values;
    Shape shape = all.shape();
    shape[0] = count;
    Tensor part(all.dtype(), shape);
    const std::size_t row = all.byte_size() / static_cast<std::size_t>(all.dim(0));
    std::copy_n(static_cast<const std::byte*>(all.raw()) + static_cast<std::size_t>(first) * row,
                static_cast<std::size_t>(count) * row, static_cast<std::byte*>(part.mutable_raw()));
    return as_input_type(part, stack.type.dtype, stack.input, pixels);
}

class ArraySamples final : public SampleSource {
public:
    ArraySamples(const Model& model, const std::filesystem::path& file, const std::map<std::string, std::string>& names,
                 const ImageOptions& pixels)
        : pixels_(pixels) {
        const NamedValues arrays = load_npz(file);
        std::vector<std::pair<std::string, Type>> inputs;
        for (ValueId id : model.graph.inputs())
            if (const Value& value = model.graph.value(id); !value.constant)
                inputs.emplace_back(value.name, value.type);
        for (const auto& [input, name] : names)
            if (std::ranges::find(inputs, input, &std::pair<std::string, Type>::first) == inputs.end())
                fail_input("the model has no input " + quote(input));
        for (const auto& [input, type] : inputs)
            stacks_.push_back({input, type, array_for(input, type, names, arrays, inputs.size() == 1)});
        for (const Stack& stack : stacks_) {
            const auto& shape = stack.type.shape;
            const std::int64_t each =
                shape && !shape->empty() && (*shape)[0].is_known() ? std::max<std::int64_t>(1, (*shape)[0].value()) : 1;
            if (rows_ != 0 && (stack.values.dim(0) != rows_ || each != each_))
                fail_input("the arrays have not the same number of rows: " + list_of(arrays));
            rows_ = stack.values.dim(0);
            each_ = each;
        }
        if (rows_ < each_) fail_input("the arrays hold no sample: " + list_of(arrays));
    }
    std::size_t size() const override { return static_cast<std::size_t>(rows_ / each_); }
    std::string name(std::size_t index) const override {
        return "row " + std::to_string(static_cast<std::int64_t>(index) * each_ + 1);
    }
    NamedValues at(std::size_t index) const override {
        NamedValues values;
        for (const Stack& stack : stacks_)
            values.emplace_back(stack.input, rows_of(stack, static_cast<std::int64_t>(index) * each_, each_, pixels_));
        return values;
    }

private:
    static Tensor array_for(const std::string& input, const Type& type, const std::map<std::string, std::string>& names,
                            const NamedValues& arrays, bool is_only) {
        const auto given = names.find(input);
        const RuntimeValue* found = find(arrays, given == names.end() ? input : given->second);
        if (!found && given != names.end())
            fail_input("there is no array " + quote(given->second) + ", there are " + list_of(arrays));
        if (!found && is_only) {
            std::size_t fitting = 0;
            for (const auto& [name, value] : arrays)
                if (value.is_tensor() && fits(type, value.tensor())) {
                    found = &value;
                    ++fitting;
                }
            if (fitting > 1) fail_input("several arrays fit input " + quote(input) + ", say which: " + list_of(arrays));
        }
        if (!found || !found->is_tensor() || !fits(type, found->tensor()))
            fail_input("no array fits input " + quote(input) + ", which wants " + to_string(type) + "; there are " +
                       list_of(arrays));
        return found->tensor();
    }

    ImageOptions pixels_;
    std::vector<Stack> stacks_;
    std::int64_t rows_ = 0, each_ = 1;
};

}  // namespace

SampleSourcePtr array_samples(const Model& model, const std::filesystem::path& file,
                              const std::map<std::string, std::string>& arrays, const ImageOptions& pixels) {
    try {
        return std::make_shared<ArraySamples>(model, file, arrays, pixels);
    } catch (Error& error) {
        throw error.at(file.string());
    }
}

}  // namespace lapidary
