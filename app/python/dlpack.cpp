// SPDX-License-Identifier: Apache-2.0
#include "python/dlpack.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/error.h>

namespace lapidary::python {
namespace py = pybind11;

namespace {

// The structs of dlpack.h, version 0.8, which all versions since 0.2 share.
struct DlDevice {
    std::int32_t type, id;
};
struct DlDataType {
    std::uint8_t code, bits;
    std::uint16_t lanes;
};
struct DlTensor {
    void* data;
    DlDevice device;
    std::int32_t rank;
    DlDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  // in elements; null: contiguous
    std::uint64_t byte_offset;
};
struct DlManagedTensor {
    DlTensor tensor;
    void* context;
    void (*deleter)(DlManagedTensor*);
};

constexpr std::int32_t cpu = 1, cpu_pinned = 3;
enum DlCode : std::uint8_t {
    dl_int = 0,
    dl_uint = 1,
    dl_float = 2,
    dl_bfloat = 4,
    dl_complex = 5,
    dl_bool = 6
};

struct KnownType {
    DType dtype;
    std::uint8_t code, bits;
};
constexpr KnownType known_types[] = {{DType::f16, dl_float, 16},
                                     {DType::f32, dl_float, 32},
                                     {DType::f64, dl_float, 64},
                                     {DType::bf16, dl_bfloat, 16},
                                     {DType::i8, dl_int, 8},
                                     {DType::i16, dl_int, 16},
                                     {DType::i32, dl_int, 32},
                                     {DType::i64, dl_int, 64},
                                     {DType::u8, dl_uint, 8},
                                     {DType::u16, dl_uint, 16},
                                     {DType::u32, dl_uint, 32},
                                     {DType::u64, dl_uint, 64},
                                     {DType::boolean, dl_bool, 8},
                                     {DType::complex64, dl_complex, 64},
                                     {DType::complex128, dl_complex, 128}};

constexpr const char* offered = "dltensor";  // a capsule that nothing has taken yet
constexpr const char* taken = "used_dltensor";

/// What a capsule of ours keeps.
struct Exported {
    DlManagedTensor managed{};
    Tensor tensor;
    std::vector<std::int64_t> shape, strides;
};

void delete_exported(DlManagedTensor* managed) { delete static_cast<Exported*>(managed->context); }

/// Frees what nothing has taken out of the capsule.
void end_capsule(PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, offered) == 0) return;
    auto* const managed = static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule, offered));
    if (managed->deleter != nullptr) managed->deleter(managed);
}

bool is_contiguous(const DlTensor& tensor) {
    if (tensor.strides == nullptr) return true;
    std::int64_t expected = 1;
    for (std::int32_t i = tensor.rank; i-- > 0;) {
        if (tensor.shape[i] == 0) return true;
        if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
        expected *= tensor.shape[i];
    }
    return true;
}

/// A copy of elements that do not lie one after another. `data`: the first of them.
Tensor gathered(const DlTensor& tensor, DType dtype, const std::byte* data) {
    Tensor copy(dtype, Shape(tensor.shape, tensor.shape + tensor.rank));
    const std::size_t item = bit_width(dtype) / 8;
    auto* to = static_cast<std::byte*>(copy.mutable_raw());
    const std::size_t count = copy.byte_size() / item;
    std::vector<std::int64_t> at(static_cast<std::size_t>(tensor.rank));
    std::int64_t offset = 0;  // of the element, in elements
    for (std::size_t i = 0; i < count; ++i, to += item) {
        std::memcpy(to, data + offset * static_cast<std::int64_t>(item), item);
        for (std::size_t axis = at.size(); axis-- > 0;) {
            offset += tensor.strides[axis];
            if (++at[axis] < tensor.shape[axis]) break;
            offset -= tensor.strides[axis] * tensor.shape[axis];
            at[axis] = 0;
        }
    }
    return copy;
}

DType dtype_of(const DlDataType& type) {
    for (const KnownType& known : known_types)
        if (type.lanes == 1 && type.code == known.code && type.bits == known.bits)
            return known.dtype;
    fail_input("DLPack hands over an element type that is not known here: code " +
               std::to_string(type.code) + ", " + std::to_string(type.bits) + " bits, " +
               std::to_string(type.lanes) + " lanes");
}

}  // namespace

py::object dlpack_of(const Tensor& tensor) {
    for (const KnownType& known : known_types) {
        if (known.dtype != tensor.dtype()) continue;
        auto exported = std::make_unique<Exported>();
        exported->tensor = tensor;
        exported->shape.assign(tensor.shape().begin(), tensor.shape().end());
        exported->strides.resize(exported->shape.size());
        std::int64_t stride = 1;
        for (std::size_t i = exported->shape.size(); i-- > 0; stride *= exported->shape[i])
            exported->strides[i] = stride;
        exported->managed = {{exported->tensor.mutable_raw(),
                              {cpu, 0},
                              static_cast<std::int32_t>(exported->shape.size()),
                              {known.code, known.bits, 1},
                              exported->shape.data(),
                              exported->strides.data(),
                              0},
                             exported.get(),
                             &delete_exported};
        PyObject* const capsule = PyCapsule_New(&exported->managed, offered, &end_capsule);
        if (capsule == nullptr) throw py::error_already_set();
        exported.release();
        return py::reinterpret_steal<py::object>(capsule);
    }
    fail_unsupported("DLPack has no element type for " + std::string(name_of(tensor.dtype())));
}

Tensor tensor_of_dlpack(const py::object& object, bool writable) {
    const py::object capsule = object.attr("__dlpack__")();
    if (PyCapsule_IsValid(capsule.ptr(), offered) == 0)
        fail_input("expected an unused capsule \"dltensor\" of __dlpack__()");
    auto* const managed =
        static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), offered));
    const DlTensor& tensor = managed->tensor;
    if (tensor.device.type != cpu && tensor.device.type != cpu_pinned)
        fail_input("expected memory of the CPU, found that of device type " +
                   std::to_string(tensor.device.type));
    const DType dtype = dtype_of(tensor.dtype);
    PyCapsule_SetName(capsule.ptr(), taken);  // its memory is ours now
    const std::shared_ptr<const void> owner(managed, [](DlManagedTensor* held) {
        if (held->deleter == nullptr || Py_IsInitialized() == 0) return;
        const py::gil_scoped_acquire acquired;  // the deleter may be one of Python
        held->deleter(held);
    });
    auto* const data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
    if (!is_contiguous(tensor)) {
        if (writable) fail_input("expected a contiguous tensor, for a run writes to it");
        return gathered(tensor, dtype, data);
    }
    const Shape shape(tensor.shape, tensor.shape + tensor.rank);
    const std::size_t alignment = std::max<std::size_t>(bit_width(dtype) / 8, 1);
    if (reinterpret_cast<std::uintptr_t>(data) % alignment == 0)
        return Tensor::borrow(dtype, shape, data, owner);
    return Tensor::borrow_unaligned(dtype, shape, data, owner);
}

}  // namespace lapidary::python
