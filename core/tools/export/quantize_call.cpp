// SPDX-License-Identifier: Apache-2.0
// The calls of ONNX Runtime's tools, with the options that correspond to QuantizeOptions.
#include <algorithm>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "export/python_text.h"
#include "export/quantize_program.h"

namespace lapidary {
namespace {

constexpr int first_nbits_module = 22;  // matmul_4bits_quantizer before

std::string_view quant_type(DType dtype) {
    switch (dtype) {
    case DType::i8: return "QuantType.QInt8";
    case DType::u8: return "QuantType.QUInt8";
    case DType::i16: return "QuantType.QInt16";
    case DType::u16: return "QuantType.QUInt16";
    case DType::i4: return "QuantType.QInt4";
    case DType::u4: return "QuantType.QUInt4";
    default: fail(ErrorCode::internal, "no type that is quantized to");
    }
}

std::string_view calibration_method(RangeMethod method) {
    switch (method) {
    case RangeMethod::percentile: return "CalibrationMethod.Percentile";
    case RangeMethod::entropy: return "CalibrationMethod.Entropy";
    case RangeMethod::minmax:
    case RangeMethod::mse: break;
    }
    return "CalibrationMethod.MinMax";
}

std::string operators_line(const QuantizeProgram& program) {
    if (program.operators.empty()) return {};
    return fmt::format("        op_types_to_quantize={},\n", python_list(program.operators, 8));
}

std::string kept_line(const QuantizeProgram& program) {
    return program.kept.empty() ? std::string() : "        nodes_to_exclude=kept,\n";
}

/// Arguments for 4 or 8 bits (7 if requested), and for external data.
std::string shared_lines(const QuantizeProgram& program) {
    const QuantizeOptions& options = program.options();
    std::string text = fmt::format("        per_channel={},\n", python_bool(options.per_channel));
    if (options.reduced_range) text += "        reduce_range=True,\n";
    if (program.large) text += "        use_external_data_format=True,\n";
    return text;
}

/// The tool would also apply them to LSTM, which then does not run.
bool has_weight_zero_points(const QuantizeProgram& program) {
    return !program.options().symmetric_weight && !program.quantizes("LSTM");
}

std::string dynamic_call(const QuantizeProgram& program) {
    return "    quantize_dynamic(\n        path,\n        QUANTIZED,\n" + operators_line(program) +
           shared_lines(program) +
           fmt::format("        weight_type={},\n",
                       program.needs_unsigned() ? "QuantType.QUInt8" : "QuantType.QInt8") +
           kept_line(program) +
           (has_weight_zero_points(program)
                ? "        extra_options={\"WeightSymmetric\": False},\n"
                : "") +
           "    )\n";
}

std::vector<std::string> static_extras(const QuantizeProgram& program) {
    const QuantizeOptions& options = program.options();
    std::vector<std::string> extras;
    const auto add = [&](bool wanted, std::string entry) {
        if (wanted) extras.push_back(std::move(entry));
    };
    add(options.symmetric_activation, "\"ActivationSymmetric\": True");
    add(options.weight == DType::u8 || options.weight == DType::u4, "\"WeightSymmetric\": True");
    if (options.placement == StaticPlacement::benefit) {
        add(true, "\"MatMulConstBOnly\": True");
        add(options.static_form == StaticForm::pairs,
            "\"OpTypesToExcludeOutputQuantization\": [\"MatMul\", \"Gemm\"]");
    }
    if (options.range == RangeMethod::percentile) {
        add(true, fmt::format("\"CalibPercentile\": {}", options.percentile));
        add(true, fmt::format("\"CalibTensorRangeSymmetric\": {}",
                              python_bool(options.symmetric_activation)));
    }
    const double share = options.calibration.moving_average;
    if (share > 0 && (options.range == RangeMethod::minmax || options.range == RangeMethod::mse)) {
        add(true, "\"CalibMovingAverage\": True");
        add(true, fmt::format("\"CalibMovingAverageConstant\": {}", share));
    }
    return extras;
}

std::string static_call(const QuantizeProgram& program) {
    const QuantizeOptions& options = program.options();
    std::string text =
        "    quantize_static(\n        path,\n        QUANTIZED,\n        Samples(),\n";
    text += fmt::format("        quant_format=QuantFormat.{},\n",
                        options.static_form == StaticForm::operators ? "QOperator" : "QDQ");
    text += operators_line(program) + shared_lines(program);
    text += fmt::format("        activation_type={},\n        weight_type={},\n",
                        quant_type(options.activation), quant_type(options.weight));
    text += kept_line(program);
    text += fmt::format("        calibrate_method={},\n", calibration_method(options.range));
    const std::vector<std::string> extras = static_extras(program);
    if (!extras.empty()) text += "        extra_options={\n";
    for (const std::string& entry : extras) text += "            " + entry + ",\n";
    if (!extras.empty()) text += "        },\n";
    return text + "    )\n";
}

std::string_view quantizer_class(const QuantizeProgram& program) {
    return program.minor >= first_nbits_module ? "MatMulNBitsQuantizer" : "MatMul4BitsQuantizer";
}

std::string weights_call(const QuantizeProgram& program) {
    const QuantizeOptions& options = program.options();
    std::string operators, text;
    for (const std::string& op : program.operators) operators += python_literal(op) + ", ";
    std::string source = "model";
    if (program.splits_gemm) {
        text +=
            "    split = ONNXModel(model)\n"
            "    split.replace_gemm_with_matmul()  # blocks are made of MatMul alone\n";
        source = "split.model";
    }
    text += fmt::format("    quantizer = {}(\n        {},\n", quantizer_class(program), source);
    text += kept_line(program);
    text += fmt::format(
        "        algo_config=DefaultWeightOnlyQuantConfig(\n            block_size={},\n"
        "            is_symmetric={},\n            quant_format=QuantFormat.{},\n"
        "            op_types_to_quantize=({}),\n",
        options.block, python_bool(options.symmetric_blocks),
        options.block_form == BlockForm::matmul_nbits ? "QOperator" : "QDQ",
        operators.substr(0, operators.size() - (program.operators.size() > 1 ? 2 : 1)));
    if (program.minor >= first_nbits_module)
        text += fmt::format("            bits={},\n", options.weight_bits);
    text += "        ),\n    )\n    quantizer.process()\n";
    return text + fmt::format("    quantizer.model.save_model_to_file(QUANTIZED, {})\n",
                              python_bool(program.large));
}

std::string half_call(const QuantizeProgram& program) {
    std::string text = "    half = convert_float_to_float16(model, keep_io_types=True";
    if (!program.kept.empty()) text += ", node_block_list=kept";
    return text +
           fmt::format(")\n    onnx.save(half, QUANTIZED{})\n",
                       program.large
                           ? ", save_as_external_data=True, location=os.path.basename(QUANTIZED) + "
                             "\".data\""
                           : "");
}

}  // namespace

std::string quantizing_call(const QuantizeProgram& program) {
    switch (program.options().mode) {
    case QuantizeMode::dynamic: return dynamic_call(program);
    case QuantizeMode::static_qdq: return static_call(program);
    case QuantizeMode::weights: return weights_call(program);
    case QuantizeMode::half: break;
    }
    return half_call(program);
}

std::string quantizing_imports(const QuantizeProgram& program) {
    std::string text;
    switch (program.options().mode) {
    case QuantizeMode::dynamic:
        text = "from onnxruntime.quantization import QuantType, quantize_dynamic\n";
        break;
    case QuantizeMode::static_qdq:
        text =
            "from onnxruntime.quantization import (\n    CalibrationDataReader,\n    "
            "CalibrationMethod,\n"
            "    QuantFormat,\n    QuantType,\n    quantize_static,\n)\n";
        break;
    case QuantizeMode::weights:
        text = fmt::format(
            "from onnxruntime.quantization import QuantFormat\n"
            "from onnxruntime.quantization.matmul_{}_quantizer import "
            "DefaultWeightOnlyQuantConfig, {}\n",
            program.minor >= first_nbits_module ? "nbits" : "4bits", quantizer_class(program));
        if (program.splits_gemm)
            text += "from onnxruntime.quantization.onnx_model import ONNXModel\n";
        break;
    case QuantizeMode::half: break;
    }
    text += "from onnxruntime.quantization.shape_inference import quant_pre_process\n";
    if (program.options().mode == QuantizeMode::half)
        text += "from onnxruntime.transformers.float16 import convert_float_to_float16\n";
    return text;
}

}  // namespace lapidary
