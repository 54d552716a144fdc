// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/wire/wire_writer.h"

#include <google/protobuf/message_lite.h>

#include <lapidary/base/error.h>

namespace lapidary::onnx_io {
namespace {

constexpr std::size_t borrow_from_bytes = 4096;

void append_varint(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    out += static_cast<char>(value);
}

}  // namespace

std::string& WireWriter::tail() {
    if (pieces_.empty() || !pieces_.back().borrowed.empty()) pieces_.emplace_back();
    return pieces_.back().owned;
}

void WireWriter::add_encoded(std::string_view bytes) {
    tail().append(bytes);
    size_ += bytes.size();
}

void WireWriter::add_fields(const google::protobuf::MessageLite& message) {
    std::string& out = tail();
    const std::size_t before = out.size();
    if (!message.AppendPartialToString(&out))
        fail_limit("a part of the model besides tensor data passes 2 GB");
    size_ += out.size() - before;
}

void WireWriter::add_header(std::uint32_t field, std::uint64_t length) {
    std::string& out = tail();
    const std::size_t before = out.size();
    append_varint(out, std::uint64_t{field} << 3 | 2);
    append_varint(out, length);
    size_ += out.size() - before;
}

void WireWriter::add_bytes(std::uint32_t field, std::span<const std::byte> payload) {
    add_header(field, payload.size());
    if (payload.size() < borrow_from_bytes)
        return add_encoded({reinterpret_cast<const char*>(payload.data()), payload.size()});
    pieces_.push_back({{}, payload});
    size_ += payload.size();
}

void WireWriter::add_message(std::uint32_t field, WireWriter inner) {
    add_header(field, inner.size_);
    size_ += inner.size_;
    for (Piece& piece : inner.pieces_) {
        if (piece.borrowed.empty()) tail().append(piece.owned);
        else pieces_.push_back(std::move(piece));
    }
}

void WireWriter::add_message(std::uint32_t field, const google::protobuf::MessageLite& message) {
    WireWriter inner;
    inner.add_fields(message);
    add_message(field, std::move(inner));
}

void WireWriter::for_each_piece(
    const std::function<void(std::span<const std::byte>)>& visit) const {
    for (const Piece& piece : pieces_)
        visit(piece.borrowed.empty()
                  ? std::as_bytes(std::span(piece.owned.data(), piece.owned.size()))
                  : piece.borrowed);
}

}  // namespace lapidary::onnx_io
