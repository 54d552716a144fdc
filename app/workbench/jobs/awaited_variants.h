// SPDX-License-Identifier: GPL-3.0-or-later
// Variants that a job needs and that are made before it starts.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

#include "worker/protocol/recipe.h"

namespace lapidary::app {

class VariantStore;

class AwaitedVariants : public QObject {
    Q_OBJECT
public:
    /// `missing`: recipes of the variants that are needed and not made yet.
    AwaitedVariants(VariantStore& variants, std::function<std::vector<Recipe>()> missing,
                    QObject* parent);

    bool isWaiting() const { return isWaiting_; }
    /// True: none is missing. Else they are made, and ready() or gaveUp() follows, unless it is
    /// dropped.
    bool request();
    /// Waits no longer. True if it did.
    bool drop();

signals:
    void ready();
    /// One of them cannot be made; without a reason: making it was cancelled.
    void gaveUp(const QString& reason);

private:
    void goOn();
    void giveUp(const QString& reason);

    VariantStore& variants_;
    std::function<std::vector<Recipe>()> missing_;
    bool isWaiting_ = false;
};

}  // namespace lapidary::app
