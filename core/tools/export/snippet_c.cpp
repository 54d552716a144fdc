// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "export/snippet_program.h"

namespace lapidary {
namespace {

constexpr std::string_view c_opening = R"(#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <onnxruntime_c_api.h>

static const OrtApi* ort;

static void check(OrtStatus* status) {
    if (status == NULL) return;
    fprintf(stderr, "%s\n", ort->GetErrorMessage(status));
    ort->ReleaseStatus(status);
    exit(1);
}

static void* zeros(size_t bytes) {
    void* data = calloc(bytes > 0 ? bytes : 1, 1);
    if (data == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return data;
}

static void print_value(const char* name, OrtValue* value) {
    int is_tensor = 0;
    check(ort->IsTensor(value, &is_tensor));
    if (!is_tensor) {
        printf("%s: not a tensor\n", name);
        return;
    }
    OrtTensorTypeAndShapeInfo* info = NULL;
    check(ort->GetTensorTypeAndShape(value, &info));
    size_t count = 0;
    check(ort->GetTensorShapeElementCount(info, &count));
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    check(ort->GetTensorElementType(info, &type));
    ort->ReleaseTensorTypeAndShapeInfo(info);
    printf("%s: %zu elements of type %d:", name, count, (int)type);
    if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) {
        void* data = NULL;
        check(ort->GetTensorMutableData(value, &data));
        for (size_t i = 0; i < count && i < 8; ++i) {
            switch (type) {
                case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT: printf(" %.9g", (double)((float*)data)[i]); break;
                case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE: printf(" %.17g", ((double*)data)[i]); break;
                case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8: printf(" %d", (int)((int8_t*)data)[i]); break;
                case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8: printf(" %d", (int)((uint8_t*)data)[i]); break;
                case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL: printf(" %d", (int)((uint8_t*)data)[i]); break;
                case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32: printf(" %" PRId32, ((int32_t*)data)[i]); break;
                case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64: printf(" %" PRId64, ((int64_t*)data)[i]); break;
                default: break;
            }
        }
    }
    printf("\n");
}

)";

std::string c_list_of(const std::vector<SnippetTensor>& tensors) {
    std::string text;
    for (const SnippetTensor& tensor : tensors)
        text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", c_literal(tensor.name));
    return text;
}

/// Calls of a provider's separate functions. `name`: the part of their names for the provider.
void add_by_own_functions(std::string_view variable, std::string_view name, std::size_t count,
                          std::string& text) {
    text += fmt::format("        Ort{}ProviderOptionsV2* {} = NULL;\n", name, variable);
    text += fmt::format("        check(ort->Create{}ProviderOptions(&{}));\n", name, variable);
    if (count > 0)
        text += fmt::format("        check(ort->Update{}ProviderOptions({}, keys, values, {}));\n",
                            name, variable, count);
    text += fmt::format(
        "        check(ort->SessionOptionsAppendExecutionProvider_{}{}(options, {}));\n", name,
        "_V2", variable);
    text += fmt::format("        ort->Release{}ProviderOptions({});\n", name, variable);
}

void add_c_provider(const SnippetProvider& provider, std::string& text) {
    const std::size_t count = provider.options.size();
    text += "    {\n";
    for (const bool is_key : {true, false}) {
        if (count == 0) break;
        std::string list;
        for (const auto& [key, value] : provider.options)
            list +=
                fmt::format("{}\"{}\"", list.empty() ? "" : ", ", c_literal(is_key ? key : value));
        text +=
            fmt::format("        const char* {}[] = {{{}}};\n", is_key ? "keys" : "values", list);
    }
    if (provider.facts->kind == ProviderKind::cuda)
        add_by_own_functions("cuda", "CUDA", count, text);
    else if (provider.facts->kind == ProviderKind::tensorrt)
        add_by_own_functions("tensorrt", "TensorRT", count, text);
    else
        text += fmt::format(
            "        check(ort->SessionOptionsAppendExecutionProvider(options, \"{}\", {}, {}));\n",
            provider.facts->by_name, count > 0 ? "keys, values" : "NULL, NULL", count);
    text += "    }\n";
}

void add_input(const SnippetTensor& input, std::size_t i, std::string& text) {
    const std::size_t rank = input.shape.size();
    if (rank > 0)
        text += fmt::format("    const int64_t shape_{}[] = {{{}}};\n", i, joined(input.shape));
    const std::string shape =
        rank > 0 ? fmt::format("shape_{}, {}", i, rank) : std::string("NULL, 0");
    if (input.dtype == DType::string) {  // made with empty strings
        text +=
            fmt::format("    check(ort->CreateTensorAsOrtValue(allocator, {}, {}, &inputs[{}]));\n",
                        shape, ort_element_type(input.dtype), i);
        return;
    }
    const std::size_t bytes = storage_bytes(input.dtype, input.elements);
    text += fmt::format("    void* data_{} = zeros({});\n", i, bytes);
    text += fmt::format(
        "    check(ort->CreateTensorWithDataAsOrtValue(memory, data_{}, {}, {}, {}, "
        "&inputs[{}]));\n",
        i, bytes, shape, ort_element_type(input.dtype), i);
}

void add_session_options(const SnippetProgram& program, std::string& text) {
    text += fmt::format("    check(ort->SetSessionGraphOptimizationLevel(options, {}));\n",
                        ort_level(program.level));
    if (program.intra > 0)
        text += fmt::format("    check(ort->SetIntraOpNumThreads(options, {}));\n", program.intra);
    if (program.parallel)
        text += "    check(ort->SetSessionExecutionMode(options, ORT_PARALLEL));\n";
    if (program.inter > 0)
        text += fmt::format("    check(ort->SetInterOpNumThreads(options, {}));\n", program.inter);
    for (const auto& [name, size] : program.free_dimensions)
        text +=
            fmt::format("    check(ort->AddFreeDimensionOverrideByName(options, \"{}\", {}));\n",
                        c_literal(name), size);
    for (const std::string& statement : program.attributes) text += "    " + statement + '\n';
    for (const auto& [key, value] : program.entries)
        text += fmt::format("    check(ort->AddSessionConfigEntry(options, \"{}\", \"{}\"));\n",
                            c_literal(key), c_literal(value));
    if (!program.optimized_model_file.empty())
        text +=
            fmt::format("    check(ort->SetOptimizedModelFilePath(options, ORT_TSTR(\"{}\")));\n",
                        c_literal(program.optimized_model_file));
    if (!program.profile_prefix.empty())
        text += fmt::format(
            "    check(ort->EnableProfiling(options, ORT_TSTR(\"{}\")));  // written when the "
            "session goes\n",
            c_literal(program.profile_prefix));
}

/// The run with the inputs of add_input(), and printing of the first elements of the outputs.
void add_run(const SnippetProgram& program, std::string& text) {
    const std::size_t inputs = program.inputs.size(), outputs = program.outputs.size();
    text += fmt::format(
        "    const char* output_names[] = {{{}}};\n    OrtValue* outputs[{}] = {{NULL}};\n",
        c_list_of(program.outputs), outputs);
    text +=
        inputs > 0
            ? fmt::format(
                  "    check(ort->Run(session, NULL, input_names, (const OrtValue* const*)inputs, "
                  "{}, "
                  "output_names, {}, outputs));\n",
                  inputs, outputs)
            : fmt::format(
                  "    check(ort->Run(session, NULL, NULL, NULL, 0, output_names, {}, outputs));\n",
                  outputs);
    text += fmt::format(
        "    for (size_t i = 0; i < {}; ++i) print_value(output_names[i], outputs[i]);\n\n",
        outputs);
}

}  // namespace

std::string c_program(const SnippetProgram& program) {
    const std::size_t inputs = program.inputs.size(), outputs = program.outputs.size();
    std::string text = fmt::format(
        "// Runs a model once in ONNX Runtime on inputs of zeros. Written for version 1.{}; build: "
        "cc main.c "
        "-lonnxruntime\n",
        program.minor);
    text += c_opening;
    text +=
        "int main(void) {\n"
        "    ort = OrtGetApiBase()->GetApi(ORT_API_VERSION);\n"
        "    if (ort == NULL) {\n"
        "        fprintf(stderr, \"the library is older than the header: %s\\n\", "
        "OrtGetApiBase()->GetVersionString());\n"
        "        return 1;\n"
        "    }\n"
        "    OrtEnv* env = NULL;\n"
        "    check(ort->CreateEnv(ORT_LOGGING_LEVEL_WARNING, \"model\", &env));\n"
        "    OrtSessionOptions* options = NULL;\n"
        "    check(ort->CreateSessionOptions(&options));\n";
    add_session_options(program, text);
    for (const SnippetProvider& provider : program.providers) add_c_provider(provider, text);
    text += fmt::format(
        "    OrtSession* session = NULL;\n    check(ort->CreateSession(env, ORT_TSTR(\"{}\"), "
        "options, &session));\n\n",
        c_literal(program.model_file));

    if (inputs > 0) {
        text +=
            "    OrtMemoryInfo* memory = NULL;\n    "
            "check(ort->CreateCpuMemoryInfo(OrtArenaAllocator, "
            "OrtMemTypeDefault, &memory));\n";
        text +=
            "    OrtAllocator* allocator = NULL;\n    "
            "check(ort->GetAllocatorWithDefaultOptions(&allocator));\n";
        text += fmt::format(
            "    const char* input_names[] = {{{}}};\n    OrtValue* inputs[{}] = {{NULL}};\n",
            c_list_of(program.inputs), inputs);
        for (std::size_t i = 0; i < inputs; ++i) add_input(program.inputs[i], i, text);
    }
    add_run(program, text);
    text += fmt::format("    for (size_t i = 0; i < {}; ++i) ort->ReleaseValue(outputs[i]);\n",
                        outputs);
    if (inputs > 0) {
        text += fmt::format("    for (size_t i = 0; i < {}; ++i) ort->ReleaseValue(inputs[i]);\n",
                            inputs);
        for (std::size_t i = 0; i < inputs; ++i)
            if (program.inputs[i].dtype != DType::string)
                text += fmt::format("    free(data_{});\n", i);
        text += "    ort->ReleaseMemoryInfo(memory);\n";
    }
    text +=
        "    ort->ReleaseSession(session);\n    ort->ReleaseSessionOptions(options);\n    "
        "ort->ReleaseEnv(env);\n    "
        "return 0;\n}\n";
    return text;
}

}  // namespace lapidary
