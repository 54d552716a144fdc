// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choices/channel_block_box.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

struct ChannelBlock {
    Q_DECLARE_TR_FUNCTIONS(ChannelBlock)
};

}  // namespace

void askChannelBlock(QWidget* parent, const QString& path, const QString& reason,
                     std::function<void(int)> chosen) {
    const QString name = labelText(QFileInfo(path).fileName(), 60);
    auto* box = new QMessageBox(QMessageBox::Question, ChannelBlock::tr("Blocks of channels"),
                                ChannelBlock::tr("For which CPU was %1 saved?").arg(name),
                                QMessageBox::Cancel, parent);
    box->setObjectName(QStringLiteral("channelBlock"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        ChannelBlock::tr("Its channels lie in blocks of 8 or of 16, the file does not say which, "
                         "and with the wrong "
                         "one its results are wrong."));
    box->setDetailedText(reason);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QAbstractButton* sixteen =
        box->addButton(ChannelBlock::tr("16: AVX-512 or 64-bit ARM"), QMessageBox::AcceptRole);
    const QAbstractButton* eight =
        box->addButton(ChannelBlock::tr("8: any other"), QMessageBox::AcceptRole);
    QObject::connect(box, &QMessageBox::buttonClicked, box,
                     [chosen = std::move(chosen), sixteen, eight](const QAbstractButton* pressed) {
                         if (pressed == sixteen || pressed == eight)
                             chosen(pressed == sixteen ? 16 : 8);
                     });
    box->open();
}

}  // namespace lapidary::views
