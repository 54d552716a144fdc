// SPDX-License-Identifier: Apache-2.0
// What an expression of a rule gives at one place of a graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary::user {

struct Datum;
using DatumList = std::vector<Datum>;

/// Nothing (an omitted input, an absent attribute), a value of an expression, a tensor of the
/// graph, or a tensor that the rule made. A Dim is a size that is no number.
struct Datum {
    std::variant<std::monostate, bool, std::int64_t, double, Dim, std::string, DType, ValueId,
                 Tensor, DatumList>
        value;

    bool is_nothing() const { return std::holds_alternative<std::monostate>(value); }
    template <typename T>
    const T* as() const {
        return std::get_if<T>(&value);
    }
};

/// As messages show it: "[0, N, 1]", "float16", "\"same\"".
std::string text_of(const Datum& datum);

/// Throws not_supported where whether two sizes are equal is not known.
bool equal(const Datum& a, const Datum& b);
/// a sign b for + - * / // %, element by element of lists; a single number stands for each element.
/// Throws not_supported with the reason.
Datum computed(std::string_view sign, const Datum& a, const Datum& b);
/// a < b. Throws not_supported with the reason.
bool less(const Datum& a, const Datum& b);

/// A number; `what` names it in the reason of not_supported.
std::int64_t whole_of(const Datum& datum, std::string_view what);
double decimal_of(const Datum& datum, std::string_view what);
const DatumList& list_of(const Datum& datum, std::string_view what);
/// A type, or the number that ONNX has for it.
DType type_of(const Datum& datum, std::string_view what);

Datum from_dim(const Dim& dim);
Dim dim_of_datum(const Datum& datum, std::string_view what);
Datum from_attribute(const AttributeValue& value);
/// From the default in a schema: kind and text.
Datum from_default(const std::string& kind, const std::string& text);
/// For an attribute of that kind in the schema; with an empty text the kind follows from the datum.
/// Throws not_supported where it has another kind.
AttributeValue to_attribute(const Datum& datum, const std::string& name,
                            const std::string& schema_kind);
/// A constant: a number, or a list of them. `like`: the type of a single number.
Tensor to_tensor(const Datum& datum, DType like);

}  // namespace lapidary::user
