// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done to a model besides optimizing it: a newer opset, dimensions fixed, outputs left
// out, large weights beside it. The changes are listed before the file is written.
#pragma once

#include <QString>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/export/export_model.h>
#include <lapidary/onnx_io/model_io.h>

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
    ExportOptions exportOptions() const;
    SaveOptions saveOptions() const;
    friend bool operator==(const Conversion&, const Conversion&) = default;
};

/// One change, and the reason for it.
struct ConversionChange {
    QString what, why;
};

struct ConversionResult {
    ModelPtr model;                         // to be saved
    std::vector<ConversionChange> changes;  // the most important first
    std::int64_t nodesBefore = 0, nodesAfter = 0;
};

/// Call it on a worker thread. Throws as export_model().
ConversionResult convert(const Model& model, const Conversion& conversion,
                         const Progress& progress = {});

/// `lapidary-cli optimize MODEL -o OUT ...`
QString conversionCommand(const Conversion& conversion, const QString& model,
                          const QString& output);

}  // namespace lapidary::app
