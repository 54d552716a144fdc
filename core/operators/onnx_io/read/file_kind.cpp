// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/file_kind.h"

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

/// Bytes at some place of a file, and what a file with them is.
struct Signature {
    std::size_t at;
    std::string_view bytes;
    const char* kind;
};

/// At the start of a text, after white space, in lower case.
constexpr Signature text_signatures[] = {
    {0, "version https://git-lfs",
     "a git-lfs pointer: the model itself was not downloaded (run \"git lfs pull\")"},
    {0, "<!doctype html", "an HTML page, perhaps a saved download page or error message"},
    {0, "<html", "an HTML page, perhaps a saved download page or error message"},
    {0, "<head", "an HTML page, perhaps a saved download page or error message"},
    {0, "<?xml", "an XML file"},
    {0, "{\"", "a JSON file"},
    {0, "{\n", "a JSON file"},
    {0, "{ ", "a JSON file"},
};

constexpr Signature signatures[] = {
    {0, "#!", "a script"},
    {0, "\x89PNG\r\n", "a PNG image"},
    {0, "\xff\xd8\xff", "a JPEG image"},
    {0, "GIF8", "a GIF image"},
    {8, "WEBP", "a WebP image"},
    {0, "%PDF-", "a PDF document"},
    {0, "\x80\x02", "a Python pickle (PyTorch's .pt and .pth may be)"},
    {0, "\x80\x04", "a Python pickle (PyTorch's .pt and .pth may be)"},
    {0, "\x80\x05", "a Python pickle (PyTorch's .pt and .pth may be)"},
    {3, {"\0\0\0\0\0{", 6}, "a safetensors file"},
    {0, "PK\x03\x04", "a ZIP archive (PyTorch .pt files are ZIP archives too)"},
    {0, "\x1f\x8b", "a gzip archive: unpack it first"},
    {0, "\x89HDF", "an HDF5 file (Keras .h5)"},
    {0, "GGUF", "a GGUF file"},
    {0, "\x93NUMPY", "a NumPy array"},
    {0,
     "\x7f"
     "ELF",
     "a program or shared library"},
    {4, "TFL3", "a TensorFlow Lite model"},
};

bool has(std::string_view head, const Signature& s) {
    return head.size() >= s.at + s.bytes.size() && head.substr(s.at, s.bytes.size()) == s.bytes;
}

}  // namespace

std::string other_file_kind(std::span<const std::byte> bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                                std::min<std::size_t>(bytes.size(), 512));
    const std::size_t start = std::min(head.find_first_not_of(" \t\r\n\xef\xbb\xbf"), head.size());
    const std::string text = lower_case(head.substr(start));
    for (const Signature& s : text_signatures)
        if (has(text, s)) return s.kind;
    for (const Signature& s : signatures)
        if (has(head, s) && (s.bytes != "WEBP" || head.starts_with("RIFF"))) return s.kind;
    return {};
}

bool is_plain_text(std::span<const std::byte> bytes) {
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                                std::min<std::size_t>(bytes.size(), 4096));
    return !head.empty() && std::ranges::all_of(head, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= ' ' && byte != 0x7f) || byte == '\n' || byte == '\r' || byte == '\t';
    });
}

}  // namespace lapidary::onnx_io
