// SPDX-License-Identifier: Apache-2.0
// What an edge carries at run time: a tensor, a sequence, a map, or an optional that may be empty.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lapidary/tensor/tensor.h>
#include <lapidary/graph/type.h>

namespace lapidary {

class RuntimeValue;

/// An ordered list of values of one type. `element_type` matters for empty sequences.
struct Sequence {
    Type element_type;                // of every item
    std::vector<RuntimeValue> items;  // in order
};

/// ai.onnx.ml map with int64 or string keys (in insertion order), e.g. a ZipMap row.
struct Map {
    std::vector<std::int64_t> int_keys;    // used when not empty
    std::vector<std::string> string_keys;  // used when int_keys is empty
    Tensor values;                         // 1-D, one per key
};

/// An empty RuntimeValue is an absent input or an optional without element.
class RuntimeValue {
public:
    RuntimeValue() = default;
    RuntimeValue(Tensor tensor) : value_(std::move(tensor)) {}  // shares its storage
    /// Copies share it.
    RuntimeValue(Sequence sequence)
        : value_(std::make_shared<const Sequence>(std::move(sequence))) {}
    /// copies share it
    RuntimeValue(Map map) : value_(std::make_shared<const Map>(std::move(map))) {}

    bool is_empty() const { return std::holds_alternative<std::monostate>(value_); }  // absent
    /// then tensor() works
    bool is_tensor() const { return std::holds_alternative<Tensor>(value_); }
    /// Then sequence() works.
    bool is_sequence() const {
        return std::holds_alternative<std::shared_ptr<const Sequence>>(value_);
    }
    /// then map() works
    bool is_map() const { return std::holds_alternative<std::shared_ptr<const Map>>(value_); }

    /// Each throws invalid_input, naming expected and found kind, when the value is of another
    /// kind.
    const Tensor& tensor() const;
    Tensor& tensor();
    const Sequence& sequence() const;
    const Map& map() const;
    /// "tensor f32[2,3]", "sequence of 3 x tensor(f32)", "empty".
    std::string describe() const;

private:
    std::variant<std::monostate, Tensor, std::shared_ptr<const Sequence>,
                 std::shared_ptr<const Map>>
        value_;
};

/// Inputs or outputs by name, in order.
using NamedValues = std::vector<std::pair<std::string, RuntimeValue>>;
/// The value of that name, or null.
const RuntimeValue* find(const NamedValues& values, std::string_view name);

}  // namespace lapidary
