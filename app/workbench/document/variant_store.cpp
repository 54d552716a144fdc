// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/document/variant_store.h"

#include <algorithm>

#include <lapidary/base/error.h>

namespace lapidary::app {
namespace {

constexpr std::size_t most_variants = 16;  // each may hold folded weights of its own

}  // namespace

VariantStore::VariantStore(JobRunner& jobs, Engine& engine, QObject* parent)
    : QObject(parent), jobs_(jobs), engine_(engine) {}

void VariantStore::open(const ModelSource& source) {
    queue_.clear();
    required_.clear();
    resting_ = false;
    job_.drop();
    failures_.clear();
    for (VariantPtr& variant : list_) jobs_.releaseLater(std::move(variant));
    list_.clear();
    if (original_) jobs_.releaseLater(std::exchange(original_, nullptr));
    if (inUse_) jobs_.releaseLater(std::exchange(inUse_, nullptr));
    slots_ = {};
    chosen_ = {};
    source_ = source;
    emit listChanged();
    emit slotsChanged();
}

VariantPtr VariantStore::find(const Recipe& recipe) const {
    if (recipe.isOriginal()) return original_;
    const auto at = std::ranges::find_if(
        list_, [&](const VariantPtr& v) { return !v->isOriginal() && v->recipe == recipe; });
    return at == list_.end() ? nullptr : *at;
}

VariantPtr VariantStore::baseOf(const Recipe& recipe) const {
    const Recipe base = recipe.base();
    if (base.isOriginal()) return original_;
    for (const VariantPtr& variant : list_) {
        if (variant->isOriginal() || variant->recipe.base() != base) continue;
        return variant->recipe.isBase() ? variant : variant->parent;
    }
    return nullptr;
}

bool VariantStore::isPending(const Recipe& recipe) const {
    return (job_ && working_ == recipe) || std::ranges::find(queue_, recipe) != queue_.end();
}

QString VariantStore::failureOf(const Recipe& recipe) const {
    const auto at = failures_.find(toJson(recipe));
    return at == failures_.end() ? QString() : at->second;
}

void VariantStore::request(const std::vector<Recipe>& recipes) {
    if (!source_.model) return;
    queue_.clear();
    resting_ = false;
    const bool keep = job_ && std::ranges::find(recipes, working_) != recipes.end();
    if (!keep && original_) job_.drop();
    for (const Recipe& recipe : recipes) {
        if (find(recipe) || (job_ && working_ == recipe) || !failureOf(recipe).isEmpty()) continue;
        if (std::ranges::find(queue_, recipe) == queue_.end()) queue_.push_back(recipe);
    }
    startNext();
}

void VariantStore::requestAlso(const Recipe& recipe) {
    failures_.erase(toJson(recipe));
    if (!source_.model || find(recipe) || isPending(recipe)) return;
    if (!recipe.isOriginal() || original_) queue_.push_back(recipe);
    startNext();
}

void VariantStore::require(const std::vector<Recipe>& recipes) {
    if (!source_.model) return;
    resting_ = false;
    for (const Recipe& recipe : recipes)
        if (!recipe.isOriginal() && std::ranges::find(required_, recipe) == required_.end())
            required_.push_back(recipe);
    startNext();
}

std::vector<Recipe> VariantStore::missing() const {
    std::vector<Recipe> missing;
    std::ranges::copy_if(required_, std::back_inserter(missing),
                         [this](const Recipe& recipe) { return !find(recipe); });
    return missing;
}

std::optional<Recipe> VariantStore::nextRequired() const {
    if (resting_) return {};
    const auto at = std::ranges::find_if(required_, [this](const Recipe& recipe) {
        return !find(recipe) && failureOf(recipe).isEmpty();
    });
    return at == required_.end() ? std::nullopt : std::optional(*at);
}

/// The work that makes the variant of `working_`.
std::function<VariantPtr(const Progress&)> VariantStore::maker() const {
    if (!original_)
        return [engine = &engine_, source = source_](const Progress& progress) {
            return makeVariant(*engine, source, nullptr, progress);
        };
    Recipe edited;
    edited.edits = working_.edits;
    const VariantPtr madeEdits = baseOf(edited);
    return
        [engine = &engine_, source = source_, original = original_, base = baseOf(working_),
         recipe = working_, quantizer = quantizer_, edited = std::move(edited),
         editedModel = madeEdits ? madeEdits->model : nullptr](const Progress& progress) mutable {
            VariantPtr parent = base;
            if (!parent) {  // a model in place of the opened one
                ModelSource alone = source;
                alone.recipe = recipe.base();
                if (recipe.quantization) {
                    if (!quantizer) fail(ErrorCode::not_supported, "nothing quantizes models here");
                    ModelSource from = source;
                    if (!recipe.edits.empty()) {
                        from.recipe = edited;
                        if (!editedModel)
                            editedModel = makeVariant(*engine, from, original, progress)->model;
                        from.model = editedModel;
                    }
                    alone.quantized = quantizer(from, *recipe.quantization, progress);
                }
                parent = makeVariant(*engine, alone, original, progress);
            }
            if (recipe.isBase()) return parent;
            source.recipe = recipe;
            source.quantized = parent->quantized;
            return makeVariant(*engine, source, parent, progress);
        };
}

void VariantStore::startNext() {
    if (job_ || !source_.model) return;
    if (!original_) {
        working_ = {};
        std::erase_if(queue_, [](const Recipe& r) { return r.isOriginal(); });
    } else {
        if (queue_.empty())
            if (const auto recipe = nextRequired()) queue_.push_back(*recipe);
        if (queue_.empty()) return;
        working_ = queue_.front();
        queue_.pop_front();
    }
    Job* job = job_.start<VariantPtr>(
        jobs_, original_ ? tr("Optimize: %1").arg(nameOf(working_)) : tr("Look at the model"),
        maker(),
        [this](VariantPtr variant) {
            add(std::move(variant));
            startNext();
        },
        [this](const Error& error) {
            const Recipe recipe = working_;
            // cancelled by the user: drops the other requests too
            if (error.code() == ErrorCode::cancelled) {
                queue_.clear();
                resting_ = true;
                emit cancelled(recipe);
                return;
            }
            const QString reason = QString::fromUtf8(error.what());
            failures_[toJson(recipe)] = reason;
            emit failed(recipe, reason);
            if (original_) startNext();
        });
    connect(job, &Job::progressed, this, &VariantStore::progressed);
    emit progressed();
}

void VariantStore::add(VariantPtr variant) {
    if (variant->isOriginal()) {
        original_ = variant;
        list_.insert(list_.begin(), variant);
    } else {
        list_.push_back(variant);
        const bool isToCompare =
            variant->recipe.level && variant->recipe != Recipe::plain(Level::disabled);
        if (isToCompare && !slot(Slot::B)) put(Slot::B, variant);
    }
    if (list_.size() > most_variants) dropOldest();
    emit listChanged();
    emit made(variant);
}

void VariantStore::dropOldest() {
    const auto at = std::ranges::find_if(list_, [&](const VariantPtr& v) {
        return !v->isOriginal() && !v->recipe.isPlainLevel() && v != inUse_ && v != list_.back() &&
               std::ranges::find(slots_, v) == slots_.end();
    });
    if (at == list_.end()) return;
    std::erase(required_, (*at)->recipe);
    jobs_.releaseLater(*at);
    list_.erase(at);
}

bool VariantStore::canRemove(const VariantPtr& variant) const {
    return variant && !variant->isOriginal() && variant != inUse_ &&
           std::ranges::find(slots_, variant) == slots_.end() &&
           std::ranges::find(list_, variant) != list_.end();
}

void VariantStore::remove(VariantPtr variant) {
    if (!canRemove(variant)) return;
    std::erase(list_, variant);
    std::erase(required_, variant->recipe);
    jobs_.releaseLater(variant);
    emit listChanged();
}

QString VariantStore::lettersOf(const VariantPtr& variant) const {
    QStringList letters;
    if (variant && slot(Slot::A) == variant) letters << QStringLiteral("A");
    if (variant && slot(Slot::B) == variant) letters << QStringLiteral("B");
    return letters.join(u' ');
}

void VariantStore::setSlot(Slot slot, VariantPtr variant) {
    chosen_[static_cast<std::size_t>(slot)] = variant != nullptr;
    put(slot, std::move(variant));
}

void VariantStore::followSlot(Slot slot, VariantPtr variant) {
    if (!chosen_[static_cast<std::size_t>(slot)]) put(slot, std::move(variant));
}

void VariantStore::put(Slot slot, VariantPtr variant) {
    VariantPtr& held = slots_[static_cast<std::size_t>(slot)];
    if (held == variant) return;
    if (held) jobs_.releaseLater(held);
    held = std::move(variant);
    emit slotsChanged();
}

}  // namespace lapidary::app
