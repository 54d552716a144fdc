// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "export/snippet_program.h"

namespace lapidary {
namespace {

std::string_view type_name(DType dtype) {
    switch (dtype) {
    case DType::f32: return "float";
    case DType::f64: return "double";
    case DType::i8: return "sbyte";
    case DType::i16: return "short";
    case DType::i32: return "int";
    case DType::i64: return "long";
    case DType::u8: return "byte";
    case DType::u16: return "ushort";
    case DType::u32: return "uint";
    case DType::u64: return "ulong";
    case DType::boolean: return "bool";
    case DType::string: return "string";
    case DType::f16: return "Float16";
    case DType::bf16: return "BFloat16";
    default: return {};
    }
}

void add_csharp_provider(const SnippetProvider& provider, int minor, std::string& text) {
    const ProviderFacts& facts = *provider.facts;
    const auto dictionary = [&] {
        std::string list;
        for (const auto& [key, value] : provider.options)
            list += fmt::format("{}{{ {}, {} }}", list.empty() ? "" : ", ", csharp_literal(key),
                                csharp_literal(value));
        return "new Dictionary<string, string> { " + list + (list.empty() ? "}" : " }");
    };
    const auto of_its_own = [&](std::string_view variable, std::string_view type,
                                std::string_view function) {
        text += fmt::format("using var {0} = new {1}();\n", variable, type);
        if (!provider.options.empty())
            text += fmt::format("{}.UpdateOptions({});\n", variable, dictionary());
        text += fmt::format("options.{}({});\n", function, variable);
    };
    switch (facts.kind) {
    case ProviderKind::cuda:
        return of_its_own("cuda", "OrtCUDAProviderOptions", "AppendExecutionProvider_CUDA");
    case ProviderKind::tensorrt:
        return of_its_own("tensorrt", "OrtTensorRTProviderOptions",
                          "AppendExecutionProvider_Tensorrt");
    case ProviderKind::directml:
        text += fmt::format("options.AppendExecutionProvider_DML({});\n",
                            option_of(provider, "device_id"));
        return;
    case ProviderKind::openvino: {
        const std::string device = option_of(provider, "device_type");
        text += fmt::format("options.AppendExecutionProvider_OpenVINO({});\n",
                            device.empty() ? "" : csharp_literal(device));
        return;
    }
    case ProviderKind::coreml:
    case ProviderKind::qnn: break;
    }
    text += facts.kind == ProviderKind::coreml && minor < facts.first_by_name
                ? "options.AppendExecutionProvider_CoreML();\n"
                : fmt::format("options.AppendExecutionProvider({}, {});\n",
                              csharp_literal(facts.by_name), dictionary());
}

}  // namespace

/// Bytes beyond ASCII as they are, in UTF-8.
std::string csharp_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += {'\\', c};
        else if (byte < 0x20 || byte == 0x7F) out += fmt::format("\\u{:04x}", byte);
        else out += c;
    }
    // Line separators end a line in C# too.
    for (const auto& [raw, escape] :
         {std::pair<std::string_view, std::string_view>{"\xE2\x80\xA8", "\\u2028"},
          {"\xE2\x80\xA9", "\\u2029"},
          {"\xC2\x85", "\\u0085"}})
        for (std::size_t at; (at = out.find(raw)) != std::string::npos;)
            out.replace(at, raw.size(), escape);
    return out + '"';
}

std::string csharp_program(const SnippetProgram& program) {
    std::string text = fmt::format(
        "// Runs a model once in ONNX Runtime on inputs of zeros: dotnet add package {} "
        "--version 1.{}.*\n"
        "using System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing "
        "Microsoft.ML.OnnxRuntime;\nusing "
        "Microsoft.ML.OnnxRuntime.Tensors;\n\n",
        nuget_package(program), program.minor);
    text += "using var options = new SessionOptions();\n";
    text += fmt::format("options.GraphOptimizationLevel = GraphOptimizationLevel.{};\n",
                        ort_level(program.level));
    if (program.intra > 0) text += fmt::format("options.IntraOpNumThreads = {};\n", program.intra);
    if (program.parallel) text += "options.ExecutionMode = ExecutionMode.ORT_PARALLEL;\n";
    if (program.inter > 0) text += fmt::format("options.InterOpNumThreads = {};\n", program.inter);
    for (const auto& [name, size] : program.free_dimensions)
        text += fmt::format("options.AddFreeDimensionOverrideByName({}, {}L);\n",
                            csharp_literal(name), size);
    for (const std::string& statement : program.attributes) text += statement + '\n';
    for (const auto& [key, value] : program.entries)
        text += fmt::format("options.AddSessionConfigEntry({}, {});\n", csharp_literal(key),
                            csharp_literal(value));
    if (!program.optimized_model_file.empty())
        text += fmt::format("options.OptimizedModelFilePath = {};\n",
                            csharp_literal(program.optimized_model_file));
    // in this order: the prefix is read when profiling is switched on
    if (!program.profile_prefix.empty())
        text += fmt::format(
            "options.ProfileOutputPathPrefix = {};\noptions.EnableProfiling = true;  // written "
            "when the session "
            "goes\n",
            csharp_literal(program.profile_prefix));
    for (const SnippetProvider& provider : program.providers)
        add_csharp_provider(provider, program.minor, text);
    text += fmt::format(
        "using var session = new InferenceSession({}, options);\n\nvar inputs = new "
        "List<NamedOnnxValue>\n{{\n",
        csharp_literal(program.model_file));
    for (const SnippetTensor& input : program.inputs) {
        const std::string shape = "new int[] { " + joined(input.shape) + " }";
        if (input.dtype == DType::string)
            text += fmt::format(
                "    NamedOnnxValue.CreateFromTensor({}, new "
                "DenseTensor<string>(Enumerable.Repeat(\"\", "
                "{}).ToArray(), {})),\n",
                csharp_literal(input.name), input.elements, shape);
        else
            text += fmt::format(
                "    NamedOnnxValue.CreateFromTensor({}, new "
                "DenseTensor<{}>((ReadOnlySpan<int>){})),\n",
                csharp_literal(input.name), type_name(input.dtype), shape);
    }
    text +=
        "};\n"
        "using var outputs = session.Run(inputs);\n"
        "foreach (var output in outputs)\n"
        "{\n"
        "    string content = output.Value switch\n"
        "    {\n"
        "        Tensor<float> tensor => Content(tensor),\n"
        "        Tensor<double> tensor => Content(tensor),\n"
        "        Tensor<int> tensor => Content(tensor),\n"
        "        Tensor<long> tensor => Content(tensor),\n"
        "        Tensor<byte> tensor => Content(tensor),\n"
        "        Tensor<sbyte> tensor => Content(tensor),\n"
        "        Tensor<bool> tensor => Content(tensor),\n"
        "        Tensor<string> tensor => Content(tensor),\n"
        "        _ => output.ElementType.ToString()\n"
        "    };\n"
        "    Console.WriteLine($\"{output.Name}: {content}\");\n"
        "}\n\n"
        "static string Content<T>(Tensor<T> tensor) =>\n"
        "    $\"[{string.Join(\", \", tensor.Dimensions.ToArray())}] {string.Join(\" \", "
        "tensor.Take(8))}\";\n";
    return text;
}

}  // namespace lapidary
