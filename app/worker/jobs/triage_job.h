// SPDX-License-Identifier: Apache-2.0
// What the export of a model broke or made larger than it need be.
#pragma once

#include <string>

#include <lapidary/advice/export_triage.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

class ByteReader;

/// Throws what triage_export() throws.
struct TriageJob {
    using Result = ExportTriage;
    static constexpr std::string_view name = "triage_export";
    static constexpr Lane lane = Lane::models;

    ModelSource model;  // as opened

    std::string title() const { return "the triage of " + model.title(); }
    ExportTriage run(const JobContext& context) const;
    static SharedMemory block_of(const ExportTriage& triage);
    ExportTriage complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<TriageJob>();

}  // namespace lapidary::app
