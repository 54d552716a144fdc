// SPDX-License-Identifier: Apache-2.0
// One description of a struct: its members and what files call them. JSON (members_json.h) and
// bytes are made from it. A member that its description does not name does not compile.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lapidary {

/// Specialized for each struct that is described:
///   static constexpr auto list = members<T>(member<&T::a>("a"), member<&T::b>("b").within(0, 9));
/// Optional members of a specialization:
///   static constexpr bool only_changes = true;     JSON leaves out members that are as in T()
///   static constexpr bool refuses_unknown = true;  unknown members are refused in lenient JSON
///                                                  too, since every member changes the meaning
///   static void check(T&);                         called after reading: throws invalid_input,
///                                                  may normalize values
template <typename T>
struct Members;

/// Specialized for each enum that is described: `static constexpr std::array values` of those that
/// name_of() names, or `static constexpr std::array all` of pairs of a value and its name.
template <typename E>
struct EnumNames;

/// Specialized for a type that is kept as a value of another type: `using Form`, `static Form
/// form_of(const T&)`, and `static T value_of(const Form&)`, which throws invalid_input.
template <typename T>
struct StoredAs;

template <typename T>
concept Described = requires {
    Members<T>::list;
};
template <typename E>
concept DescribedEnum = requires {
    EnumNames<E>::all;
}
|| requires { EnumNames<E>::values; };
template <typename T>
concept HasForm = requires {
    typename StoredAs<T>::Form;
};

namespace members_detail {

template <typename T>
struct FormOrItself {
    using Type = T;
};
template <HasForm T>
struct FormOrItself<T> {
    using Type = typename StoredAs<T>::Form;
};

template <typename Pointer>
struct Pointee;
template <typename T, typename M>
struct Pointee<M T::*> {
    using Type = M;
};

}  // namespace members_detail

/// What T is kept as: itself unless it has a form.
template <typename T>
using FormOf = typename members_detail::FormOrItself<T>::Type;

/// A member under its name, with rules for readers and writers.
template <auto Pointer, bool Sparse = false>
struct Member {
    static constexpr auto pointer = Pointer;
    static constexpr bool is_sparse = Sparse;  // JSON leaves it out where it is as in T()
    std::string_view name;
    bool is_required = false;  // JSON without it is refused; otherwise it keeps its default
    bool is_detail = false;    // left out of short texts
    // a whole number that JSON has as text, for readers whose numbers are doubles
    bool is_text = false;
    double low = -std::numeric_limits<double>::infinity(),
           high = std::numeric_limits<double>::infinity();

    consteval Member required() const {
        return with([](Member& m) { m.is_required = true; });
    }
    consteval Member detail() const {
        return with([](Member& m) { m.is_detail = true; });
    }
    consteval Member<Pointer, true> if_changed() const {
        return {name, is_required, is_detail, is_text, low, high};
    }
    consteval Member as_text() const {
        return with([](Member& m) { m.is_text = true; });
    }
    /// Numbers outside are refused.
    consteval Member within(double least, double most) const {
        return with([=](Member& m) { m.low = least, m.high = most; });
    }

private:
    template <typename Change>
    consteval Member with(Change change) const {
        Member changed = *this;
        change(changed);
        return changed;
    }
};
template <auto Pointer>
consteval Member<Pointer> member(std::string_view name) {
    return {name};
}

/// A struct whose members stand beside those of the struct that holds it.
template <auto Pointer>
struct InlinedMember {
    static constexpr auto pointer = Pointer;
    using Form = FormOf<typename members_detail::Pointee<decltype(Pointer)>::Type>;
};
template <auto Pointer>
consteval InlinedMember<Pointer> inlined() {
    return {};
}

/// The same with a list of its own in place of the one that Members has of the inner struct.
template <auto Pointer, typename List>
struct RelistedMember {
    static constexpr auto pointer = Pointer;
    List list;
};
/// inlined<&T::inner>(members<Inner>(member<&Inner::a>("other_name"), ...))
template <auto Pointer, typename... Described>
consteval RelistedMember<Pointer, std::tuple<Described...>> inlined(
    std::tuple<Described...> described) {
    return {described};
}

/// A member that is neither written nor read.
template <auto Pointer>
struct UnsentMember {
    static constexpr auto pointer = Pointer;
};
template <auto Pointer>
consteval UnsentMember<Pointer> unsent() {
    return {};
}

namespace members_detail {

template <std::size_t N>
using Count = std::integral_constant<std::size_t, N>;

// Compiles where a struct has as many members as there are names here.
#define LAPIDARY_BINDS(n, ...)                              \
    template <typename T>                                   \
    constexpr bool has_members(const T& value, Count<n>) {  \
        [[maybe_unused]] const auto& [__VA_ARGS__] = value; \
        return true;                                        \
    }
#define LAPIDARY_8(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7
LAPIDARY_BINDS(1, a)
LAPIDARY_BINDS(2, a, b)
LAPIDARY_BINDS(3, a, b, c)
LAPIDARY_BINDS(4, a, b, c, d)
LAPIDARY_BINDS(5, a, b, c, d, e)
LAPIDARY_BINDS(6, a, b, c, d, e, f)
LAPIDARY_BINDS(7, a, b, c, d, e, f, g)
LAPIDARY_BINDS(8, LAPIDARY_8(x))
LAPIDARY_BINDS(9, LAPIDARY_8(x), a)
LAPIDARY_BINDS(10, LAPIDARY_8(x), a, b)
LAPIDARY_BINDS(11, LAPIDARY_8(x), a, b, c)
LAPIDARY_BINDS(12, LAPIDARY_8(x), a, b, c, d)
LAPIDARY_BINDS(13, LAPIDARY_8(x), a, b, c, d, e)
LAPIDARY_BINDS(14, LAPIDARY_8(x), a, b, c, d, e, f)
LAPIDARY_BINDS(15, LAPIDARY_8(x), a, b, c, d, e, f, g)
LAPIDARY_BINDS(16, LAPIDARY_8(x), LAPIDARY_8(y))
LAPIDARY_BINDS(17, LAPIDARY_8(x), LAPIDARY_8(y), a)
LAPIDARY_BINDS(18, LAPIDARY_8(x), LAPIDARY_8(y), a, b)
LAPIDARY_BINDS(19, LAPIDARY_8(x), LAPIDARY_8(y), a, b, c)
LAPIDARY_BINDS(20, LAPIDARY_8(x), LAPIDARY_8(y), a, b, c, d)
LAPIDARY_BINDS(21, LAPIDARY_8(x), LAPIDARY_8(y), a, b, c, d, e)
LAPIDARY_BINDS(22, LAPIDARY_8(x), LAPIDARY_8(y), a, b, c, d, e, f)
LAPIDARY_BINDS(23, LAPIDARY_8(x), LAPIDARY_8(y), a, b, c, d, e, f, g)
LAPIDARY_BINDS(24, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z))
LAPIDARY_BINDS(25, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), a)
LAPIDARY_BINDS(26, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), a, b)
LAPIDARY_BINDS(27, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), a, b, c)
LAPIDARY_BINDS(28, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), a, b, c, d)
LAPIDARY_BINDS(29, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), a, b, c, d, e)
LAPIDARY_BINDS(30, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), a, b, c, d, e, f)
LAPIDARY_BINDS(31, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), a, b, c, d, e, f, g)
LAPIDARY_BINDS(32, LAPIDARY_8(x), LAPIDARY_8(y), LAPIDARY_8(z), LAPIDARY_8(w))
#undef LAPIDARY_8
#undef LAPIDARY_BINDS

template <auto Pointer>
struct PointerTag {};

template <typename First, typename... Rest>
consteval bool are_distinct() {
    if constexpr (sizeof...(Rest) == 0) return true;
    else return (!std::same_as<First, Rest> && ...) && are_distinct<Rest...>();
}

}  // namespace members_detail

/// The description of T: each member once, in the order of JSON.
template <typename T, typename... Described>
consteval std::tuple<Described...> members(Described... described) {
    using namespace members_detail;
    static_assert(are_distinct<PointerTag<Described::pointer>...>(), "a member is described twice");
    // Names the overload, so that its body is compiled: it fails where T has another number of
    // members.
    using Counts = bool (*)(const T&, Count<sizeof...(Described)>);
    static_assert(Counts(&has_members<T>) != nullptr);
    return {described...};
}

/// Calls visit(description) for each of a list of descriptions.
template <typename List, typename Visit>
constexpr void each_of(const List& list, Visit&& visit) {
    std::apply([&](const auto&... described) { (visit(described), ...); }, list);
}
/// Calls visit(description) for each member of T.
template <Described T, typename Visit>
constexpr void each_member(Visit&& visit) {
    each_of(Members<T>::list, visit);
}

/// Calls visit(value, name) for each value of an enum.
template <DescribedEnum E, typename Visit>
void each_name(Visit&& visit) {
    if constexpr (requires { EnumNames<E>::all; })
        for (const auto& [value, name] : EnumNames<E>::all) visit(value, std::string_view(name));
    else
        for (const E value : EnumNames<E>::values) visit(value, std::string_view(name_of(value)));
}

/// Whether a description is a Member, and no other kind.
template <typename D>
inline constexpr bool is_member = requires(const D& described) {
    described.name;
};
template <typename D>
inline constexpr bool is_inlined = false;
template <auto Pointer>
inline constexpr bool is_inlined<InlinedMember<Pointer>> = true;
template <typename D>
inline constexpr bool is_relisted = false;
template <auto Pointer, typename List>
inline constexpr bool is_relisted<RelistedMember<Pointer, List>> = true;
template <typename D>
inline constexpr bool is_unsent = !is_member<D> && !is_inlined<D> && !is_relisted<D>;

}  // namespace lapidary
