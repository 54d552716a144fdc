// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/layout_notice.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {
constexpr int delay_ms = 180;
}

LayoutNotice::LayoutNotice(QWidget* parent)
    : QFrame(parent), text_(new QLabel), bar_(new QProgressBar) {
    setObjectName(QStringLiteral("layoutNotice"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    text_->setTextFormat(Qt::PlainText);
    bar_->setRange(0, 0);
    bar_->setTextVisible(false);
    bar_->setFixedWidth(140);
    bar_->setAccessibleName(tr("Progress of the layout"));
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setAccessibleName(tr("Cancel the layout"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2 * spacing, spacing, 2 * spacing, spacing);
    row->addWidget(text_);
    row->addWidget(bar_);
    row->addWidget(cancel);
    connect(cancel, &QPushButton::clicked, this, [this] {
        if (job_) job_->cancel();
    });
    delay_.setSingleShot(true);
    delay_.setInterval(delay_ms);
    connect(&delay_, &QTimer::timeout, this, [this] {
        if (!job_ || job_->isFinished()) return;
        place();
        show();
        raise();
    });
    parent->installEventFilter(this);
    hide();
}

void LayoutNotice::follow(app::Job* job) {
    if (job_) job_->disconnect(this);
    job_ = job;
    if (!job) {
        delay_.stop();
        hide();
        return;
    }
    text_->setText(labelText(job->title(), 60));
    bar_->setRange(0, 0);
    connect(job, &app::Job::progressed, this, [this] {
        if (!job_) return;
        bar_->setRange(0, job_->fraction() < 0 ? 0 : 1000);
        if (job_->fraction() >= 0) bar_->setValue(static_cast<int>(job_->fraction() * 1000));
    });
    connect(job, &app::Job::finished, this, [this] { follow(nullptr); });
    delay_.start();
}

bool LayoutNotice::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) place();
    return QFrame::eventFilter(watched, event);
}

void LayoutNotice::place() {
    adjustSize();
    move((parentWidget()->width() - width()) / 2, 16);
}

}  // namespace lapidary::views
