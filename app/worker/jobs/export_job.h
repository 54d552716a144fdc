// SPDX-License-Identifier: Apache-2.0
// A model, or a part of it, written to a file for others; or what such a file would hold.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/export/export_model.h>
#include <lapidary/onnx_io/model_io.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/export_changes.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// What a file holds.
struct ExportedModel {
    std::int64_t nodes = 0;
    std::uint64_t weight_bytes = 0;
    std::string needs;               // Requirement::sentence
    std::vector<std::string> notes;  // sentences: of saving, then of exporting
    ExportChanges changes;           // of all nodes; nothing for a part
};

/// Throws what extract_nodes(), export_model() and save_model() throw.
struct ExportJob {
    using Result = ExportedModel;
    static constexpr std::string_view name = "export";
    static constexpr Lane lane = Lane::models;

    ModelSource model;         // before the options are applied
    std::vector<NodeId> part;  // the nodes alone, as they are; empty: all, under the options
    ExportOptions options = {};
    std::filesystem::path file = {};  // empty: nothing is written
    SaveOptions saving = {};
    /// The model as it is, as `lapidary-cli edit` writes it: no option applies, it has no passport,
    /// and weights in files beside it stay there (save_beside_weights()).
    bool as_it_is = false;
    std::string edits_after = {};  // lines for what the level made (Recipe::edits_after)

    std::string title() const { return "the export of " + model.title(); }
    ExportedModel run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<ExportJob>();

}  // namespace lapidary::app
