// SPDX-License-Identifier: Apache-2.0
#include "export/python_text.h"

#include <fmt/format.h>

namespace lapidary {

std::string python_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += {'\\', c};
        else if (byte < 0x20 || byte == 0x7F) out += fmt::format("\\x{:02x}", byte);
        else out += c;
    }
    return out + '"';
}

std::string_view python_bool(bool value) { return value ? "True" : "False"; }

std::string python_list(const std::vector<std::string>& texts, std::size_t indent) {
    constexpr std::size_t line = 100;
    std::string flat, tall;
    const std::string margin(indent, ' ');
    for (const std::string& text : texts) {
        const std::string literal = python_literal(text);
        flat += (flat.empty() ? "" : ", ") + literal;
        tall += fmt::format("{}    {},\n", margin, literal);
    }
    return flat.size() <= line - indent ? "[" + flat + "]" : "[\n" + tall + margin + "]";
}

std::string_view numpy_type(DType dtype) {
    switch (dtype) {
    case DType::f64: return "np.float64";
    case DType::f16: return "np.float16";
    case DType::i8: return "np.int8";
    case DType::i16: return "np.int16";
    case DType::i32: return "np.int32";
    case DType::i64: return "np.int64";
    case DType::u8: return "np.uint8";
    case DType::u16: return "np.uint16";
    case DType::u32: return "np.uint32";
    case DType::u64: return "np.uint64";
    case DType::boolean: return "np.bool_";
    default: return "np.float32";
    }
}

std::string python_shape(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", size);
    return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace lapidary
