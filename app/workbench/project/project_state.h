// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a project file as plain values, and as indented JSON.
#pragma once

#include <QByteArray>
#include <QString>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/sweep.h>

#include "worker/protocol/run_record.h"
#include "workbench/text/recipe.h"

namespace lapidary::app {

/// The model that a project is about.
struct ModelReference {
    QString path;    // absolute; empty: a sample, or a model without a file
    QString sample;  // name of a built-in sample
    std::uint64_t bytes = 0, external_bytes = 0;
    // hexadecimal, of the file without its external data; empty: not computed
    QByteArray sha256;
    friend bool operator==(const ModelReference&, const ModelReference&) = default;
};

enum class RunKind : std::uint8_t { profile, measurement };

/// The key figures of a run. Its recording is not kept, because it is large and quickly made again;
/// Save trace stores one in a file.
struct RunFigures {
    Recipe recipe;  // recipe of the variant that ran
    RunKind kind = RunKind::profile;
    QString date;     // ISO 8601, UTC
    QString cpu;      // of this computer; of a target its Machine::text()
    int threads = 0;  // 0: one per core
    int repetitions = 0, warmups = 0;
    std::int64_t batch = 0;  // 0: that of the inputs
    // sizes of the symbolic dimensions of the opened model's inputs; empty: there are none, or they
    // were not recorded
    std::map<std::string, std::int64_t> sizes;
    double median_ms = 0, low_ms = 0, high_ms = 0;  // 95 % interval of the median
    std::int64_t peak_bytes = 0;                    // of activations; 0: not known
    QString verdict;
    friend bool operator==(const RunFigures&, const RunFigures&) = default;
};

/// A comparison of a variant's outputs with those of the original.
struct GuardFigures {
    Recipe recipe;
    QString date;
    bool matches = false;
    double largest = 0, rtol = 0, atol = 0;
    QString failure;  // why the variant did not run
    friend bool operator==(const GuardFigures&, const GuardFigures&) = default;
};

struct ProjectState {
    std::optional<ModelReference> model;
    Recipe chosen;  // chosen on the Optimize page
    // all but the original; each is made from the original
    std::vector<Recipe> variants;
    std::array<std::optional<Recipe>, 2> compared;  // slots A, B
    Recipe shown;                                   // by all pages
    RunSettings settings;
    std::vector<RunFigures> runs;      // oldest first
    std::vector<GuardFigures> guards;  // the newest of each variant
    std::shared_ptr<const SweepResult> sweep;
    // recipe whose passes and sizes the sweep uses at each level
    Recipe swept;
    QString notes, page;
};

/// True if the sweep has measured cells. A sweep without any is not kept.
bool hasMeasuredCells(const SweepResult& sweep);

constexpr int project_version = 1;
constexpr std::size_t most_kept_variants = 64, most_kept_runs = 500;
constexpr std::uint64_t most_project_bytes = 64u << 20;

/// Paths in `folder` or below are written relative to it. An empty `folder`: all paths are
/// absolute.
QByteArray toText(const ProjectState& state, const QString& folder);
/// Throws invalid_input naming the member, what was expected and found; not_supported for the text
/// of a newer version. A relative path is resolved in `folder`. If there is no such file, the
/// absolute path that was stored with it is used.
ProjectState projectFromText(const QByteArray& text, const QString& folder);

}  // namespace lapidary::app
