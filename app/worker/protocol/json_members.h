// SPDX-License-Identifier: Apache-2.0
// Reads an object member by member. Refuses unknown members and wrong types by name.
#pragma once

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <type_traits>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>

namespace lapidary::app {

/// A number; or "nan", "inf" or "-inf", which JSON cannot express as numbers.
inline nlohmann::json number_json(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

class JsonMembers {
public:
    /// `what` names the object in messages. Throws invalid_input if it is not an object.
    JsonMembers(const nlohmann::json& object, std::string what)
        : object_(object), what_(std::move(what)) {
        if (!object.is_object()) refuse("must be an object");
    }
    bool has(const char* name) const { return object_.contains(name); }
    const nlohmann::json& at(const char* name) {
        if (!object_.contains(name)) refuse(std::string("needs \"") + name + "\"");
        known_.insert(name);
        return object_.at(name);
    }
    template <typename T>
    T get(const char* name) {
        return as<T>(name, at(name));
    }
    template <typename T>
    T get(const char* name, T fallback) {
        return has(name) ? get<T>(name) : fallback;
    }
    /// Call after the last get(): refuses members that were not read.
    void finish() const {
        for (const auto& [name, value] : object_.items())
            if (!known_.contains(name)) refuse("has no member " + quote(name));
    }

private:
    template <typename T>
    T as(const char* name, const nlohmann::json& value) const {
        const auto wrong = [&](const char* kind) {
            refuse(std::string("\"") + name + "\" must be " + kind + ", found " +
                   quote(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
        };
        if constexpr (std::is_same_v<T, bool>) {
            if (!value.is_boolean()) wrong("true or false");
        } else if constexpr (std::is_integral_v<T>) {
            if (!value.is_number_integer() ||
                (std::is_unsigned_v<T> && !value.is_number_unsigned()))
                wrong("a whole number");
            const bool fits = value.is_number_unsigned()
                                  ? value.template get<std::uint64_t>() <=
                                        std::uint64_t(std::numeric_limits<T>::max())
                                  : value.template get<std::int64_t>() >=
                                        std::int64_t(std::numeric_limits<T>::min());
            if (!fits) wrong("a number of its range");
        } else if constexpr (std::is_floating_point_v<T>) {
            if (value == "nan") return std::numeric_limits<T>::quiet_NaN();
            if (value == "inf" || value == "-inf")
                return value == "inf" ? std::numeric_limits<T>::infinity()
                                      : -std::numeric_limits<T>::infinity();
            if (!value.is_number()) wrong("a number");
        } else if constexpr (std::is_same_v<T, std::string>) {
            if (!value.is_string()) wrong("text");
        }
        try {
            return value.template get<T>();
        } catch (const nlohmann::json::exception& problem) {
            refuse(std::string("\"") + name + "\": " + problem.what());
        }
    }
    [[noreturn]] void refuse(const std::string& why) const { fail_input(what_ + " " + why); }

    const nlohmann::json& object_;
    std::string what_;
    std::set<std::string> known_;
};

}  // namespace lapidary::app
