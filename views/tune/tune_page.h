// SPDX-License-Identifier: GPL-3.0-or-later
// The Tune page finds the best threads and batch: editor of the space, recommendation, heat map,
// speed-up curve, latency against throughput, scaling by operator, queue.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>

#include "page.h"
#include "tune/heat_map_model.h"

namespace lapidary::app {
class EngineBeside;
}

namespace lapidary::views {

class CellTable;
class EmptyState;
class HeatMapView;
class MessageBanner;
class OperatorScalingTable;
class RecommendationCard;
class ScalingCurve;
class SpaceEditor;
class TradeOffPanel;

class TunePage : public Page {
    Q_OBJECT
public:
    explicit TunePage(app::Workbench& workbench, QWidget* parent = nullptr);
    QList<QAction*> pageActions() const override { return actions_; }

public slots:
    /// Applies the settings of a cell to runs, exports and snippets. This can be undone.
    void apply(std::size_t cell);
    /// Asks for a file and writes it as `kind`: "csv", "json" or "png".
    void exportAs(const QString& kind);
    /// Writes the file in the background; the format follows from its ending.
    void save(const QString& path);

private:
    class Apply;
    QWidget* makeContent();
    QWidget* makeMapPanel();
    void makeActions();
    void refresh();
    void refreshChoices();
    void refreshDecoder();
    void pick(std::ptrdiff_t cell);
    void showDetails();

    app::Workbench& workbench_;
    app::Tuning& tuning_;
    app::EngineBeside* beside_;
    HeatMapModel map_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    MessageBanner* banner_;
    SpaceEditor* editor_;
    RecommendationCard* card_;
    HeatMapView* mapView_;
    QComboBox *rowAxis_, *columnAxis_, *figure_, *rest_;
    ScalingCurve* curve_;
    TradeOffPanel* tradeOff_;
    OperatorScalingTable* operators_;
    CellTable* cells_;
    QTabWidget* tabs_;
    QLabel *details_, *scalingOf_, *decoder_;
    QAction *start_ = nullptr, *pause_ = nullptr, *verify_ = nullptr, *apply_ = nullptr,
            *copy_ = nullptr, *csv_ = nullptr, *json_ = nullptr, *png_ = nullptr,
            *forget_ = nullptr;
    QList<QAction*> actions_;
    std::ptrdiff_t picked_ = -1;  // the selected cell; -1: the recommended one
    const std::vector<OperatorScaling>* shownScaling_ = nullptr;
    std::shared_ptr<const SweepResult> shown_;
};

}  // namespace lapidary::views
