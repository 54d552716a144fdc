// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/file_kind.h"

#include <algorithm>
#include <string_view>

namespace lapidary::onnx_io {
namespace {

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace

std::string other_file_kind(std::span<const std::byte> bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 512));
    const std::size_t start = std::min(head.find_first_not_of(" \t\r\n\xef\xbb\xbf"), head.size());
    const std::string text = lower_case(head.substr(start));
    if (text.starts_with("version https://git-lfs"))
        return "a git-lfs pointer: the model itself was not downloaded (run \"git lfs pull\")";
    if (text.starts_with("<!doctype html") || text.starts_with("<html") || text.starts_with("<head"))
        return "an HTML page, perhaps a saved download page or error message";
    if (text.starts_with("<?xml")) return "an XML file";
    if (text.starts_with("{\"") || text.starts_with("{\n") || text.starts_with("{ ")) return "a JSON file";
    if (head.starts_with("#!")) return "a script";
    if (head.starts_with("\x89PNG\r\n")) return "a PNG image";
    if (head.starts_with("\xff\xd8\xff")) return "a JPEG image";
    if (head.starts_with("GIF8")) return "a GIF image";
    if (head.starts_with("RIFF") && head.size() >= 12 && head.substr(8, 4) == "WEBP") return "a WebP image";
    if (head.starts_with("%PDF-")) return "a PDF document";
    if (head.starts_with("\x80\x02") || head.starts_with("\x80\x04") || head.starts_with("\x80\x05"))
        return "a Python pickle (PyTorch's .pt and .pth may be)";
    if (head.size() > 9 && head.substr(3, 6) == std::string_view("\0\0\0\0\0{", 6)) return "a safetensors file";
    if (head.starts_with("PK\x03\x04")) return "a ZIP archive (PyTorch .pt files are ZIP archives too)";
    if (head.starts_with("\x1f\x8b")) return "a gzip archive: unpack it first";
    if (head.starts_with("\x89HDF")) return "an HDF5 file (Keras .h5)";
    if (head.starts_with("GGUF")) return "a GGUF file";
    if (head.starts_with("\x93NUMPY")) return "a NumPy array";
    if (head.starts_with("\x7f" "ELF")) return "a program or shared library";
    if (head.size() >= 8 && head.substr(4, 4) == "TFL3") return "a TensorFlow Lite model";
    if (head.size() >= 8 && head.substr(4, 4) == "ORTM") return "a model in ONNX Runtime's own format (.ort), not ONNX";
    return {};
}

bool is_plain_text(std::span<const std::byte> bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 4096));
    return !head.empty() && std::ranges::all_of(head, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= ' ' && byte != 0x7f) || byte == '\n' || byte == '\r' || byte == '\t';
    });
}

}  // namespace lapidary::onnx_io
