// SPDX-License-Identifier: Apache-2.0
#include "python/python_errors.h"

#include <exception>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <lapidary/base/error.h>

#include "cli/exit_code.h"

namespace lapidary::python {
namespace py = pybind11;

namespace {

/// Raises the exception that lapidary/errors.py makes of these fields.
void raise(std::string_view code, const std::string& message,
           const std::vector<std::string>& where) {
    try {
        const py::object made = py::module_::import("lapidary.errors")
                                    .attr("error_of")(std::string(code), message, where);
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
    } catch (py::error_already_set& failed) { failed.restore(); }
}

}  // namespace

void translate_errors() {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& error) {
            raise(name_of(error.code()), error.message(), error.where());
        } catch (const cli::UsageError& error) { raise("usage", error.what(), {}); }
    });
}

}  // namespace lapidary::python
