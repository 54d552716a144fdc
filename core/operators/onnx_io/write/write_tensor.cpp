// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/write/write_tensor.h"

#include <algorithm>

#include "base/files/held_files.h"
#include "onnx_io/onnx.pb.h"

namespace lapidary::onnx_io {
namespace {

// Large tensors start on a page, so that a reader can map them; small ones on a cache line.
constexpr std::uint64_t page_bytes = 4096, line_bytes = 64, page_align_from = 1u << 20;

void add_entry(onnx::TensorProto& proto, const char* key, const std::string& value) {
    auto* entry = proto.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
}

void add_to_plan(const Tensor& tensor, onnx::TensorProto& proto, ExternalPlan& plan) {
    const std::uint64_t alignment = tensor.byte_size() >= page_align_from ? page_bytes : line_bytes;
    const std::uint64_t offset = (plan.size + alignment - 1) / alignment * alignment;
    plan.entries.push_back({tensor, offset});
    plan.size = offset + tensor.byte_size();
    proto.set_data_location(1);
    add_entry(proto, "location", plan.location);
    add_entry(proto, "offset", std::to_string(offset));
    add_entry(proto, "length", std::to_string(tensor.byte_size()));
}

/// Names the place in a kept file where the tensor's bytes lie already; false where they do not.
bool name_kept(const Tensor& tensor, onnx::TensorProto& proto, ExternalPlan& plan) {
    if (plan.kept_files.empty() || tensor.is_deferred()) return false;
    const auto held = held_file_at(tensor.bytes().data());
    if (!held || std::ranges::none_of(plan.kept_files, [&](const std::filesystem::path& file) {
            const auto there = FileIdentity::at(file);
            return there && there->device == held->identity.device &&
                   there->inode == held->identity.inode && held->identity.is_unchanged();
        }))
        return false;
    const auto* const begin = tensor.bytes().data();
    const std::size_t offset = static_cast<std::size_t>(begin - held->bytes.data());
    if (tensor.byte_size() > held->bytes.size() - offset) return false;
    const std::filesystem::path location =
        std::filesystem::absolute(held->identity.path).lexically_relative(plan.kept_folder);
    if (location.empty() || *location.begin() == "..") return false;
    plan.kept_locations.insert(location);
    proto.set_data_location(1);
    add_entry(proto, "location", location.generic_string());
    add_entry(proto, "offset", std::to_string(offset));
    add_entry(proto, "length", std::to_string(tensor.byte_size()));
    return true;
}

}  // namespace

WireWriter write_tensor(const Tensor& tensor, onnx::TensorProto proto, ExternalPlan* plan) {
    for (const std::int64_t d : tensor.shape()) proto.add_dims(d);
    proto.set_data_type(static_cast<std::int32_t>(tensor.dtype()));
    WireWriter out;
    if (tensor.dtype() == DType::string) {
        for (const std::string& s : tensor.data<std::string>()) proto.add_string_data(s);
        out.add_fields(proto);
    } else if (plan != nullptr && tensor.byte_size() > 0 && name_kept(tensor, proto, *plan)) {
        out.add_fields(proto);
    } else if (plan != nullptr && tensor.byte_size() > 0 && tensor.byte_size() >= plan->min_bytes) {
        add_to_plan(tensor, proto, *plan);
        out.add_fields(proto);
    } else {
        out.add_fields(proto);
        out.add_bytes(9, tensor.bytes());
    }
    return out;
}

WireWriter write_sparse_tensor(const SparseTensor& sparse, const std::string& name) {
    WireWriter out;
    onnx::TensorProto values;
    values.set_name(name);
    out.add_message(1, write_tensor(sparse.values, values));
    out.add_message(2, write_tensor(sparse.indices, {}));
    onnx::SparseTensorProto rest;
    for (const std::int64_t d : sparse.shape) rest.add_dims(d);
    out.add_fields(rest);
    return out;
}

}  // namespace lapidary::onnx_io
