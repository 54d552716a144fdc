// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "export/snippet_program.h"

namespace lapidary {
namespace {

constexpr std::string_view cpp_opening = R"(#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <iostream>
#include <vector>

#include <onnxruntime_cxx_api.h>

template <typename T>
void print_elements(Ort::Value& value, std::size_t count) {
    const T* data = value.GetTensorMutableData<T>();
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 8); ++i) std::cout << ' ' << +data[i];
}

void print_value(const char* name, Ort::Value& value) {
    std::cout << name << ':';
    if (value.IsTensor()) {
        const auto info = value.GetTensorTypeAndShapeInfo();
        const std::size_t count = info.GetElementCount();
        std::cout << ' ' << count << " elements of type " << static_cast<int>(info.GetElementType()) << ':';
        switch (info.GetElementType()) {
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT: print_elements<float>(value, count); break;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE: print_elements<double>(value, count); break;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8: print_elements<std::int8_t>(value, count); break;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8: print_elements<std::uint8_t>(value, count); break;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL: print_elements<bool>(value, count); break;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32: print_elements<std::int32_t>(value, count); break;
            case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64: print_elements<std::int64_t>(value, count); break;
            default: break;
        }
    }
    std::cout << '\n';
}

)";

std::string cpp_list_of(const std::vector<SnippetTensor>& tensors) {
    std::string text;
    for (const SnippetTensor& tensor : tensors)
        text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", c_literal(tensor.name));
    return text;
}

/// Code for a provider with separate functions. `name`: the part of their names for the provider.
std::string cpp_own_functions(std::string_view variable, std::string_view name,
                              const SnippetProvider& provider) {
    std::string keys, values;
    for (const auto& [key, value] : provider.options) {
        keys += fmt::format("{}\"{}\"", keys.empty() ? "" : ", ", c_literal(key));
        values += fmt::format("{}\"{}\"", values.empty() ? "" : ", ", c_literal(value));
    }
    const std::size_t count = provider.options.size();
    std::string text = fmt::format("    Ort{}ProviderOptionsV2* {} = nullptr;\n", name, variable);
    text += fmt::format("    Ort::ThrowOnError(Ort::GetApi().Create{}ProviderOptions(&{}));\n",
                        name, variable);
    if (count > 0) {
        text += fmt::format("    const std::array<const char*, {}> {}_keys{{{}}};\n", count,
                            variable, keys);
        text += fmt::format("    const std::array<const char*, {}> {}_values{{{}}};\n", count,
                            variable, values);
        text += fmt::format(
            "    Ort::ThrowOnError(Ort::GetApi().Update{0}ProviderOptions({1}, {1}_keys.data(), "
            "{1}_values.data(), "
            "{2}));\n",
            name, variable, count);
    }
    text += fmt::format(
        "    Ort::ThrowOnError(Ort::GetApi().SessionOptionsAppendExecutionProvider_{}_V2(options, "
        "{}));\n",
        name, variable);
    return text + fmt::format("    Ort::GetApi().Release{}ProviderOptions({});\n", name, variable);
}

void add_cpp_provider(const SnippetProvider& provider, std::string& text) {
    if (provider.facts->kind == ProviderKind::cuda)
        text += cpp_own_functions("cuda", "CUDA", provider);
    else if (provider.facts->kind == ProviderKind::tensorrt)
        text += cpp_own_functions("tensorrt", "TensorRT", provider);
    else {
        std::string list;
        for (const auto& [key, value] : provider.options)
            list += fmt::format("{}{{\"{}\", \"{}\"}}", list.empty() ? "" : ", ", c_literal(key),
                                c_literal(value));
        text += fmt::format("    options.AppendExecutionProvider(\"{}\"{});\n",
                            provider.facts->by_name, list.empty() ? "" : ", {" + list + "}");
    }
}

/// Appends a tensor of zeros to the inputs.
void add_cpp_input(const SnippetTensor& input, std::size_t i, std::string& text) {
    text += fmt::format("    const std::array<std::int64_t, {}> shape_{}{{{}}};\n",
                        input.shape.size(), i, joined(input.shape));
    if (input.dtype == DType::string) {  // made with empty strings
        text += fmt::format(
            "    inputs.push_back(Ort::Value::CreateTensor(Ort::AllocatorWithDefaultOptions(), "
            "shape_{0}.data(), shape_{0}.size(), {1}));\n",
            i, ort_element_type(input.dtype));
        return;
    }
    text += fmt::format("    std::vector<std::uint8_t> data_{}({});\n", i,
                        storage_bytes(input.dtype, input.elements));
    text += fmt::format(
        "    inputs.push_back(Ort::Value::CreateTensor(memory, data_{0}.data(), "
        "data_{0}.size(), shape_{0}.data(), shape_{0}.size(), {1}));\n",
        i, ort_element_type(input.dtype));
}

}  // namespace

std::string cpp_program(const SnippetProgram& program) {
    std::string text = fmt::format(
        "// Runs a model once in ONNX Runtime on inputs of zeros. Written for version 1.{}; build: "
        "c++ -std=c++17 "
        "main.cpp -lonnxruntime\n",
        program.minor);
    text += cpp_opening;
    text +=
        "int main() try {\n    Ort::Env env(ORT_LOGGING_LEVEL_WARNING, \"model\");\n    "
        "Ort::SessionOptions options;\n";
    text += fmt::format("    options.SetGraphOptimizationLevel(GraphOptimizationLevel::{});\n",
                        ort_level(program.level));
    if (program.intra > 0)
        text += fmt::format("    options.SetIntraOpNumThreads({});\n", program.intra);
    if (program.parallel) text += "    options.SetExecutionMode(ExecutionMode::ORT_PARALLEL);\n";
    if (program.inter > 0)
        text += fmt::format("    options.SetInterOpNumThreads({});\n", program.inter);
    for (const auto& [name, size] : program.free_dimensions)
        text += fmt::format(
            "    Ort::ThrowOnError(Ort::GetApi().AddFreeDimensionOverrideByName(options, \"{}\", "
            "{}));\n",
            c_literal(name), size);
    for (const std::string& statement : program.attributes) text += "    " + statement + '\n';
    for (const auto& [key, value] : program.entries)
        text += fmt::format("    options.AddConfigEntry(\"{}\", \"{}\");\n", c_literal(key),
                            c_literal(value));
    if (!program.optimized_model_file.empty())
        text += fmt::format("    options.SetOptimizedModelFilePath(ORT_TSTR(\"{}\"));\n",
                            c_literal(program.optimized_model_file));
    if (!program.profile_prefix.empty())
        text += fmt::format(
            "    options.EnableProfiling(ORT_TSTR(\"{}\"));  // written when the session goes\n",
            c_literal(program.profile_prefix));
    for (const SnippetProvider& provider : program.providers) add_cpp_provider(provider, text);
    text += fmt::format("    Ort::Session session(env, ORT_TSTR(\"{}\"), options);\n\n",
                        c_literal(program.model_file));

    text +=
        "    const Ort::MemoryInfo memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, "
        "OrtMemTypeDefault);\n    "
        "std::vector<Ort::Value> inputs;\n";
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
        add_cpp_input(program.inputs[i], i, text);
    if (!program.inputs.empty())
        text += fmt::format("    const std::array<const char*, {}> input_names{{{}}};\n",
                            program.inputs.size(), cpp_list_of(program.inputs));
    text += fmt::format("    const std::array<const char*, {}> output_names{{{}}};\n",
                        program.outputs.size(), cpp_list_of(program.outputs));
    text += fmt::format(
        "    auto outputs = session.Run(Ort::RunOptions{{nullptr}}, {}, inputs.data(), "
        "inputs.size(), "
        "output_names.data(), output_names.size());\n",
        program.inputs.empty() ? "nullptr" : "input_names.data()");
    text +=
        "    for (std::size_t i = 0; i < outputs.size(); ++i) print_value(output_names[i], "
        "outputs[i]);\n"
        "    return 0;\n"
        "} catch (const std::exception& error) {\n"
        "    std::cerr << error.what() << '\\n';\n"
        "    return 1;\n"
        "}\n";
    return text;
}

}  // namespace lapidary
