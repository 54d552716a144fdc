// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "export/python_text.h"
#include "export/snippet_program.h"

namespace lapidary {

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
                                python_shape(input.shape));
        else
            text += fmt::format("    {}: np.zeros({}, dtype={}),\n", python_literal(input.name),
                                python_shape(input.shape), numpy_type(input.dtype));
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
