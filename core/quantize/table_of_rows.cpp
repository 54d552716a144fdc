// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gather(table, rows)
//   after:   y = Cast(Gather(integers, rows)) * Gather(scales, rows)
#include "quantize/quantize_writer.h"

namespace lapidary {
namespace {

constexpr std::int64_t smallest_table = 1024;  // elements: a smaller table is not worth the nodes

}  // namespace

void QuantizeWriter::write_table_of_rows(const Node& gather) {
    const Node node = gather;
    const Value& table = graph().value(node.inputs.at(0));
    if (!table.is_constant() || !table.constant || !is_f32(graph(), table.id))
        return decide(node, false, "it does not select from a constant of float32");
    if (table.constant->rank() != 2 || table.constant->size() < smallest_table || node.int_attribute("axis", 0) != 0)
        return decide(node, false, "its table is too small, or no matrix of which rows are taken");
    const bool per_row = options().per_channel;
    const QuantizedWeight stored =
        quantize_weight(*table.constant, {{DType::i8, true, options().reduced_range},
                                          per_row ? std::optional<std::int64_t>(0) : std::nullopt, 0},
                        cancel());
    const ValueId rows = edit().add_initializer(name_of_value(table.id, "_quantized"), stored.values);
    const ValueId scales =
        edit().add_initializer(name_of_value(table.id, "_scale"),
                               per_row ? stored.scale.reshaped({table.constant->dim(0), 1}) : stored.scale);
    const ValueId picked = edit().node("Gather", {rows, node.inputs[1]}, {}, node.name + "_quant");
    const ValueId scale =
        per_row ? edit().node("Gather", {scales, node.inputs[1]}, {}, node.name + "_scales") : scales;
    const ValueId real = edit().node("Cast", {picked}, {{"to", std::int64_t{1}, {}, {}}}, node.name + "_cast");
    const std::vector<ValueId> outputs = edit().take_outputs(node.id);
    edit().erase(node.id);
    edit().add_node({.op_type = "Mul", .inputs = {real, scale}, .outputs = outputs, .name = node.name + "_scaled"});
    decide(node, true, per_row ? "table of 8 bits with a scale per row" : "table of 8 bits");
    edit().record(node.describe() + " from a table of integers", false);
    erase_if_unused(node.inputs[0]);
}

}  // namespace lapidary
