// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/code_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/saved_bytes.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// Cuts long lines for display, because a name in a file may have a megabyte. The whole code is
/// copied and saved.
QString withShortLines(const QString& code) {
    if (code.size() <= label_length) return code;
    QStringList lines = code.split(u'\n');
    for (QString& line : lines) line = labelText(line);
    return lines.join(u'\n');
}

}  // namespace

CodeText::CodeText(const QString& name, QWidget* parent)
    : QWidget(parent), row_(new QHBoxLayout),
      copy_(new QPushButton(themedIcon(QStringLiteral("copy")), tr("Copy code"))),
      save_(new QPushButton(themedIcon(QStringLiteral("save")), tr("Save code …"))),
      problem_(new QLabel), text_(new QPlainTextEdit) {
    copy_->setObjectName(name + QStringLiteral("Copy"));
    save_->setObjectName(name + QStringLiteral("Save"));
    text_->setObjectName(name + QStringLiteral("Text"));
    text_->setAccessibleName(tr("Code"));
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(monospaceFont());
    text_->setFrameShape(QFrame::NoFrame);
    problem_->setObjectName(name + QStringLiteral("Problem"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    problem_->setMargin(spacing);
    row_->setContentsMargins(spacing, 4, spacing, 4);
    row_->addWidget(copy_);
    row_->addWidget(save_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row_);
    layout->addWidget(problem_);
    layout->addWidget(text_, 1);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(code_);
        emit statusMessage(tr("The code is on the clipboard."));
    });
    connect(save_, &QPushButton::clicked, this, &CodeText::save);
}

void CodeText::addControl(QWidget* control) { row_->insertWidget(row_->count() - 2, control, 1); }

void CodeText::addRow(QLayout* row) { static_cast<QVBoxLayout*>(layout())->insertLayout(1, row); }

void CodeText::setProposal(const QString& language, const QString& suffix,
                           const QString& fileName) {
    language_ = language;
    suffix_ = suffix;
    fileName_ = fileName;
}

void CodeText::showCode(const QString& code, const QString& problem) {
    problem_->setText(sentenceText(problem));
    problem_->setVisible(!problem.isEmpty());
    copy_->setEnabled(!code.isEmpty());
    save_->setEnabled(!code.isEmpty());
    if (code == code_) return;
    code_ = code;
    text_->setPlainText(withShortLines(code));
}

void CodeText::save() {
    auto* dialog = new QFileDialog(window(), tr("Save code"));
    dialog->setObjectName(QStringLiteral("saveCodeDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix_);
    dialog->setNameFilters({QStringLiteral("%1 (*.%2)").arg(language_, suffix_)});
    dialog->selectFile(fileName_);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const QString problem = whyNotSaved(path, code_.toUtf8());
        emit statusMessage(problem.isEmpty() ? tr("Saved %1").arg(path)
                                             : tr("Not saved: %1").arg(problem));
    });
    dialog->open();
}

}  // namespace lapidary::views
