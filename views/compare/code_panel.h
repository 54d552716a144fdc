// SPDX-License-Identifier: GPL-3.0-or-later
// Source text that repeats the settings of A or B, or of the variant in force, in ONNX Runtime, for
// a chosen language and version.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QWidget>

#include <optional>

#include <lapidary/export/snippet.h>

#include "widgets/text/code_text.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// The settings of ONNX Runtime that correspond to a recipe, its providers and the run settings.
/// `exported`: the file holds the variant of the recipe, which is optimized already.
SnippetSettings snippetSettings(const app::Recipe& recipe, const app::RunSettings& run,
                                const QString& modelFile, bool exported);

class CodePanel : public QWidget {
    Q_OBJECT
public:
    enum class Of { sides, inForce };  // A or B of the comparison, as chosen; the variant in force
    explicit CodePanel(app::Workbench& workbench, Of of = Of::sides, QWidget* parent = nullptr);
    ~CodePanel() override;
    /// Writes the code again, as soon as the panel is visible.
    void refresh();
    bool isWriting() const { return stale_ || job_.isRunning(); }
    /// The text that is copied and saved.
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
    /// What the code is about.
    struct Subject {
        app::Recipe recipe;
        ModelPtr model;  // of the variant
        bool isOriginal = false;
    };
    /// Nothing: no variant is chosen, or no model is open.
    std::optional<Subject> subject() const;
    void addRows();
    void follow();
    void write();
    /// Adds the typed providers and options. Throws invalid_input with what was expected and found.
    void addTyped(SnippetSettings& settings) const;
    void proposeName();

    app::Workbench& workbench_;
    Of of_;
    QComboBox *side_, *language_, *version_;
    QCheckBox *exported_, *optimizedModel_, *profile_;
    QLineEdit *providers_, *options_;
    CodeText* code_;
    app::LatestJob job_;  // writes the code
    bool stale_ = true;   // the code does not match the choices yet
};

}  // namespace lapidary::views
