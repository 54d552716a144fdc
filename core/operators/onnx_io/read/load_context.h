// SPDX-License-Identifier: Apache-2.0
// State that all parts of the loader share while one file is read.
#pragma once

#include <memory>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/graph/model.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/base/progress.h>

#include "onnx_io/weights/external_data.h"
#include "onnx_io/read/warning_list.h"

namespace lapidary::onnx_io {

struct LoadContext {
    const Limits& limits;
    const Progress& progress;
    ExternalData& external;
    WarningList& warnings;
    // keeps the file's bytes alive; null: tensors must be copied
    std::shared_ptr<const void> owner;

    std::set<std::string> domains_warned_of;
    // of domains that the main graph uses and the model does not import
    std::map<std::string, std::int64_t> assumed_imports;
    std::vector<ModelFault>* faults = nullptr;  // LoadOptions' own
    bool is_any_order = false;                  // the format asks for no order of nodes
    std::size_t nodes = 0;                      // so far, subgraphs and functions counted
    std::uint64_t sparse_dense_bytes = 0, sparse_stored_bytes = 0;  // of the sparse tensors so far

    /// Throws limit_exceeded when `name` is longer than allowed; warns when it is not UTF-8.
    void check_name(std::string_view name, const char* what);
};

bool is_utf8(std::string_view text);

}  // namespace lapidary::onnx_io
