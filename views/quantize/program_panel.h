// SPDX-License-Identifier: GPL-3.0-or-later
// A Python program that quantizes with ONNX Runtime's own tools as the result was, or as is chosen
// while there is none.
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

/// `record`: null or without a best where nothing was found yet. `model`: name of the file.
QuantizeSnippetSettings programSettings(const app::QuantizeChoice& choice,
                                        const app::QuantizeRecord* record, const QString& model);

class ProgramPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProgramPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Writes the program anew, once it is seen.
    void refresh();
    bool isWriting() const { return stale_ || job_.isRunning(); }
    /// What is copied and saved.
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
    bool stale_ = true;  // the program is of something else than what was found or is chosen
};

}  // namespace lapidary::views
