// SPDX-License-Identifier: Apache-2.0
// Limits of ONNX Runtime's tools: settings that a program cannot repeat, and what it does instead.
#include <algorithm>

#include <fmt/format.h>

#include "export/quantize_program.h"

namespace lapidary {
namespace {

constexpr int followed_minor = 32;  // whose numerics and placement are followed here

class LimitTeller {
public:
    explicit LimitTeller(const QuantizeProgram& program)
        : program_(program), options_(program.options()) {}

    std::vector<std::string> run() {
        report(program_.minor != followed_minor && options_.mode != QuantizeMode::half,
               fmt::format("version: scales and placement are those of ONNX Runtime 1.{}, 1.{} may "
                           "choose others",
                           followed_minor, program_.minor));
        report_improvements();
        switch (options_.mode) {
        case QuantizeMode::dynamic: report_dynamic(); break;
        case QuantizeMode::static_qdq: report_static(); break;
        case QuantizeMode::weights: report_weights(); break;
        case QuantizeMode::half: report_half(); break;
        }
        return std::move(reported_);
    }

private:
    void report(bool applies, std::string sentence) {
        if (applies) reported_.push_back(std::move(sentence));
    }

    void report_improvements() {
        report(options_.equalize,
               "equalization: the spread of neighbouring weights stays as it is");
        report(options_.smoothing > 0 || options_.smoothing_by_input,
               "smoothing: left out; quantize_static's own SmoothQuant needs the package "
               "neural-compressor and has one "
               "share for all inputs");
        report(options_.compensated_rounding,
               "compensated rounding: weights are rounded to the nearest");
        report(!options_.weights_of.empty(),
               "types of their own for weights: all have the one type");
        const bool alone = std::ranges::any_of(program_.plan.nodes, &PlannedNode::weight_alone);
        report(alone,
               "weights alone: nodes of which the weight alone is quantized stay float whole");
        report(program_.plan.bounds_masks,
               "masks: constants such as -1e9 in front of a Softmax are not bounded");
    }

    void report_dynamic() {
        report(
            options_.bias_correction,
            "bias correction: weights are rounded to the nearest, their errors do not cancel out");
        report(program_.needs_unsigned(),
               "weights: unsigned, for sessions of this version have no convolution of signed "
               "integers");
        report(
            options_.per_channel && program_.quantizes("Conv"),
            "convolutions: quantize_dynamic has one scale for a weight, not one for each channel");
        const bool has_products = program_.quantizes("MatMul") || program_.quantizes("Gemm");
        report(
            !options_.symmetric_weight && has_products && program_.quantizes("LSTM"),
            "zero points of weights: left out, for quantize_dynamic gives them to LSTM too, which "
            "does not run then");
        report(
            !options_.symmetric_weight && program_.quantizes("Conv") && !program_.quantizes("LSTM"),
            "zero points of weights: quantize_dynamic gives them to convolutions too");
        report(program_.quantizes("Gather"),
               "tables of Gather: one scale for the table, unsigned, not one for each row");
        for (const char* op : {"GRU", "RNN"})
            report(program_.quantizes(op), fmt::format("{}: quantize_dynamic leaves it float", op));
        report(options_.fused_operators,
               "fused: quantize_dynamic writes MatMulInteger; sessions fuse it to "
               "DynamicQuantizeMatMul themselves");
    }

    void report_static() {
        report(options_.range == RangeMethod::mse,
               "ranges of least error (mse): MinMax takes the whole range that was seen");
        report(
            options_.range == RangeMethod::entropy,
            "ranges by entropy: CalibrationMethod.Entropy is another algorithm and chooses other "
            "ranges");
        report(options_.range == RangeMethod::percentile,
               "ranges by percentile: the tool's bins are others, the last digits of ranges with "
               "them");
        report(options_.range_headroom > 0, "wider ranges: MinMax takes the range that was seen");
        report(options_.bias_correction,
               "bias correction: weights are rounded to the nearest, and biases do not take back "
               "what that shifts");
        report(options_.calibration.settled_samples > 0,
               "early stop: Lapidary may stop once ranges have settled, the tool looks at every "
               "sample");
        const bool own_rules = options_.placement == StaticPlacement::benefit;
        const bool operators = options_.static_form == StaticForm::operators;
        report(own_rules && !operators,
               "placement: the tool quantizes node by node, Lapidary value by value; beside nodes "
               "that stay float and at "
               "outputs of the model they may choose other values");
        report(
            own_rules && operators,
            "placement: with QOperator the tool quantizes results of products too, which Lapidary "
            "leaves float where "
            "no integer operator reads them");
        report(!own_rules && operators,
               "placement: with QOperator the tool places by other rules than with QDQ, which "
               "Lapidary follows");
        report(
            program_.settings->samples.data.empty(),
            "samples: Lapidary made them up; those of this program are made up in another way, so "
            "that ranges differ");
    }

    void report_weights() {
        const bool tables =
            std::ranges::find(program_.operators, "Gather") != program_.operators.end();
        report(program_.quantizes("Gather") && !tables,
               "tables of Gather: MatMulNBitsQuantizer stores them in 4 bits or leaves them float, "
               "as here");
        report(options_.fitted_blocks,
               "fitted blocks: scales and zero points follow from the extremes of each block");
        report(options_.rotation != 0, "rotation: the tool has none");
        report(options_.bits_per_weight > 0,
               fmt::format("budget of bits: all weights have {} bits in blocks of {}",
                           options_.weight_bits, options_.block));
        report(options_.block_form == BlockForm::dequantize,
               "blocks behind DequantizeLinear: scales and zero points are chosen by another rule");
        report(options_.block_form == BlockForm::matmul_nbits && program_.quantizes("Gather") &&
                   tables,
               "tables of Gather: scales and zero points are chosen by another rule");
    }

    void report_half() {
        report(program_.settings->nodes.empty(),
               "protected nodes: those whose values float16 has no room for show on samples alone, "
               "which were not looked "
               "at");
        report(std::ranges::any_of(program_.plan.nodes, &PlannedNode::inner),
               "subgraphs: the tool converts their nodes too");
        report(true, "weights nearer to 0 than float16 has: they become 5.96e-08, not 0");
        report(true,
               "operators that the tool keeps float32 whatever they are given "
               "(DEFAULT_OP_BLOCK_LIST) stay so");
    }

    const QuantizeProgram& program_;
    const QuantizeOptions& options_;
    std::vector<std::string> reported_;
};

}  // namespace

std::vector<std::string> reported_limits(const QuantizeProgram& program) {
    return LimitTeller(program).run();
}

}  // namespace lapidary
