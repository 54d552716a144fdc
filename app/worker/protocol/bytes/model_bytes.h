// SPDX-License-Identifier: Apache-2.0
// Models as bytes: their structure, with the same ids. Large weights stay with the process that
// sends (weight_bytes.h). A variant is sent as what differs from the model that it was made from.
#pragma once

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

#include "worker/protocol/bytes/byte_stream.h"
#include "worker/protocol/bytes/weight_bytes.h"

namespace lapidary::app {

/// Built once, written twice (see ByteWriter). Both models must outlive it.
class ModelBytes {
public:
    /// `base`: a model that the reader has already; null: none. Records of rewrites
    /// (Graph::history()) are not sent. `is_kept`: see WeightWriter.
    explicit ModelBytes(const Model& model, const Model* base = nullptr, bool is_kept = true);
    void write(ByteWriter& out) const;

private:
    const Model& model_;
    const Model* base_;
    WeightWriter weights_;
};

/// Reads what ModelBytes wrote. `base`: the reader's own copy of the writer's second model, with
/// the same ids; null: there was none. Large weights ask for their values by `ask` when somebody
/// reads them. Throws io_failure for bytes that are no model or were written for another `base`;
/// cancelled.
Model read_model(ByteReader& in, const Model* base, ReadWeight ask, const CancelToken& cancel = {});

}  // namespace lapidary::app
