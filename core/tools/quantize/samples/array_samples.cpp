// SPDX-License-Identifier: Apache-2.0
#include <lapidary/inputs/array_samples.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "quantize/samples/sample_tensor.h"

namespace lapidary {
namespace {

struct Stack {
    std::string input;
    Type type;
    Tensor values;
};

std::string list_of(const std::vector<ArrayHeader>& arrays) {
    std::string text;
    for (const ArrayHeader& array : arrays)
        text += (text.empty() ? "" : ", ") + array.name + " " + std::string(name_of(array.dtype)) +
                to_string(array.shape);
    return text;
}

/// Rows `first` to `first + count` of the first dimension, converted for the input.
Tensor rows_of(const Stack& stack, std::int64_t first, std::int64_t count,
               const ImageOptions& pixels) {
    const Tensor& all = stack.values;
    Shape shape = all.shape();
    shape[0] = count;
    Tensor part(all.dtype(), shape);
    const std::size_t row = all.byte_size() / static_cast<std::size_t>(all.dim(0));
    std::copy_n(static_cast<const std::byte*>(all.raw()) + static_cast<std::size_t>(first) * row,
                static_cast<std::size_t>(count) * row, static_cast<std::byte*>(part.mutable_raw()));
    return as_input(part, stack.type, stack.input, pixels);
}

class ArraySamples final : public SampleSource {
public:
    ArraySamples(const Model& model, const std::filesystem::path& file,
                 const std::map<std::string, std::string>& names, const ImageOptions& pixels,
                 const CancelToken& cancel)
        : pixels_(pixels) {
        const std::vector<ArrayHeader> arrays = npz_headers(file, {{}, cancel, {}});
        std::vector<std::pair<std::string, Type>> inputs;
        for (ValueId id : model.graph.inputs())
            if (const Value& value = model.graph.value(id); !value.constant)
                inputs.emplace_back(value.name, value.type);
        for (const auto& [input, name] : names)
            if (std::ranges::find(inputs, input, &std::pair<std::string, Type>::first) ==
                inputs.end())
                fail_input("the model has no input " + quote(input));
        std::vector<std::string> chosen;
        for (const auto& [input, type] : inputs)
            chosen.push_back(
                array_for(input, type, names, arrays, inputs.size() == 1, pixels).name);
        const NamedValues read =
            load_npz(file, {{}, cancel, [&](const ArrayHeader& array) {
                                return std::ranges::find(chosen, array.name) != chosen.end();
                            }});
        for (std::size_t i = 0; i < inputs.size(); ++i)
            stacks_.push_back({inputs[i].first, inputs[i].second, find(read, chosen[i])->tensor()});
        for (const Stack& stack : stacks_) {
            const auto& shape = stack.type.shape;
            const std::int64_t each = shape && !shape->empty() && (*shape)[0].is_known()
                                          ? std::max<std::int64_t>(1, (*shape)[0].value())
                                          : 1;
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
    NamedValues at(std::size_t index, const CancelToken&) const override {
        NamedValues values;
        for (const Stack& stack : stacks_)
            values.emplace_back(
                stack.input,
                rows_of(stack, static_cast<std::int64_t>(index) * each_, each_, pixels_));
        return values;
    }

    std::vector<std::string> warnings() const override {
        std::vector<std::string> notes;
        for (const Stack& stack : stacks_)
            if (const auto note = turned_note(stack.type, stack.values.shape(), pixels_))
                notes.push_back(*note);
        return notes;
    }
    SamplePixels pixels(const CancelToken&) const override {
        for (const Stack& stack : stacks_)
            if (const PixelKind kind = pixel_kind(stack.values, stack.type);
                kind != PixelKind::none)
                return {kind, stack.input};
        return {};
    }
    SampleSourcePtr with_pixels(const ImageOptions& pixels) const override {
        if (this->pixels({}).kind == PixelKind::none) return nullptr;
        auto others = std::make_shared<ArraySamples>(*this);
        others->pixels_ = pixels;
        return others;
    }

private:
    static const ArrayHeader& array_for(const std::string& input, const Type& type,
                                        const std::map<std::string, std::string>& names,
                                        const std::vector<ArrayHeader>& arrays, bool is_only,
                                        const ImageOptions& pixels) {
        const auto given = names.find(input);
        const auto named = std::ranges::find(arrays, given == names.end() ? input : given->second,
                                             &ArrayHeader::name);
        const ArrayHeader* found = named == arrays.end() ? nullptr : &*named;
        if (!found && given != names.end())
            fail_input("there is no array " + quote(given->second) + ", there are " +
                       list_of(arrays));
        if (!found && is_only) {
            std::size_t fitting = 0;
            for (const ArrayHeader& array : arrays)
                if (fits_input(array, type, true, pixels)) {
                    found = &array;
                    ++fitting;
                }
            if (fitting > 1)
                fail_input("several arrays fit input " + quote(input) +
                           ", say which: " + list_of(arrays));
        }
        if (!found || !fits_input(*found, type, true, pixels))
            fail_input("no array fits input " + quote(input) + ", which wants " + to_string(type) +
                       "; there are " + list_of(arrays));
        return *found;
    }

    ImageOptions pixels_;
    std::vector<Stack> stacks_;
    std::int64_t rows_ = 0, each_ = 1;
};

}  // namespace

SampleSourcePtr array_samples(const Model& model, const std::filesystem::path& file,
                              const std::map<std::string, std::string>& arrays,
                              const ImageOptions& pixels, const CancelToken& cancel) {
    try {
        return std::make_shared<ArraySamples>(model, file, arrays, pixels, cancel);
    } catch (Error& error) { throw error.at(file.string()); }
}

}  // namespace lapidary
