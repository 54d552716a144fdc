// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/awaited_variants.h"

#include <algorithm>
#include <utility>

#include "workbench/document/variant_store.h"

namespace lapidary::app {

AwaitedVariants::AwaitedVariants(VariantStore& variants,
                                 std::function<std::vector<Recipe>()> missing, QObject* parent)
    : QObject(parent), variants_(variants), missing_(std::move(missing)) {
    connect(&variants_, &VariantStore::made, this, &AwaitedVariants::goOn);
    connect(&variants_, &VariantStore::failed, this,
            [this](const Recipe& recipe, const QString& reason) {
                if (!isWaiting_) return;
                const std::vector<Recipe> missed = missing_();
                if (std::ranges::find(missed, recipe) != missed.end()) giveUp(reason);
            });
    connect(&variants_, &VariantStore::cancelled, this, [this] { giveUp({}); });
}

bool AwaitedVariants::request() {
    const std::vector<Recipe> recipes = missing_();
    if (recipes.empty()) return true;
    isWaiting_ = true;
    variants_.require(recipes);  // stay requested, whatever else is requested
    for (const Recipe& recipe : recipes) variants_.requestAlso(recipe);
    return false;
}

bool AwaitedVariants::drop() { return std::exchange(isWaiting_, false); }

/// Says so when the last one is made.
void AwaitedVariants::goOn() {
    if (!isWaiting_ || !missing_().empty()) return;
    isWaiting_ = false;
    emit ready();
}

void AwaitedVariants::giveUp(const QString& reason) {
    if (!isWaiting_ || missing_().empty()) return;
    isWaiting_ = false;
    emit gaveUp(reason);
}

}  // namespace lapidary::app
