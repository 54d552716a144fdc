// SPDX-License-Identifier: Apache-2.0
// Static types of graph values: tensor, sparse tensor, sequence, optional, map; shapes with known,
// symbolic and unknown dimensions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/tensor/dtype.h>

namespace lapidary {

/// One dimension: a number, a symbolic expression over named dimensions ("batch", "2*seq + 1";
/// always in the canonical spelling of ops/dimensions/dim_algebra.h, so equal text means equal
/// size), or unknown.
class Dim {
public:
    Dim() = default;                            // unknown
    Dim(std::int64_t value) : value_(value) {}  // a number; negative: unknown
    /// `expression` in canonical spelling.
    static Dim symbolic(std::string expression) {
        Dim d;
        d.symbol_ = std::move(expression);
        return d;
    }

    bool is_known() const { return value_ >= 0; }                        // a number
    bool is_symbolic() const { return value_ < 0 && !symbol_.empty(); }  // an expression
    bool is_unknown() const { return value_ < 0 && symbol_.empty(); }    // neither
    std::int64_t value() const { return value_; }                        // -1 unless known
    const std::string& symbol() const { return symbol_; }                // empty unless symbolic
    /// note: two unknown dims compare equal as records
    friend bool operator==(const Dim&, const Dim&) = default;

private:
    std::int64_t value_ = -1;
    std::string symbol_;
};

/// Dimensions, outermost first.
using SymbolicShape = std::vector<Dim>;

/// The type of a value. Which members have a meaning depends on the kind.
struct Type {
    /// The cases of TypeProto; unknown: the type is not known.
    enum class Kind : std::uint8_t { unknown, tensor, sparse_tensor, sequence, optional, map };

    Kind kind = Kind::unknown;  // says which of the members below have a meaning
    /// tensor: element type; map: value element type when simple
    DType dtype = DType::undefined;
    std::optional<SymbolicShape> shape;  // tensor; nothing: rank unknown
    /// sequence, optional: element type; map: value type
    std::shared_ptr<const Type> element;
    DType key = DType::undefined;  // map
    std::string denotation;        // of the file: "IMAGE"; ignored by comparisons

    /// of unknown rank
    static Type tensor(DType dtype) {
        Type t;
        t.kind = Kind::tensor;
        t.dtype = dtype;
        return t;
    }
    /// Of known rank.
    static Type tensor(DType dtype, SymbolicShape shape) {
        Type t = tensor(dtype);
        t.shape = std::move(shape);
        return t;
    }
    /// Of that element type.
    static Type sequence(Type element) {
        Type t;
        t.kind = Kind::sequence;
        t.element = std::make_shared<const Type>(std::move(element));
        return t;
    }
    /// Of that element type.
    static Type optional(Type element) {
        Type t;
        t.kind = Kind::optional;
        t.element = std::make_shared<const Type>(std::move(element));
        return t;
    }

    bool is_tensor() const { return kind == Kind::tensor; }  // a dense one
    bool has_shape() const { return shape.has_value(); }     // the rank is known
    /// True when every dimension is a number.
    bool is_static() const;
    /// The dimensions as numbers; only when is_static().
    std::vector<std::int64_t> static_shape() const;
};

bool operator==(const Type& a, const Type& b);  // denotation ignored

std::string to_string(const Dim& dim);              // "3", "batch", "?"
std::string to_string(const SymbolicShape& shape);  // "[batch,3,?]"
// "f32[batch,3]", "seq(f32[?])", "optional(i64)", "?"
std::string to_string(const Type& type);

}  // namespace lapidary
