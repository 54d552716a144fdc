// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <lapidary/graph/model.h>

namespace lapidary::python {

/// A model that Python holds. It never changes; what changes a model gives a new one.
struct HeldModel {
    ModelPtr model;
};

/// Adds to the module the class Model, and open_model(), sample_model(), model_of_bytes(),
/// optimize_model() and edit_model(), which make one.
void add_model_class(pybind11::module_& module);

}  // namespace lapidary::python
