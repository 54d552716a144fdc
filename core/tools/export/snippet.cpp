// SPDX-License-Identifier: Apache-2.0
#include <lapidary/export/snippet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "export/python_text.h"
#include "export/session_setting.h"
#include "export/snippet_program.h"
#include "inputs/input_sizes.h"

namespace lapidary {
namespace {

constexpr int newest_minor = 32, oldest_minor = 12;
// limit on versions: a program for one newer than the newest known is written as for that, with a
// note
constexpr int last_minor = 199;
constexpr int first_with_disabling_entry = 18;  // optimization.disable_specified_optimizers
constexpr int first_of_rust = 17;               // that the crate still loads
// of session configuration entries, in the older versions
constexpr std::size_t longest_value = 1024;

struct Language {
    SnippetLanguage language;
    std::string_view name;
};
constexpr std::array<Language, 5> languages{{{SnippetLanguage::python, "Python"},
                                             {SnippetLanguage::c, "C"},
                                             {SnippetLanguage::cpp, "C++"},
                                             {SnippetLanguage::csharp, "C#"},
                                             {SnippetLanguage::rust, "Rust"}}};

/// Optimizers that newer versions run at two levels, with L1 or L2 behind the name. A version
/// ignores names that it does not have.
constexpr std::array<std::string_view, 2> at_two_levels{"GeluFusion", "LayerNormFusion"};

/// Names of ONNX Runtime; names of Lapidary's passes are translated.
std::vector<std::string> optimizer_names(const std::vector<std::string>& names) {
    std::vector<std::string> result;
    const auto add_one = [&](std::string name) {
        if (!name.empty() && std::ranges::find(result, name) == result.end())
            result.push_back(std::move(name));
    };
    const auto add = [&](std::string_view name) {
        add_one(std::string(name));
        if (std::ranges::find(at_two_levels, name) == at_two_levels.end()) return;
        for (const char* level : {"L1", "L2"}) add_one(std::string(name) + level);
    };
    for (const std::string& name : names) {
        const std::vector<const PassInfo*> passes = find_passes(name);
        if (passes.empty())
            fail_unsupported("no optimizer of ONNX Runtime or here is called " + quote(name));
        if (std::ranges::none_of(passes,
                                 [&](const PassInfo* pass) { return pass->name == name; })) {
            add(name);
            continue;
        }
        for (const PassInfo* pass : passes) {
            if (pass->ort_names.empty())
                fail_unsupported("the pass " + quote(name) +
                                 " has no counterpart in ONNX Runtime that could be disabled");
            std::string_view rest = pass->ort_names;
            while (!rest.empty()) {
                const std::size_t comma = rest.find(',');
                std::string_view one = rest.substr(0, comma);
                while (one.starts_with(' ')) one.remove_prefix(1);
                while (one.ends_with(' ')) one.remove_suffix(1);
                add(one);
                rest =
                    comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
            }
        }
    }
    return result;
}

bool can_be_filled(DType dtype, SnippetLanguage language) {
    static constexpr DType everywhere[] = {
        DType::f16, DType::f32, DType::f64, DType::i8,  DType::i16,     DType::i32,   DType::i64,
        DType::u8,  DType::u16, DType::u32, DType::u64, DType::boolean, DType::string};
    if (std::ranges::find(everywhere, dtype) != std::ranges::end(everywhere)) return true;
    if (dtype == DType::bf16) return language != SnippetLanguage::python;  // NumPy has no such type
    return language == SnippetLanguage::c || language == SnippetLanguage::cpp;
}

/// Files that the session writes.
void add_files(const SnippetSettings& settings, SnippetProgram& program) {
    for (const auto& [what, name] :
         {std::pair("optimized_model_filepath", &settings.optimized_model_file),
          std::pair("the prefix of the profile", &settings.profile_prefix)})
        if (name->find('\0') != std::string::npos)
            fail_unsupported(fmt::format("{} {} has a zero byte in it, expected the name of a file",
                                         what, quote(*name)));
    if (!settings.optimized_model_file.empty() &&
        std::filesystem::path(settings.optimized_model_file).lexically_normal() ==
            std::filesystem::path(settings.model_file).lexically_normal())
        fail_input("optimized_model_filepath is the model itself, " + quote(settings.model_file) +
                   ": ONNX Runtime would write over what it reads; choose another file");
    program.optimized_model_file = settings.optimized_model_file;
    program.profile_prefix = settings.profile_prefix;
}

void add_entries(SnippetLanguage language, const SnippetSettings& settings,
                 SnippetProgram& program) {
    for (const auto& [key, value] : settings.configuration.resources.config) {
        if (value.size() > longest_value)
            fail_unsupported(fmt::format("the value of {} has {} bytes, at most {} are allowed",
                                         quote(key), value.size(), longest_value));
        if (const SessionAttribute* attribute = find_session_attribute(key)) {
            program.attributes.push_back(
                attribute_statement(*attribute, value, language, program.minor));
            continue;
        }
        check_session_key(key, program.minor);
        program.entries.emplace_back(key, value);
    }
    const auto add = [&](const std::string& key, const std::string& value) {
        if (settings.configuration.resources.config.contains(key))
            fail_unsupported("the configuration entry " + quote(key) +
                             " is given and follows from another setting too");
        program.entries.emplace_back(key, value);
    };
    if (!settings.configuration.resources.spinning) {
        add("session.intra_op.allow_spinning", "0");
        if (program.parallel) add("session.inter_op.allow_spinning", "0");
    }
    program.disabled = optimizer_names(settings.disabled_optimizers);
    if (program.disabled.empty() || language == SnippetLanguage::python) return;
    if (program.minor < first_with_disabling_entry)
        fail_unsupported(fmt::format(
            "disabling {} in {} needs ONNX Runtime 1.{}: before, only the Python binding could "
            "leave optimizers out",
            program.disabled.front(), snippet_language_name(language), first_with_disabling_entry));
    std::string list;  // the separator that is read is a semicolon, whatever the header says
    for (const std::string& name : program.disabled) list += (list.empty() ? "" : ";") + name;
    add("optimization.disable_specified_optimizers", list);
    program.disabled.clear();
}

/// Moves entries for which SnippetSettings has members into those. Throws invalid_input for entries
/// that no release has.
SnippetSettings with_members(SnippetSettings settings) {
    const std::map<std::string, std::string> entries =
        std::exchange(settings.configuration.resources.config, {});
    for (const auto& [name, value] : entries) {
        if (const std::string problem = session_setting_problem(name, value); !problem.empty())
            fail_input(problem);
        if (!take_as_member(settings, name, value))
            settings.configuration.resources.config.emplace(name, value);
    }
    return settings;
}

/// DirectML supports neither parallel mode nor planned memory. Sessions refuse these settings, or
/// change them.
void fit_directml(SnippetSettings& settings) {
    if (settings.configuration.resources.mode == ExecutionMode::parallel)
        fail_unsupported(
            "DirectML runs nodes one after the other alone: it cannot go with the parallel "
            "execution mode");
    const auto [pattern, is_new] =
        settings.configuration.resources.config.emplace("enable_mem_pattern", "0");
    if (!is_new && pattern->second != "0")
        fail_unsupported("DirectML needs enable_mem_pattern 0, found " + quote(pattern->second));
}

void add_providers(SnippetLanguage language, const SnippetSettings& settings,
                   SnippetProgram& program) {
    for (const OnnxRuntimeProvider& provider : settings.providers) {
        program.providers.push_back(snippet_provider(provider, language, program.minor));
        const ProviderFacts* facts = program.providers.back().facts;
        if (std::ranges::count(program.providers, facts, &SnippetProvider::facts) > 1)
            fail_input(fmt::format("the provider {} is given twice", facts->name));
    }
}

}  // namespace

std::string_view snippet_language_name(SnippetLanguage language) {
    return std::ranges::find(languages, language, &Language::language)->name;
}

std::string snippet_literal(SnippetLanguage language, std::string_view text) {
    switch (language) {
    case SnippetLanguage::python: return python_literal(text);
    case SnippetLanguage::csharp: return csharp_literal(text);
    case SnippetLanguage::rust: return rust_literal(text);
    case SnippetLanguage::c:
    case SnippetLanguage::cpp: break;
    }
    return '"' + c_literal(text) + '"';
}

std::string_view pip_package(const SnippetProgram& program) {
    return program.providers.empty() ? "onnxruntime" : program.providers.front().facts->pip;
}

std::string_view nuget_package(const SnippetProgram& program) {
    return program.providers.empty() ? "Microsoft.ML.OnnxRuntime"
                                     : program.providers.front().facts->nuget;
}

std::vector<std::string> known_onnxruntime_versions() {
    std::vector<std::string> versions;
    for (int minor = newest_minor; minor >= oldest_minor; --minor)
        versions.push_back(fmt::format("1.{}", minor));
    return versions;
}

int onnxruntime_minor(const std::string& version) {
    int minor = -1;
    if (version.starts_with("1.")) {
        const char* end = version.data() + version.size();
        const auto [rest, status] = std::from_chars(version.data() + 2, end, minor);
        if (status != std::errc() || (rest != end && *rest != '.')) minor = -1;
    }
    if (minor < oldest_minor || minor > last_minor)
        fail_unsupported(fmt::format("ONNX Runtime {} is not known here, 1.{} to 1.{} are",
                                     quote(version), oldest_minor, newest_minor));
    return minor;
}

std::vector<SnippetTensor> fillable_inputs(const Model& model, SnippetLanguage language,
                                           const std::map<std::string, std::int64_t>& sizes) {
    std::vector<SnippetTensor> inputs;
    const InputSizes chosen(model, {}, sizes, usual_lengths(model));
    for (const ValueId id : model.graph.inputs()) {
        Value input_value = model.graph.value(id);
        if (input_value.constant) continue;
        const std::string& name = input_value.name;
        while (input_value.type.kind == Type::Kind::optional && input_value.type.element)
            input_value.type = Type(*input_value.type.element);
        const Type& type = input_value.type;
        if (type.kind == Type::Kind::unknown ||
            (type.is_tensor() && type.dtype == DType::undefined))
            fail_input("input " + quote(name) +
                       " is declared without a type: the program cannot make it");
        if (!type.is_tensor())
            fail_unsupported("the input " + quote(name) + " is no tensor: " + to_string(type));
        if (!can_be_filled(type.dtype, language))
            fail_unsupported(fmt::format(
                "the input {} holds {}, which the {} binding of ONNX Runtime cannot make",
                quote(name), lapidary::name_of(type.dtype), snippet_language_name(language)));
        const Shape shape = chosen.shape_of(input_value);
        SnippetTensor input{name, type.dtype, {shape.begin(), shape.end()}, element_count(shape)};
        if (language == SnippetLanguage::csharp &&
            std::ranges::any_of(input.shape, [](std::int64_t size) { return size > 0x7fffffff; }))
            fail_unsupported("the input " + quote(name) + " has a dimension beyond C#'s int");
        inputs.push_back(std::move(input));
    }
    return inputs;
}

std::string note_of_newer_version(int minor, std::string_view comment) {
    if (minor <= newest_minor) return {};
    return fmt::format(
        "{} Names and values are those of ONNX Runtime 1.{}, the newest known when this was "
        "written.\n",
        comment, newest_minor);
}

SnippetProgram snippet_program(const Model& model, SnippetLanguage language,
                               const SnippetSettings& given) {
    SnippetSettings settings = with_members(given);
    SnippetProgram program;
    program.model_file = settings.model_file;
    if (program.model_file.empty() || program.model_file.find('\0') != std::string::npos)
        fail_unsupported("the name of the model file is empty or holds a zero byte");
    add_files(settings, program);
    program.minor = onnxruntime_minor(settings.onnxruntime_version);
    if (language == SnippetLanguage::rust && program.minor < first_of_rust)
        fail_unsupported(fmt::format("the Rust crate loads ONNX Runtime 1.{} and newer, not {}",
                                     first_of_rust, settings.onnxruntime_version));
    add_providers(language, settings, program);
    if (std::ranges::any_of(program.providers, [](const SnippetProvider& provider) {
            return provider.facts->kind == ProviderKind::directml;
        }))
        fit_directml(settings);
    program.level = settings.optimized_already ? Level::disabled : settings.configuration.level;
    program.intra = settings.configuration.resources.threads;
    program.parallel = settings.configuration.resources.mode == ExecutionMode::parallel;
    // the sequential mode does not use them
    program.inter = program.parallel ? settings.configuration.resources.inter_threads : 0;
    for (const auto& [name, size] : settings.free_dimensions) {
        if (name.find('\0') != std::string::npos)
            fail_unsupported("the dimension " + quote(name) + " has a zero byte in its name");
        if (size < 1)
            fail_unsupported(
                fmt::format("the dimension {} cannot be fixed to {}", quote(name), size));
        program.free_dimensions.emplace_back(name, size);
    }
    add_entries(language, settings, program);
    std::map<std::string, std::int64_t> sizes = settings.free_dimensions;
    if (settings.configuration.batch > 0)
        for (const std::string& name : batch_dimensions(model))
            sizes.emplace(name, settings.configuration.batch);
    program.inputs = fillable_inputs(model, language, sizes);
    for (const ValueId id : model.graph.outputs()) {
        const Value& output = model.graph.value(id);
        program.outputs.push_back(
            {output.name, output.type.is_tensor() ? output.type.dtype : DType::undefined, {}, 0});
    }
    if (program.outputs.empty()) fail_unsupported("the model has no output to ask for");
    for (const auto* list : {&program.inputs, &program.outputs})
        for (const SnippetTensor& tensor : *list)
            if (tensor.name.find('\0') != std::string::npos)
                fail_unsupported("the tensor " + quote(tensor.name) +
                                 " has a zero byte in its name");
    return program;
}

namespace {

std::string text_of(const SnippetProgram& program, SnippetLanguage language) {
    switch (language) {
    case SnippetLanguage::python: return python_program(program);
    case SnippetLanguage::c: return c_program(program);
    case SnippetLanguage::cpp: return cpp_program(program);
    case SnippetLanguage::csharp: return csharp_program(program);
    case SnippetLanguage::rust: return rust_program(program);
    }
    fail(ErrorCode::internal, "no such language");
}

}  // namespace

std::string snippet(const Model& model, SnippetLanguage language, const SnippetSettings& settings) {
    const SnippetProgram program = snippet_program(model, language, settings);
    return note_of_newer_version(program.minor, language == SnippetLanguage::python ? "#" : "//") +
           text_of(program, language);
}

std::string_view ort_level(Level level) {
    switch (level) {
    case Level::disabled: return "ORT_DISABLE_ALL";
    case Level::basic: return "ORT_ENABLE_BASIC";
    case Level::extended: return "ORT_ENABLE_EXTENDED";
    case Level::all:
    case Level::session:
    case Level::user: break;
    }
    return "ORT_ENABLE_ALL";
}

std::string_view ort_element_type(DType dtype) {
    static constexpr std::pair<DType, std::string_view> names[] = {
        {DType::f32, "ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT"},
        {DType::u8, "ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8"},
        {DType::i8, "ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8"},
        {DType::u16, "ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16"},
        {DType::i16, "ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16"},
        {DType::i32, "ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32"},
        {DType::i64, "ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64"},
        {DType::string, "ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING"},
        {DType::boolean, "ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL"},
        {DType::f16, "ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16"},
        {DType::f64, "ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE"},
        {DType::u32, "ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32"},
        {DType::u64, "ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64"},
        {DType::complex64, "ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64"},
        {DType::complex128, "ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128"},
        {DType::bf16, "ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16"},
        {DType::f8e4m3fn, "ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN"},
        {DType::f8e4m3fnuz, "ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ"},
        {DType::f8e5m2, "ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2"},
        {DType::f8e5m2fnuz, "ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ"},
        {DType::u4, "ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4"},
        {DType::i4, "ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4"},
    };
    const auto* found = std::ranges::find(names, dtype, &std::pair<DType, std::string_view>::first);
    return found != std::ranges::end(names) ? found->second
                                            : "ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED";
}

std::string c_literal(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += {'\\', c};
        else if (c == '?') out += "\\?";  // no trigraph
        else if (byte < 0x20 || byte >= 0x7F) out += fmt::format("\\{:03o}", byte);
        else out += c;
    }
    return out;
}

std::string joined(const std::vector<std::int64_t>& numbers, std::string_view suffix) {
    std::string text;
    for (const std::int64_t number : numbers)
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", number, suffix);
    return text;
}

}  // namespace lapidary
