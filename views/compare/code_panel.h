// SPDX-License-Identifier: GPL-3.0-or-later
// Source text that repeats the settings of A or B in ONNX Runtime, for a chosen language and
// version.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QWidget>

#include <lapidary/export/snippet.h>

#include "widgets/text/code_text.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// How a variant's recipe, with the providers of ONNX Runtime that it runs on, and the run settings
/// are said in ONNX Runtime. `exported`: the file is the variant, optimized already.
SnippetSettings snippetSettings(const app::Variant& variant, const app::RunSettings& run,
                                const QString& modelFile, bool exported);

class CodePanel : public QWidget {
    Q_OBJECT
public:
    explicit CodePanel(app::Workbench& workbench, QWidget* parent = nullptr);
    ~CodePanel() override;
    /// Writes the code anew, once it is seen.
    void refresh();
    bool isWriting() const { return stale_ || job_.isRunning(); }
    /// What is copied and saved.
    QString text() const { return code_->code(); }
    QComboBox* language() const { return language_; }
    QComboBox* version() const { return version_; }
    QComboBox* side() const { return side_; }
    QLineEdit* providers() const { return providers_; }
    QLineEdit* options() const { return options_; }

signals:
    void statusMessage(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void write();
    /// Adds what was typed. Throws invalid_input with what was expected and found.
    void addTyped(SnippetSettings& settings) const;
    void proposeName();

    app::Workbench& workbench_;
    QComboBox *side_, *language_, *version_;
    QCheckBox *exported_, *optimizedModel_, *profile_;
    QLineEdit *providers_, *options_;
    CodeText* code_;
    app::LatestJob job_;  // writes the code
    bool stale_ = true;   // the code is of something else than what is chosen
};

}  // namespace lapidary::views
