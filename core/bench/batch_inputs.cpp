// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <lapidary/bench.h>
#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>

namespace lapidary {
namespace {

bool is_called_batch(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("batch") != std::string::npos || name == "n" || name == "bs";
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
            if (!dim.is_symbolic() || dim.symbol().find_first_of(" +-*/(") != std::string::npos) continue;
            if (axis == 0) add(first, dim.symbol());
            if (is_called_batch(dim.symbol())) add(called, dim.symbol());
        }
    }
    return called.empty() ? first : called;
}

NamedValues inputs_for(const Model& model, const RunConfiguration& configuration,
                       const std::map<std::string, std::int64_t>& dimensions, std::uint64_t seed) {
    GenerateOptions options;
    options.seed = seed;
    for (const auto& [name, size] : dimensions)
        if (size > 0) options.dimensions[name] = size;
    if (configuration.batch > 0) {
        const std::vector<std::string> batch = batch_dimensions(model);
        if (batch.empty())
            fail_input("batch " + std::to_string(configuration.batch) +
                       ": the model has no free batch dimension, all inputs begin with a fixed one");
        for (const std::string& name : batch) options.dimensions[name] = configuration.batch;
    }
    return generate_inputs(model, {}, options);
}

}  // namespace lapidary
