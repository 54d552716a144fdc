// SPDX-License-Identifier: Apache-2.0
// Tensors as capsules of DLPack (https://dmlc.github.io/dlpack, Apache-2.0), whose structs are
// written out here: they are the whole of its binary interface.
#pragma once

#include <pybind11/pybind11.h>

#include <lapidary/tensor/tensor.h>

namespace lapidary::python {

/// A capsule "dltensor" over the tensor's memory, which it keeps. Throws not_supported for element
/// types that DLPack does not have.
pybind11::object dlpack_of(const Tensor& tensor);

/// A tensor over the memory that an object's __dlpack__() hands over; a copy where elements do not
/// lie one after another, which `writable` refuses. Throws invalid_input where it is not memory of
/// the CPU and of an element type known here.
Tensor tensor_of_dlpack(const pybind11::object& object, bool writable);

}  // namespace lapidary::python
