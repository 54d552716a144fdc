// SPDX-License-Identifier: Apache-2.0
// JSON of described structs (members.h), for any JSON type of the library nlohmann/json. Numbers
// that JSON lacks are the texts "nan", "inf" and "-inf"; an empty optional is null; pairs and
// arrays are lists.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/internal/member_text.h>
#include <lapidary/internal/members.h>

namespace lapidary {

template <>
struct StoredAs<std::filesystem::path> {
    using Form = std::string;
    static Form form_of(const std::filesystem::path& path) { return path.string(); }
    static std::filesystem::path value_of(const Form& text) { return text; }
};

/// `Json` of a value.
template <typename Json>
struct MembersWriter {
    bool details = true;  // with members that are details
    // text that is not UTF-8 becomes {"hex": DIGITS}; else whoever dumps the JSON repairs it
    bool exact_text = false;

    Json operator()(const std::string& text) const {
        if (!exact_text || is_utf8(text)) return text;
        Json object = Json::object();
        object["hex"] = hex_of(text);
        return object;
    }
    Json operator()(bool value) const { return value; }
    Json operator()(std::integral auto value) const { return value; }
    Json operator()(std::floating_point auto value) const {
        if (std::isfinite(value)) return value;
        return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }
    template <DescribedEnum E>
    Json operator()(E value) const {
        Json found = nullptr;
        each_name<E>([&](E known, std::string_view name) {
            if (known == value) found = name;
        });
        return found;
    }
    template <HasForm T>
    Json operator()(const T& value) const {
        return (*this)(StoredAs<T>::form_of(value));
    }
    template <typename T>
    Json operator()(const std::optional<T>& value) const {
        return value ? (*this)(*value) : Json(nullptr);
    }
    template <typename A, typename B>
    Json operator()(const std::pair<A, B>& value) const {
        return Json::array({(*this)(value.first), (*this)(value.second)});
    }
    template <typename T>
    Json operator()(const std::vector<T>& values) const {
        return list_of(values);
    }
    template <typename T, std::size_t N>
    Json operator()(const std::array<T, N>& values) const {
        return list_of(values);
    }
    template <typename T>
    Json operator()(const std::map<std::string, T>& values) const {
        Json object = Json::object();
        for (const auto& [name, value] : values) object[name] = (*this)(value);
        return object;
    }
    template <std::integral K, typename T>
    Json operator()(const std::map<K, T>& values) const {
        Json object = Json::object();
        for (const auto& [key, value] : values) object[std::to_string(key)] = (*this)(value);
        return object;
    }
    template <Described T>
    requires(!HasForm<T>) Json operator()(const T& value) const {
        Json object = Json::object();
        write_members < requires { Members<T>::only_changes; }
        > (object, Members<T>::list, value, T{});
        return object;
    }

private:
    template <typename T>
    static bool is_same(const T& value, const T& usual) {
        return value == usual;
    }
    /// Without a value, as optional members begin.
    template <typename T>
    static bool is_same(const std::optional<T>& value, const std::optional<T>&) {
        return !value.has_value();
    }
    template <typename List>
    Json list_of(const List& values) const {
        Json list = Json::array();
        for (std::size_t i = 0; i < values.size(); ++i)
            list.push_back((*this)(static_cast<const typename List::value_type&>(values[i])));
        return list;
    }
    /// Members that are to be left out where they equal those of `usual` are.
    template <bool OnlyChanges, typename List, typename T>
    void write_members(Json& object, const List& list, const T& value, const T& usual) const {
        each_of(list, [&](const auto& described) {
            using D = std::remove_cvref_t<decltype(described)>;
            if constexpr (is_inlined<D>) {
                write_inlined<OnlyChanges>(object, value.*D::pointer, usual.*D::pointer);
            } else if constexpr (is_relisted<D>) {
                write_members<OnlyChanges>(object, described.list, value.*D::pointer,
                                           usual.*D::pointer);
            } else if constexpr (is_member<D>) {
                if (described.is_detail && !details) return;
                if constexpr (OnlyChanges || D::is_sparse)
                    if (is_same(value.*D::pointer, usual.*D::pointer)) return;
                write_member(object, described.name, described.is_text, value.*D::pointer);
            }
        });
    }
    template <bool OnlyChanges, typename T>
    void write_inlined(Json& object, const T& value, const T& usual) const {
        if constexpr (HasForm<T>)
            write_members<OnlyChanges>(object, Members<FormOf<T>>::list,
                                       StoredAs<T>::form_of(value), StoredAs<T>::form_of(usual));
        else write_members<OnlyChanges>(object, Members<T>::list, value, usual);
    }
    /// A template of the member's type alone, so that it is compiled once for all such members.
    template <typename M>
    void write_member(Json& object, std::string_view name, [[maybe_unused]] bool is_text,
                      const M& member) const {
        Json& written = object[std::string(name)];
        if constexpr (std::integral<M> && !std::same_as<M, bool>) {
            if (is_text) {
                written = std::to_string(member);
                return;
            }
        }
        written = (*this)(member);
    }
};

/// A value from `Json`. Throws invalid_input with the place, what was expected and what was found.
template <typename Json>
struct MembersReader {
    std::string place = {};  // "cells[3].measurement"
    /// Members that are not described are passed over, and null is as good as none; else both are
    /// refused.
    bool is_lenient = false;

    [[noreturn]] void refuse(const std::string& expected, const Json& found) const {
        const std::string text = found.is_string()
                                     ? found.template get<std::string>()
                                     : found.dump(-1, ' ', false, Json::error_handler_t::replace);
        fail_input(here() + ": expected " + expected + ", found " + quote(text, 60));
    }
    MembersReader inside(std::string_view name) const {
        return {place.empty() ? std::string(name) : place + "." + std::string(name), is_lenient};
    }

    void operator()(const Json& json, std::string& text) const {
        if (json.is_object() && json.size() == 1 && json.contains("hex") &&
            json.at("hex").is_string()) {
            text = bytes_of_hex(json.at("hex").template get_ref<const std::string&>());
            return;
        }
        if (!json.is_string()) refuse("text", json);
        text = json.template get<std::string>();
    }
    void operator()(const Json& json, bool& value) const {
        if (!json.is_boolean()) refuse("true or false", json);
        value = json.template get<bool>();
    }
    template <std::integral T>
    void operator()(const Json& json, T& value) const {
        if (!json.is_number_integer()) refuse("a whole number", json);
        const bool fits = json.is_number_unsigned()
                              ? std::in_range<T>(json.template get<std::uint64_t>())
                              : std::in_range<T>(json.template get<std::int64_t>());
        if (!fits)
            refuse("a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                       std::to_string(std::numeric_limits<T>::max()),
                   json);
        value = json.template get<T>();
    }
    template <std::floating_point T>
    void operator()(const Json& json, T& value) const {
        if (json.is_number()) value = json.template get<T>();
        else if (json == "nan") value = std::numeric_limits<T>::quiet_NaN();
        else if (json == "inf") value = std::numeric_limits<T>::infinity();
        else if (json == "-inf") value = -std::numeric_limits<T>::infinity();
        else refuse("a number", json);
    }
    template <DescribedEnum E>
    void operator()(const Json& json, E& value) const {
        const std::string text =
            json.is_string() ? json.template get<std::string>() : std::string();
        std::string known;
        bool is_known = false;
        each_name<E>([&](E candidate, std::string_view name) {
            if (text == name) is_known = true, value = candidate;
            known += (known.empty() ? "" : ", ") + std::string(name);
        });
        if (!is_known) refuse("one of " + known, json);
    }
    template <HasForm T>
    void operator()(const Json& json, T& value) const {
        typename StoredAs<T>::Form form{};
        (*this)(json, form);
        placed([&] { value = StoredAs<T>::value_of(form); });
    }
    template <typename T>
    void operator()(const Json& json, std::optional<T>& value) const {
        value.reset();
        if (json.is_null()) return;
        (*this)(json, value.emplace());
    }
    template <typename A, typename B>
    void operator()(const Json& json, std::pair<A, B>& value) const {
        if (!json.is_array() || json.size() != 2) refuse("a list of two", json);
        (*this)(json[0], value.first);
        (*this)(json[1], value.second);
    }
    template <typename T>
    void operator()(const Json& json, std::vector<T>& values) const {
        if (!json.is_array()) refuse("a list", json);
        values.clear();
        values.reserve(json.size());
        for (std::size_t i = 0; i < json.size(); ++i) {
            T value{};
            item(i)(json[i], value);
            values.push_back(std::move(value));
        }
    }
    template <typename T, std::size_t N>
    void operator()(const Json& json, std::array<T, N>& values) const {
        if (!json.is_array() || json.size() != N) refuse("a list of " + std::to_string(N), json);
        for (std::size_t i = 0; i < N; ++i) item(i)(json[i], values[i]);
    }
    template <typename T>
    void operator()(const Json& json, std::map<std::string, T>& values) const {
        if (!json.is_object()) refuse("an object", json);
        values.clear();
        for (const auto& [name, value] : json.items()) inside(name)(value, values[name]);
    }
    template <std::integral K, typename T>
    void operator()(const Json& json, std::map<K, T>& values) const {
        if (!json.is_object()) refuse("an object", json);
        values.clear();
        for (const auto& [name, value] : json.items())
            inside(name)(value, values[number_of<K>(name, json)]);
    }
    template <Described T>
    requires(!HasForm<T>) void operator()(const Json& json, T& value) const {
        if (!json.is_object()) refuse("an object", json);
        if constexpr (requires { Members<T>::refuses_unknown; })
            if (is_lenient) return MembersReader{place, false}(json, value);
        read_members(json, value);
        if (!is_lenient) refuse_unknown(json, names_of<T>());
    }

private:
    std::string here() const { return place.empty() ? "the JSON" : quote(place); }
    MembersReader item(std::size_t i) const {
        return {place + "[" + std::to_string(i) + "]", is_lenient};
    }

    template <typename K>
    K number_of(const std::string& name, const Json& json) const {
        K key{};
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), key);
        if (error != std::errc() || end != name.data() + name.size())
            refuse("whole numbers as names", json);
        return key;
    }
    /// What `act` throws says the place too.
    template <typename Act>
    void placed(Act act) const {
        try {
            act();
        } catch (const Error& error) {
            if (place.empty()) throw;
            Error with_place(error.code(), quote(place) + ": " + error.message());
            for (std::size_t i = error.where().size(); i-- > 0;) with_place.at(error.where()[i]);
            throw with_place;
        }
    }
    template <typename T>
    void read_members(const Json& json, T& value) const {
        read_list(json, Members<T>::list, value);
        if constexpr (requires { Members<T>::check(value); })
            placed([&] { Members<T>::check(value); });
    }
    template <typename List, typename T>
    void read_list(const Json& json, const List& list, T& value) const {
        each_of(list, [&](const auto& described) {
            using D = std::remove_cvref_t<decltype(described)>;
            if constexpr (is_inlined<D>) read_inlined(json, value.*D::pointer);
            else if constexpr (is_relisted<D>) read_list(json, described.list, value.*D::pointer);
            else if constexpr (is_member<D>)
                read_member(json,
                            {described.name, described.is_required, described.is_text,
                             described.low, described.high},
                            value.*D::pointer);
        });
    }
    template <typename T>
    void read_inlined(const Json& json, T& value) const {
        if constexpr (HasForm<T>) {
            typename StoredAs<T>::Form form{};
            read_members(json, form);
            placed([&] { value = StoredAs<T>::value_of(form); });
        } else {
            read_members(json, value);
        }
    }
    /// What a description says of a member, whichever it is.
    struct Rules {
        std::string_view name;
        bool is_required, is_text;
        double low, high;
    };
    /// The member of that name; null where it is absent, which is refused if it is required.
    const Json* find_member(const Json& json, const Rules& rules) const {
        const auto found = json.find(std::string(rules.name));
        if (found != json.end() && !(is_lenient && found->is_null())) return &*found;
        if (rules.is_required) fail_input(here() + " needs \"" + std::string(rules.name) + "\"");
        return nullptr;
    }
    void require_within(const Rules& rules, double number, const Json& found) const {
        if (number < rules.low || number > rules.high)
            refuse("a number from " + bound(rules.low) + " to " + bound(rules.high), found);
    }
    /// A template of the member's type alone, so that it is compiled once for all such members.
    template <typename M>
    void read_member(const Json& json, const Rules& rules, M& member) const {
        const Json* const found = find_member(json, rules);
        if (!found) return;
        const MembersReader reader = inside(rules.name);
        if constexpr (std::integral<M> && !std::same_as<M, bool>) {
            if (rules.is_text && found->is_string()) {
                member = reader.template number_of<M>(found->template get<std::string>(), *found);
                return;
            }
        }
        reader(*found, member);
        if constexpr (std::is_arithmetic_v<M>)
            reader.require_within(rules, static_cast<double>(member), *found);
    }
    static std::string bound(double value) {
        if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
        return value == std::floor(value) && std::abs(value) < 1e15
                   ? std::to_string(static_cast<std::int64_t>(value))
                   : std::to_string(value);
    }
    template <typename List>
    static void add_names(const List& list, std::vector<std::string_view>& names) {
        each_of(list, [&](const auto& described) {
            using D = std::remove_cvref_t<decltype(described)>;
            if constexpr (is_inlined<D>) add_names(Members<typename D::Form>::list, names);
            else if constexpr (is_relisted<D>) add_names(described.list, names);
            else if constexpr (is_member<D>) names.push_back(described.name);
        });
    }
    template <typename T>
    static std::vector<std::string_view> names_of() {
        std::vector<std::string_view> names;
        add_names(Members<T>::list, names);
        return names;
    }
    void refuse_unknown(const Json& json, const std::vector<std::string_view>& known) const {
        for (const auto& [name, unused] : json.items()) {
            if (std::find(known.begin(), known.end(), name) != known.end()) continue;
            std::string list;
            for (const std::string_view each : known)
                list += (list.empty() ? "" : ", ") + std::string(each);
            fail_input(here() + " has an unknown member " + quote(name) + "; known are " + list);
        }
    }
};

}  // namespace lapidary
