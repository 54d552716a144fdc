// SPDX-License-Identifier: Apache-2.0
// Builds a protobuf message as a list of pieces: small ones are owned, tensor payloads are only
// referred to, so that a model of any size is written without a second copy of its weights.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace google::protobuf {
class MessageLite;
}

namespace lapidary::onnx_io {

class WireWriter {
public:
    /// The fields of `message`, appended as they are.
    void add_fields(const google::protobuf::MessageLite& message);
    /// Fields that are already encoded.
    void add_encoded(std::string_view bytes);
    /// A length-delimited field. Large payloads are referred to: they must outlive the writer.
    void add_bytes(std::uint32_t field, std::span<const std::byte> payload);
    void add_message(std::uint32_t field, WireWriter inner);
    void add_message(std::uint32_t field, const google::protobuf::MessageLite& message);

    std::uint64_t size() const { return size_; }
    /// The pieces in order.
    void for_each_piece(const std::function<void(std::span<const std::byte>)>& visit) const;

private:
    struct Piece {
        std::string owned;
        std::span<const std::byte> borrowed;
    };
    std::string& tail();
    void add_header(std::uint32_t field, std::uint64_t length);
    std::vector<Piece> pieces_;
    std::uint64_t size_ = 0;
};

}  // namespace lapidary::onnx_io
