// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace lapidary::python {

/// Objects of the class come from functions of the module alone. A call of the class, and its
/// __new__, raise TypeError: what they made would hold nothing, and its methods would read that.
inline void refuse_construction(const pybind11::handle& type) {
    auto* const object_type = reinterpret_cast<PyTypeObject*>(type.ptr());
    object_type->tp_new = [](PyTypeObject* wanted, PyObject*, PyObject*) -> PyObject* {
        PyErr_Format(PyExc_TypeError, "%s cannot be made by its type: functions of lapidary do",
                     wanted->tp_name);
        return nullptr;
    };
    PyType_Modified(object_type);
}

}  // namespace lapidary::python
