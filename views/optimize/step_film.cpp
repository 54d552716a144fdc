// SPDX-License-Identifier: GPL-3.0-or-later
#include "optimize/step_film.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

#include "worker/jobs/step_job.h"

namespace lapidary::views {
namespace {

constexpr std::size_t mostScenes = 6;
constexpr std::size_t mostModels = 3;  // without a drawing
// distance in the overlay from the removed boxes to the added one
constexpr double besideBracket = 40;
constexpr double farReach = 1600;  // boxes further apart get no common bracket

/// Removed and added boxes for the same original nodes.
struct Change {
    std::vector<OutlineIndex> removed, added;  // leaves of before and after
    bool strong = false;
};

bool share(const std::vector<StepPlaces::Mark>& a, const std::unordered_set<StepPlaces::Mark>& b) {
    return std::ranges::any_of(a, [&](StepPlaces::Mark m) { return b.contains(m); });
}

class Differ {
public:
    Differ(DiffScenes& diff, const StepPlaces& places, std::size_t ownSteps)
        : diff_(diff), places_(places) {
        beforeKeys_ = leafKeys(*diff.before->outline);
        afterKeys_ = leafKeys(*diff.after->outline);
        if (diff.step > 0 && diff.step <= places.steps().size()) {
            const StepPlaces::Step& step = places.steps()[diff.step - 1];
            stepKeys_.insert(step.removed.begin(), step.removed.end());
            stepKeys_.insert(step.added.begin(), step.added.end());
            stepKeys_.insert(step.changed.begin(), step.changed.end());
            stepOrigins_.insert(step.origins.begin(), step.origins.end());
        }
        whole_ = diff.step == 0 || diff.step == places.steps().size() || diff.step == ownSteps;
        beforeOperators_ = operators(*diff.before, beforeKeys_);
        afterOperators_ = operators(*diff.after, afterKeys_);
    }

    void run(const CancelToken& cancel) {
        diff_.beforeMarks = marks(*diff_.before, beforeKeys_, beforeOperators_, afterOperators_,
                                  BoxMark::Removed, BoxMark::EarlierRemoved, removed_);
        diff_.afterMarks = marks(*diff_.after, afterKeys_, afterOperators_, beforeOperators_,
                                 BoxMark::Added, BoxMark::EarlierAdded, added_);
        // an input or output of another name is no node that went or came
        diff_.removed = nodesOf(*diff_.before, removed_);
        diff_.added = nodesOf(*diff_.after, added_);
        cancel.throw_if_cancelled();
        for (const Change& change : changes()) addBrackets(change);
        diff_.overlay =
            added_.empty() ? diff_.after : drawStep(diff_.after->outline, places_, moved_, cancel);
        diff_.overlayMarks = diff_.afterMarks;
    }

private:
    using Operators = std::unordered_map<std::string_view, std::string>;

    /// How many of the leaves are no inputs or outputs of the model.
    static std::size_t nodesOf(const GraphScene& scene, const std::vector<OutlineIndex>& leaves) {
        return std::size_t(std::ranges::count_if(leaves, [&](OutlineIndex leaf) {
            const OutlineLeaf::Kind kind = scene.outline->leaves()[leaf].kind;
            return kind != OutlineLeaf::Kind::Input && kind != OutlineLeaf::Kind::Output;
        }));
    }

    /// The operator of each box by key, because a rewrite may change a node's operator in place.
    static Operators operators(const GraphScene& scene, const std::vector<std::string>& keys) {
        Operators operators;
        for (OutlineIndex leaf = 0; leaf < keys.size(); ++leaf) {
            const OutlineLeaf& of = scene.outline->leaves()[leaf];
            operators.emplace(keys[leaf], of.kind == OutlineLeaf::Kind::Node
                                              ? scene.outline->nodeOf(of).qualified_op()
                                              : std::string());
        }
        return operators;
    }

    /// If the last or no step is shown, all changes are emphasized; else only those of the step.
    bool isStrong(const std::string& key) const {
        if (whole_ && diff_.with == CompareWith::Original) return true;
        if (stepKeys_.contains(key)) return true;
        return share(places_.originsOf(key), stepOrigins_);
    }

    std::vector<BoxMark> marks(const GraphScene& scene, const std::vector<std::string>& keys,
                               const Operators& operators, const Operators& others, BoxMark strong,
                               BoxMark pale, std::vector<OutlineIndex>& changed) {
        std::vector<BoxMark> marks(scene.boxes.size(), BoxMark::None);
        for (OutlineIndex leaf = 0; leaf < keys.size(); ++leaf) {
            const OutlineIndex box = scene.boxOfLeaf[leaf];
            if (box == noIndex) continue;
            const bool ours = isStrong(keys[leaf]) && stepKeys_.contains(keys[leaf]);
            if (ours && !whole_) diff_.focus |= scene.boxes[box].rect();
            if (const auto other = others.find(keys[leaf]);
                other != others.end() && other->second == operators.at(keys[leaf]))
                continue;
            const bool stands = isStrong(keys[leaf]);
            marks[box] = stands ? strong : pale;
            if (stands && !stepKeys_.empty() && share(places_.originsOf(keys[leaf]), stepOrigins_))
                diff_.focus |= scene.boxes[box].rect();
            changed.push_back(leaf);
        }
        return marks;
    }

    std::vector<Change> changes() const {
        std::vector<std::uint32_t> parent(removed_.size() + added_.size());
        std::iota(parent.begin(), parent.end(), 0u);
        const auto find = [&](std::uint32_t i) {
            while (parent[i] != i) i = parent[i] = parent[parent[i]];
            return i;
        };
        std::map<StepPlaces::Mark, std::uint32_t> owner;
        const auto join = [&](std::uint32_t item, const std::string& key) {
            for (StepPlaces::Mark m : places_.originsOf(key)) {
                const auto [at, fresh] = owner.emplace(m, item);
                if (!fresh) parent[find(item)] = find(at->second);
            }
        };
        for (std::uint32_t i = 0; i < removed_.size(); ++i) join(i, beforeKeys_[removed_[i]]);
        for (std::uint32_t i = 0; i < added_.size(); ++i)
            join(static_cast<std::uint32_t>(removed_.size()) + i, afterKeys_[added_[i]]);
        std::map<std::uint32_t, Change> groups;
        for (std::uint32_t i = 0; i < parent.size(); ++i) {
            Change& change = groups[find(i)];
            const bool gone = i < removed_.size();
            const OutlineIndex leaf = gone ? removed_[i] : added_[i - removed_.size()];
            (gone ? change.removed : change.added).push_back(leaf);
            change.strong = change.strong || isStrong(gone ? beforeKeys_[leaf] : afterKeys_[leaf]);
        }
        std::vector<Change> result;
        for (auto& [root, change] : groups) {
            if (!change.removed.empty() && !change.added.empty())
                result.push_back(std::move(change));
        }
        return result;
    }

    void addBrackets(const Change& change) {
        const GraphScene &before = *diff_.before, &after = *diff_.after;
        QRectF around;
        for (OutlineIndex leaf : change.removed)
            around |= before.boxes[before.boxOfLeaf[leaf]].rect();
        const QString text =
            QStringLiteral("%1 → %2").arg(change.removed.size()).arg(change.added.size());
        QString names;
        for (std::size_t i = 0; i < change.added.size() && i < 2; ++i)
            names += (i ? QStringLiteral(", ") : QString()) +
                     after.outline->leaves()[change.added[i]].title;
        if (around.height() > farReach || around.width() > farReach) {
            // Nodes all over the graph, e.g. duplicates that were merged: a bracket around
            // everything says nothing.
            return;
        }
        diff_.beforeBrackets.push_back({around, {}, text + u' ' + names, change.strong});
        double y = around.center().y();
        double height = 0;
        for (OutlineIndex leaf : change.added)
            height += after.boxes[after.boxOfLeaf[leaf]].height + 10;
        y -= height / 2;
        QPointF tip;
        for (OutlineIndex leaf : change.added) {
            const SceneBox& box = after.boxes[after.boxOfLeaf[leaf]];
            if (box.open) continue;
            const QPointF centre(around.right() + besideBracket + 24 + box.width / 2,
                                 y + box.height / 2 + 5);
            moved_[afterKeys_[leaf]] = centre;
            if (tip.isNull() || change.added.size() == 1)
                tip = QPointF(centre.x() - box.width / 2 - 2,
                              change.added.size() == 1 ? around.center().y() : centre.y());
            y += box.height + 10;
        }
        if (change.added.size() == 1 && !tip.isNull())
            moved_[afterKeys_[change.added[0]]].setY(around.center().y());
        diff_.overlayBrackets.push_back({around, tip, text, change.strong});
    }

    DiffScenes& diff_;
    const StepPlaces& places_;
    std::vector<std::string> beforeKeys_, afterKeys_;
    Operators beforeOperators_, afterOperators_;
    std::unordered_set<std::string> stepKeys_;
    std::unordered_set<StepPlaces::Mark> stepOrigins_;
    bool whole_ = false;
    std::vector<OutlineIndex> removed_, added_;  // leaves
    MovedBoxes moved_;
};

}  // namespace

StepFilm::StepFilm(app::Engine& engine, app::ModelSource source, app::VariantPtr variant,
                   BaseDrawingPtr base)
    : engine_(engine), source_(std::move(source)), variant_(std::move(variant)),
      places_(std::move(base), variant_->report) {}

ModelPtr StepFilm::modelAt(std::size_t step, const Progress& progress) {
    if (step == 0) return places_.base().scene->outline->model();
    if (step == ownSteps()) return variant_->model;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [at, scene] : scenes_)
            if (at == step) return scene->outline->model();
        for (const auto& [at, model] : models_)
            if (at == step) return model;
    }
    const bool isSession = step > ownSteps();  // what a session does to its own copy
    const app::StepJob job = isSession
                                 ? app::StepJob{source_, step - ownSteps(), true, variant_->model}
                                 : app::StepJob{source_, step, false, variant_->parent->model};
    ModelPtr model = engine_.call(job, progress).model;
    const std::lock_guard lock(mutex_);
    models_.emplace_front(step, model);
    if (models_.size() > mostModels) models_.pop_back();
    return model;
}

GraphScenePtr StepFilm::sceneAt(std::size_t step, const Progress& progress) {
    if (step == 0) return places_.base().scene;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [at, scene] : scenes_)
            if (at == step) return scene;
    }
    const ModelPtr model = modelAt(step, progress);
    progress.step("draw");
    auto outline =
        std::make_shared<const GraphOutline>(model, progress, GraphOutline::Scopes::Ignore);
    GraphScenePtr scene = drawStep(outline, places_, {}, progress.cancel);
    const std::lock_guard lock(mutex_);
    scenes_.emplace_front(step, scene);
    if (scenes_.size() > mostScenes) scenes_.pop_back();
    return scene;
}

DiffScenesPtr StepFilm::at(std::size_t step, CompareWith with, const Progress& progress) {
    auto diff = std::make_shared<DiffScenes>();
    diff->step = std::min(step, steps());
    diff->with = with;
    diff->before =
        sceneAt(with == CompareWith::PreviousStep && diff->step > 0 ? diff->step - 1 : 0, progress);
    diff->after = sceneAt(diff->step, progress);
    diff->nodesBefore = count_nodes(diff->before->outline->model()->graph);
    diff->nodesAfter = count_nodes(diff->after->outline->model()->graph);
    Differ(*diff, places_, ownSteps()).run(progress.cancel);
    if (diff->step == ownSteps() && diff->step > 0) addCompact(*diff, progress);
    return diff;
}

/// The final variant gets its own layout, without gaps for removed nodes.
void StepFilm::addCompact(DiffScenes& diff, const Progress& progress) {
    GraphScenePtr scene;
    {
        const std::lock_guard lock(mutex_);
        if (compact_ && compact_->outline == diff.after->outline) scene = compact_;
    }
    if (!scene) {
        progress.step("layout");
        SceneOptions options = diff.after->options;
        options.cancel = progress.cancel;
        const GraphOutlinePtr& outline = diff.after->outline;
        scene = buildScene(outline, allGroups(*outline, true), options);
        const std::lock_guard lock(mutex_);
        compact_ = scene;
    }
    diff.compact = scene;
    diff.compactMarks.assign(scene->boxes.size(), BoxMark::None);
    for (OutlineIndex leaf = 0; leaf < scene->boxOfLeaf.size(); ++leaf) {
        const OutlineIndex to = scene->boxOfLeaf[leaf], from = diff.after->boxOfLeaf[leaf];
        if (to != noIndex && from != noIndex) diff.compactMarks[to] = diff.afterMarks[from];
    }
}

std::vector<OutlineIndex> StepFilm::counterparts(const GraphScene& from, OutlineIndex leaf,
                                                 const GraphScene& to) const {
    const std::vector<std::string> fromKeys = leafKeys(*from.outline),
                                   toKeys = leafKeys(*to.outline);
    const auto origins = places_.originsOf(fromKeys[leaf]);
    const std::unordered_set<StepPlaces::Mark> wanted(origins.begin(), origins.end());
    std::vector<OutlineIndex> found;
    for (OutlineIndex other = 0; other < toKeys.size(); ++other) {
        if (to.boxOfLeaf[other] != noIndex &&
            (toKeys[other] == fromKeys[leaf] || share(places_.originsOf(toKeys[other]), wanted)))
            found.push_back(other);
    }
    return found;
}

}  // namespace lapidary::views
