// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/snippet_dialog.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {

SnippetDialog::SnippetDialog(app::Workbench& workbench, QWidget* parent)
    : QDialog(parent), panel_(new CodePanel(workbench, CodePanel::Of::inForce)),
      result_(new QLabel) {
    setObjectName(QStringLiteral("snippetDialog"));
    setProperty("helpPage", QStringLiteral("page-compare"));
    setWindowTitle(tr("Code snippet"));
    auto* about = new QLabel(
        tr("A program that runs the model in ONNX Runtime with level, threads and sizes in force. "
           "A variant that is edited, quantized or made by rules of yours has to be exported "
           "first; the code names the file."));
    about->setWordWrap(true);
    result_->setObjectName(QStringLiteral("snippetResult"));
    result_->setTextFormat(Qt::PlainText);
    result_->setWordWrap(true);
    result_->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(panel_, &CodePanel::statusMessage, this, [this](const QString& text) {
        result_->setText(sentenceText(text));
        result_->show();
    });
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(panel_, 1);
    layout->addWidget(result_);
    layout->addWidget(buttons);
    resize(820, 620);
}

}  // namespace lapidary::views
