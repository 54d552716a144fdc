// SPDX-License-Identifier: GPL-3.0-or-later
// A memory report prepared for drawing, with lookup tables for painting and for the mouse.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

#include <lapidary/cost/memory_report.h>
#include <lapidary/base/progress.h>

#include "theme/theme.h"

namespace lapidary::views {

enum class MemoryColoring { role, family, size, scope };

struct MemoryPicture {
    MemoryReport report;
    std::vector<OperatorFamily> families;  // of the writers, parallel to the tensors
    // numbers of the writers' name prefixes, parallel to the tensors
    std::vector<std::uint32_t> scopes;
    // the last step of all tensors up to this one; a backward search can stop beyond it
    std::vector<std::size_t> latest;
    std::uint64_t largest = 0;           // bytes of the largest tensor
    std::vector<std::int64_t> measured;  // bytes held at each step of a run; empty: not known
    std::int64_t measuredPeak = 0;       // 0: no run
    // the memory that each tensor lies in; empty: all in that of the CPU
    std::vector<std::string> memories;
    std::vector<PlannedCopy> copies;  // between kinds of memory, of the last run

    /// The tensor at this step and address, the inner one of those that share it; -1: none.
    std::ptrdiff_t tensorAt(double step, double address) const;
    /// The tensor that holds this value; -1: none.
    std::ptrdiff_t tensorOf(ValueId value) const;
    std::size_t steps() const { return report.steps.size(); }
};
using MemoryPicturePtr = std::shared_ptr<const MemoryPicture>;

/// Call it on a worker thread. `run`, `placement`: from a run of the same model; may be null.
MemoryPicturePtr makeMemoryPicture(MemoryReport report, const Profile* run,
                                   const PlacementReport* placement = nullptr);

/// Describes a tensor and its readers in one line: '"conv1_out" f32[1,64,112,112], 3.21 MB: written
/// by …, kept until …'.
QString sentenceOf(const MemoryReport& report, std::size_t tensor);

enum class MemoryPart { weights, activations, outputs, workspace, waste };
QColor memoryColor(MemoryPart part, const QPalette& palette);
QColor tensorColor(const MemoryPicture& picture, std::size_t tensor, MemoryColoring coloring,
                   const QPalette& palette);

}  // namespace lapidary::views
