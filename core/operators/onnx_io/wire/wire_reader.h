// SPDX-License-Identifier: Apache-2.0
// Reads the protobuf wire format field by field without copying payloads. The loader walks the
// large messages (model, graph, node, tensor) with it, so that weights stay where they are mapped,
// sizes may pass 2 GB, and every complaint has the byte offset in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace google::protobuf {
class MessageLite;
}

namespace lapidary::onnx_io {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, group = 3, fixed32 = 5 };

struct WireField {
    std::uint32_t number = 0;
    WireType type = WireType::varint;
    std::uint64_t value = 0;             // varint, fixed32, fixed64
    std::span<const std::byte> payload;  // bytes: the contents
    std::span<const std::byte> whole;    // tag to end
    std::uint64_t offset = 0;            // of the tag in the file
    std::uint64_t payload_offset = 0;

    std::string_view text() const {
        return {reinterpret_cast<const char*>(payload.data()), payload.size()};
    }
};

/// The fields of one message in file order. Throws Error{invalid_model} naming the message, what
/// was claimed, what is left and the byte offset; groups nested deeper than 100 are refused.
class WireReader {
public:
    WireReader(std::span<const std::byte> bytes, std::uint64_t offset, const char* message)
        : bytes_(bytes), offset_(offset), message_(message) {}
    /// The message inside a length-delimited field; throws unless it is one.
    WireReader(const WireField& field, const char* message);

    bool next(WireField& field);
    const char* message() const { return message_; }

private:
    std::uint64_t varint(std::uint32_t field);  // field number for messages; 0: a tag
    void skip_group(std::uint32_t number);
    std::span<const std::byte> take(std::uint64_t count, std::uint32_t field);
    std::uint64_t position() const { return offset_ + at_; }

    std::span<const std::byte> bytes_;
    std::uint64_t offset_ = 0;
    std::size_t at_ = 0;
    const char* message_;
};

/// Throws unless the field is length-delimited.
void require_bytes(const WireField& field, const char* message, const char* name);

/// The varint at `at` of a packed list, moving `at` past it; `offset` is where the list starts in
/// the file.
std::uint64_t read_varint(std::span<const std::byte> bytes, std::size_t& at, std::uint64_t offset,
                          const char* message);
/// Varints of a packed (bytes) or single (varint) field, appended to `out`; at most `limit` in all.
void append_varints(const WireField& field, const char* message, std::size_t limit,
                    std::vector<std::int64_t>& out);
/// Little-endian floats of a packed (bytes) or single (fixed32) field, appended to `out`.
void append_floats(const WireField& field, const char* message, std::size_t limit,
                   std::vector<float>& out);

/// Parses what a walk left over (its fields copied to `bytes`) or a whole small message.
void parse_message(google::protobuf::MessageLite& message, std::string_view bytes,
                   std::uint64_t offset, const char* name);

}  // namespace lapidary::onnx_io
