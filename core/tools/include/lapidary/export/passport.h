// SPDX-License-Identifier: Apache-2.0
// The passport of an exported model: how it was made and what it needs to run. It is stored in the
// metadata of the file (metadata_props) under keys that begin with "lapidary.". The same source and
// options give the same passport: it names no time, path or machine.
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

/// Members are empty where the file lacks the entry.
struct Passport {
    std::string engine;  // lapidary.engine: "Lapidary 0.1.0"
    std::string level;   // lapidary.level: "extended"
    /// lapidary.passes: passes that changed something and their numbers of rewrites: "fuse_gelu 12,
    /// fold_constants 3"
    std::string passes;
    std::string options;  // lapidary.options: other options, as JSON
    /// lapidary.edits: lines of a script that were applied to the source first
    std::string edits;
    /// lapidary.edits_after: lines that were applied to what the level made
    std::string edits_after;
    /// lapidary.target: "portable", "plain", "cpu"; "none": exported without a target
    std::string target;
    std::string needs;  // lapidary.needs: a sentence about what a runtime needs to run it
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

    /// The keys and values of the file, without empty ones.
    std::vector<std::pair<std::string, std::string>> entries() const;
};

/// Nothing when the model has none of these entries.
std::optional<Passport> passport_of(const Model& model);
/// True for the keys of the passport, also if another program wrote them.
bool is_passport_key(std::string_view key);

/// Writes the passport of the result of export_model(`source`) into it. Replaces the passport of
/// the source. If the file of the source is gone or has changed since it was read, the result gets
/// a note and the passport no SHA-256. Throws cancelled.
void stamp_passport(ExportResult& result, const Model& source, const ExportOptions& options,
                    const Progress& progress);

/// Adds to the passport that the model was edited by these lines first; none: nothing.
void stamp_edits(Model& model, const std::string& script);
/// Adds to the passport that what the level made was edited by these lines; none: nothing.
void stamp_edits_after(Model& model, const std::string& script);

/// For a model whose blocks of channels suit another CPU: "laid out for avx512f (blocks of 16
/// channels), this CPU has avx2 (blocks of 8)". Empty if they suit this CPU, or if the model has no
/// such layout or does not say which.
std::string foreign_layout(const Model& model);
/// Converts a model with a foreign layout to the layout of this CPU. Returns a description, "laid
/// out for avx512f, re-blocked for avx2"; empty: there was nothing to do. Throws not_supported
/// naming both layouts and the node that prevents it; the model is then unchanged.
std::string fit_layout(Model& model, const Progress& progress = {});

}  // namespace lapidary
