// SPDX-License-Identifier: Apache-2.0
// The module lapidary._engine: what the package's Python files are written over. Users import
// lapidary.
#include <pybind11/pybind11.h>

#include "worker/process/build_commit.h"

#include "python/command_call.h"
#include "python/model_object.h"
#include "python/python_errors.h"
#include "python/session_object.h"
#include "python/tensor_exchange.h"

PYBIND11_MODULE(_engine, module) {
    using namespace lapidary::python;
    module.doc() = "The engine of the package lapidary.";
    module.attr("version") = LAPIDARY_VERSION;
    module.attr("commit") = lapidary::app::build_commit();
    translate_errors();
    add_tensor_class(module);
    add_model_class(module);
    add_session_class(module);
    add_commands(module);
}
