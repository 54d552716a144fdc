// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/diagnostics_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QPushButton>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/saved_bytes.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {

DiagnosticsDialog::DiagnosticsDialog(const QString& text, QWidget* parent)
    : QDialog(parent), text_(new QPlainTextEdit(text)), result_(new QLabel) {
    setObjectName(QStringLiteral("diagnosticsDialog"));
    setProperty("helpPage", QStringLiteral("faq"));
    setWindowTitle(tr("Diagnostics"));
    auto* about = new QLabel(
        tr("For those who look for a fault: versions, machine, settings and the log. Names of "
           "models, nodes and folders are left out, and nothing is sent: look it over, then pass "
           "it on."));
    about->setWordWrap(true);
    text_->setObjectName(QStringLiteral("diagnosticsText"));
    text_->setAccessibleName(tr("Diagnostics"));
    text_->setReadOnly(true);
    text_->setFont(monospaceFont());
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    result_->setObjectName(QStringLiteral("diagnosticsResult"));
    result_->setTextFormat(Qt::PlainText);
    result_->setWordWrap(true);
    result_->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    QPushButton* save = buttons->addButton(tr("&Save …"), QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(this->text()); });
    connect(save, &QPushButton::clicked, this, &DiagnosticsDialog::choosePath);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(text_, 1);
    layout->addWidget(result_);
    layout->addWidget(buttons);
    resize(760, 560);
}

void DiagnosticsDialog::choosePath() {
    auto* dialog = new QFileDialog(this, tr("Save diagnostics"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("txt"));
    dialog->setNameFilters({tr("Texts (*.txt)")});
    dialog->selectFile(QStringLiteral("lapidary-diagnostics.txt"));
    connect(dialog, &QFileDialog::fileSelected, this, &DiagnosticsDialog::saveTo);
    dialog->open();
}

void DiagnosticsDialog::saveTo(const QString& path) {
    const QString why = whyNotSaved(path, text().toUtf8());
    result_->setText(sentenceText(why.isEmpty() ? tr("Saved %1").arg(path) : why));
    result_->show();
}

}  // namespace lapidary::views
