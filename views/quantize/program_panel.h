// SPDX-License-Identifier: GPL-3.0-or-later
// A Python program that quantizes with ONNX Runtime's tools by the best recipe, or by the chosen
// options while there is no result.
#pragma once

#include <QComboBox>
#include <QWidget>

#include <lapidary/quantize/quantize_snippet.h>

#include "widgets/text/code_text.h"
#include "workbench/jobs/latest_job.h"
#include "workbench/jobs/quantizing.h"

namespace lapidary::app {
class Workbench;
}

namespace lapidary::views {

/// `record`: null or without a best trial: there is no result yet. `model`: name of the file.
QuantizeSnippetSettings programSettings(const app::QuantizeChoice& choice,
                                        const app::QuantizeRecord* record, const QString& model);

class ProgramPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProgramPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Writes the program again, as soon as the panel is visible.
    void refresh();
    bool isWriting() const { return stale_ || job_.isRunning(); }
    /// The text that is copied and saved.
    QString text() const { return code_->code(); }
    QComboBox* version() const { return version_; }

signals:
    void statusMessage(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void write();

    app::Workbench& workbench_;
    QComboBox* version_;
    CodeText* code_;
    app::LatestJob job_;
    bool stale_ = true;  // the program does not match the result or the choices yet
};

}  // namespace lapidary::views
