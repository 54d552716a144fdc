// SPDX-License-Identifier: GPL-3.0-or-later
// All graphs between the original and a variant, drawn on request with stable positions, and the
// differences between two of them. Safe to use from several worker threads.
#pragma once

#include <list>
#include <mutex>

#include "canvas/graph_look.h"
#include "optimize/step_scene.h"
#include "workbench/document/variant.h"
#include "worker/jobs/engine.h"

namespace lapidary::views {

enum class CompareWith { Original, PreviousStep };

/// Two drawings and the changes of boxes between them.
struct DiffScenes {
    std::size_t step = 0;
    CompareWith with = CompareWith::Original;
    GraphScenePtr before, after, overlay;  // overlay: `after` with the added boxes beside brackets
    // `after` with a layout of its own; only at the last step of the variant, else null
    GraphScenePtr compact;
    std::vector<BoxMark> beforeMarks, afterMarks, overlayMarks, compactMarks;
    std::vector<SceneBracket> beforeBrackets, overlayBrackets;
    // area of the step's boxes in both drawings; empty: it has none
    QRectF focus;
    std::size_t removed = 0, added = 0;           // boxes, not inputs and outputs
    std::size_t nodesBefore = 0, nodesAfter = 0;  // including subgraphs
};
using DiffScenesPtr = std::shared_ptr<const DiffScenes>;

class StepFilm {
public:
    /// `source`: of the variant. The engine makes the graphs between.
    StepFilm(app::Engine& engine, app::ModelSource source, app::VariantPtr variant,
             BaseDrawingPtr base);

    const app::VariantPtr& variant() const { return variant_; }
    std::size_t steps() const { return variant_->report.rewrites.size(); }
    /// The number of steps that make the variant. Later steps are those of a session on its own
    /// copy.
    std::size_t ownSteps() const { return variant_->rewrites(); }
    const StepPlaces& places() const { return places_; }
    /// The model after so many steps, 0: with types and without functions, as optimizing begins.
    /// Throws what StepJob throws.
    ModelPtr modelAt(std::size_t step, const Progress& progress = {});
    /// What step number `step` did, 0 being the original. Throws what StepJob throws.
    DiffScenesPtr at(std::size_t step, CompareWith with, const Progress& progress = {});
    /// The leaves of `to` that replace the same original nodes as `leaf` of `from`.
    std::vector<OutlineIndex> counterparts(const GraphScene& from, OutlineIndex leaf,
                                           const GraphScene& to) const;

private:
    GraphScenePtr sceneAt(std::size_t step, const Progress& progress);
    void addCompact(DiffScenes& diff, const Progress& progress);

    app::Engine& engine_;
    app::ModelSource source_;
    app::VariantPtr variant_;
    StepPlaces places_;
    std::mutex mutex_;
    std::list<std::pair<std::size_t, GraphScenePtr>> scenes_;  // newest first
    std::list<std::pair<std::size_t, ModelPtr>> models_;       // newest first
    GraphScenePtr compact_;
};
using StepFilmPtr = std::shared_ptr<StepFilm>;

}  // namespace lapidary::views
