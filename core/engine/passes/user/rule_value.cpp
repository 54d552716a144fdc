// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_value.h"

#include <algorithm>
#include <cmath>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "ops/dimensions/dim_algebra.h"
#include "rewrite/constant_math.h"

namespace lapidary::user {
namespace {

[[noreturn]] void unfit(const std::string& reason) { fail(ErrorCode::not_supported, reason); }

bool is_number(const Datum& d) { return d.as<std::int64_t>() || d.as<double>() || d.as<bool>(); }
bool is_size(const Datum& d) { return d.as<std::int64_t>() || d.as<Dim>(); }

}  // namespace

std::string text_of(const Datum& datum) {
    struct Visitor {
        std::string operator()(std::monostate) const { return "nothing"; }
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(std::int64_t n) const { return std::to_string(n); }
        std::string operator()(double v) const { return fmt::format("{:g}", v); }
        std::string operator()(const Dim& d) const { return to_string(d); }
        std::string operator()(const std::string& s) const { return quote(s); }
        std::string operator()(DType t) const { return std::string(onnx_name_of(t)); }
        std::string operator()(ValueId) const { return "a tensor"; }
        std::string operator()(const Tensor& t) const {
            return "a constant " + to_string(t.shape());
        }
        std::string operator()(const DatumList& list) const {
            std::string text;
            for (std::size_t i = 0; i < list.size() && i < 16; ++i)
                text += (i ? ", " : "") + text_of(list[i]);
            return "[" + text + (list.size() > 16 ? ", ..." : "") + "]";
        }
    };
    return std::visit(Visitor{}, datum.value);
}

std::int64_t whole_of(const Datum& datum, std::string_view what) {
    if (const auto* n = datum.as<std::int64_t>()) return *n;
    if (datum.as<Dim>()) unfit(std::string(what) + " is " + text_of(datum) + ", no known number");
    if (const auto* b = datum.as<bool>()) return *b;
    unfit(std::string(what) + " is " + text_of(datum) + ", expected a whole number");
}
double decimal_of(const Datum& datum, std::string_view what) {
    if (const auto* v = datum.as<double>()) return *v;
    return static_cast<double>(whole_of(datum, what));
}
const DatumList& list_of(const Datum& datum, std::string_view what) {
    if (const auto* list = datum.as<DatumList>()) return *list;
    unfit(std::string(what) + " is " + text_of(datum) + ", expected a list");
}
DType type_of(const Datum& datum, std::string_view what) {
    if (const auto* t = datum.as<DType>()) return *t;
    if (const auto* n = datum.as<std::int64_t>(); n && is_known_dtype(*n))
        return static_cast<DType>(*n);
    unfit(std::string(what) + " is " + text_of(datum) + ", expected a type");
}

Datum from_dim(const Dim& dim) {
    if (const auto n = constant_of(dim)) return {*n};
    return {dim};
}
Dim dim_of_datum(const Datum& datum, std::string_view what) {
    if (const auto* d = datum.as<Dim>()) return *d;
    return dim_of(whole_of(datum, what));
}

bool equal(const Datum& a, const Datum& b) {
    if (a.is_nothing() || b.is_nothing()) return a.is_nothing() && b.is_nothing();
    if (a.as<DType>() || b.as<DType>()) return type_of(a, "one side") == type_of(b, "one side");
    if (is_size(a) && is_size(b)) {
        const Dim x = dim_of_datum(a, "a size"), y = dim_of_datum(b, "a size");
        const DimRelation relation = relate(x, y);
        if (relation == DimRelation::undecided)
            unfit("whether " + to_string(x) + " is " + to_string(y) + " is not known");
        return relation == DimRelation::equal;
    }
    if (is_number(a) && is_number(b)) {
        const double x = decimal_of(a, "a number"), y = decimal_of(b, "a number");
        return x == y || std::abs(x - y) <= 1e-6 * std::max(std::abs(x), std::abs(y));
    }
    if (a.as<DatumList>() && b.as<DatumList>()) {
        const DatumList &x = *a.as<DatumList>(), &y = *b.as<DatumList>();
        return x.size() == y.size() && std::ranges::equal(x, y, equal);
    }
    if (a.as<std::string>() && b.as<std::string>())
        return *a.as<std::string>() == *b.as<std::string>();
    if (a.as<ValueId>() && b.as<ValueId>()) return *a.as<ValueId>() == *b.as<ValueId>();
    unfit("expected two values of one kind to compare, found " + text_of(a) + " and " + text_of(b));
}

bool less(const Datum& a, const Datum& b) {
    if (is_size(a) && is_size(b)) {
        const Dim d = subtract(dim_of_datum(b, "a size"), dim_of_datum(a, "a size"));
        if (const auto n = constant_of(d)) return *n > 0;
    }
    return decimal_of(a, "one side") < decimal_of(b, "one side");
}

namespace {

Datum computed_sizes(std::string_view sign, const Dim& p, const Dim& q) {
    const Dim r = sign == "+"    ? add(p, q)
                  : sign == "-"  ? subtract(p, q)
                  : sign == "*"  ? multiply(p, q)
                  : sign == "//" ? floor_divide(p, q)
                                 : modulo(p, q);
    if (r.is_unknown()) unfit("a size is not known");
    return from_dim(r);
}

Datum computed_decimals(std::string_view sign, double p, double q) {
    if (sign == "+") return {p + q};
    if (sign == "-") return {p - q};
    if (sign == "*") return {p * q};
    if (q == 0) unfit("a division by 0");
    if (sign == "//") return {std::floor(p / q)};
    if (sign == "%") return {p - q * std::floor(p / q)};
    return {p / q};
}

}  // namespace

Datum computed(std::string_view sign, const Datum& a, const Datum& b) {
    const auto *x = a.as<DatumList>(), *y = b.as<DatumList>();
    if (x || y) {
        if (x && y && x->size() != y->size())
            unfit("lists of " + std::to_string(x->size()) + " and " + std::to_string(y->size()) +
                  " elements do not fit each other");
        DatumList out;
        for (std::size_t i = 0; i < (x ? x : y)->size(); ++i)
            out.push_back(computed(sign, x ? (*x)[i] : a, y ? (*y)[i] : b));
        return {std::move(out)};
    }
    if (is_size(a) && is_size(b) && sign != "/")
        return computed_sizes(sign, dim_of_datum(a, "a size"), dim_of_datum(b, "a size"));
    const std::string what = "one side of " + std::string(sign);
    return computed_decimals(sign, decimal_of(a, what), decimal_of(b, what));
}

Datum from_attribute(const AttributeValue& value) {
    const auto listed = [](const auto& values) {
        DatumList list;
        for (const auto& v : values) {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, float>)
                list.push_back({static_cast<double>(v)});
            else list.push_back({v});
        }
        return Datum{std::move(list)};
    };
    if (const auto* n = std::get_if<std::int64_t>(&value)) return {*n};
    if (const auto* v = std::get_if<float>(&value)) return {static_cast<double>(*v)};
    if (const auto* s = std::get_if<std::string>(&value)) return {*s};
    if (const auto* t = std::get_if<Tensor>(&value)) return {*t};
    if (const auto* n = std::get_if<std::vector<std::int64_t>>(&value)) return listed(*n);
    if (const auto* v = std::get_if<std::vector<float>>(&value)) return listed(*v);
    if (const auto* s = std::get_if<std::vector<std::string>>(&value)) return listed(*s);
    unfit("an attribute of kind " + std::string(kind_of(value)) + " cannot be read by rules");
}

Datum from_default(const std::string& kind, const std::string& text) {
    if (text.empty()) return {};
    const char *begin = text.data(), *end = begin + text.size();
    if (kind == "i") {
        std::int64_t n = 0;
        if (std::from_chars(begin, end, n).ec == std::errc()) return {n};
    } else if (kind == "f") {
        double v = 0;
        if (std::from_chars(begin, end, v).ec == std::errc())
            return {static_cast<double>(static_cast<float>(v))};
    } else if (kind == "s") {
        return {text};
    }
    return {};
}

namespace {

/// The kind of the schema that fits the datum best.
std::string kind_for(const Datum& datum) {
    if (datum.as<double>()) return "f";
    if (datum.as<std::string>()) return "s";
    if (datum.as<Tensor>()) return "t";
    const auto* list = datum.as<DatumList>();
    if (!list) return "i";
    if (list->empty()) return "is";
    return kind_for(list->front()) + "s";
}

AttributeValue list_attribute(const DatumList& list, const std::string& what,
                              const std::string& kind) {
    if (kind == "ss") {
        std::vector<std::string> out;
        for (const Datum& d : list) {
            if (!d.as<std::string>()) unfit(what + " must be a list of texts");
            out.push_back(*d.as<std::string>());
        }
        return out;
    }
    if (kind == "fs") {
        std::vector<float> out;
        for (const Datum& d : list) out.push_back(static_cast<float>(decimal_of(d, what)));
        return out;
    }
    if (kind != "is") unfit(what + " cannot be a list");
    std::vector<std::int64_t> out;
    for (const Datum& d : list) out.push_back(whole_of(d, "an element of " + what));
    return out;
}

}  // namespace

AttributeValue to_attribute(const Datum& datum, const std::string& name,
                            const std::string& schema_kind) {
    const std::string what = "the attribute " + quote(name);
    const std::string kind = schema_kind.empty() ? kind_for(datum) : schema_kind;
    if (const auto* list = datum.as<DatumList>()) return list_attribute(*list, what, kind);
    if (kind == "f") return static_cast<float>(decimal_of(datum, what));
    if (kind == "s" && datum.as<std::string>()) return *datum.as<std::string>();
    if (kind == "t" && datum.as<Tensor>()) return *datum.as<Tensor>();
    if (kind != "i") unfit(what + " is " + text_of(datum) + ", which it cannot be");
    if (const auto* t = datum.as<DType>()) return static_cast<std::int64_t>(*t);
    return whole_of(datum, what);
}

Tensor to_tensor(const Datum& datum, DType like) {
    if (const auto* t = datum.as<Tensor>()) return *t;
    const auto* list = datum.as<DatumList>();
    if (!list) {
        const double value = decimal_of(datum, "a constant");
        if (like == DType::undefined || like == DType::string)
            unfit("the type of the constant " + text_of(datum) + " is not known");
        return tensor_of_doubles(like, {}, {value});
    }
    const Shape shape{static_cast<std::int64_t>(list->size())};
    if (std::ranges::any_of(*list, [](const Datum& d) { return d.as<double>() != nullptr; })) {
        std::vector<float> out;
        for (const Datum& d : *list) out.push_back(static_cast<float>(decimal_of(d, "an element")));
        return Tensor::of<float>(shape, out);
    }
    std::vector<std::int64_t> out;
    for (const Datum& d : *list) out.push_back(whole_of(d, "an element of a constant"));
    return Tensor::of<std::int64_t>(shape, out);
}

}  // namespace lapidary::user
