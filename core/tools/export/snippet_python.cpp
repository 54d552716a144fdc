// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "export/python_text.h"
#include "export/snippet_program.h"

namespace lapidary {
namespace {

// 1.N: the package onnxruntime-qnn is a library of providers since
constexpr int first_with_qnn_apart = 24;

bool is_apart(const SnippetProgram& program, const SnippetProvider& provider) {
    return provider.facts->kind == ProviderKind::qnn && program.minor >= first_with_qnn_apart;
}

std::string dictionary_of(const SnippetProvider& provider) {
    std::string text = "{";
    for (const auto& [key, value] : provider.options)
        text += fmt::format("{}{}: {}", text.size() > 1 ? ", " : "", python_literal(key),
                            python_literal(value));
    return text + "}";
}

/// Lines that register the library of QNN and choose its device by the backend that is asked for.
std::string qnn_lines(const SnippetProvider& provider) {
    const std::string asked =
        option_of(provider, "backend_type") + option_of(provider, "backend_path");
    const char* device =
        asked.find("gpu") != std::string::npos || asked.find("Gpu") != std::string::npos   ? "GPU"
        : asked.find("cpu") != std::string::npos || asked.find("Cpu") != std::string::npos ? "CPU"
                                                                                           : "NPU";
    return fmt::format(
        "ort.register_execution_provider_library(\"QNNExecutionProvider\", "
        "onnxruntime_qnn.get_library_path())\n"
        "devices = [\n"
        "    device\n"
        "    for device in ort.get_ep_devices()\n"
        "    if device.ep_name == \"QNNExecutionProvider\" and device.device.type == "
        "ort.OrtHardwareDeviceType.{}\n"
        "]\n"
        "if not devices:\n"
        "    raise SystemExit(\"QNN finds no {} here\")\n"
        "options.add_provider_for_devices(devices[:1], {})\n",
        device, device, dictionary_of(provider));
}

/// The argument of the session, empty where options name the providers.
std::string provider_lines(const SnippetProgram& program) {
    if (program.providers.empty()) return "    providers=[\"CPUExecutionProvider\"],\n";
    if (is_apart(program, program.providers.front())) return {};
    std::string text = "    providers=[\n";
    for (const SnippetProvider& provider : program.providers)
        text += provider.options.empty()
                    ? fmt::format("        {},\n", python_literal(provider.facts->python))
                    : fmt::format("        ({}, {}),\n", python_literal(provider.facts->python),
                                  dictionary_of(provider));
    return text + "        \"CPUExecutionProvider\",\n    ],\n";
}

/// The package goes on without a provider that it cannot use, and only warns.
std::string check_lines(const SnippetProgram& program) {
    if (program.providers.empty()) return {};
    std::string names;
    for (const SnippetProvider& provider : program.providers)
        names += (names.empty() ? "" : ", ") + python_literal(provider.facts->python);
    return fmt::format(
        "for provider in [{}]:\n"
        "    if provider not in session.get_providers():\n"
        "        raise SystemExit(provider + \" cannot be used: ONNX Runtime went on without "
        "it\")\n",
        names);
}

void check_alone(const SnippetProgram& program) {
    for (const SnippetProvider& provider : program.providers)
        if (is_apart(program, provider) && program.providers.size() > 1)
            fail_unsupported(fmt::format(
                "from ONNX Runtime 1.{} on the Python package of QNN is a library that is "
                "registered: a program with further providers is not written",
                first_with_qnn_apart));
}

/// What is installed by pip. QNN's own package has numbers of its own since it is a library.
std::string packages_of(const SnippetProgram& program) {
    if (!program.providers.empty() && is_apart(program, program.providers.front()))
        return fmt::format("\"onnxruntime==1.{}.*\" onnxruntime-qnn", program.minor);
    return fmt::format("\"{}==1.{}.*\"", pip_package(program), program.minor);
}

}  // namespace

std::string python_program(const SnippetProgram& program) {
    check_alone(program);
    const bool is_qnn_apart =
        !program.providers.empty() && is_apart(program, program.providers.front());
    std::string text = fmt::format(
        "# Runs a model once in ONNX Runtime on inputs of zeros.\n# pip install {} numpy\nimport "
        "numpy as np\nimport onnxruntime as ort\n{}\n",
        packages_of(program), is_qnn_apart ? "import onnxruntime_qnn\n" : "");
    text += "options = ort.SessionOptions()\n";
    text += fmt::format("options.graph_optimization_level = ort.GraphOptimizationLevel.{}\n",
                        ort_level(program.level));
    if (program.intra > 0)
        text += fmt::format("options.intra_op_num_threads = {}\n", program.intra);
    if (program.parallel) text += "options.execution_mode = ort.ExecutionMode.ORT_PARALLEL\n";
    if (program.inter > 0)
        text += fmt::format("options.inter_op_num_threads = {}\n", program.inter);
    for (const auto& [name, size] : program.free_dimensions)
        text += fmt::format("options.add_free_dimension_override_by_name({}, {})\n",
                            python_literal(name), size);
    for (const std::string& statement : program.attributes) text += statement + '\n';
    for (const auto& [key, value] : program.entries)
        text += fmt::format("options.add_session_config_entry({}, {})\n", python_literal(key),
                            python_literal(value));
    if (!program.optimized_model_file.empty())
        text += fmt::format("options.optimized_model_filepath = {}\n",
                            python_literal(program.optimized_model_file));
    if (!program.profile_prefix.empty())
        text += fmt::format("options.enable_profiling = True\noptions.profile_file_prefix = {}\n",
                            python_literal(program.profile_prefix));
    if (is_qnn_apart) text += qnn_lines(program.providers.front());
    text += fmt::format("session = ort.InferenceSession(\n    {},\n    options,\n{}",
                        python_literal(program.model_file), provider_lines(program));
    if (!program.disabled.empty()) {
        text += "    disabled_optimizers=[";
        for (std::size_t i = 0; i < program.disabled.size(); ++i)
            text += (i ? ", " : "") + python_literal(program.disabled[i]);
        text += "],\n";
    }
    text += ")\n" + check_lines(program) + "\ninputs = {\n";
    for (const SnippetTensor& input : program.inputs) {
        if (input.dtype == DType::string)
            text += fmt::format("    {}: np.full({}, \"\", dtype=object),\n",
                                python_literal(input.name), python_shape(input.shape));
        else
            text += fmt::format("    {}: np.zeros({}, dtype={}),\n", python_literal(input.name),
                                python_shape(input.shape), numpy_type(input.dtype));
    }
    text +=
        "}\nnames = [output.name for output in session.get_outputs()]\noutputs = dict(zip(names, "
        "session.run(names, "
        "inputs)))\n\n";
    text +=
        "for name, value in outputs.items():\n"
        "    if isinstance(value, np.ndarray):\n"
        "        print(name, value.dtype, value.shape, value.reshape(-1)[:8])\n"
        "    else:\n"
        "        print(name, value)\n";
    if (!program.profile_prefix.empty()) text += "print(\"profile:\", session.end_profiling())\n";
    return text;
}

}  // namespace lapidary
