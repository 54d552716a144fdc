// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done to a model besides optimizing it: a newer opset, dimensions fixed, outputs left
// out, large weights beside it. The changes are listed before the file is written.
#pragma once

#include <QString>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "worker/jobs/export_job.h"

namespace lapidary::app {

struct Conversion {
    std::optional<std::int64_t> opset;               // at least the model's; empty: unchanged
    std::map<std::string, std::int64_t> dimensions;  // sizes of symbolic dimensions
    std::vector<std::string> keepOutputs;            // empty: all
    // weights of at least this many bytes go into a file beside the model; empty: none do
    std::optional<std::uint64_t> externalBytes;
    bool isNone() const {
        return !opset && dimensions.empty() && keepOutputs.empty() && !externalBytes;
    }
    /// What writes the converted model; without a file it only finds out what changes.
    ExportJob job(const ModelSource& model, const std::filesystem::path& file = {}) const;
    friend bool operator==(const Conversion&, const Conversion&) = default;
};

/// One change, and the reason for it.
struct ConversionChange {
    QString what, why;
};

/// Of what the conversion's job found out; the most important first.
std::vector<ConversionChange> changesOf(const ExportedModel& exported,
                                        const Conversion& conversion);

/// `lapidary-cli optimize MODEL -o OUT ...`
QString conversionCommand(const Conversion& conversion, const QString& model,
                          const QString& output);

}  // namespace lapidary::app
