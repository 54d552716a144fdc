// SPDX-License-Identifier: Apache-2.0
#include "advice/advice_texts.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/internal/shown_text.h>

#include "advice/advice_texts_file.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_words = 120, few = 3;
constexpr std::size_t longest_sentence = 2000;  // with several names of a file

struct Texts {
    Json checks = Json::object(), shared;
    std::vector<std::string> ids;
};

const Texts& all_texts() {
    static const Texts texts = [] {
        Texts read;
        const Json file = parse_json(advice_texts_json(), "advice.json");
        for (const Json& check : file.at("checks")) {
            read.ids.push_back(check.at("id").get<std::string>());
            read.checks[read.ids.back()] = check;
        }
        read.shared = file.at("shared");
        return read;
    }();
    return texts;
}

std::string in_language(const Json& languages, const std::string& locale) {
    for (const std::string& language :
         {locale, locale.substr(0, locale.find('_')), std::string("en")})
        if (const auto at = languages.find(language); at != languages.end())
            return at->get<std::string>();
    return {};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A figure such as "1238 ms" with the separators of the language.
std::string with_separators(const std::string& figure, const AdviceLanguage& language) {
    std::string local;
    bool is_fraction = false;
    for (std::size_t i = 0; i < figure.size(); ++i) {
        const char c = figure[i];
        if (c == '.') local += language.decimal_point;
        else local += c;
        is_fraction = c == '.' || (is_fraction && is_digit(c));
        if (is_fraction || !is_digit(c)) continue;
        std::size_t left = 0;  // digits before the point that follow
        while (i + 1 + left < figure.size() && is_digit(figure[i + 1 + left])) ++left;
        if (left > 0 && left % 3 == 0) local += language.group_separator;
    }
    return local;
}

std::string bounded(const std::string& text) { return printable(text, longest_words); }

}  // namespace

std::string_view advice_texts_json() { return advice_texts_file; }

AdviceValue words(std::string text) { return {AdviceValue::Kind::text, 0, bounded(text)}; }
AdviceValue few_words(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), few); ++i)
        list += (i ? ", " : "") + bounded(names[i]);
    if (names.size() > few) list += fmt::format(", … (+{})", names.size() - few);
    return {AdviceValue::Kind::text, 0, list};
}
AdviceValue sentence(std::string text) { return {AdviceValue::Kind::sentence, 0, std::move(text)}; }
AdviceValue count_of(std::size_t count) {
    return {AdviceValue::Kind::count, static_cast<double>(count), {}};
}
AdviceValue factor_of(double factor) { return {AdviceValue::Kind::factor, factor, {}}; }
AdviceValue digits_of(double number) { return {AdviceValue::Kind::digits, number, {}}; }
AdviceValue percent_of(double share) { return {AdviceValue::Kind::percent, share, {}}; }
AdviceValue bytes_of(double bytes) { return {AdviceValue::Kind::bytes, bytes, {}}; }
AdviceValue ms_of(double ms) { return {AdviceValue::Kind::ms, ms, {}}; }
AdviceValue interval_of(double ms, double low, double high) {
    return {AdviceValue::Kind::interval, ms, {}, low, high};
}

AdviceTexts::AdviceTexts(const AdviceLanguage& language) : language_(language) {}

const std::vector<std::string>& AdviceTexts::ids() const { return all_texts().ids; }

AdviceSeverity AdviceTexts::severity(const std::string& id) const {
    const std::string name = all_texts().checks.at(id).at("severity").get<std::string>();
    return name == "important" ? AdviceSeverity::important
           : name == "minor"   ? AdviceSeverity::minor
                               : AdviceSeverity::useful;
}

std::string AdviceTexts::text(const std::string& id, const char* member) const {
    const Json& check = all_texts().checks.at(id);
    const auto at = check.find(member);
    if (at == check.end()) return {};
    return at->is_string() ? at->get<std::string>() : in_language(*at, language_.locale);
}

std::string AdviceTexts::written(const AdviceValue& value) const {
    const auto number = [&](const std::string& text) { return with_separators(text, language_); };
    switch (value.kind) {
    case AdviceValue::Kind::text: return value.text;
    case AdviceValue::Kind::sentence:
        return language_.translate ? language_.translate(value.text)
                                   : printable(value.text, longest_sentence);
    case AdviceValue::Kind::count: return number(fmt::format("{:.0f}", value.number));
    case AdviceValue::Kind::factor: return number(fmt::format("{:.2f}", value.number));
    case AdviceValue::Kind::digits: return number(fmt::format("{:.3g}", value.number));
    case AdviceValue::Kind::percent: return number(percent_text(value.number));
    case AdviceValue::Kind::bytes: return number(bytes_text(value.number));
    case AdviceValue::Kind::ms: return number(time_text(value.number));
    case AdviceValue::Kind::interval: break;
    }
    return number(time_text(value.number, value.low, value.high));
}

std::string AdviceTexts::finding(const std::string& id, const char* key,
                                 const std::vector<AdviceValue>& values) const {
    const Json& sentences =
        id.empty() ? all_texts().shared : all_texts().checks.at(id).at("findings");
    const auto at = sentences.find(key);
    if (at == sentences.end())
        fail(ErrorCode::internal, "advice.json has no sentence " + id + "/" + key);
    const std::string pattern = in_language(*at, language_.locale);
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t end = pattern[i] == '{' ? pattern.find('}', i) : pattern.npos;
        if (end == pattern.npos) {
            text += pattern[i];
            continue;
        }
        const std::string inside = pattern.substr(i + 1, end - i - 1);
        const auto index = static_cast<std::size_t>(std::stoul(inside));
        if (index >= values.size())
            fail(ErrorCode::internal, "advice.json: no value for {" + inside + "} of " + key);
        text += written(values[index]);
        if (const std::size_t bar = inside.find('|'); bar != inside.npos) {
            const std::size_t second = inside.find('|', bar + 1);
            text += " " + (values[index].number == 1 ? inside.substr(bar + 1, second - bar - 1)
                                                     : inside.substr(second + 1));
        }
        i = end;
    }
    if (text.starts_with("level ")) text[0] = 'L';  // other names keep their letters
    return text;
}

}  // namespace lapidary
