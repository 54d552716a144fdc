// SPDX-License-Identifier: Apache-2.0
#include "python/tensor_exchange.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <pybind11/stl.h>

#include <lapidary/base/error.h>

#include "python/dlpack.h"
#include "python/made_objects.h"

namespace lapidary::python {
namespace py = pybind11;

namespace {

/// Released under Python's lock, from whichever thread drops the last tensor over it.
struct HeldBuffer {
    Py_buffer view{};
    HeldBuffer() = default;
    HeldBuffer(const HeldBuffer&) = delete;
    HeldBuffer& operator=(const HeldBuffer&) = delete;
    ~HeldBuffer() {
        if (view.obj == nullptr || Py_IsInitialized() == 0) return;
        const py::gil_scoped_acquire acquired;
        PyBuffer_Release(&view);
    }
};

DType integer_of(bool is_signed, Py_ssize_t bytes) {
    switch (bytes) {
    case 1: return is_signed ? DType::i8 : DType::u8;
    case 2: return is_signed ? DType::i16 : DType::u16;
    case 4: return is_signed ? DType::i32 : DType::u32;
    default: return is_signed ? DType::i64 : DType::u64;
    }
}

/// The element type of a buffer's format (struct module of Python).
DType dtype_of_format(const Py_buffer& view) {
    std::string_view format = view.format == nullptr ? "B" : view.format;
    const std::string whole(format);
    if (!format.empty() && std::string_view("@=<").find(format.front()) != std::string_view::npos)
        format.remove_prefix(1);
    if (format == "Zf") return DType::complex64;
    if (format == "Zd") return DType::complex128;
    if (format.size() == 1) switch (format.front()) {
        case 'e': return DType::f16;
        case 'f': return DType::f32;
        case 'd': return DType::f64;
        case '?': return DType::boolean;
        case 'b':
        case 'h':
        case 'i':
        case 'l':
        case 'q': return integer_of(true, view.itemsize);
        case 'B':
        case 'H':
        case 'I':
        case 'L':
        case 'Q': return integer_of(false, view.itemsize);
        default: break;
        }
    fail_input("expected an array of numbers in the byte order of this machine, found the format " +
               quote(whole));
}

/// The format of a buffer over a tensor. Types that Python has none for are whole numbers of their
/// size.
std::string format_of(DType dtype) {
    switch (dtype) {
    case DType::f16: return "e";
    case DType::f32: return "f";
    case DType::f64: return "d";
    case DType::boolean: return "?";
    case DType::complex64: return "Zf";
    case DType::complex128: return "Zd";
    case DType::i8: return "b";
    case DType::i16: return "h";
    case DType::i32: return "i";
    case DType::i64: return "q";
    case DType::u32: return "I";
    case DType::u64: return "Q";
    case DType::u16:
    case DType::bf16: return "H";
    default: return "B";
    }
}

/// Bytes from one element to the next along each axis.
std::vector<py::ssize_t> strides_of(const Tensor& tensor, py::ssize_t item_bytes) {
    std::vector<py::ssize_t> strides(tensor.shape().size());
    py::ssize_t stride = item_bytes;
    for (std::size_t i = strides.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= tensor.shape()[i];
    }
    return strides;
}

/// Whether nothing but this object has the storage: then Python may write to it.
bool is_only_holder(const Tensor& tensor) { return tensor.owner().use_count() == 1; }

py::buffer_info buffer_of(Tensor& tensor) {
    const bool is_read_only = !is_only_holder(tensor);
    if (tensor.dtype() == DType::string || is_packed(tensor.dtype())) {
        const auto bytes =
            static_cast<py::ssize_t>(tensor.dtype() == DType::string ? 0 : tensor.byte_size());
        return py::buffer_info(tensor.mutable_raw(), 1, "B", 1, {bytes}, {1}, true);
    }
    const auto item = static_cast<py::ssize_t>(bit_width(tensor.dtype()) / 8);
    return py::buffer_info(tensor.mutable_raw(), item, format_of(tensor.dtype()),
                           static_cast<py::ssize_t>(tensor.shape().size()),
                           std::vector<py::ssize_t>(tensor.shape().begin(), tensor.shape().end()),
                           strides_of(tensor, item), is_read_only);
}

/// Elements of a tensor without a buffer: texts as bytes where they are no UTF-8, numbers of less
/// than a byte as floats.
py::list elements_of(const Tensor& tensor) {
    py::list list;
    if (tensor.dtype() != DType::string) {
        for (const double value : to_doubles(tensor)) list.append(value);
        return list;
    }
    for (const std::string& text : tensor.data<std::string>()) {
        PyObject* const decoded =
            PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), nullptr);
        if (decoded == nullptr) PyErr_Clear();
        list.append(decoded == nullptr ? py::object(py::bytes(text))
                                       : py::reinterpret_steal<py::object>(decoded));
    }
    return list;
}

py::dict dict_of(const Map& map) {
    py::dict dict;
    const std::vector<double> values =
        map.values.dtype() == DType::string ? std::vector<double>() : to_doubles(map.values);
    const py::list texts = values.empty() ? elements_of(map.values) : py::list();
    const std::size_t count = map.int_keys.empty() ? map.string_keys.size() : map.int_keys.size();
    for (std::size_t i = 0; i < count; ++i) {
        const py::object key = map.int_keys.empty() ? py::object(py::str(map.string_keys[i]))
                                                    : py::object(py::int_(map.int_keys[i]));
        dict[key] = values.empty() ? py::object(texts[i]) : py::object(py::float_(values[i]));
    }
    return dict;
}

}  // namespace

Tensor tensor_over(const py::object& object, const std::string& dtype, const py::object& shape,
                   bool writable) {
    auto held = std::make_shared<HeldBuffer>();
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object.ptr(), &held->view, flags) != 0) throw py::error_already_set();
    const Py_buffer& view = held->view;
    const std::optional<DType> named =
        dtype.empty() ? dtype_of_format(view) : dtype_from_name(dtype);
    if (!named || *named == DType::string)
        fail_input("expected an element type such as float32, found " + quote(dtype));
    const Shape dims = shape.is_none() ? Shape(view.shape, view.shape + view.ndim)
                                       : Shape(shape.cast<std::vector<std::int64_t>>());
    const std::size_t needed = storage_bytes(*named, element_count(dims));
    if (needed != static_cast<std::size_t>(view.len))
        fail_input("expected " + std::to_string(needed) + " bytes for " +
                   std::string(name_of(*named)) + to_string(dims) + ", found " +
                   std::to_string(view.len));
    const std::size_t alignment = std::max<std::size_t>(bit_width(*named) / 8, 1);
    if (reinterpret_cast<std::uintptr_t>(view.buf) % alignment == 0)
        return Tensor::borrow(*named, dims, view.buf, held);
    if (writable) fail_input("the memory does not begin at a multiple of the elements' size");
    return Tensor::borrow_unaligned(*named, dims, static_cast<const std::byte*>(view.buf), held);
}

Tensor tensor_of_texts(const std::vector<std::string>& texts,
                       const std::vector<std::int64_t>& shape) {
    if (element_count(shape) != static_cast<std::int64_t>(texts.size()))
        fail_input("expected " + std::to_string(element_count(shape)) + " texts, found " +
                   std::to_string(texts.size()));
    return Tensor::of<std::string>(Shape(shape), texts);
}

RuntimeValue value_of(const py::handle& object) {
    if (object.is_none()) return {};
    if (py::isinstance<Tensor>(object)) return object.cast<Tensor>();
    if (!py::isinstance<py::list>(object))
        fail_input("expected a tensor, a list of them or None, found " +
                   std::string(py::str(py::type::of(object))));
    Sequence sequence;
    for (const py::handle item : object.cast<py::list>()) sequence.items.push_back(value_of(item));
    if (!sequence.items.empty() && sequence.items.front().is_tensor())
        sequence.element_type = Type::tensor(sequence.items.front().tensor().dtype());
    return sequence;
}

py::object object_of(const RuntimeValue& value) {
    if (value.is_empty()) return py::none();
    if (value.is_map()) return dict_of(value.map());
    if (value.is_tensor()) {
        (void)value.tensor().raw();  // computes what is deferred, which may fail
        return py::cast(value.tensor());
    }
    py::list list;
    for (const RuntimeValue& item : value.sequence().items) list.append(object_of(item));
    return list;
}

void add_tensor_class(py::module_& module) {
    py::class_<Tensor> type(module, "Tensor", py::buffer_protocol());
    refuse_construction(type);
    type.def_buffer(&buffer_of)
        .def_property_readonly("dtype",
                               [](const Tensor& t) { return std::string(name_of(t.dtype())); })
        .def_property_readonly("shape",
                               [](const Tensor& t) {
                                   return py::tuple(py::cast(std::vector<std::int64_t>(
                                       t.shape().begin(), t.shape().end())));
                               })
        .def_property_readonly("nbytes", &Tensor::byte_size)
        .def_property_readonly("writable", &is_only_holder)
        .def("elements", &elements_of)
        .def("__dlpack__",
             [](const Tensor& t, const py::args&, const py::kwargs&) { return dlpack_of(t); })
        .def("__dlpack_device__", [](const Tensor&) { return py::make_tuple(1, 0); })
        .def("__repr__", [](const Tensor& t) {
            return "<lapidary.Tensor " + std::string(name_of(t.dtype())) + to_string(t.shape()) +
                   ">";
        });
    module.def("tensor_over", &tensor_over, py::arg("object"), py::arg("dtype") = "",
               py::arg("shape") = py::none(), py::arg("writable") = false);
    module.def("tensor_of_dlpack", &tensor_of_dlpack, py::arg("object"),
               py::arg("writable") = false);
    module.def("tensor_of_texts", &tensor_of_texts, py::arg("texts"), py::arg("shape"));
}

}  // namespace lapidary::python
