// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/read_tensor.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <lapidary/base/error.h>

#include "base/memory/available_memory.h"
#include "base/checked.h"
#include "base/files/mapping_guard.h"
#include "onnx_io/onnx.pb.h"
#include "onnx_io/preserved.h"
#include "onnx_io/read/read_tensor_data.h"
#include "onnx_io/read/read_type.h"

namespace lapidary::onnx_io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensor payloads are little-endian and used as they are");

constexpr std::size_t most_dims = std::size_t{1} << 20;
// unaligned ones are not copied before somebody needs that
constexpr std::size_t large_bytes = std::size_t{64} << 10;
constexpr std::size_t copy_step = std::size_t{16} << 20;  // between looks at the cancel token

std::size_t alignment_of(DType dtype) {
    const std::size_t bytes = bit_width(dtype) / 8;
    return bytes == 0 ? 1 : dtype == DType::complex64 ? 4 : dtype == DType::complex128 ? 8 : bytes;
}

/// Borrows `bytes` where kept alive by `owner`, else copies, and what is small and unaligned too.
Tensor tensor_over(DType dtype, const Shape& shape, std::span<const std::byte> bytes,
                   const std::shared_ptr<const void>& owner, const LoadContext& context) {
    if (owner && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment_of(dtype) == 0 &&
        !bytes.empty())
        return Tensor::borrow(dtype, shape, const_cast<std::byte*>(bytes.data()), owner);
    if (owner && bytes.size() >= large_bytes)
        return Tensor::borrow_unaligned(dtype, shape, bytes.data(), owner);
    Tensor tensor(dtype, shape);
    auto* out = static_cast<std::byte*>(tensor.mutable_raw());
    for (std::size_t at = 0; at < bytes.size(); at += copy_step) {
        context.progress.cancel.throw_if_cancelled();
        const std::size_t step = std::min(copy_step, bytes.size() - at);
        std::memcpy(out + at, bytes.data() + at, step);
        MappingGuard::drop_pages(bytes.data() + at, step);
    }
    return tensor;
}

/// ONNX stores bool as one byte that is 0 or 1; C++ may not read any other value.
void normalise_bool(Tensor& tensor, const std::string& what, LoadContext& context) {
    if (tensor.dtype() != DType::boolean) return;
    const auto* bytes = static_cast<const unsigned char*>(tensor.raw());
    std::size_t odd = 0;
    for (std::size_t i = 0; i < tensor.byte_size(); ++i) odd += bytes[i] > 1;
    if (odd == 0) return;
    tensor = tensor.clone();
    auto* out = static_cast<unsigned char*>(tensor.mutable_raw());
    for (std::size_t i = 0; i < tensor.byte_size(); ++i) out[i] = out[i] != 0;
    context.warnings.add(
        "bool tensors with values other than 0 and 1", what,
        std::to_string(odd) + " bool elements are neither 0 nor 1 and were taken as true");
}

Tensor read_strings(const std::vector<std::string_view>& strings, Shape shape, std::int64_t count,
                    const std::string& what) {
    if (count != static_cast<std::int64_t>(strings.size()))
        fail_model(what + " of shape " + to_string(shape) + " needs " + std::to_string(count) +
                   " strings, found " + std::to_string(strings.size()));
    Tensor tensor(DType::string, std::move(shape));
    auto out = tensor.mutable_data<std::string>();
    for (std::size_t i = 0; i < strings.size(); ++i) out[i] = strings[i];
    return tensor;
}

/// The number of elements of a tensor in a file. Throws where the rank exceeds the limit, a
/// dimension is negative, or the product exceeds 64 bits.
std::int64_t element_count_of(const std::vector<std::int64_t>& dims, const Limits& limits,
                              const std::string& what) {
    if (dims.size() > static_cast<std::size_t>(limits.load_rank))
        fail_limit(what + " has rank " + std::to_string(dims.size()) + ", the limit is " +
                   std::to_string(limits.load_rank));
    for (std::size_t k = 0; k < dims.size(); ++k)
        if (dims[k] < 0)
            fail_model(what + " has dimension " + std::to_string(dims[k]) + " on axis " +
                       std::to_string(k) + ", expected at least 0");
    if (std::ranges::find(dims, 0) != dims.end()) return 0;
    std::int64_t count = 1;
    for (const std::int64_t d : dims) {
        const auto product = checked_multiply(count, d);
        if (!product)
            fail_model(what + ": the element count of shape " + to_string(dims) +
                       " overflows 64 bits");
        count = *product;
    }
    return count;
}

/// The fields of a TensorProto, parted from those that protobuf parses.
struct TensorFields {
    std::string light;  // what is neither dims nor data
    std::vector<std::int64_t> dims;
    TypedData data;
};

TensorFields read_fields(WireReader& reader, WireField& field) {
    TensorFields out;
    while (reader.next(field)) {
        switch (field.number) {
        case 1: append_varints(field, "TensorProto.dims", most_dims, out.dims); break;
        case 4:
        case 5:
        case 7:
        case 10:
        case 11: out.data.add(field); break;
        case 6:
            require_bytes(field, "TensorProto", "string_data");
            out.data.strings.push_back(field.text());
            break;
        case 9:
            require_bytes(field, "TensorProto", "raw_data");
            out.data.raw = field.payload;
            out.data.has_raw = true;
            break;
        default:
            out.light.append(reinterpret_cast<const char*>(field.whole.data()), field.whole.size());
        }
    }
    return out;
}

Tensor string_tensor(const onnx::TensorProto& proto, TensorFields& fields, std::int64_t count,
                     const std::string& what) {
    if (fields.data.has_raw) fail_model(what + " holds strings in raw_data, expected string_data");
    if (proto.data_location() == 1)
        fail_model(what + " keeps strings in external data, which ONNX does not allow");
    fields.data.require_only(TypedData::Kind::strings, DType::string, what);
    return read_strings(fields.data.strings, std::move(fields.dims), count, what);
}

/// Reads the tensor from the place that holds its data: another file, raw_data, or a typed field.
Tensor number_tensor(const onnx::TensorProto& proto, const TensorFields& fields, DType dtype,
                     std::int64_t count, const std::string& what, LoadContext& context) {
    const auto& [light, dims, data] = fields;
    const auto bits = checked_multiply(count, static_cast<std::int64_t>(bit_width(dtype)));
    if (!bits || *bits > (std::int64_t{1} << 62))
        fail_model(what + ": the byte count of shape " + to_string(dims) + " and type " +
                   std::string(name_of(dtype)) + " overflows");
    const std::uint64_t bytes = storage_bytes(dtype, count);
    if (proto.data_location() != 0 && proto.data_location() != 1)
        fail_model(what + ": data_location is " + std::to_string(proto.data_location()) +
                   ", expected 0 (default) or 1 (external)");
    if (proto.data_location() == 1) {
        if (!data.raw.empty() || data.any_typed())
            fail_model(what + " has external data and also data in the model file");
        const auto range =
            context.external.find(proto.name(), pairs_of(proto.external_data()), bytes);
        return tensor_over(dtype, dims, range.bytes, range.file, context);
    }
    const bool is_raw = !data.raw.empty() || (data.has_raw && !data.any_typed());
    if (!is_raw) return data.to_tensor(dtype, dims, count, what);
    if (data.any_typed())
        fail_model(what + " holds its data twice: in raw_data and in " + data.typed_field_names());
    if (data.raw.size() != bytes)
        fail_model(what + ": shape " + to_string(dims) + " and type " +
                   std::string(name_of(dtype)) + " need " + std::to_string(bytes) +
                   " bytes, raw_data has " + std::to_string(data.raw.size()));
    return tensor_over(dtype, dims, data.raw, context.owner, context);
}

}  // namespace

ReadTensor read_tensor(WireReader reader, LoadContext& context, const std::string& position) {
    WireField field;
    TensorFields fields = read_fields(reader, field);
    onnx::TensorProto proto;
    parse_message(proto, fields.light, field.offset, "TensorProto");

    ReadTensor out;
    out.name = proto.name();
    out.doc = proto.doc_string();
    out.metadata = pairs_of(proto.metadata_props());
    out.preserved = proto.unknown_fields();
    const std::string what = out.name.empty() ? position : "tensor " + quote(out.name);
    context.check_name(out.name, "tensor");

    if (proto.has_segment())
        fail_unsupported(what + " is stored in segments, which is not supported");
    const std::int64_t count = element_count_of(fields.dims, context.limits, what);
    const DType dtype = read_dtype(proto.data_type(), what);
    if (dtype == DType::string) {
        out.tensor = string_tensor(proto, fields, count, what);
        return out;
    }
    out.tensor = number_tensor(proto, fields, dtype, count, what, context);
    normalise_bool(out.tensor, what, context);
    return out;
}

namespace {

/// Elements of the dense form of a sparse tensor: a list of sizes that is not empty, no size
/// negative.
std::int64_t dense_count(const std::vector<std::int64_t>& dims, const Limits& limits,
                         const std::string& what) {
    if (dims.empty()) fail_model(what + " has no dims, expected rank 1 or higher");
    if (dims.size() > static_cast<std::size_t>(limits.load_rank))
        fail_limit(what + " has rank " + std::to_string(dims.size()) + ", the limit is " +
                   std::to_string(limits.load_rank));
    std::int64_t count = 1;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        if (dims[k] < 0)
            fail_model(what + " has dimension " + std::to_string(dims[k]) + " on axis " +
                       std::to_string(k));
        const auto product = checked_multiply(count, dims[k]);
        if (!product)
            fail_model(what + ": the element count of shape " + to_string(dims) +
                       " overflows 64 bits");
        count = *product;
    }
    return count;
}

/// True for indices into the flattened tensor [n], false for indices by axis [n, rank]; fails on
/// all others.
bool are_linear(const Tensor& values, const Tensor& indices, std::int64_t rank,
                const std::string& what) {
    const Tensor &v = values, &at = indices;
    if (v.rank() != 1)
        fail_model(what + ": values have shape " + to_string(v.shape()) +
                   ", expected one dimension");
    if (at.dtype() != DType::i64)
        fail_model(what + ": indices are " + std::string(name_of(at.dtype())) + ", expected i64");
    if (at.rank() == 1 && at.dim(0) == v.dim(0)) return true;
    if (at.rank() == 2 && at.dim(0) == v.dim(0) && at.dim(1) == rank) return false;
    fail_model(what + ": " + std::to_string(v.dim(0)) + " values of rank " + std::to_string(rank) +
               " need indices [" + std::to_string(v.dim(0)) + "] or [" + std::to_string(v.dim(0)) +
               "," + std::to_string(rank) + "], found " + to_string(at.shape()));
}

/// Indices of each value lie within the `bounds` of its axes and ascend.
void check_indices(const Tensor& indices, const std::vector<std::int64_t>& bounds,
                   const std::vector<std::int64_t>& dims, const std::string& what) {
    const auto index = indices.data<std::int64_t>();
    std::int64_t previous = -1;
    const std::int64_t rank = std::ssize(bounds);
    for (std::int64_t i = 0; i < indices.dim(0); ++i) {
        std::int64_t position = 0;
        for (std::int64_t k = 0; k < rank; ++k) {
            const std::int64_t here = index[static_cast<std::size_t>(i * rank + k)];
            const std::int64_t bound = bounds[static_cast<std::size_t>(k)];
            if (here < 0 || here >= bound)
                fail_model(what + ": index " + std::to_string(here) + " of value " +
                           std::to_string(i) + " is out of range [0, " + std::to_string(bound) +
                           ") of shape " + to_string(dims));
            position = position * bound + here;
        }
        if (position <= previous)
            fail_model(what + ": the index of value " + std::to_string(i) + " does not ascend");
        previous = position;
    }
}

}  // namespace

SparseTensor read_sparse_tensor(WireReader reader, LoadContext& context,
                                const std::string& position) {
    SparseTensor out;
    ReadTensor values, indices;
    bool has_values = false, has_indices = false;
    WireField field;
    std::vector<std::int64_t> dims;
    while (reader.next(field)) {
        if (field.number == 1) {
            values = read_tensor(WireReader(field, "TensorProto"), context, position + ": values");
            has_values = true;
        } else if (field.number == 2) {
            indices =
                read_tensor(WireReader(field, "TensorProto"), context, position + ": indices");
            has_indices = true;
        } else if (field.number == 3) {
            append_varints(field, "SparseTensorProto.dims", most_dims, dims);
        }
    }
    const std::string what = values.name.empty() ? position : "sparse tensor " + quote(values.name);
    if (!has_values || !has_indices)
        fail_model(what + " lacks " + (has_values ? "indices" : "values"));
    const std::int64_t count = dense_count(dims, context.limits, what);
    const bool linear = are_linear(values.tensor, indices.tensor, std::ssize(dims), what);
    check_indices(indices.tensor, linear ? std::vector<std::int64_t>{count} : dims, dims, what);
    out.name = values.name;
    out.values = values.tensor;
    out.indices = indices.tensor;
    out.shape = std::move(dims);
    return out;
}

void check_dense_form(const SparseTensor& sparse, LoadContext& context) {
    const std::uint64_t dense = storage_bytes(sparse.values.dtype(), element_count(sparse.shape));
    const std::uint64_t stored =
        context.sparse_stored_bytes + sparse.values.byte_size() + sparse.indices.byte_size();
    const auto ratio =
        static_cast<std::int64_t>(std::min<std::uint64_t>(context.limits.archive_ratio, 1u << 20));
    const std::int64_t by_stored =
        checked_multiply(static_cast<std::int64_t>(stored), ratio).value_or(INT64_MAX);
    const std::uint64_t budget =
        std::min({std::max(context.limits.fold_bytes, static_cast<std::uint64_t>(by_stored)),
                  context.limits.tensor_bytes, available_memory() / 2});
    if (dense > budget - std::min(budget, context.sparse_dense_bytes))
        fail_limit("sparse tensor " + quote(sparse.name) + " of shape " + to_string(sparse.shape) +
                   " takes " + std::to_string(dense) + " bytes when dense, the limit for the " +
                   std::to_string(stored) + " bytes that are stored is " + std::to_string(budget) +
                   (context.sparse_dense_bytes == 0
                        ? ""
                        : ", of which sparse tensors before it take " +
                              std::to_string(context.sparse_dense_bytes)));
    context.sparse_dense_bytes += dense;
    context.sparse_stored_bytes = stored;
}

Tensor read_dense_form(const SparseTensor& sparse, LoadContext& context) {
    check_dense_form(sparse, context);
    return sparse.to_dense();
}

}  // namespace lapidary::onnx_io
