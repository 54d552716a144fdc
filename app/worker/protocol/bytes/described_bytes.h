// SPDX-License-Identifier: Apache-2.0
// Bytes of structs that are described (lapidary/internal/members.h), in the order of their
// descriptions.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lapidary/graph/ids.h>
#include <lapidary/internal/members_json.h>

#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary {

template <typename Tag>
struct StoredAs<Id<Tag>> {
    using Form = std::uint32_t;
    static Form form_of(Id<Tag> id) { return id.index; }
    static Id<Tag> value_of(Form index) { return Id<Tag>(index); }
};

}  // namespace lapidary

namespace lapidary::app {

template <typename T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// A map, ordered or not.
template <typename T>
concept MapOfValues = requires(T map, typename T::key_type key, typename T::mapped_type value) {
    map.insert_or_assign(key, value);
};

/// Writes values one after another.
struct BytesWriter {
    ByteWriter& out;

    void operator()(bool value) const { out.number(std::uint8_t(value)); }
    template <typename T>
    requires is_plain<T>
    void operator()(T value) const { out.number(value); }
    template <DescribedEnum E>
    void operator()(E value) const {
        out.number(value);
    }
    void operator()(const std::string& text) const { out.text(text); }
    template <HasForm T>
    void operator()(const T& value) const {
        (*this)(StoredAs<T>::form_of(value));
    }
    template <typename T>
    void operator()(const std::optional<T>& value) const {
        (*this)(value.has_value());
        if (value) (*this)(*value);
    }
    template <typename A, typename B>
    void operator()(const std::pair<A, B>& value) const {
        (*this)(value.first);
        (*this)(value.second);
    }
    template <typename T>
    void operator()(const std::vector<T>& values) const {
        if constexpr (is_plain<T>) {
            out.plain(values);
        } else {
            out.number(std::uint64_t(values.size()));
            for (const T& value : values) (*this)(value);
        }
    }
    template <MapOfValues T>
    void operator()(const T& map) const {
        out.number(std::uint64_t(map.size()));
        for (const auto& [key, value] : map) {
            (*this)(key);
            (*this)(value);
        }
    }
    template <Described T>
    requires(!HasForm<T>) void operator()(const T& value) const {
        each_member<T>([&](const auto& described) {
            using D = std::remove_cvref_t<decltype(described)>;
            if constexpr (!is_unsent<D>) (*this)(value.*D::pointer);
        });
    }
};

/// Reads what BytesWriter wrote. Throws io_failure where the bytes are none of it.
struct BytesReader {
    ByteReader& in;

    void operator()(bool& value) const { value = in.number<std::uint8_t>() != 0; }
    template <typename T>
    requires is_plain<T>
    void operator()(T& value) const { value = in.number<T>(); }
    template <DescribedEnum E>
    void operator()(E& value) const {
        value = in.number<E>();
        bool is_known = false;
        each_name<E>([&](E known, std::string_view) { is_known = is_known || known == value; });
        if constexpr (requires { EnumNames<E>::in_bytes; })
            for (const E known : EnumNames<E>::in_bytes) is_known = is_known || known == value;
        if (!is_known) ByteReader::broken();
    }
    void operator()(std::string& text) const { text = in.text(); }
    template <HasForm T>
    void operator()(T& value) const {
        typename StoredAs<T>::Form form{};
        (*this)(form);
        try {
            value = StoredAs<T>::value_of(form);
        } catch (const Error&) { ByteReader::broken(); }
    }
    template <typename T>
    void operator()(std::optional<T>& value) const {
        value.reset();
        if (in.number<std::uint8_t>() != 0) (*this)(value.emplace());
    }
    template <typename A, typename B>
    void operator()(std::pair<A, B>& value) const {
        (*this)(value.first);
        (*this)(value.second);
    }
    template <typename T>
    void operator()(std::vector<T>& values) const {
        if constexpr (is_plain<T>) {
            const auto plain = in.plain<T>();
            values.assign(plain.begin(), plain.end());
        } else {
            values.clear();
            for (std::size_t n = in.count(); n > 0; --n) (*this)(values.emplace_back());
        }
    }
    template <MapOfValues T>
    void operator()(T& map) const {
        map.clear();
        for (std::size_t n = in.count(); n > 0; --n) {
            typename T::key_type key{};
            typename T::mapped_type value{};
            (*this)(key);
            (*this)(value);
            map.insert_or_assign(std::move(key), std::move(value));
        }
    }
    template <Described T>
    requires(!HasForm<T>) void operator()(T& value) const {
        each_member<T>([&](const auto& described) {
            using D = std::remove_cvref_t<decltype(described)>;
            if constexpr (!is_unsent<D>) (*this)(value.*D::pointer);
        });
    }
};

template <typename T>
void write_described(ByteWriter& out, const T& value) {
    BytesWriter{out}(value);
}
template <typename T>
T read_described(ByteReader& in) {
    T value{};
    BytesReader{in}(value);
    return value;
}

}  // namespace lapidary::app
