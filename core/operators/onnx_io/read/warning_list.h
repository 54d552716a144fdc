// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary::onnx_io {

/// Collects a model's warnings. Of one kind only the first few are kept in full; the rest are
/// counted, so a file cannot flood the list.
class WarningList {
public:
    void add(std::string kind, std::string where, std::string message);
    /// All of them, with one line per kind that was cut short.
    std::vector<Warning> take();

private:
    static constexpr std::size_t shown_per_kind = 16;
    std::vector<Warning> shown_;
    std::map<std::string, std::size_t> counts_;
};

}  // namespace lapidary::onnx_io
