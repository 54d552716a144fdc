// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "export/snippet_program.h"

namespace lapidary {
namespace {

/// A string python_literal. Bytes that are no UTF-8 could not be names in Python either; they become U+FFFD there as
/// here.
std::string python_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += {'\\', c};
        else if (byte < 0x20 || byte == 0x7F) out += fmt::format("\\x{:02x}", byte);
        else out += c;
    }
    return out + '"';
}

std::string_view numpy_type(DType dtype) {
    switch (dtype) {
        case DType::f64: return "np.float64";
        case DType::f16: return "np.float16";
        case DType::i8: return "np.int8";
        case DType::i16: return "np.int16";
        case DType::i32: return "np.int32";
        case DType::i64: return "np.int64";
        case DType::u8: return "np.uint8";
        case DType::u16: return "np.uint16";
        case DType::u32: return "np.uint32";
        case DType::u64: return "np.uint64";
        case DType::boolean: return "np.bool_";
        default: return "np.float32";
    }
}

std::string shape_text(const SnippetTensor& tensor) {
    return "(" + joined(tensor.shape) + (tensor.shape.size() == 1 ? ",)" : ")");
}

}  // namespace

std::string python_program(const SnippetProgram& program) {
    std::string text = fmt::format(
        "# Runs a model once in ONNX Runtime on inputs of zeros.\n# pip install \"onnxruntime==1.{}.*\" numpy\nimport "
        "numpy as np\nimport onnxruntime as ort\n\n",
        program.minor);
    text += "options = ort.SessionOptions()\n";
    text += fmt::format("options.graph_optimization_level = ort.GraphOptimizationLevel.{}\n", ort_level(program.level));
    if (program.intra > 0) text += fmt::format("options.intra_op_num_threads = {}\n", program.intra);
    if (program.parallel) text += "options.execution_mode = ort.ExecutionMode.ORT_PARALLEL\n";
    if (program.inter > 0) text += fmt::format("options.inter_op_num_threads = {}\n", program.inter);
    for (const auto& [name, size] : program.free_dimensions)
        text += fmt::format("options.add_free_dimension_override_by_name({}, {})\n", python_literal(name), size);
    for (const auto& [key, value] : program.entries)
        text += fmt::format("options.add_session_config_entry({}, {})\n", python_literal(key), python_literal(value));
    if (!program.optimized_model_file.empty())
        text += fmt::format("options.optimized_model_filepath = {}\n", python_literal(program.optimized_model_file));
    if (!program.profile_prefix.empty())
        text += fmt::format("options.enable_profiling = True\noptions.profile_file_prefix = {}\n",
                            python_literal(program.profile_prefix));
    text += fmt::format(
        "session = ort.InferenceSession(\n    {},\n    options,\n    providers=[\"CPUExecutionProvider\"],\n",
        python_literal(program.model_file));
    if (!program.disabled.empty()) {
        text += "    disabled_optimizers=[";
        for (std::size_t i = 0; i < program.disabled.size(); ++i)
            text += (i ? ", " : "") + python_literal(program.disabled[i]);
        text += "],\n";
    }
    text += ")\n\ninputs = {\n";
    for (const SnippetTensor& input : program.inputs) {
        if (input.dtype == DType::string)
            text += fmt::format("    {}: np.full({}, \"\", dtype=object),\n", python_literal(input.name),
                                shape_text(input));
        else
            text += fmt::format("    {}: np.zeros({}, dtype={}),\n", python_literal(input.name), shape_text(input),
                                numpy_type(input.dtype));
    }
    text +=
        "}\nnames = [output.name for output in session.get_outputs()]\noutputs = dict(zip(names, session.run(names, "
        "inputs)))\n\n";
    text += "for name, value in outputs.items():\n"
            "    if isinstance(value, np.ndarray):\n"
            "        print(name, value.dtype, value.shape, value.reshape(-1)[:8])\n"
            "    else:\n"
            "        print(name, value)\n";
    if (!program.profile_prefix.empty()) text += "print(\"profile:\", session.end_profiling())\n";
    return text;
}

}  // namespace lapidary
