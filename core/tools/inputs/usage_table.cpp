// SPDX-License-Identifier: Apache-2.0
#include "inputs/usage_table.h"

#include <cstdint>
#include <limits>

namespace lapidary {
namespace {

/// Inputs with only one sensible value, independent of the model.
struct Setting {
    std::string_view op;
    std::size_t input;
    double value;
};
constexpr Setting settings[] = {{"TopK", 1, 1},
                                {"Loop", 0, 3},
                                {"NonMaxSuppression", 2, 100},
                                {"NonMaxSuppression", 3, 0.5},
                                {"NonMaxSuppression", 4, 0.5},
                                {"Expand", 1, 1},
                                {"Tile", 1, 1},
                                {"ConstantOfShape", 0, 2},
                                {"Slice", 1, 0},
                                {"Slice", 2, std::numeric_limits<std::int32_t>::max()},
                                {"Slice", 4, 1},
                                {"Range", 0, 0},
                                {"Range", 1, 8},
                                {"Range", 2, 1},
                                {"Pad", 1, 0},
                                {"Resize", 1, 0},
                                {"Resize", 2, 1},
                                {"Upsample", 1, 1},
                                {"CumSum", 1, 0},
                                {"CumProd", 1, 0},
                                {"Dropout", 1, 0.5},
                                {"Dropout", 2, 0},
                                {"OneHot", 1, 8},
                                {"BitShift", 1, 1},
                                {"Trilu", 1, 0},
                                {"SequenceAt", 1, 0},
                                {"SequenceInsert", 2, 0},
                                {"SequenceErase", 1, 0},
                                {"HannWindow", 0, 8},
                                {"HammingWindow", 0, 8},
                                {"BlackmanWindow", 0, 8},
                                {"MelWeightMatrix", 0, 8},
                                {"MelWeightMatrix", 1, 16},
                                {"MelWeightMatrix", 2, 8192},
                                {"MelWeightMatrix", 3, 0},
                                {"MelWeightMatrix", 4, 4096},
                                {"DFT", 1, 8},
                                {"DFT", 2, 1},
                                {"STFT", 1, 1},
                                {"RoiAlign", 2, 0},
                                {"TensorScatter", 2, 0}};

/// Inputs that the operator is defined for between two numbers.
struct Domain {
    std::string_view op;
    double low, high;
};
constexpr Domain domains[] = {
    {"Bernoulli", 0, 1}, {"Asin", -1, 1}, {"Acos", -1, 1}, {"Atanh", -0.99, 0.99}, {"Acosh", 1, 4}};

/// Inputs that scale, divide or must not be negative.
struct Place {
    std::string_view op;
    std::size_t input;
};
constexpr Place positive_places[] = {{"QuantizeLinear", 1},
                                     {"DequantizeLinear", 1},
                                     {"QLinearConv", 1},
                                     {"QLinearConv", 4},
                                     {"QLinearConv", 6},
                                     {"QLinearMatMul", 1},
                                     {"QLinearMatMul", 4},
                                     {"QLinearMatMul", 6},
                                     {"BatchNormalization", 4},
                                     {"Div", 1},
                                     {"Mod", 1},
                                     {"Sqrt", 0},
                                     {"Log", 0}};

}  // namespace

void add_table_usage(std::string_view op, std::size_t input, InputUsage& usage) {
    for (const Setting& setting : settings)
        if (setting.op == op && setting.input == input) usage.exactly = setting.value;
    for (const Place& place : positive_places)
        if (place.op == op && place.input == input) usage.is_positive = true;
    for (const Domain& domain : domains)
        if (domain.op == op && input == 0) usage.within = {domain.low, domain.high};
}

}  // namespace lapidary
