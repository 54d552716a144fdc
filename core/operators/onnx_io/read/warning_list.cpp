// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/read/warning_list.h"

#include <lapidary/internal/shown_text.h>

namespace lapidary::onnx_io {

void WarningList::add(std::string kind, std::string where, std::string message) {
    const std::size_t count = ++counts_[std::move(kind)];
    if (count <= shown_per_kind) shown_.push_back({elided(where), elided(message, 2000)});
}

std::vector<Warning> WarningList::take() {
    for (const auto& [kind, count] : counts_)
        if (count > shown_per_kind)
            shown_.push_back({"model", std::to_string(count - shown_per_kind) +
                                           " more of the same kind: " + kind});
    counts_.clear();
    return std::move(shown_);
}

}  // namespace lapidary::onnx_io
