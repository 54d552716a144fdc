// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/wire/wire_reader.h"

#include <cstring>
#include <limits>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/message_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <lapidary/base/error.h>

namespace lapidary::onnx_io {
namespace {

constexpr int group_nesting = 100;  // as protobuf's own parser
constexpr int message_nesting = 100;

// Parse failures are thrown as exceptions; the library's own lines on stderr would repeat them.
[[maybe_unused]] const auto silenced = google::protobuf::SetLogHandler(nullptr);

/// "field 7 (graph)"; names for the fields that truncation usually hits.
std::string field_text(std::string_view message, std::uint32_t number) {
    struct Known {
        std::string_view message;
        std::uint32_t number;
        const char* text;
    };
    static constexpr Known known[] = {
        {"ModelProto", 7, " (graph)"},       {"ModelProto", 8, " (opset_import)"},
        {"ModelProto", 25, " (functions)"},  {"GraphProto", 1, " (node)"},
        {"GraphProto", 5, " (initializer)"}, {"GraphProto", 11, " (input)"},
        {"GraphProto", 12, " (output)"},     {"GraphProto", 13, " (value_info)"},
        {"NodeProto", 5, " (attribute)"},    {"AttributeProto", 5, " (t)"},
        {"AttributeProto", 6, " (g)"},       {"TensorProto", 9, " (raw_data)"},
        {"TensorProto", 4, " (float_data)"}, {"FunctionProto", 7, " (node)"}};
    for (const Known& k : known)
        if (k.message == message && k.number == number)
            return "field " + std::to_string(number) + k.text;
    return number == 0 ? "a field tag" : "field " + std::to_string(number);
}

std::string at_byte(std::uint64_t offset) { return " at byte " + std::to_string(offset); }

}  // namespace

WireReader::WireReader(const WireField& field, const char* message) : message_(message) {
    require_bytes(field, message, "message");
    bytes_ = field.payload;
    offset_ = field.payload_offset;
}

std::uint64_t WireReader::varint(std::uint32_t field) {
    std::uint64_t result = 0;
    const std::uint64_t start = position();
    for (int shift = 0; shift < 70; shift += 7) {
        if (at_ == bytes_.size())
            fail_model(std::string(message_) + " is truncated: it ends within " +
                       field_text(message_, field) + at_byte(start));
        const auto byte = std::to_integer<std::uint64_t>(bytes_[at_++]);
        if (shift < 64) result |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return result;
    }
    fail_model(std::string(message_) + ": " + field_text(message_, field) + at_byte(start) +
               " is a varint longer than 10 bytes");
}

std::span<const std::byte> WireReader::take(std::uint64_t count, std::uint32_t field) {
    const std::size_t left = bytes_.size() - at_;
    if (count > left)
        fail_model(std::string(message_) + " is truncated: " + field_text(message_, field) +
                   " claims " + std::to_string(count) + " bytes, " + std::to_string(left) +
                   " are left" + at_byte(position()));
    const auto part = bytes_.subspan(at_, static_cast<std::size_t>(count));
    at_ += static_cast<std::size_t>(count);
    return part;
}

bool WireReader::next(WireField& field) {
    if (at_ == bytes_.size()) return false;
    const std::size_t start = at_;
    field.offset = position();
    const std::uint64_t tag = varint(0);
    const std::uint64_t number = tag >> 3;
    if (number == 0 || number > 536'870'911)
        fail_model(std::string(message_) + " holds no valid field" + at_byte(field.offset) +
                   ": field number " + std::to_string(number) + " is not allowed");
    field.number = static_cast<std::uint32_t>(number);
    field.payload = {};
    field.value = 0;
    switch (tag & 7) {
    case 0:
        field.type = WireType::varint;
        field.value = varint(field.number);
        break;
    case 1: {
        field.type = WireType::fixed64;
        const auto part = take(8, field.number);
        std::memcpy(&field.value, part.data(), 8);
        break;
    }
    case 2: {
        field.type = WireType::bytes;
        const std::uint64_t length = varint(field.number);
        field.payload_offset = position();
        field.payload = take(length, field.number);
        break;
    }
    case 3:
        field.type = WireType::group;
        skip_group(field.number);
        break;
    case 5: {
        field.type = WireType::fixed32;
        const auto part = take(4, field.number);
        std::uint32_t value;
        std::memcpy(&value, part.data(), 4);
        field.value = value;
        break;
    }
    default:
        fail_model(std::string(message_) + " holds no valid field" + at_byte(field.offset) +
                   ": wire type " + std::to_string(tag & 7) + " of field " +
                   std::to_string(number) + " does not exist");
    }
    field.whole = bytes_.subspan(start, at_ - start);
    return true;
}

void WireReader::skip_group(std::uint32_t number) {
    std::vector<std::uint64_t> open{number};
    while (!open.empty()) {
        const std::uint64_t start = position();
        const std::uint64_t tag = varint(0);
        switch (tag & 7) {
        case 0: varint(number); break;
        case 1: take(8, number); break;
        case 2: take(varint(number), number); break;
        case 3:
            open.push_back(tag >> 3);
            if (open.size() > group_nesting)
                fail_model(std::string(message_) + ": groups nest deeper than the limit of " +
                           std::to_string(group_nesting) + at_byte(start));
            break;
        case 4:
            if (tag >> 3 != open.back())
                fail_model(std::string(message_) + ": group " + std::to_string(open.back()) +
                           " is closed as " + std::to_string(tag >> 3) + at_byte(start));
            open.pop_back();
            break;
        case 5: take(4, number); break;
        default:
            fail_model(std::string(message_) + ": wire type " + std::to_string(tag & 7) +
                       " does not exist" + at_byte(start));
        }
    }
}

void require_bytes(const WireField& field, const char* message, const char* name) {
    if (field.type == WireType::bytes) return;
    fail_model(std::string(message) + ": field " + std::to_string(field.number) + " (" + name +
               ")" + at_byte(field.offset) + " has wire type " +
               std::to_string(static_cast<int>(field.type)) + ", expected 2 (length-delimited)");
}

namespace {

void check_count(std::size_t count, std::size_t limit, const char* message, std::uint64_t offset) {
    if (count > limit)
        fail_limit(std::string(message) + at_byte(offset) +
                   ": a list has more elements than the limit of " + std::to_string(limit));
}

[[noreturn]] void fail_kind(const WireField& field, const char* message) {
    fail_model(std::string(message) + ": field " + std::to_string(field.number) +
               at_byte(field.offset) + " has wire type " +
               std::to_string(static_cast<int>(field.type)) + ", which its kind does not allow");
}

}  // namespace

std::uint64_t read_varint(std::span<const std::byte> bytes, std::size_t& at, std::uint64_t offset,
                          const char* message) {
    std::uint64_t result = 0;
    const std::size_t start = at;
    for (int shift = 0; shift < 70 && at < bytes.size(); shift += 7) {
        const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
        if (shift < 64) result |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return result;
    }
    fail_model(std::string(message) + ": a packed list holds a broken varint" +
               at_byte(offset + start));
}

void append_varints(const WireField& field, const char* message, std::size_t limit,
                    std::vector<std::int64_t>& out) {
    if (field.type == WireType::varint) {
        out.push_back(static_cast<std::int64_t>(field.value));
        return check_count(out.size(), limit, message, field.offset);
    }
    if (field.type != WireType::bytes) fail_kind(field, message);
    for (std::size_t at = 0; at < field.payload.size();) {
        out.push_back(static_cast<std::int64_t>(
            read_varint(field.payload, at, field.payload_offset, message)));
        check_count(out.size(), limit, message, field.offset);
    }
}

void append_floats(const WireField& field, const char* message, std::size_t limit,
                   std::vector<float>& out) {
    if (field.type == WireType::fixed32) {
        const auto bits = static_cast<std::uint32_t>(field.value);
        float value;
        std::memcpy(&value, &bits, 4);
        out.push_back(value);
        return check_count(out.size(), limit, message, field.offset);
    }
    if (field.type != WireType::bytes) fail_kind(field, message);
    if (field.payload.size() % 4 != 0)
        fail_model(std::string(message) + ": a packed list of floats" + at_byte(field.offset) +
                   " has " + std::to_string(field.payload.size()) +
                   " bytes, expected a multiple of 4");
    const std::size_t count = field.payload.size() / 4;
    check_count(count, limit - std::min(limit, out.size()), message, field.offset);
    const std::size_t start = out.size();
    out.resize(start + count);
    if (count > 0) std::memcpy(out.data() + start, field.payload.data(), count * 4);
}

void parse_message(google::protobuf::MessageLite& message, std::string_view bytes,
                   std::uint64_t offset, const char* name) {
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        fail_limit(std::string(name) + at_byte(offset) + " holds " + std::to_string(bytes.size()) +
                   " bytes besides tensor data, more than the 2 GB that protobuf allows");
    google::protobuf::io::CodedInputStream stream(
        reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
    stream.SetRecursionLimit(message_nesting);
    if (!message.ParsePartialFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
        fail_model(
            std::string(name) + at_byte(offset) + " (" + std::to_string(bytes.size()) +
            " bytes) is damaged: a field inside it is truncated, malformed or nested deeper than " +
            std::to_string(message_nesting) + " levels");
}

}  // namespace lapidary::onnx_io
