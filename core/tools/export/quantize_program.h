// SPDX-License-Identifier: Apache-2.0
// A checked quantization in terms of ONNX Runtime's tools, from which a Python program is written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lapidary/quantize/quantize_plan.h>
#include <lapidary/quantize/quantize_snippet.h>

namespace lapidary {

struct QuantizeProgram {
    const Model* model = nullptr;
    const QuantizeSnippetSettings* settings = nullptr;
    QuantizePlan plan;
    int minor = 0;                       // of ONNX Runtime 1.N
    std::int64_t opset = 0;              // that the model is converted to first; 0: as it is
    std::vector<std::string> operators;  // op_types_to_quantize; empty: all that the tool knows
    std::vector<std::string> kept;       // outputs of nodes that stay float, sorted
    bool splits_gemm = false;            // Gemm becomes MatMul and Add before nodes are chosen
    // the tool quantizes nodes of subgraphs too, which stay float here
    bool inner = false;
    bool large = false;  // constants do not fit into one file of 2 GB

    const QuantizeOptions& options() const { return settings->options; }
    bool is_static() const { return options().mode == QuantizeMode::static_qdq; }
    /// The tool itself chooses which nodes to quantize among those not kept float.
    bool places_itself() const {
        return is_static() && options().placement == StaticPlacement::onnxruntime;
    }
    /// Sessions of the version have no convolution of signed integers, which mode dynamic would
    /// make.
    bool needs_unsigned() const;
    /// Some node of this operator is quantized.
    bool quantizes(std::string_view op_type) const;
};

/// Throws as quantize_snippet() does.
QuantizeProgram quantize_program(const Model& model, const QuantizeSnippetSettings& settings,
                                 const Progress& progress);

/// Differences between the tool and Lapidary: sentences without a stop that begin with the setting.
std::vector<std::string> reported_limits(const QuantizeProgram& program);

/// A part that only some programs have, with the modules that it needs besides ONNX Runtime.
struct ProgramPart {
    std::vector<std::string> modules;   // imported whole: "os", "numpy as np"
    std::vector<std::string> packages;  // for pip
    std::string text;                   // ends in a line end
};
/// The class Samples, a CalibrationDataReader. Throws not_supported for samples that NumPy does not
/// read.
ProgramPart calibration_reader(const QuantizeProgram& program);
/// The call that makes the file QUANTIZED from the variables `model`, `path` and `kept`; lines are
/// indented by 4.
std::string quantizing_call(const QuantizeProgram& program);
/// Lines that import what quantizing_call() and calibration_reader() name of ONNX Runtime.
std::string quantizing_imports(const QuantizeProgram& program);

}  // namespace lapidary
