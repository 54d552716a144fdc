// SPDX-License-Identifier: GPL-3.0-or-later
// The variants of the open model: made one after another in the background, kept by recipe.
#pragma once

#include <QObject>

#include <array>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "workbench/jobs/latest_job.h"
#include "workbench/document/variant.h"

namespace lapidary::app {

enum class Slot : std::uint8_t { A, B };

class VariantStore : public QObject {
    Q_OBJECT
public:
    explicit VariantStore(JobRunner& jobs, QObject* parent = nullptr);

    /// What writes the file of a quantized model; from a thread of the jobs. Without it no recipe
    /// is quantized.
    using Quantizer = std::function<std::filesystem::path(const Quantization&, const Progress&)>;
    void setQuantizer(Quantizer quantizer) { quantizer_ = std::move(quantizer); }

    /// Begins anew with another model; null: none.
    void open(ModelPtr model, const ModelSummary& summary);
    /// Null until the first request was answered.
    const VariantPtr& original() const { return original_; }
    /// Null when it is not made.
    VariantPtr find(const Recipe& recipe) const;
    /// In the order in which they were made, the original first.
    const std::vector<VariantPtr>& list() const { return list_; }

    /// Makes what is missing, in this order; what was asked for before and is not in the list is
    /// given up.
    void request(const std::vector<Recipe>& recipes);
    /// Makes one more after what was asked for before; a failure is forgotten.
    void requestAlso(const Recipe& recipe);
    /// Variants that belong to the model and are made whenever nothing else is wanted, until they
    /// are removed.
    void require(const std::vector<Recipe>& recipes);
    /// Those of them that are not made, be it that they failed.
    std::vector<Recipe> missing() const;
    /// What a variant of the recipe is optimized from: the original, or the quantized model. Null:
    /// not made yet.
    VariantPtr baseOf(const Recipe& recipe) const;
    bool isPending(const Recipe& recipe) const;
    bool isIdle() const { return queue_.empty() && !job_; }
    /// The one at work; null: none.
    Job* job() const { return job_.job(); }
    /// Why a recipe could not be made; empty: it was not tried, or it was.
    QString failureOf(const Recipe& recipe) const;
    void forgetFailures() { failures_.clear(); }
    /// Not the original, not one in a slot, not one that is shown.
    bool canRemove(const VariantPtr& variant) const;
    void remove(VariantPtr variant);

    VariantPtr slot(Slot slot) const { return slots_[static_cast<std::size_t>(slot)]; }
    void setSlot(Slot slot, VariantPtr variant);
    /// "A", "B", "A B" or nothing: the slots that hold it.
    QString lettersOf(const VariantPtr& variant) const;
    /// By setSlot(), since the model was opened.
    bool isChosen(Slot slot) const { return chosen_[static_cast<std::size_t>(slot)]; }
    /// Unless the slot was set by setSlot() since the model was opened.
    void followSlot(Slot slot, VariantPtr variant);
    /// Variants that must not be dropped to make room, besides those in the slots.
    void setInUse(VariantPtr variant) { inUse_ = std::move(variant); }

signals:
    void made(const lapidary::app::VariantPtr& variant);
    void failed(const lapidary::app::Recipe& recipe, const QString& reason);
    void cancelled(const lapidary::app::Recipe& recipe);
    void listChanged();
    void slotsChanged();
    void progressed();

private:
    void startNext();
    std::optional<Recipe> nextRequired() const;
    void add(VariantPtr variant);
    void dropOldest();
    std::function<VariantPtr(const Progress&)> maker() const;
    void put(Slot slot, VariantPtr variant);

    JobRunner& jobs_;
    Quantizer quantizer_;
    ModelPtr model_;
    ModelSummary summary_;
    VariantPtr original_, inUse_;
    std::vector<VariantPtr> list_;
    std::deque<Recipe> queue_;
    std::vector<Recipe> required_;
    // the user stopped the making: not without being asked again
    bool resting_ = false;
    LatestJob job_;
    Recipe working_;                       // of job_
    std::map<QString, QString> failures_;  // by recipe
    std::array<VariantPtr, 2> slots_;
    std::array<bool, 2> chosen_{};  // by setSlot()
};

}  // namespace lapidary::app

Q_DECLARE_METATYPE(lapidary::app::VariantPtr)
