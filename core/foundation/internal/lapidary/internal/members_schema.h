// SPDX-License-Identifier: Apache-2.0
// JSON Schema of described structs (members.h): names, types, ranges, and which members are
// required. What a member means, and its unit, stand in the published schema alone.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/internal/members_json.h>

namespace lapidary {

/// Schemas of what MembersWriter writes, or of what MembersReader takes.
template <typename Json>
struct MembersSchema {
    /// Members that are always written are required, and details are left out; else those alone are
    /// required that readers insist on.
    bool of_output = false;

    template <typename T>
    Json of() const {
        return schema(static_cast<const T*>(nullptr));
    }

private:
    static Json type(const char* name) {
        Json made = Json::object();
        made["type"] = name;
        return made;
    }
    Json schema(const std::string*) const { return type("string"); }
    Json schema(const bool*) const { return type("boolean"); }
    template <std::integral T>
    Json schema(const T*) const {
        return type("integer");
    }
    template <std::floating_point T>
    Json schema(const T*) const {
        return type("number");
    }
    template <DescribedEnum E>
    Json schema(const E*) const {
        Json made = Json::object();
        each_name<E>([&](E, std::string_view name) { made["enum"].push_back(name); });
        return made;
    }
    template <HasForm T>
    Json schema(const T*) const {
        return of<FormOf<T>>();
    }
    template <typename T>
    Json schema(const std::optional<T>*) const {
        Json made = of<T>();
        made["nullable"] = true;
        return made;
    }
    template <typename T>
    Json schema(const std::vector<T>*) const {
        return list_of(of<T>());
    }
    template <typename T, std::size_t N>
    Json schema(const std::array<T, N>*) const {
        return list_of(of<T>());
    }
    template <typename A, typename B>
    Json schema(const std::pair<A, B>*) const {
        return list_of(std::is_arithmetic_v<A> && std::is_arithmetic_v<B> ? type("number")
                                                                          : of<B>());
    }
    template <typename K, typename T>
    Json schema(const std::map<K, T>*) const {
        Json made = type("object");
        made["additionalProperties"] = of<T>();
        return made;
    }
    template <Described T>
    requires(!HasForm<T>) Json schema(const T*)
    const {
        Json made = type("object");
        made["required"] = Json::array();
        made["properties"] = Json::object();
        add_members < T, requires { Members<T>::only_changes; }
        > (made, Members<T>::list);
        return made;
    }

    static Json list_of(Json items) {
        Json made = type("array");
        made["items"] = std::move(items);
        return made;
    }
    template <typename T, bool OnlyChanges, typename List>
    void add_members(Json& made, const List& list) const {
        each_of(list, [&](const auto& described) {
            using D = std::remove_cvref_t<decltype(described)>;
            if constexpr (is_unsent<D>) return;
            else {
                using M = typename members_detail::Pointee<
                    std::remove_const_t<decltype(D::pointer)>>::Type;
                if constexpr (is_inlined<D>)
                    add_members<T, OnlyChanges>(made, Members<FormOf<M>>::list);
                else if constexpr (is_relisted<D>)
                    add_members<T, OnlyChanges>(made, described.list);
                else add_member<M, OnlyChanges || D::is_sparse>(made, described);
            }
        });
    }
    template <typename M, bool MayBeAbsent, typename D>
    void add_member(Json& made, const D& described) const {
        if (of_output && described.is_detail) return;
        const std::string name(described.name);
        Json member = described.is_text ? type("string") : of<M>();
        // where it has no value it is left out
        if (MayBeAbsent) member.erase("nullable");
        const auto is_bound = [](double bound) { return std::fabs(bound) < 0x1p53; };
        if (is_bound(described.low)) member["minimum"] = described.low;
        if (is_bound(described.high)) member["maximum"] = described.high;
        made["properties"][name] = std::move(member);
        if (of_output ? !MayBeAbsent : described.is_required) made["required"].push_back(name);
    }
};

}  // namespace lapidary
