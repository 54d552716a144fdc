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
    VariantStore(JobRunner& jobs, Engine& engine, QObject* parent = nullptr);

    /// Writes the file of a quantized model, which is made from the opened model or from that one
    /// edited; called on a job's thread. Without it, recipes with a quantization fail.
    using Quantizer = std::function<std::filesystem::path(const ModelSource&, const Quantization&,
                                                          const Progress&)>;
    void setQuantizer(Quantizer quantizer) { quantizer_ = std::move(quantizer); }

    /// Begins anew with the variants of another model, which the source holds; null: none.
    void open(const ModelSource& source);
    /// Null until the first request was answered.
    const VariantPtr& original() const { return original_; }
    /// Null when it is not made.
    VariantPtr find(const Recipe& recipe) const;
    /// In the order in which they were made, the original first.
    const std::vector<VariantPtr>& list() const { return list_; }

    /// Makes those that are missing, in this order. Earlier requests that are not in the list are
    /// dropped.
    void request(const std::vector<Recipe>& recipes);
    /// Makes one more after the earlier requests. An earlier failure of the recipe is forgotten.
    void requestAlso(const Recipe& recipe);
    /// Variants that are made whenever no request is pending, until they are removed.
    void require(const std::vector<Recipe>& recipes);
    /// Those of them that are not made yet or failed.
    std::vector<Recipe> missing() const;
    /// What a variant of the recipe is optimized from: the original, or what Recipe::base() makes
    /// of it. Null: not made yet.
    VariantPtr baseOf(const Recipe& recipe) const;
    bool isPending(const Recipe& recipe) const;
    bool isIdle() const { return queue_.empty() && !job_; }
    /// The running job; null: none.
    Job* job() const { return job_.job(); }
    /// Why a recipe could not be made; empty: it was not tried, or it was.
    QString failureOf(const Recipe& recipe) const;
    void forgetFailures() { failures_.clear(); }
    /// False for the original, a variant in a slot, and the shown one.
    bool canRemove(const VariantPtr& variant) const;
    void remove(VariantPtr variant);

    VariantPtr slot(Slot slot) const { return slots_[static_cast<std::size_t>(slot)]; }
    void setSlot(Slot slot, VariantPtr variant);
    /// The slots that hold it: "A", "B", "A B" or "".
    QString lettersOf(const VariantPtr& variant) const;
    /// True if setSlot() was called for it since the model was opened.
    bool isChosen(Slot slot) const { return chosen_[static_cast<std::size_t>(slot)]; }
    /// As setSlot(), unless isChosen().
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
    Engine& engine_;
    Quantizer quantizer_;
    ModelSource source_;  // of the opened model
    VariantPtr original_, inUse_;
    std::vector<VariantPtr> list_;
    std::deque<Recipe> queue_;
    std::vector<Recipe> required_;
    // the user cancelled: nothing is made until the next request
    bool resting_ = false;
    LatestJob job_;
    Recipe working_;                       // of job_
    std::map<QString, QString> failures_;  // by recipe
    std::array<VariantPtr, 2> slots_;
    std::array<bool, 2> chosen_{};  // by setSlot()
};

}  // namespace lapidary::app

Q_DECLARE_METATYPE(lapidary::app::VariantPtr)
