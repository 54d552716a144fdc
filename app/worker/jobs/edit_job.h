// SPDX-License-Identifier: Apache-2.0
// What a script of edits does to a model, before it is done.
#pragma once

#include <string>

#include <lapidary/edit/apply_edits.h>
#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

class ByteReader;

/// Throws what try_edits() and save_model() throw.
struct EditJob {
    using Result = EditReport;  // without parts
    static constexpr std::string_view name = "edit";
    static constexpr Lane lane = Lane::models;

    ModelSource model;
    std::string script;
    /// The files that lines name for models beside the edited one, such as the parts of a split,
    /// are written. None is if one of them cannot be.
    bool writes_parts = false;

    std::string title() const { return "edits of " + model.title(); }
    EditReport run(const JobContext& context) const;
    static SharedMemory block_of(const EditReport& report);
    EditReport complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<EditJob>();

}  // namespace lapidary::app
