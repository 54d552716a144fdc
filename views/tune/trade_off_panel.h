// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/export/snippet.h>

#include "tune/trade_off.h"
#include "widgets/plot/plot_scatter.h"
#include "widgets/text/code_text.h"
#include "workbench/jobs/latest_job.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// Latency against throughput: a point for each setting, the frontier, the latency cap as a line;
/// beneath it the program that runs ONNX Runtime with the recommended setting.
class TradeOffPanel : public QWidget {
    Q_OBJECT
public:
    TradeOffPanel(app::Workbench& workbench, app::EngineBeside& beside, QWidget* parent = nullptr);
    /// Draws a ring around the point of this cell; -1: around none.
    void setPicked(std::ptrdiff_t cell);
    const TradeOff& shown() const { return shown_; }
    QString sentence() const { return sentence_->text(); }
    QString code() const { return code_->code(); }
    bool isWriting() const { return job_.isRunning(); }

signals:
    void cellPicked(std::ptrdiff_t cell);
    void statusMessage(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    QString describeShown(double cap) const;
    QString legend() const;
    void writeCode();
    void startCode(const ModelPtr& model, const SnippetSettings& settings);

    app::Workbench& workbench_;
    app::Tuning& tuning_;
    app::EngineBeside& beside_;
    QLabel *sentence_, *legend_;
    ScatterPlot* plot_;
    CodeText* code_;
    TradeOff shown_;
    std::ptrdiff_t picked_ = -1;
    /// What the code that is shown, or being written, repeats.
    struct Written {
        ModelPtr model;
        std::string file;
        RunConfiguration configuration;
        std::map<std::string, std::int64_t> sizes;
        std::vector<app::ProviderChoice> providers;
        friend bool operator==(const Written&, const Written&) = default;
    };
    std::optional<Written> written_;
    app::LatestJob job_;  // writes the code
};

}  // namespace lapidary::views
