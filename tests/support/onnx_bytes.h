// SPDX-License-Identifier: Apache-2.0
// Encodes ONNX messages field by field, also invalid ones, independently of the program's own
// writer.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary::test::onnx_bytes {

inline std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    return out + static_cast<char>(value);
}
inline std::string number(std::uint32_t field, std::int64_t value) {
    return varint(std::uint64_t{field} << 3) + varint(static_cast<std::uint64_t>(value));
}
inline std::string bytes(std::uint32_t field, std::string_view payload) {
    return varint(std::uint64_t{field} << 3 | 2) + varint(payload.size()) + std::string(payload);
}
template <typename T>
std::string raw(const std::vector<T>& values) {
    return values.empty() ? std::string()
                          : std::string(reinterpret_cast<const char*>(values.data()),
                                        values.size() * sizeof(T));
}

/// TensorProto without data.
inline std::string tensor_head(std::string_view name, std::initializer_list<std::int64_t> dims,
                               int dtype) {
    std::string out;
    for (const std::int64_t d : dims) out += number(1, d);
    return out + number(2, dtype) + (name.empty() ? std::string() : bytes(8, name));
}
inline std::string tensor(std::string_view name, std::initializer_list<std::int64_t> dims,
                          int dtype, std::string_view raw_data) {
    return tensor_head(name, dims, dtype) + bytes(9, raw_data);
}
/// ValueInfoProto of a tensor; a dimension below 0 is unknown.
inline std::string value_info(std::string_view name, int dtype,
                              std::initializer_list<std::int64_t> dims) {
    std::string shape;
    for (const std::int64_t d : dims) shape += bytes(1, d < 0 ? std::string() : number(1, d));
    return bytes(1, name) + bytes(2, bytes(1, number(1, dtype) + bytes(2, shape)));
}
inline std::string node(std::string_view op, std::initializer_list<std::string_view> inputs,
                        std::initializer_list<std::string_view> outputs, std::string_view name = {},
                        const std::string& attributes = {}) {
    std::string out;
    for (const auto i : inputs) out += bytes(1, i);
    for (const auto o : outputs) out += bytes(2, o);
    if (!name.empty()) out += bytes(3, name);
    return out + bytes(4, op) + attributes;
}
inline std::string attribute_head(std::string_view name, int type) {
    return bytes(1, name) + number(20, type);
}

/// GraphProto from its repeated parts.
struct GraphParts {
    std::vector<std::string> nodes, initializers, inputs, outputs, value_infos;
    std::string extra;
    std::string encode() const {
        std::string out = bytes(2, "g");
        for (const auto& n : nodes) out += bytes(1, n);
        for (const auto& i : initializers) out += bytes(5, i);
        for (const auto& i : inputs) out += bytes(11, i);
        for (const auto& o : outputs) out += bytes(12, o);
        for (const auto& v : value_infos) out += bytes(13, v);
        return out + extra;
    }
};
inline std::string model(const GraphParts& graph, std::int64_t opset = 17,
                         const std::string& extra = {}) {
    return number(1, 8) + bytes(7, graph.encode()) + bytes(8, number(2, opset)) + extra;
}
/// A model with an Identity of one initializer, to test a tensor.
inline std::string model_of(const std::string& tensor_proto, int dtype, std::int64_t opset = 23) {
    GraphParts graph;
    graph.nodes = {node("Identity", {"w"}, {"y"}, "id")};
    graph.initializers = {tensor_proto};
    graph.outputs = {bytes(1, "y") + bytes(2, bytes(1, number(1, dtype)))};
    return model(graph, opset);
}

}  // namespace lapidary::test::onnx_bytes
