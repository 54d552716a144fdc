// SPDX-License-Identifier: GPL-3.0-or-later
// All graphs between the original and a variant, drawn at stable positions when asked for, and what
// differs between two of them. Safe to use from several worker threads.
#pragma once

#include <list>
#include <mutex>

#include "canvas/graph_look.h"
#include "optimize/step_scene.h"
#include "workbench/document/variant.h"

namespace lapidary::views {

enum class CompareWith { Original, PreviousStep };

/// Two drawings and what became of the boxes between them.
struct DiffScenes {
    std::size_t step = 0;
    CompareWith with = CompareWith::Original;
    GraphScenePtr before, after, overlay;  // overlay: after, with what is new beside its bracket
    // after, laid out for itself; null but at the last step of the variant
    GraphScenePtr compact;
    std::vector<BoxMark> beforeMarks, afterMarks, overlayMarks, compactMarks;
    std::vector<SceneBracket> beforeBrackets, overlayBrackets;
    // of the step's boxes in both drawings; empty: nothing to point at
    QRectF focus;
    std::size_t removed = 0, added = 0;           // boxes
    std::size_t nodesBefore = 0, nodesAfter = 0;  // of subgraphs too
};
using DiffScenesPtr = std::shared_ptr<const DiffScenes>;

class StepFilm {
public:
    StepFilm(app::VariantPtr variant, BaseDrawingPtr base);

    const app::VariantPtr& variant() const { return variant_; }
    std::size_t steps() const { return variant_->report.rewrites.size(); }
    /// Those that make the variant; what follows is what a session does to its own copy of it.
    std::size_t ownSteps() const { return variant_->rewrites(); }
    const StepPlaces& places() const { return places_; }
    /// What step number `step` did, 0 being the original. Throws what optimize() throws, cancelled.
    DiffScenesPtr at(std::size_t step, CompareWith with, const Progress& progress = {});
    /// Leaves of `to` that stand for the same original nodes as `leaf` of `from`.
    std::vector<OutlineIndex> counterparts(const GraphScene& from, OutlineIndex leaf,
                                           const GraphScene& to) const;

private:
    GraphScenePtr sceneAt(std::size_t step, const Progress& progress);
    void addCompact(DiffScenes& diff, const Progress& progress);

    app::VariantPtr variant_;
    StepPlaces places_;
    std::mutex mutex_;
    std::list<std::pair<std::size_t, GraphScenePtr>> scenes_;  // newest first
    GraphScenePtr compact_;
};
using StepFilmPtr = std::shared_ptr<StepFilm>;

}  // namespace lapidary::views
