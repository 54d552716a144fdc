// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gather(table, rows)
//   after:   y = Cast(Gather(integers, rows)) * Gather(scales, rows)
//   or:      y = Cast(Gather(integers, rows)) * (Cast(Gather(steps, rows)) * step), scales being
//   bytes
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantize/writers/quantize_writer.h"

namespace lapidary {
namespace {

constexpr std::int64_t smallest_table = 1024;  // elements: a smaller table is not worth the nodes
// number of rows from which on two more nodes take less memory than float scales
constexpr std::int64_t many_rows = 256;
// least number of steps of a scale in one byte: rounding it up increases it by at most 1/16
constexpr float least_steps = 16;
constexpr double most_coarse = 0.01;  // of the rows may have fewer

/// Scales that are multiples of one step.
struct ByteScales {
    Tensor steps;  // u8 [rows, 1]
    float step = 1;
    Tensor scale;  // f32 [rows]: their products
};

/// Scales that are at least the given ones. Nothing: too many rows would lose accuracy.
std::optional<ByteScales> byte_scales(const Tensor& scale, const Tensor& table) {
    const auto rows = static_cast<std::size_t>(scale.size());
    const std::size_t width = static_cast<std::size_t>(table.size()) / rows;
    const auto is_zero = [&](std::size_t row) {
        const auto values = table.data<float>().subspan(row * width, width);
        return std::ranges::all_of(values, [](float v) { return v == 0; });
    };
    std::vector<float> wanted(scale.data<float>().begin(), scale.data<float>().end());
    for (std::size_t row = 0; row < rows; ++row)
        if (is_zero(row)) wanted[row] = 0;  // whose scale is 1 and says nothing
    ByteScales made{Tensor(DType::u8, {scale.size(), 1}), std::ranges::max(wanted) / 255,
                    Tensor(DType::f32, {scale.size()})};
    if (!(made.step > 0)) return std::nullopt;
    std::size_t coarse = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const float steps = std::clamp(std::ceil(wanted[row] / made.step), 1.0f, 255.0f);
        coarse += steps < least_steps && wanted[row] > 0;
        made.steps.mutable_data<std::uint8_t>()[row] = static_cast<std::uint8_t>(steps);
        made.scale.mutable_data<float>()[row] = steps * made.step;
    }
    if (static_cast<double>(coarse) > most_coarse * static_cast<double>(rows)) return std::nullopt;
    return made;
}

}  // namespace

void QuantizeWriter::write_table_of_rows(const Node& gather) {
    const Node node = gather;
    const Value& table = graph().value(node.inputs.at(0));
    if (!table.is_constant() || !table.constant || !is_f32(graph(), table.id))
        return decide(node, false, "it does not select from a constant of float32");
    if (table.constant->rank() != 2 || table.constant->size() < smallest_table ||
        node.int_attribute("axis", 0) != 0)
        return decide(node, false, "its table is too small, or no matrix of which rows are taken");
    const bool per_row = options().per_channel;
    const WeightFormat format{{DType::i8, true, options().reduced_range},
                              per_row ? std::optional<std::int64_t>(0) : std::nullopt,
                              0};
    const Tensor& values = *table.constant;
    QuantizedWeight stored = quantize_weight(values, format, cancel());
    const std::optional<ByteScales> bytes =
        per_row && values.dim(0) >= many_rows ? byte_scales(stored.scale, values) : std::nullopt;
    if (bytes)
        stored = quantize_weight_with(values, bytes->scale, stored.zero_point, format, cancel());
    const Shape by_row{stored.scale.size(), 1};
    const std::string rows_name = name_of_value(table.id, "_quantized"),
                      scale_name = name_of_value(table.id, "_scale"),
                      steps_name = name_of_value(table.id, "_scale_steps");
    const auto picked = [&](ValueId from, const char* suffix) {
        return edit().node("Gather", {from, node.inputs[1]}, {}, node.name + suffix);
    };
    const auto real = [&](ValueId from, const char* suffix) {
        return edit().node("Cast", {from}, {{"to", std::int64_t{1}, {}, {}}}, node.name + suffix);
    };
    const ValueId rows = edit().add_initializer(rows_name, stored.values);
    const ValueId elements = real(picked(rows, "_quant"), "_cast");
    ValueId scale;
    if (bytes) {
        const ValueId steps = edit().add_initializer(steps_name, bytes->steps),
                      step = edit().add_initializer(scale_name, Tensor::scalar<float>(bytes->step));
        scale = edit().node("Mul", {real(picked(steps, "_steps"), "_steps_cast"), step}, {},
                            node.name + "_scales");
    } else {
        const ValueId scales = edit().add_initializer(
            scale_name, per_row ? stored.scale.reshaped(by_row) : stored.scale);
        scale = per_row ? picked(scales, "_scales") : scales;
    }
    const std::vector<ValueId> outputs = edit().take_outputs(node.id);
    edit().erase(node.id);
    edit().add_node({.op_type = "Mul",
                     .inputs = {elements, scale},
                     .outputs = outputs,
                     .name = node.name + "_scaled"});
    decide(node, true, per_row ? "table of 8 bits with a scale per row" : "table of 8 bits");
    edit().record(node.describe() + " from a table of integers", false);
    erase_if_unused(node.inputs[0]);
}

}  // namespace lapidary
