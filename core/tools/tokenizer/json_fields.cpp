// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/json_fields.h>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/base/limits.h>

#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

[[noreturn]] void fail_at(const std::string& place, const std::string& message) {
    throw Error(ErrorCode::invalid_input, message).at(place);
}

std::string kind_of(const nlohmann::json& value) { return value.type_name(); }

}  // namespace

JsonFields::JsonFields(const nlohmann::json& object, std::string place)
    : object_(&object), place_(std::move(place)) {
    if (!object.is_object()) fail("expected an object, found " + kind_of(object));
}

std::string JsonFields::place_of(std::string_view name) const {
    return place_.empty() ? std::string(name) : place_ + "." + std::string(name);
}

void JsonFields::fail(const std::string& message) const { fail_at(place_, message); }

const nlohmann::json* JsonFields::find(const std::string& name) {
    known_.insert(name);
    const auto at = object_->find(name);
    return at == object_->end() || at->is_null() ? nullptr : &*at;
}

const nlohmann::json& JsonFields::get(const std::string& name) {
    const nlohmann::json* value = find(name);
    if (!value) fail("expected a member " + quote(name));
    return *value;
}

std::string JsonFields::text(const std::string& name) {
    return token_text(get(name), place_of(name));
}

std::string JsonFields::text(const std::string& name, std::string otherwise) {
    return find(name) ? text(name) : otherwise;
}

char32_t JsonFields::character(const std::string& name) {
    const std::string value = text(name);
    if (count_characters(value) != 1)
        fail_at(place_of(name), "expected one character, found " + quote(value));
    return character_at(value, 0).code;
}

bool JsonFields::flag(const std::string& name) {
    const nlohmann::json& value = get(name);
    if (!value.is_boolean())
        fail_at(place_of(name), "expected true or false, found " + kind_of(value));
    return value.get<bool>();
}

bool JsonFields::flag(const std::string& name, bool otherwise) {
    return find(name) ? flag(name) : otherwise;
}

std::uint32_t JsonFields::number(const std::string& name) {
    return token_number(get(name), place_of(name));
}

std::uint32_t JsonFields::number(const std::string& name, std::uint32_t otherwise) {
    return find(name) ? number(name) : otherwise;
}

std::size_t JsonFields::word(const std::string& name, const std::vector<std::string_view>& words) {
    const std::string value = text(name);
    const auto at = std::ranges::find(words, value);
    if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
    std::string expected;
    for (const std::string_view word : words)
        expected += (expected.empty() ? "" : ", ") + quote(word);
    fail_at(place_of(name), "expected one of " + expected + ", found " + quote(value));
}

std::size_t JsonFields::word(const std::string& name, const std::vector<std::string_view>& words,
                             std::size_t otherwise) {
    return find(name) ? word(name, words) : otherwise;
}

std::vector<JsonFields> JsonFields::list(const std::string& name) {
    const nlohmann::json& value = get(name);
    if (!value.is_array()) fail_at(place_of(name), "expected a list, found " + kind_of(value));
    std::vector<JsonFields> elements;
    for (std::size_t i = 0; i < value.size(); ++i)
        elements.emplace_back(value[i], place_of(name) + "[" + std::to_string(i) + "]");
    return elements;
}

JsonFields JsonFields::object(const std::string& name) { return {get(name), place_of(name)}; }

void JsonFields::finish() const {
    for (const auto& [name, value] : object_->items())
        if (!known_.contains(name))
            fail("has a member " + quote(name) +
                 ", which this program does not know and which may change the tokens");
}

std::uint32_t token_number(const nlohmann::json& value, const std::string& place) {
    constexpr std::uint64_t most = 0xFFFFFFFE;
    if (!value.is_number_integer() || (value.is_number_integer() && !value.is_number_unsigned()))
        fail_at(place, "expected a whole number from 0 on, found " +
                           (value.is_number() ? value.dump() : kind_of(value)));
    if (value.get<std::uint64_t>() > most)
        fail_at(place,
                "expected a number of at most " + std::to_string(most) + ", found " + value.dump());
    return static_cast<std::uint32_t>(value.get<std::uint64_t>());
}

const std::string& token_text(const nlohmann::json& value, const std::string& place) {
    if (!value.is_string()) fail_at(place, "expected a text, found " + kind_of(value));
    const std::string& text = value.get_ref<const std::string&>();
    if (text.size() > Limits{}.name_bytes)
        throw Error(ErrorCode::limit_exceeded, "a text has " + std::to_string(text.size()) +
                                                   " bytes; the limit is " +
                                                   std::to_string(Limits{}.name_bytes))
            .at(place);
    return text;
}

}  // namespace lapidary::tokens
