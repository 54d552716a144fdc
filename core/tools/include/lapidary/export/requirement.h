// SPDX-License-Identifier: Apache-2.0
// What a program has to be to run a model: the one source of what exports, checklist and inspector
// say of portability.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

/// What a model needs of the runtime that runs it.
struct Requirement {
    /// From the least to the most.
    enum class Kind {
        onnx,         // operators of ONNX alone, or functions that the file brings along
        onnxruntime,  // operators that ONNX Runtime adds
        layout,       // channels laid out in blocks for CPUs of one vector width
        custom,       // operators that a library of somebody's has to bring
    } kind = Kind::onnx;
    std::string sentence;  // "any ONNX implementation of opset 17"
    /// nodes by "domain::operator", of those that only some programs have
    std::map<std::string, std::size_t> operators;
};

/// By what is in the model, bodies of control flow included; never throws.
Requirement requirement_of(const Model& model);

}  // namespace lapidary
