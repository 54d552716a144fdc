// SPDX-License-Identifier: GPL-3.0-or-later
// What a project file holds, as plain values, and its text: JSON that people can read.
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
    QString path;    // absolute; empty: a sample, or never saved
    QString sample;  // name of a built-in sample
    std::uint64_t bytes = 0, external_bytes = 0;
    // hexadecimal, of the file without its external data; empty: not known
    QByteArray sha256;
    friend bool operator==(const ModelReference&, const ModelReference&) = default;
};

enum class RunKind : std::uint8_t { profile, measurement };

/// What is kept of a run: its key figures. The recording itself is made again in seconds and is
/// large; Save trace keeps one.
struct RunFigures {
    Recipe recipe;  // of the variant that ran
    RunKind kind = RunKind::profile;
    QString date;     // ISO 8601, UTC
    QString cpu;      // of the machine
    int threads = 0;  // 0: one per core
    int repetitions = 0, warmups = 0;
    std::int64_t batch = 0;  // 0: as the inputs come
    // of the symbolic dimensions of the opened model's inputs; empty: there are none, or they were
    // not recorded
    std::map<std::string, std::int64_t> sizes;
    double median_ms = 0, low_ms = 0, high_ms = 0;  // 95 % interval of the median
    std::int64_t peak_bytes = 0;                    // of activations; 0: not known
    QString verdict;
    friend bool operator==(const RunFigures&, const RunFigures&) = default;
};

/// A variant that was run against the original.
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
    Recipe chosen;  // on the Optimize page
    // all but the original, whose children they are
    std::vector<Recipe> variants;
    std::array<std::optional<Recipe>, 2> compared;  // slots A, B
    Recipe shown;                                   // by all pages
    RunSettings settings;
    std::vector<RunFigures> runs;      // oldest first
    std::vector<GuardFigures> guards;  // newest of each variant
    std::shared_ptr<const SweepResult> sweep;
    // whose passes and sizes the sweep's models have, at each of its levels
    Recipe swept;
    QString notes, page;
};

/// A sweep in which nothing was measured is not kept.
bool hasMeasuredCells(const SweepResult& sweep);

constexpr int project_version = 1;
constexpr std::size_t most_kept_variants = 64, most_kept_runs = 500;
constexpr std::uint64_t most_project_bytes = 64u << 20;

/// Paths beneath or beside `folder` are written relative to it; empty: absolute.
QByteArray toText(const ProjectState& state, const QString& folder);
/// Throws invalid_input naming the member, what was expected and found; not_supported for the text
/// of a newer version. A relative path is completed by `folder`; where no such file is, the
/// absolute one stands in that was recorded with it.
ProjectState projectFromText(const QByteArray& text, const QString& folder);

}  // namespace lapidary::app
