// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <unordered_map>

#include "kernels/elementwise/chain_program.h"
#include "report/operator_work.h"

namespace lapidary {
namespace {

constexpr double transcendental = 10;  // what a vector polynomial with its range reduction takes

struct Cost {
    double per_output = 0, per_input = 0;  // elements of output 0, of input 0
};

using Costs = std::unordered_map<std::string, Cost>;

void put(Costs& costs, Cost cost, const char* names) {
    std::istringstream words(names);
    for (std::string name; words >> name;) costs[name] = cost;
}

const Costs& costs() {
    static const Costs table = [] {
        Costs c;
        put(c, {0},
            "Reshape Squeeze Unsqueeze Flatten Identity Shape Size Constant Transpose Concat Split Slice Gather GatherElements GatherND Scatter ScatterElements "
            "ScatterND Expand Tile Pad DepthToSpace SpaceToDepth ConstantOfShape OneHot EyeLike Trilu ReverseSequence Compress CenterCropPad Where Cast CastLike Dropout "
            "ReorderInput ReorderOutput Crop Col2Im MaxUnpool QLinearConcat GatherBlockQuantized BitCast");
        put(c, {1},
            "Add Sub Mul Div Abs Neg Relu LeakyRelu PRelu Clip ThresholdedRelu Sqrt Reciprocal Floor Ceil Round Sign And Or Not Xor Equal Less LessOrEqual Greater "
            "GreaterOrEqual BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot IsNaN IsInf Mod BiasAdd Shrink Hardmax Range QLinearSigmoid QLinearLeakyRelu Bernoulli");
        put(c, {2}, "Affine Scale ImageScaler HardSigmoid Softsign BatchNormalization DequantizeLinear");
        put(c, {3}, "HardSwish QuantizeLinear QLinearWhere");
        put(c, {transcendental},
            "Exp Log Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Erf Sigmoid Softplus Elu Selu Celu ScaledTanh ParametricSoftplus RandomNormal "
            "RandomNormalLike RandomUniform RandomUniformLike HannWindow HammingWindow BlackmanWindow");
        put(c, {transcendental + 3}, "Gelu BiasGelu FastGelu QuickGelu Swish BiasSplitGelu");
        put(c, {2 * transcendental}, "Pow Mish");
        put(c, {transcendental + 3}, "Softmax LogSoftmax BiasSoftmax QLinearSoftmax");
        put(c, {8}, "LayerNormalization InstanceNormalization GroupNormalization GroupNorm MeanVarianceNormalization");
        put(c, {9}, "SkipLayerNormalization SkipGroupNorm");
        put(c, {10}, "EmbedLayerNormalization QEmbedLayerNormalization");
        put(c, {5}, "RMSNormalization SimplifiedLayerNormalization LpNormalization");
        put(c, {6}, "SkipSimplifiedLayerNormalization RotaryEmbedding QLinearAdd QLinearMul");
        put(c, {0, 1}, "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceLogSum ArgMax ArgMin CumSum GlobalAveragePool GlobalMaxPool "
                       "QLinearGlobalAveragePool QLinearReduceMean TopK NonZero Unique");
        put(c, {0, 2}, "ReduceL2 ReduceSumSquare GlobalLpPool");
        put(c, {0, 5}, "DynamicQuantizeLinear");
        put(c, {0, transcendental + 1}, "ReduceLogSumExp SoftmaxCrossEntropyLoss");
        return c;
    }();
    return table;
}

double window(const Node& node) {
    double taps = 1;
    for (std::int64_t size : node.ints_attribute("kernel_shape")) taps *= static_cast<double>(size);
    return taps;
}

/// Weighted neighbours of each element made.
double resampling(const Node& node, double axes) {
    const std::string mode = node.string_attribute("mode", node.op_type == "GridSample" ? "linear" : "nearest");
    if (mode == "nearest") return 0;
    return 2 * std::pow(mode == "cubic" || mode == "bicubic" ? 4 : 2, axes);
}

bool is_transcendental(UnaryKind kind) {
    switch (kind) {
    case UnaryKind::sigmoid:
    case UnaryKind::tanh:
    case UnaryKind::gelu:
    case UnaryKind::gelu_tanh:
    case UnaryKind::quick_gelu:
    case UnaryKind::silu:
    case UnaryKind::elu:
    case UnaryKind::softplus:
    case UnaryKind::celu:
    case UnaryKind::selu:
    case UnaryKind::mish:
    case UnaryKind::exp:
    case UnaryKind::log:
    case UnaryKind::erf:
    case UnaryKind::sin:
    case UnaryKind::cos:
    case UnaryKind::atan: return true;
    default: return false;
    }
}

double chain(const Node& node, double elements) {
    double each = 0;
    for (const ChainProgram::Step& step : ChainProgram::of(node).steps) {
        const bool is_costly = step.is_binary ? static_cast<BinaryKind>(step.kind) == BinaryKind::pow : is_transcendental(static_cast<UnaryKind>(step.kind));
        each += is_costly ? transcendental : 1;
    }
    return each * elements;
}

}  // namespace

bool touches_no_data(const Node& node) {
    const std::string& op = node.op_type;
    return op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || op == "Flatten" || op == "Identity" || op == "Shape" || op == "Size" || op == "Constant" || op == "Dropout";
}

bool picks_elements(const Node& node) {
    const std::string& op = node.op_type;
    return op == "Gather" || op == "GatherND" || op == "GatherElements" || op == "GatherBlockQuantized" || op == "Slice" || op == "EmbedLayerNormalization" || op == "QEmbedLayerNormalization";
}

std::optional<double> element_operations(const Node& node, const NodeSizes& sizes) {
    const std::string& op = node.op_type;
    const double written = sizes.output(0) ? sizes.output(0)->elements() : 0, read = sizes.input(0) ? sizes.input(0)->elements() : 0;
    if (op == "ElementwiseChain") return chain(node, written);
    if (op == "Max" || op == "Min" || op == "Sum" || op == "Mean") return written * std::max<double>(1, static_cast<double>(node.inputs.size()) - 1);
    if (op == "MaxPool" || op == "AveragePool" || op == "LpPool" || op == "QLinearAveragePool" || op == "NhwcMaxPool") return written * window(node);
    if (op == "LRN") return written * (2.0 * static_cast<double>(node.int_attribute("size", 1)) + 2 * transcendental);
    if (op == "Resize" || op == "Upsample" || op == "GridSample") return written * resampling(node, sizes.output(0) ? std::max<double>(1, static_cast<double>(sizes.output(0)->shape.size()) - 2) : 2);
    if (op == "DFT") return 5 * written / 2 * std::log2(std::max(2.0, sizes.input(0) ? *std::ranges::max_element(sizes.input(0)->shape) + 0.0 : 2.0));
    const auto found = costs().find(op);
    if (found == costs().end()) return std::nullopt;
    return found->second.per_output * written + found->second.per_input * read;
}

}  // namespace lapidary
