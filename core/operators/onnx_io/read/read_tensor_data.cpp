// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/read_tensor_data.h"

#include <cstring>
#include <limits>

#include <lapidary/base/error.h>

namespace lapidary::onnx_io {
namespace {

using Kind = TypedData::Kind;

Kind field_of(DType dtype) {
    switch (dtype) {
    case DType::f32:
    case DType::complex64: return Kind::floats;
    case DType::f64:
    case DType::complex128: return Kind::doubles;
    case DType::i64: return Kind::int64s;
    case DType::u32:
    case DType::u64: return Kind::uint64s;
    case DType::string: return Kind::strings;
    default: return Kind::int32s;
    }
}

const char* name_of_field(Kind kind) {
    switch (kind) {
    case Kind::floats: return "float_data";
    case Kind::int32s: return "int32_data";
    case Kind::strings: return "string_data";
    case Kind::int64s: return "int64_data";
    case Kind::doubles: return "double_data";
    case Kind::uint64s: return "uint64_data";
    }
    return "?";
}

struct Bounds {
    std::int64_t least, most;
};

/// The range of an int32_data element. Bit patterns of small floats may be sign-extended.
Bounds bounds_of(DType dtype) {
    switch (dtype) {
    case DType::i8: return {-128, 127};
    case DType::u8: return {0, 255};
    case DType::i16: return {-32768, 32767};
    case DType::u16: return {0, 65535};
    case DType::f16:
    case DType::bf16: return {-32768, 65535};
    case DType::i32:
    case DType::boolean:
        return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    default: return {-128, 255};  // float8, and elements that share a byte
    }
}

void store(DType dtype, std::int64_t value, std::size_t index, std::byte* out) {
    const std::size_t width = is_packed(dtype) ? 1 : bit_width(dtype) / 8;
    // Any bit of a bool's number makes it true: its low byte alone could be 0.
    if (dtype == DType::boolean && value != 0 && (value & 0xff) == 0) value = 2;
    std::memcpy(out + index * width, &value, width);
}

[[noreturn]] void fail_count(const std::string& what, const Shape& shape, DType dtype,
                             std::size_t expected, std::size_t found, const char* field) {
    fail_model(what + ": shape " + to_string(shape) + " and type " + std::string(name_of(dtype)) +
               " need " + std::to_string(expected) + " elements in " + field + ", found " +
               std::to_string(found));
}

}  // namespace

void TypedData::add(const WireField& field) {
    std::vector<Run>* list = field.number == 4    ? &floats_
                             : field.number == 5  ? &int32s_
                             : field.number == 7  ? &int64s_
                             : field.number == 10 ? &doubles_
                                                  : &uint64s_;
    if (field.type == WireType::bytes && field.payload.empty()) return;
    if (!list->empty() &&
        list->back().bytes.data() + list->back().bytes.size() == field.whole.data())
        list->back().bytes = {list->back().bytes.data(),
                              list->back().bytes.size() + field.whole.size()};
    else list->push_back({field.whole, field.offset});
}

const std::vector<TypedData::Run>& TypedData::runs(Kind kind) const {
    static const std::vector<Run> none;
    switch (kind) {
    case Kind::floats: return floats_;
    case Kind::int32s: return int32s_;
    case Kind::int64s: return int64s_;
    case Kind::doubles: return doubles_;
    case Kind::uint64s: return uint64s_;
    case Kind::strings: return none;
    }
    return none;
}

bool TypedData::any_typed() const {
    return !strings.empty() || !floats_.empty() || !int32s_.empty() || !int64s_.empty() ||
           !doubles_.empty() || !uint64s_.empty();
}

std::string TypedData::typed_field_names() const {
    std::string text;
    for (const Kind kind :
         {Kind::floats, Kind::int32s, Kind::strings, Kind::int64s, Kind::doubles, Kind::uint64s}) {
        if (kind == Kind::strings ? strings.empty() : runs(kind).empty()) continue;
        text += (text.empty() ? "" : " and ") + std::string(name_of_field(kind));
    }
    return text;
}

void TypedData::require_only(Kind kind, DType dtype, const std::string& what) const {
    const std::string used = typed_field_names();
    if (used.empty() || used == name_of_field(kind)) return;
    fail_model(what + " of type " + std::string(name_of(dtype)) + " holds its data in " + used +
               ", expected " + name_of_field(kind) +
               (dtype == DType::string ? "" : " or raw_data"));
}

namespace {

/// Elements of the field that a tensor of `count` has: complex numbers take two, those of 4 and 2
/// bits share one.
std::size_t field_items(DType dtype, std::int64_t count) {
    const bool is_complex = dtype == DType::complex64 || dtype == DType::complex128;
    if (is_packed(dtype)) return static_cast<std::size_t>(storage_bytes(dtype, count));
    return static_cast<std::size_t>(is_complex ? 2 * count : count);
}

/// Stores the elements of one field, one after the other, into a tensor.
class FieldReader {
public:
    FieldReader(TypedData::Kind kind, Tensor& tensor, std::size_t items, const std::string& what)
        : kind_(kind), dtype_(tensor.dtype()), shape_(tensor.shape()), items_(items), what_(what),
          name_(name_of_field(kind)), bounds_(bounds_of(dtype_)),
          is_fixed_(kind == TypedData::Kind::floats || kind == TypedData::Kind::doubles),
          width_(kind == TypedData::Kind::floats ? 4 : 8),
          out_(static_cast<std::byte*>(tensor.mutable_raw())) {}

    void read(const WireField& f) {
        const WireType single = !is_fixed_    ? WireType::varint
                                : width_ == 4 ? WireType::fixed32
                                              : WireType::fixed64;
        if (f.type != WireType::bytes && f.type != single)
            fail_model(what_ + ": " + name_ + " at byte " + std::to_string(f.offset) +
                       " has wire type " + std::to_string(static_cast<int>(f.type)) +
                       ", which its kind does not allow");
        if (is_fixed_) {
            if (f.type == WireType::bytes) accept_fixed(f.payload.data(), f.payload.size());
            else accept_fixed(&f.value, width_);
            return;
        }
        if (f.type == WireType::varint) accept_varint(f.value);
        for (std::size_t at = 0; at < f.payload.size();)
            accept_varint(read_varint(f.payload, at, f.payload_offset, name_));
    }

    void finish() const {
        if (done_ != items_) fail_count(what_, shape_, dtype_, items_, done_, name_);
    }

private:
    void accept_varint(std::uint64_t varint) {
        if (done_ == items_) fail_count(what_, shape_, dtype_, items_, items_ + 1, name_);
        // As protobuf does: an int32 is the low half of its varint.
        const bool is_int32 = kind_ == TypedData::Kind::int32s;
        const std::int64_t value =
            is_int32 ? static_cast<std::int32_t>(varint) : static_cast<std::int64_t>(varint);
        const bool fits = is_int32 ? value >= bounds_.least && value <= bounds_.most
                                   : dtype_ != DType::u32 || varint <= 0xffffffff;
        if (!fits)
            fail_model(what_ + ": element " + std::to_string(done_) + " of " + name_ + " is " +
                       std::to_string(value) + ", out of range for " +
                       std::string(name_of(dtype_)));
        store(dtype_, value, done_++, out_);
    }

    void accept_fixed(const void* bytes, std::size_t size) {
        if (size % width_ != 0)
            fail_model(what_ + ": " + name_ + " has " + std::to_string(size) +
                       " bytes, expected a multiple of " + std::to_string(width_));
        if (size / width_ > items_ - done_)
            fail_count(what_, shape_, dtype_, items_, done_ + size / width_, name_);
        if (size > 0) std::memcpy(out_ + done_ * width_, bytes, size);
        done_ += size / width_;
    }

    const TypedData::Kind kind_;
    const DType dtype_;
    const Shape& shape_;
    const std::size_t items_;
    const std::string& what_;
    const char* const name_;
    const Bounds bounds_;
    const bool is_fixed_;
    const std::size_t width_;  // bytes of an element, where fixed
    std::byte* const out_;
    std::size_t done_ = 0;
};

}  // namespace

Tensor TypedData::to_tensor(DType dtype, const Shape& shape, std::int64_t count,
                            const std::string& what) const {
    const Kind kind = field_of(dtype);
    require_only(kind, dtype, what);
    const char* name = name_of_field(kind);
    const std::size_t items = field_items(dtype, count);
    const auto& list = runs(kind);
    std::size_t stored_bytes = 0;
    for (const Run& run : list) stored_bytes += run.bytes.size();
    if (stored_bytes == 0 && items > 0)
        fail_model(what + " of shape " + to_string(shape) + " holds no data, expected " +
                   std::to_string(items) + " elements in " + name + " or raw_data");
    // Each element takes a byte or more, so this bounds the allocation by the size of the file.
    if (items > stored_bytes)
        fail_model(what + ": shape " + to_string(shape) + " and type " +
                   std::string(name_of(dtype)) + " need " + std::to_string(items) +
                   " elements in " + name + ", which has only " + std::to_string(stored_bytes) +
                   " bytes");
    Tensor tensor(dtype, shape);
    FieldReader fields(kind, tensor, items, what);
    for (const Run& run : list) {
        WireReader reader(run.bytes, run.offset, name);
        for (WireField f; reader.next(f);) fields.read(f);
    }
    fields.finish();
    return tensor;
}

}  // namespace lapidary::onnx_io
