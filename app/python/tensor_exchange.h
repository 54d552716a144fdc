// SPDX-License-Identifier: Apache-2.0
// Tensors between Python and the engine without copies: the buffer protocol, which NumPy speaks,
// and DLPack, which PyTorch, JAX and others speak.
#pragma once

#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <lapidary/tensor/runtime_value.h>

namespace lapidary::python {

/// A tensor over the memory of a contiguous object that has the buffer protocol. It keeps the
/// object. `dtype`: its element type by a name of dtype_from_name(); empty: what the buffer says.
/// `shape`: of the elements; None: that of the buffer. `writable`: refuses memory that is not.
/// Throws invalid_input with expected and found.
Tensor tensor_over(const pybind11::object& object, const std::string& dtype,
                   const pybind11::object& shape, bool writable);
/// The same over memory of the CPU that an object offers by __dlpack__(); a copy where that is not
/// contiguous, which `writable` refuses.
Tensor tensor_of_dlpack(const pybind11::object& object, bool writable);
/// A tensor of texts. `shape`: of so many elements.
Tensor tensor_of_texts(const std::vector<std::string>& texts,
                       const std::vector<std::int64_t>& shape);

/// A Tensor, a list of values (a sequence) or None (absent) as a value of the engine. Throws
/// invalid_input for other objects.
RuntimeValue value_of(const pybind11::handle& object);
/// A Tensor, a list, a dict (of a map), or None.
pybind11::object object_of(const RuntimeValue& value);

/// Adds the class Tensor to the module.
void add_tensor_class(pybind11::module_& module);

}  // namespace lapidary::python
