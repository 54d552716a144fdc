// SPDX-License-Identifier: Apache-2.0
#include "export/session_setting.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/internal/nearest_name.h>

#include "export/python_text.h"
#include "export/snippet_program.h"

namespace lapidary {
namespace {

struct SessionKey {
    std::string_view name;
    int first = 0;  // release 1.N
};
constexpr SessionKey session_keys[] = {
#define LAPIDARY_SESSION_KEY(name, first) {name, first},
#include "export/session_keys.inc"
#undef LAPIDARY_SESSION_KEY
};

/// {on}: Enable or Disable; {bool}, {Bool}, {digit}: a flag; {value}: as it is; {text}: a literal;
/// {level}, {Level}: a severity of the log as C# and Rust call it.
constexpr std::array attributes = {
    SessionAttribute{"enable_mem_pattern", "0 1", "enable_mem_pattern = {Bool}",
                     "{on}MemPattern(options)", "options.{on}MemPattern()",
                     "EnableMemoryPattern = {bool}", "with_memory_pattern({bool})"},
    SessionAttribute{
        "enable_cpu_mem_arena", "0 1", "enable_cpu_mem_arena = {Bool}", "{on}CpuMemArena(options)",
        "options.{on}CpuMemArena()", "EnableCpuMemArena = {bool}",
        "with_execution_providers([ort::ep::CPU::default().with_arena_allocator({bool}).build()])"},
    SessionAttribute{"enable_mem_reuse", "0 1", "enable_mem_reuse = {Bool}", "", "", "", ""},
    SessionAttribute{"use_deterministic_compute", "0 1", "use_deterministic_compute = {Bool}",
                     "SetDeterministicCompute(options, {digit})",
                     "options.SetDeterministicCompute({bool})", "",
                     "with_deterministic_compute({bool})", 17},
    SessionAttribute{"execution_order", "DEFAULT PRIORITY_BASED",
                     "execution_order = ort.ExecutionOrder.{value}", "", "", "", ""},
    SessionAttribute{
        "log_severity_level", "0 1 2 3 4", "log_severity_level = {value}",
        "SetSessionLogSeverityLevel(options, {value})",
        "Ort::ThrowOnError(Ort::GetApi().SetSessionLogSeverityLevel(options, {value}))",
        "LogSeverityLevel = OrtLoggingLevel.ORT_LOGGING_LEVEL_{LEVEL}",
        "with_log_level(ort::logging::LogLevel::{Level})"},
    SessionAttribute{
        "log_verbosity_level", "number", "log_verbosity_level = {value}",
        "SetSessionLogVerbosityLevel(options, {value})",
        "Ort::ThrowOnError(Ort::GetApi().SetSessionLogVerbosityLevel(options, {value}))",
        "LogVerbosityLevel = {value}", "with_log_verbosity({value})"},
    SessionAttribute{"logid", "text", "logid = {text}", "SetSessionLogId(options, {text})",
                     "options.SetLogId({text})", "LogId = {text}", "with_log_id({text})"},
};

/// Attributes that are members of SnippetSettings, with their values as above.
constexpr std::pair<std::string_view, std::string_view> members[] = {
    {"intra_op_num_threads", "number"},
    {"inter_op_num_threads", "number"},
    {"execution_mode", "ORT_SEQUENTIAL ORT_PARALLEL"},
    {"optimized_model_filepath", "text"},
    {"profile_file_prefix", "text"},
};

/// Settings that are neither attributes nor entries of the session configuration, and why they are
/// not set.
constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
    {"graph_optimization_level", "it follows from the level (--level)"},
    {"enable_profiling",
     "a profile needs the beginning of its name: profile_file_prefix, or --profile-prefix"},
    {"use_per_session_threads",
     "without them the threads are those of the environment, and the program makes none "
     "there"},
    {"arena_extend_strategy",
     "in ONNX Runtime it is an option of an allocator (OrtArenaCfg) or of the provider CUDA, "
     "not of a session"},
    {"free_dimension_override", "sizes are fixed by --dim"},
    {"disabled_optimizers", "optimizers are left out by --disable-optimizer"},
};

constexpr std::string_view log_levels[] = {"Verbose", "Info", "Warning", "Error", "Fatal"};

template <typename Table>
const auto* find_in(const Table& table, std::string_view name) {
    const auto* found = std::ranges::find(table, name, &std::ranges::range_value_t<Table>::first);
    return found == std::ranges::end(table) ? nullptr : &*found;
}

const SessionKey* find_key(std::string_view name) {
    const auto* found = std::ranges::find(session_keys, name, &SessionKey::name);
    return found == std::ranges::end(session_keys) ? nullptr : found;
}

std::string words_of(std::string_view values) {
    std::string text;
    for (const char c : values) text += c == ' ' ? ", " : std::string(1, c);
    return text;
}

/// Whether `value` is one of the words of `values`.
bool is_among(std::string_view values, std::string_view value) {
    while (!values.empty()) {
        const std::size_t space = std::min(values.find(' '), values.size());
        if (values.substr(0, space) == value) return true;
        values.remove_prefix(std::min(space + 1, values.size()));
    }
    return false;
}

std::string value_problem(std::string_view name, std::string_view values,
                          const std::string& value) {
    const auto expected = [&](std::string_view what) {
        return fmt::format("{}: expected {}, found {}", name, what, quote(value));
    };
    if (values == "text") {
        if (value.empty() || value.find('\0') != std::string::npos)
            return expected("a text without zero bytes");
    } else if (values == "number") {
        int number = -1;
        const auto [end, error] =
            std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc() || end != value.data() + value.size() || number < 0 ||
            number > 1024)
            return expected("a number from 0 to 1024");
    } else if (!is_among(values, value)) return expected("one of " + words_of(values));
    return {};
}

/// "MemPattern" of an attribute's own name in the configuration ("session.enable_mem_pattern");
/// empty: it is not one.
std::string attribute_of_key(std::string_view key) {
    constexpr std::string_view prefix = "session.";
    if (!key.starts_with(prefix)) return {};
    const std::string name(key.substr(prefix.size()));
    if (name == "log_id") return "logid";
    const bool is_attribute = find_session_attribute(name) != nullptr ||
                              find_in(members, name) != nullptr ||
                              find_in(elsewhere, name) != nullptr;
    return is_attribute ? name : std::string();
}

std::string replaced(std::string text, std::string_view token, std::string_view by) {
    if (const std::size_t at = text.find(token); at != std::string::npos)
        text.replace(at, token.size(), by);
    return text;
}

/// The text around a pattern in a program.
struct Statement {
    std::string_view pattern, before, after;
};
Statement statement_of(const SessionAttribute& attribute, SnippetLanguage language) {
    switch (language) {
    case SnippetLanguage::python: return {attribute.python, "options.", ""};
    case SnippetLanguage::c: return {attribute.c, "check(ort->", ");"};
    case SnippetLanguage::cpp: return {attribute.cpp, "", ";"};
    case SnippetLanguage::csharp: return {attribute.csharp, "options.", ";"};
    case SnippetLanguage::rust: return {attribute.rust, ".", "?"};
    }
    return {};
}

}  // namespace

std::span<const SessionAttribute> session_attributes() { return attributes; }

const SessionAttribute* find_session_attribute(std::string_view name) {
    const auto* found = std::ranges::find(attributes, name, &SessionAttribute::name);
    return found == attributes.end() ? nullptr : found;
}

std::vector<std::string> session_setting_names() {
    std::vector<std::string> names;
    for (const auto& [name, values] : members) names.emplace_back(name);
    for (const SessionAttribute& attribute : attributes) names.emplace_back(attribute.name);
    for (const SessionKey& key : session_keys) names.emplace_back(key.name);
    return names;
}

std::string session_setting_problem(const std::string& name, const std::string& value) {
    if (const SessionAttribute* attribute = find_session_attribute(name))
        return value_problem(name, attribute->values, value);
    if (const auto* member = find_in(members, name))
        return value_problem(name, member->second, value);
    if (const auto* other = find_in(elsewhere, name))
        return fmt::format("{}: {}", other->first, other->second);
    if (const std::string attribute = attribute_of_key(name); !attribute.empty())
        return fmt::format(
            "{} is the attribute {} of SessionOptions, which every release has: write {}=VALUE",
            name, attribute, attribute);
    if (find_key(name) != nullptr) return {};
    return fmt::format("ONNX Runtime's sessions have no setting {}; the nearest is {}", quote(name),
                       nearest_names(name, session_setting_names(), 1).front());
}

std::string attribute_statement(const SessionAttribute& attribute, const std::string& value,
                                SnippetLanguage language, int minor) {
    const auto [pattern, before, after] = statement_of(attribute, language);
    if (pattern.empty())
        fail_unsupported(
            fmt::format("{} cannot be set in {}: its binding of ONNX Runtime has no call for it",
                        attribute.name, snippet_language_name(language)));
    if (language != SnippetLanguage::python && minor < attribute.first_elsewhere)
        fail_unsupported(fmt::format(
            "{} in {} needs ONNX Runtime 1.{}, not 1.{}: before, only the Python binding had "
            "it",
            attribute.name, snippet_language_name(language), attribute.first_elsewhere, minor));
    const bool on = value == "1";
    std::string text(pattern);
    for (const auto& [token, by] :
         {std::pair<std::string_view, std::string_view>{"{on}", on ? "Enable" : "Disable"},
          {"{Bool}", python_bool(on)},
          {"{bool}", on ? "true" : "false"},
          {"{digit}", on ? "1" : "0"},
          {"{value}", value}})
        text = replaced(std::move(text), token, by);
    if (text.find("{text}") != std::string::npos)
        text = replaced(std::move(text), "{text}", snippet_literal(language, value));
    if (attribute.name == "log_severity_level") {
        std::string level(log_levels[std::size_t(value.front() - '0')]);
        text = replaced(std::move(text), "{Level}", level);
        std::ranges::transform(level, level.begin(),
                               [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        text = replaced(std::move(text), "{LEVEL}", level);
    }
    return fmt::format("{}{}{}", before, text, after);
}

bool take_as_member(SnippetSettings& settings, const std::string& name, const std::string& value) {
    if (find_in(members, name) == nullptr) return false;
    RunResources& run = settings.configuration.resources;
    const auto take = [&](bool is_set, auto& member, auto taken) {
        if (is_set && member != taken)
            fail_unsupported("the setting " + quote(name) +
                             " is given and follows from another setting too");
        member = taken;
    };
    if (name == "intra_op_num_threads") take(run.threads > 0, run.threads, std::stoi(value));
    else if (name == "inter_op_num_threads")
        take(run.inter_threads > 0, run.inter_threads, std::stoi(value));
    else if (name == "execution_mode")
        take(run.mode == ExecutionMode::parallel, run.mode,
             value == "ORT_PARALLEL" ? ExecutionMode::parallel : ExecutionMode::sequential);
    else if (name == "optimized_model_filepath")
        take(!settings.optimized_model_file.empty(), settings.optimized_model_file, value);
    else take(!settings.profile_prefix.empty(), settings.profile_prefix, value);
    return true;
}

void check_session_key(const std::string& key, int minor) {
    const SessionKey* known = find_key(key);
    if (known != nullptr && known->first > minor)
        fail_unsupported(fmt::format("ONNX Runtime reads the setting {} from 1.{} on, not in 1.{}",
                                     key, known->first, minor));
}

}  // namespace lapidary
