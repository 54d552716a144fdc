// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <lapidary/bench/bench.h>
#include <lapidary/internal/shown_text.h>

#include "cli/ci/ci_report.h"

namespace lapidary::cli {
namespace {

constexpr std::size_t most_attribute_characters = 8192;

/// Text as the value of an attribute or between tags.
std::string xml_text(std::string_view text) {
    const std::string shown = printable(text, most_attribute_characters);
    std::string escaped;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const char c = shown[i];
        const std::string_view character = std::string_view(shown).substr(i, 3);
        if (character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf") {
            // U+FFFE and U+FFFF are no characters of XML, not even escaped
            escaped += character == "\xef\xbf\xbe" ? "\\ufffe" : "\\uffff";
            i += 2;
        } else if (c == '&') escaped += "&amp;";
        else if (c == '<') escaped += "&lt;";
        else if (c == '>') escaped += "&gt;";
        else if (c == '"') escaped += "&quot;";
        else escaped += c;
    }
    return escaped;
}

std::string property(std::string_view name, std::string_view value, std::string_view indent) {
    return value.empty() ? std::string()
                         : fmt::format("{}<property name=\"{}\" value=\"{}\"/>\n", indent,
                                       xml_text(name), xml_text(value));
}

std::string figure_properties(const CiCheck& check) {
    constexpr std::string_view indent = "        ";
    const CiFigureTexts texts = figure_texts(check);
    const auto exact = [](const std::optional<double>& figure) {
        return figure ? fmt::format("{}", *figure) : std::string();
    };
    return property("verdict", name_of(check.verdict), indent) +
           property("unit", check.unit, indent) + property("now", exact(check.now), indent) +
           property("baseline", exact(check.then), indent) +
           property("change", texts.change, indent) + property("limit", check.limit, indent);
}

/// The element that says what is wrong; empty: nothing is.
std::string outcome(const CiCheck& check) {
    const std::string message = xml_text(check.sentence);
    if (check.verdict == CiVerdict::worse)
        return fmt::format("      <failure type=\"worse\" message=\"{}\"/>\n", message);
    if (check.verdict == CiVerdict::broken)
        return fmt::format("      <error type=\"broken\" message=\"{}\"/>\n", message);
    if (check.verdict == CiVerdict::unresolved)
        return fmt::format("      <skipped message=\"unresolved: {}\"/>\n", message);
    return {};
}

std::string test_case(const CiModelResult& model, const CiCheck& check) {
    return fmt::format(
        "    <testcase classname=\"lapidary.ci.{}\" name=\"{}\" time=\"{:.3f}\">\n"
        "      <properties>\n{}      </properties>\n{}"
        "      <system-out>{}</system-out>\n    </testcase>\n",
        xml_text(model.name), xml_text(title_of(check)), check.seconds, figure_properties(check),
        outcome(check), xml_text(check.sentence));
}

/// Attributes that count the cases of models.
std::string counts(const std::vector<CiModelResult>& models) {
    CiResult counted;
    counted.models = models;
    double seconds = 0;
    std::size_t cases = 0;
    for (const CiModelResult& model : models)
        for (const CiCheck& check : model.checks) {
            seconds += check.seconds;
            cases += check.verdict != CiVerdict::reported;
        }
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                       cases, count_of(counted, CiVerdict::worse),
                       count_of(counted, CiVerdict::broken),
                       count_of(counted, CiVerdict::unresolved), seconds);
}

std::string suite_properties(const CiModelResult& model, const MachineInfo& machine) {
    constexpr std::string_view indent = "      ";
    std::string sizes;
    for (const auto& [name, size] : model.sizes)
        sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", name, size);
    std::string text =
        property("model", model.argument, indent) +
        property("threads", model.threads > 0 ? std::to_string(model.threads) : "", indent) +
        property("sizes", sizes, indent) + property("cpu", machine.cpu, indent) +
        property("isa", machine.isa, indent) +
        property("cores", std::to_string(machine.cores), indent) +
        property("system", machine.system, indent) +
        property("lapidary", LAPIDARY_VERSION, indent) +
        property("baseline", model.has_baseline ? model.baseline.string() : "", indent) +
        property("note", model.note, indent);
    for (const std::string& warning : model.warnings) text += property("warning", warning, indent);
    for (const CiCheck& check : model.checks)
        if (check.verdict == CiVerdict::reported)
            text += property(title_of(check), check.sentence, indent);
    return text;
}

}  // namespace

std::string ci_junit(const CiResult& result) {
    const MachineInfo machine = machine_info();
    std::string xml = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lapidary-cli ci\" {}>\n",
        counts(result.models));
    std::string date = machine.date;
    if (date.ends_with('Z')) date.pop_back();  // JUnit's schema takes no zone
    for (const CiModelResult& model : result.models) {
        xml += fmt::format(
            "  <testsuite name=\"{}\" {} timestamp=\"{}\">\n    <properties>\n{}"
            "    </properties>\n",
            xml_text(model.name), counts({model}), date, suite_properties(model, machine));
        for (const CiCheck& check : model.checks)
            if (check.verdict != CiVerdict::reported) xml += test_case(model, check);
        xml += "  </testsuite>\n";
    }
    return xml + "</testsuites>\n";
}

}  // namespace lapidary::cli
