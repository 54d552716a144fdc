// SPDX-License-Identifier: Apache-2.0
#include "cli/output/json_value.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>

namespace lapidary::cli {

struct JsonConversion {
    static nlohmann::ordered_json to_library(const Json& json) {
        return std::visit(
            [](const auto& value) -> nlohmann::ordered_json {
                using T = std::decay_t<decltype(value)>;
                if constexpr (std::same_as<T, Json::Array>) {
                    auto array = nlohmann::ordered_json::array();
                    for (const Json& item : value) array.push_back(to_library(item));
                    return array;
                } else if constexpr (std::same_as<T, Json::Object>) {
                    auto object = nlohmann::ordered_json::object();
                    for (const auto& [name, member] : value)
                        object.emplace(name, to_library(member));
                    return object;
                } else {
                    return value;
                }
            },
            json.value_);
    }

    static Json from_library(const nlohmann::json& json) {
        switch (json.type()) {
        case nlohmann::json::value_t::boolean: return json.get<bool>();
        case nlohmann::json::value_t::number_integer: return json.get<std::int64_t>();
        case nlohmann::json::value_t::number_unsigned: return json.get<std::uint64_t>();
        case nlohmann::json::value_t::number_float: return json.get<double>();
        case nlohmann::json::value_t::string: return json.get<std::string>();
        case nlohmann::json::value_t::array: {
            Json array = Json::array();
            for (const auto& item : json) array.push_back(from_library(item));
            return array;
        }
        case nlohmann::json::value_t::object: {
            Json object = Json::object();
            for (const auto& [name, member] : json.items()) object[name] = from_library(member);
            return object;
        }
        default: return nullptr;
        }
    }

    /// A member as an initializer list writes it: {"name", value}.
    static bool is_member(const Json& json) {
        const auto* array = std::get_if<Json::Array>(&json.value_);
        return array && array->size() == 2 &&
               std::holds_alternative<std::string>(array->front().value_);
    }
};

Json::Json(std::initializer_list<Json> items) {
    if (!std::ranges::all_of(items, JsonConversion::is_member)) {
        value_ = Array(items);
        return;
    }
    Object& members = value_.emplace<Object>();
    for (const Json& item : items) {
        const Array& pair = std::get<Array>(item.value_);
        members.emplace_back(std::get<std::string>(pair.front().value_), pair.back());
    }
}

Json Json::array(std::initializer_list<Json> items) {
    Json json;
    json.value_ = Array(items);
    return json;
}

Json Json::object() {
    Json json;
    json.value_ = Object();
    return json;
}

Json& Json::operator[](std::string_view name) {
    if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Object();
    auto* members = std::get_if<Object>(&value_);
    if (!members)
        fail(ErrorCode::internal, "a member " + quote(name) + " of JSON that is no object");
    const auto at = std::ranges::find(*members, name, &Object::value_type::first);
    return at != members->end() ? at->second : members->emplace_back(name, nullptr).second;
}

void Json::push_back(Json item) {
    if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Array();
    auto* items = std::get_if<Array>(&value_);
    if (!items) fail(ErrorCode::internal, "an item of JSON that is no array");
    items->push_back(std::move(item));
}

void Json::update(const Json& object) {
    for (const auto& [name, member] : std::get<Object>(object.value_)) (*this)[name] = member;
}

std::string Json::dump(int indent) const {
    return JsonConversion::to_library(*this).dump(indent, ' ', false,
                                                  nlohmann::ordered_json::error_handler_t::replace);
}

Json json_from_text(std::string_view text, std::string_view what) {
    return JsonConversion::from_library(parse_json(text, what));
}

}  // namespace lapidary::cli
