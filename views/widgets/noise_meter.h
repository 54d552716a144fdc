// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "workbench/jobs/noise_monitor.h"

namespace lapidary::views {

/// Three small bars in the status bar: how quiet the machine is, which decides how precise a
/// measurement would be.
class NoiseMeter : public QWidget {
    Q_OBJECT
public:
    /// Takes ownership of `monitor`.
    explicit NoiseMeter(app::NoiseMonitor* monitor, QWidget* parent = nullptr);
    /// The shown state as a sentence.
    QString sentence() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();
    app::NoiseMonitor& monitor_;
};

}  // namespace lapidary::views
