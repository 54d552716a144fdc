// SPDX-License-Identifier: Apache-2.0
#include "cli/models/model_inputs.h"

#include <set>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/internal/nearest_name.h>

#include "cli/exit_code.h"

namespace lapidary::cli {
namespace {

const Value* find_port(const Graph& graph, std::span<const ValueId> ports,
                       const std::string& name) {
    for (const ValueId id : ports)
        if (graph.value(id).name == name) return &graph.value(id);
    return nullptr;
}

const Value& input_called(const Graph& graph, const std::string& name) {
    const Value* value = find_port(graph, graph.inputs(), name);
    if (!value)
        throw UsageError("--input: the model has no input " + quote(name) + ", its inputs are " +
                         app::list_of_inputs(graph));
    return *value;
}

}  // namespace

void check_dimensions(const Graph& graph, const std::map<std::string, std::int64_t>& dimensions) {
    std::set<std::string> symbols;
    for (const ValueId id : graph.inputs())
        if (const Type& type = graph.value(id).type; type.shape)
            for (const Dim& dim : *type.shape)
                if (dim.is_symbolic()) symbols.insert(dim.symbol());
    for (const auto& [name, size] : dimensions) {
        if (symbols.contains(name)) continue;
        std::string list;
        for (const std::string& symbol : symbols)
            list += (list.empty() ? "" : ", ") + quote(symbol);
        throw UsageError("--dim: the model's inputs have no dimension " + quote(name) +
                         ", they have " + (list.empty() ? "only fixed ones" : list) +
                         did_you_mean(name, {symbols.begin(), symbols.end()}));
    }
}

GatheredInputs given_inputs(const Model& model, const InputOptions& options,
                            const CancelToken& cancel) {
    check_dimensions(model.graph, options.dimensions);
    GatheredInputs gathered;
    if (!options.archive.empty())
        gathered.values = app::load_input_archive(model, options.archive, cancel);
    for (const auto& [name, value] : gathered.values)
        gathered.sources[name] = options.archive.string();
    for (const auto& [name, path] : options.files) {
        const Value& input = input_called(model.graph, name);
        if (gathered.sources.contains(name)) fail_input("input " + quote(name) + " is given twice");
        app::ReadInput read = app::read_input_file(
            path, input, {options.dimensions, options.image, options.has_image_layout, cancel});
        gathered.values.emplace_back(name, std::move(read.value));
        gathered.sources[name] = std::move(read.source);
    }
    return gathered;
}

GatheredInputs gather_inputs(const Model& model, const InputOptions& options,
                             const CancelToken& cancel) {
    GatheredInputs gathered = given_inputs(model, options, cancel);
    gathered.sizes = usual_sizes(model, options.dimensions, gathered.values);
    const GenerateOptions generating{options.seed, options.dimensions, cancel, true};
    for (auto& [name, value] : generate_inputs(model, gathered.values, generating)) {
        gathered.sources[name] = "generated with seed " + std::to_string(options.seed);
        gathered.values.emplace_back(name, std::move(value));
    }
    return gathered;
}

}  // namespace lapidary::cli
