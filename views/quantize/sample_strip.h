// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>

namespace lapidary::app {
class Quantizing;
}

namespace lapidary::views {

/// The samples as pictures in a row, as many as fit; those that judge have a frame in the accent colour.
class SamplePictures : public QWidget {
    Q_OBJECT
public:
    explicit SamplePictures(app::Quantizing& quantizing, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    int pictures() const { return int(images_.size()); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Shown {
        QImage image;
        QString text;
        bool judges;
    };
    void refresh();
    int side() const;
    app::Quantizing& quantizing_;
    QList<Shown> images_;
};

/// Where the samples come from, how many, what the model will see, and a warning where they are made up.
class SampleStrip : public QFrame {
    Q_OBJECT
public:
    explicit SampleStrip(app::Quantizing& quantizing, QWidget* parent = nullptr);

public slots:
    void chooseFolder();
    void chooseFile();
    /// A folder or a file; empty: generated samples.
    void setData(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    app::Quantizing& quantizing_;
    QLabel *what_, *warning_;
    QPushButton *folder_, *file_, *generate_;
    QComboBox* pixels_;
    QWidget* pixelField_;
    SamplePictures* pictures_;
};

}  // namespace lapidary::views
