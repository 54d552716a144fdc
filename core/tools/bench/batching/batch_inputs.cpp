// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstring>

#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>

namespace lapidary {
namespace {

bool is_called_batch(std::string name) {
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("batch") != std::string::npos || name == "n" || name == "bs";
}

/// A tensor of `rows` rows along the axis, taken from the given ones in turn.
Tensor rows_in_turn(const Tensor& tensor, std::size_t axis, std::int64_t rows) {
    Shape shape = tensor.shape();
    const std::int64_t there = shape[axis];
    shape[axis] = rows;
    Tensor result(tensor.dtype(), shape);
    std::int64_t outer = 1, inner = 1;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i != axis) (i < axis ? outer : inner) *= shape[i];
    const std::size_t bytes =
        tensor.size() > 0 ? tensor.byte_size() / static_cast<std::size_t>(tensor.size()) : 0;
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t from = (o * there + row % there) * inner,
                               to = (o * rows + row) * inner;
            if (tensor.dtype() == DType::string)
                std::copy_n(tensor.data<std::string>().begin() + from, inner,
                            result.mutable_data<std::string>().begin() + to);
            else
                std::memcpy(static_cast<std::byte*>(result.mutable_raw()) +
                                static_cast<std::size_t>(to) * bytes,
                            static_cast<const std::byte*>(tensor.raw()) +
                                static_cast<std::size_t>(from) * bytes,
                            static_cast<std::size_t>(inner) * bytes);
        }
    return result;
}

/// The given inputs with `rows` rows of the batch; those without a batch as they are.
NamedValues with_rows(const Model& model, NamedValues given, const std::vector<std::string>& batch,
                      std::int64_t rows) {
    for (auto& [name, value] : given) {
        const auto input = std::ranges::find_if(
            model.graph.inputs(), [&](ValueId id) { return model.graph.value(id).name == name; });
        if (input == model.graph.inputs().end()) continue;
        const Type& type = model.graph.value(*input).type;
        if (!type.shape) continue;
        for (std::size_t axis = 0; axis < type.shape->size(); ++axis) {
            const Dim& dim = (*type.shape)[axis];
            if (!dim.is_symbolic() || std::ranges::find(batch, dim.symbol()) == batch.end())
                continue;
            if (!value.is_tensor() || is_packed(value.tensor().dtype()) ||
                axis >= value.tensor().shape().size() || value.tensor().dim(axis) < 1)
                fail_input("batch " + std::to_string(rows) + ": rows of input " + quote(name) +
                           ", " + value.describe() + ", cannot be taken one by one");
            value = rows_in_turn(value.tensor(), axis, rows);
        }
    }
    return given;
}

}  // namespace

std::vector<std::string> batch_dimensions(const Model& model) {
    std::vector<std::string> called, first;
    const auto add = [](std::vector<std::string>& list, const std::string& name) {
        if (std::ranges::find(list, name) == list.end()) list.push_back(name);
    };
    for (const ValueId id : model.graph.inputs()) {
        const Value& input = model.graph.value(id);
        if (input.constant || !input.type.shape) continue;
        for (std::size_t axis = 0; axis < input.type.shape->size(); ++axis) {
            const Dim& dim = (*input.type.shape)[axis];
            // follows from others
            if (!dim.is_symbolic() || dim.symbol().find_first_of(" +-*/(") != std::string::npos)
                continue;
            if (axis == 0) add(first, dim.symbol());
            if (is_called_batch(dim.symbol())) add(called, dim.symbol());
        }
    }
    return called.empty() ? first : called;
}

NamedValues inputs_for(const Model& model, const RunConfiguration& configuration,
                       const std::map<std::string, std::int64_t>& dimensions, std::uint64_t seed,
                       const NamedValues& given) {
    GenerateOptions options;
    options.seed = seed;
    options.usual = true;
    for (const auto& [name, size] : dimensions)
        if (size > 0) options.dimensions[name] = size;
    NamedValues values = given;
    if (configuration.batch > 0) {
        const std::vector<std::string> batch = batch_dimensions(model);
        if (batch.empty())
            fail_input(
                "batch " + std::to_string(configuration.batch) +
                ": the model has no free batch dimension, all inputs begin with a fixed one");
        for (const std::string& name : batch) options.dimensions[name] = configuration.batch;
        values = with_rows(model, std::move(values), batch, configuration.batch);
    }
    for (auto& [name, value] : generate_inputs(model, values, options))
        values.emplace_back(name, std::move(value));
    return values;
}

}  // namespace lapidary
