// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "export/python_text.h"
#include "export/snippet_program.h"

namespace lapidary {
namespace {

/// `Level3` of this release of the crate is ONNX Runtime's level 3, which versions before 1.23
/// refuse.
std::string_view level_name(Level level) {
    switch (level) {
    case Level::disabled: return "Disable";
    case Level::basic: return "Level1";
    case Level::extended: return "Level2";
    case Level::all:
    case Level::session:
    case Level::user: break;
    }
    return "All";
}

/// Rust's type of an element, and its zero. Empty: the crate has none.
std::pair<std::string_view, std::string_view> element_type(DType dtype) {
    switch (dtype) {
    case DType::f32: return {"f32", "0_f32"};
    case DType::f64: return {"f64", "0_f64"};
    case DType::i8: return {"i8", "0_i8"};
    case DType::i16: return {"i16", "0_i16"};
    case DType::i32: return {"i32", "0_i32"};
    case DType::i64: return {"i64", "0_i64"};
    case DType::u8: return {"u8", "0_u8"};
    case DType::u16: return {"u16", "0_u16"};
    case DType::u32: return {"u32", "0_u32"};
    case DType::u64: return {"u64", "0_u64"};
    case DType::boolean: return {"bool", "false"};
    case DType::f16: return {"half::f16", "half::f16::ZERO"};
    case DType::bf16: return {"half::bf16", "half::bf16::ZERO"};
    default: return {};
    }
}

bool needs_half(const SnippetProgram& program) {
    for (const auto* list : {&program.inputs, &program.outputs})
        for (const SnippetTensor& tensor : *list)
            if (tensor.dtype == DType::f16 || tensor.dtype == DType::bf16) return true;
    return false;
}

/// The call that names a value of an option as the crate does: "minimum_power" is MinimumPower.
std::string directml_choice(const SnippetProvider& provider, std::string_view key,
                            std::string_view method, std::string_view type) {
    const std::string value = option_of(provider, key);
    if (value.empty()) return {};
    std::string name;
    for (std::size_t i = 0; i < value.size(); ++i)
        if (value[i] != '_')
            name += i == 0 || value[i - 1] == '_'
                        ? static_cast<char>(std::toupper(static_cast<unsigned char>(value[i])))
                        : value[i];
    return fmt::format(".{}(ort::ep::directml::{}::{})", method, type, name);
}

std::string provider_of(const SnippetProvider& provider) {
    std::string text = fmt::format("ort::ep::{}::default()", provider.facts->rust);
    if (provider.facts->kind == ProviderKind::directml) {
        if (const std::string device = option_of(provider, "device_id"); !device.empty())
            text += fmt::format(".with_device_id({})", device);
        text += directml_choice(provider, "performance_preference", "with_performance_preference",
                                "PerformancePreference");
        text += directml_choice(provider, "device_filter", "with_device_filter", "DeviceFilter");
    } else
        for (const auto& [key, value] : provider.options)
            text += fmt::format(".with_arbitrary_config({}, {})", rust_literal(key),
                                rust_literal(value));
    return text + ".build().error_on_failure()";
}

bool has_arbitrary_options(const SnippetProgram& program) {
    return std::ranges::any_of(program.providers, [](const SnippetProvider& provider) {
        return provider.facts->kind != ProviderKind::directml && !provider.options.empty();
    });
}

}  // namespace

// The characters that need it are escaped in Rust as in Python.
std::string rust_literal(std::string_view text) { return python_literal(text); }

std::string rust_program(const SnippetProgram& program) {
    const bool has_half = needs_half(program);
    std::string text = fmt::format(
        "// Runs a model once in ONNX Runtime on inputs of zeros. Set ORT_DYLIB_PATH to the "
        "library of version 1.{}. "
        "Cargo.toml:\n"
        "//   [dependencies]\n"
        "//   ort = {{ version = \"=2.0.0-rc.12\", default-features = false, features = [\"std\", "
        "\"load-dynamic\"{}] "
        "}}\n",
        program.minor, has_half ? ", \"half\"" : "");
    if (has_half) text += "//   half = \"2\"\n";
    if (has_arbitrary_options(program))
        text += "use ort::ep::ArbitrarilyConfigurableExecutionProvider;\n";
    text +=
        "use ort::session::builder::GraphOptimizationLevel;\nuse ort::session::Session;\nuse "
        "ort::tensor::PrimitiveTensorElementType;\nuse ort::value::{DynValue, Tensor};\n\n";
    text +=
        "#[allow(dead_code)]\n"
        "fn show<T: PrimitiveTensorElementType + std::fmt::Debug>(name: &str, value: &DynValue) -> "
        "ort::Result<()> {\n"
        "    let (shape, data) = value.try_extract_tensor::<T>()?;\n"
        "    println!(\"{}: {:?} {:?}\", name, shape, &data[..data.len().min(8)]);\n"
        "    Ok(())\n"
        "}\n\n";
    text += fmt::format(
        "fn main() -> ort::Result<()> {{\n    let mut session = Session::builder()?\n        "
        ".with_optimization_level(GraphOptimizationLevel::{})?\n",
        level_name(program.level));
    if (program.intra > 0) text += fmt::format("        .with_intra_threads({})?\n", program.intra);
    if (program.parallel) text += "        .with_parallel_execution(true)?\n";
    if (program.inter > 0) text += fmt::format("        .with_inter_threads({})?\n", program.inter);
    for (const auto& [name, size] : program.free_dimensions)
        text +=
            fmt::format("        .with_dimension_override({}, {})?\n", rust_literal(name), size);
    for (const std::string& statement : program.attributes) text += "        " + statement + '\n';
    for (const auto& [key, value] : program.entries)
        text += fmt::format("        .with_config_entry({}, {})?\n", rust_literal(key),
                            rust_literal(value));
    if (!program.optimized_model_file.empty())
        text += fmt::format("        .with_optimized_model_path({})?\n",
                            rust_literal(program.optimized_model_file));
    if (!program.profile_prefix.empty())
        text += fmt::format("        .with_profiling({})? // written when the session goes\n",
                            rust_literal(program.profile_prefix));
    if (!program.providers.empty()) {
        std::string list;
        for (const SnippetProvider& provider : program.providers)
            list += (list.empty() ? "" : ", ") + provider_of(provider);
        text += fmt::format("        .with_execution_providers([{}])?\n", list);
    }
    text += fmt::format("        .commit_from_file({})?;\n\n", rust_literal(program.model_file));
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const SnippetTensor& input = program.inputs[i];
        const std::string shape = input.shape.empty() ? std::string("Vec::<i64>::new()")
                                                      : "vec![" + joined(input.shape, "_i64") + "]";
        if (input.dtype == DType::string)
            text += fmt::format(
                "    let input_{} = Tensor::from_string_array(({}, &vec![\"\"; {}][..]))?;\n", i,
                shape, input.elements);
        else
            text += fmt::format("    let input_{} = Tensor::from_array(({}, vec![{}; {}]))?;\n", i,
                                shape, element_type(input.dtype).second, input.elements);
    }
    text += "    let outputs = session.run(ort::inputs![";
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
        text +=
            fmt::format("{}{} => input_{}", i ? ", " : "", rust_literal(program.inputs[i].name), i);
    text += "])?;\n";
    for (const SnippetTensor& output : program.outputs) {
        const std::string name = rust_literal(output.name);
        if (const auto type = element_type(output.dtype).first; !type.empty())
            text += fmt::format("    show::<{0}>({1}, &outputs[{1}])?;\n", type, name);
        else
            text +=
                fmt::format("    println!(\"{{}}: {{:?}}\", {0}, outputs[{0}].dtype());\n", name);
    }
    text += "    Ok(())\n}\n";
    return text;
}

}  // namespace lapidary
