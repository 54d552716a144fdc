// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <lapidary/base/error.h>

namespace lapidary::onnx_io {

/// Adds `place` to the where-chain of an error on its way out, unless the error already carries the
/// full path of a graph ("main/...", "function .../..."), which names everything around it.
inline void add_place(Error& error, const std::string& place) {
    if (!error.where().empty()) {
        const std::string& front = error.where().front();
        if (front == "main" || front.starts_with("main/") || front.starts_with("function ")) return;
    }
    error.at(place);
}

}  // namespace lapidary::onnx_io
