// SPDX-License-Identifier: Apache-2.0
//   before:  y = LabelEncoder(LabelEncoder(x))           keys and values text, int64 or float lists
//   after:   y = LabelEncoder(x) with the composed map
#include <bit>
#include <cmath>
#include <map>
#include <variant>

#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

using Labels =
    std::variant<std::vector<std::string>, std::vector<std::int64_t>, std::vector<float>>;
constexpr const char* suffixes[] = {"_strings", "_int64s", "_floats"};

std::optional<Labels> labels_of(const Node& node, const std::string& prefix) {
    if (node.has_attribute(prefix + "_strings")) return node.strings_attribute(prefix + "_strings");
    if (node.has_attribute(prefix + "_int64s")) return node.ints_attribute(prefix + "_int64s");
    if (node.has_attribute(prefix + "_floats")) return node.floats_attribute(prefix + "_floats");
    return std::nullopt;
}

template <typename T>
T default_of(const Node& node) {
    if constexpr (std::is_same_v<T, std::string>)
        return node.string_attribute("default_string", "_Unused");
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return node.int_attribute("default_int64", -1);
    else return node.float_attribute("default_float", -0.0f);
}

/// Ordered form of a key: every NaN alike, -0 as 0, as LabelEncoder compares.
template <typename T>
auto key_of(const T& v) {
    if constexpr (std::is_same_v<T, float>)
        return std::bit_cast<std::uint32_t>(std::isnan(v) ? std::numeric_limits<float>::quiet_NaN()
                                            : v == 0      ? 0.0f
                                                          : v);
    else return v;
}

template <typename T>
Attribute default_attribute(const T& value) {
    if constexpr (std::is_same_v<T, std::string>)
        return attr("default_string", AttributeValue(value));
    else if constexpr (std::is_same_v<T, std::int64_t>) return attr("default_int64", value);
    else return attr("default_float", value);
}

/// Values of the composed encoder and its default, as attributes.
template <typename M, typename V>
std::vector<Attribute> composed(const Node& first, const Node& second, const std::vector<M>& middle,
                                const std::vector<M>& keys, const std::vector<V>& values) {
    std::map<decltype(key_of(M())), std::size_t> index;
    for (std::size_t i = 0; i < keys.size(); ++i) index.emplace(key_of(keys[i]), i);
    const auto encode = [&](const M& label) {
        const auto it = index.find(key_of(label));
        return it == index.end() ? default_of<V>(second) : V(values[it->second]);
    };
    std::vector<V> out;
    for (const M& label : middle) out.push_back(encode(label));
    constexpr std::size_t kind = std::is_same_v<V, std::string>    ? 0
                                 : std::is_same_v<V, std::int64_t> ? 1
                                                                   : 2;
    return {attr(std::string("values") + suffixes[kind], AttributeValue(std::move(out))),
            default_attribute<V>(encode(default_of<M>(first)))};
}

}  // namespace

PassBody fuse_label_encoder() {
    const auto first = op("ai.onnx.ml::LabelEncoder", {any("x")})
                           .named("first")
                           .require(read_once(), "the first labels are also read elsewhere");
    return {
        .rules = {
            {.pattern = op("ai.onnx.ml::LabelEncoder", {first}).named("second"),
             .rewrite = [](const Match& m, PassContext& context) {
                 const Node& first = m.node("first");
                 const Node& second = m.node("second");
                 const auto keys = labels_of(first, "keys"), middle = labels_of(first, "values"),
                            inner = labels_of(second, "keys"), values = labels_of(second, "values");
                 if (!keys || !middle || !inner || !values)
                     return declined(
                         "the labels are not given as lists of text, integers or floats");
                 if (middle->index() != inner->index())
                     return declined(
                         "the first gives labels of another type than the second takes");
                 const std::size_t key_count =
                                       std::visit([](const auto&k) { return k.size(); }, *keys),
                                   middle_count =
                                       std::visit([](const auto&k) { return k.size(); }, *middle);
                 const std::size_t inner_count =
                                       std::visit([](const auto&k) { return k.size(); }, *inner),
                                   value_count =
                                       std::visit([](const auto&k) { return k.size(); }, *values);
                 if (key_count != middle_count || inner_count != value_count)
                     return declined("there are not as many keys as values");
                 std::vector<Attribute> attributes = std::visit(
                     [&](const auto& a, const auto& v) {
                         return composed(first, second, a,
                                         std::get<std::decay_t<decltype(a)>>(*inner), v);
                     },
                     *middle, *values);
                 attributes.insert(
                     attributes.begin(),
                     attr(std::string("keys") + suffixes[keys->index()],
                          std::visit([](const auto& k) { return AttributeValue(k); }, *keys)));
                 context.replace(m.root(), "ai.onnx.ml::LabelEncoder", {m.value("x")}, attributes,
                                 m.nodes());
                 return applied("two LabelEncoders became one");
             }}}};
}

}  // namespace lapidary::passes
