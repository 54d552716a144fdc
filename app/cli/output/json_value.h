// SPDX-License-Identifier: Apache-2.0
// JSON values for printing. Only the implementation sees nlohmann/json, because its templates take
// long to compile.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lapidary::cli {

/// A JSON value; the members of an object keep the order in which they were added.
class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;

    Json(std::nullptr_t = nullptr) {}
    template <std::same_as<bool> T>
    Json(T value) : value_(value) {}
    template <std::signed_integral T>
    Json(T value) : value_(static_cast<std::int64_t>(value)) {}
    template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>) Json(T value) : value_(static_cast<std::uint64_t>(value)) {}
    Json(double value) : value_(value) {}
    Json(const char* text) : value_(std::string(text)) {}
    Json(std::string_view text) : value_(std::string(text)) {}
    Json(std::string text) : value_(std::move(text)) {}
    template <typename T>
    Json(const std::vector<T>& values) : value_(Array(values.begin(), values.end())) {}
    template <typename T>
    Json(const std::map<std::string, T>& members)
        : value_(Object(members.begin(), members.end())) {}
    /// An object where each item is an array of a string and a value, else an array.
    Json(std::initializer_list<Json> items);

    static Json array(std::initializer_list<Json> items = {});
    static Json object();

    /// The member of that name, added as null if there is none. A null value becomes an object;
    /// throws internal for other values.
    Json& operator[](std::string_view name);
    /// A null value becomes an array; throws internal for other values.
    void push_back(Json item);
    /// Adds or replaces the members of `object`.
    void update(const Json& object);

    /// The JSON text: one line, or lines indented by `indent` spaces per level. Strings that are
    /// not UTF-8 are repaired.
    std::string dump(int indent = -1) const;

private:
    friend struct JsonConversion;

    std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array,
                 Object>
        value_;
};

/// Parses JSON that the engine returned as text.
Json json_from_text(std::string_view text, std::string_view what);

}  // namespace lapidary::cli
