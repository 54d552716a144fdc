// SPDX-License-Identifier: Apache-2.0
// What an exported model says of how it came about and what it needs: its passport, in the metadata
// of the file (metadata_props) under keys that begin with "lapidary.". The same source and options
// give the same passport: no time, no path, no machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/export/export_model.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Empty, or 0: the file does not say.
struct Passport {
    std::string engine;  // lapidary.engine: "Lapidary 0.1.0"
    std::string level;   // lapidary.level: "extended"
    /// lapidary.passes: those that changed something, with how often: "fuse_gelu 12, fold_constants
    /// 3"
    std::string passes;
    std::string options;  // lapidary.options: what else was asked for, as JSON
    /// lapidary.target: "portable", "plain", "cpu"; "none": the optimized model as it came
    std::string target;
    std::string needs;  // lapidary.needs: what a runtime needs to run it, one sentence
    /// lapidary.source: name of the file, or of the graph where there was none
    std::string source;
    std::string source_sha256;  // lapidary.source_sha256: of the source's file
    /// lapidary.source_data_sha256: of its external data, one file behind the other
    std::string data_sha256;
    /// lapidary.layout: provider and vector instructions that the memory layout is for: "cpu
    /// avx512f"
    std::string layout;
    /// lapidary.channel_block: channels that lie together in it, "8" or "16"
    std::string channel_block;

    /// Keys as in the file with what they say, those that say nothing left out.
    std::vector<std::pair<std::string, std::string>> entries() const;
};

/// Nothing when the model has none of these entries.
std::optional<Passport> passport_of(const Model& model);
/// True for the keys of the passport, also if another program wrote them.
bool is_passport_key(std::string_view key);

/// Writes the passport of what export_model() made of `source` into the result, in place of one
/// that the source had. A source whose file is gone or has changed since it was read is noted in
/// the result, its SHA-256 then left out. Throws cancelled.
void stamp_passport(ExportResult& result, const Model& source, const ExportOptions& options,
                    const Progress& progress);

/// Where the blocks of channels are not those of this CPU, what they are for: "laid out for avx512f
/// (blocks of 16 channels), this CPU has avx2 (blocks of 8)". Empty where they are, and where the
/// model has no such layout or does not say which.
std::string foreign_layout(const Model& model);
/// Lays a model with a foreign layout out for this CPU. Returns what was done, "laid out for
/// avx512f, re-blocked for avx2"; empty where there was nothing to do. Throws not_supported naming
/// both and the node that keeps it from being done; the model is then as it was.
std::string fit_layout(Model& model, const Progress& progress = {});

}  // namespace lapidary
