// SPDX-License-Identifier: Apache-2.0
#include "generation/vocabulary.h"

#include <algorithm>

#include <lapidary/generation/generator.h>

#include "graph/lift_constants.h"

namespace lapidary {
namespace {

std::optional<std::int64_t> rows_of(const Graph& graph, ValueId table) {
    if (!table) return std::nullopt;
    const Value& value = graph.value(table);
    std::optional<Tensor> held;
    if (!value.constant && value.producer) held = constant_of(graph.node(value.producer));
    const Tensor* const constant = value.constant ? &*value.constant : held ? &*held : nullptr;
    if (!constant || constant->rank() == 0) return std::nullopt;
    return constant->dim(0);
}

}  // namespace

VocabularySizes vocabulary_sizes(const Graph& graph, const DecoderModel& decoder) {
    VocabularySizes sizes;
    const Type& logits = graph.value(graph.find_value(decoder.logits)).type;
    if (logits.shape && logits.shape->size() == 3 && (*logits.shape)[2].is_known())
        sizes.logits = (*logits.shape)[2].value();
    const auto ids = std::ranges::find(decoder.inputs, DecoderInput::ids, &DecoderPort::kind);
    for (const Use& use : graph.value(graph.find_value(ids->name)).uses) {
        const Node& node = graph.node(use.node);
        if (node.op_type != "Gather" || use.input != 1 || node.int_attribute("axis", 0) != 0)
            continue;
        if ((sizes.table = rows_of(graph, node.inputs[0]))) break;
    }
    return sizes;
}

std::optional<std::int64_t> vocabulary_size(const Model& model) {
    const VocabularySizes sizes = vocabulary_sizes(model.graph, describe_decoder(model));
    return sizes.table ? sizes.table : sizes.logits;
}

}  // namespace lapidary
