// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace lapidary::app {
class Quantizing;
struct SamplePreview;
}  // namespace lapidary::app

namespace lapidary::views {

/// The samples as a row of pictures, as many as fit. Samples that are used for judging have a frame
/// in the accent colour.
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

/// The origin and number of samples, how the model sees them, and a warning if they are generated.
class SampleStrip : public QFrame {
    Q_OBJECT
public:
    explicit SampleStrip(app::Quantizing& quantizing, QWidget* parent = nullptr);

public slots:
    void chooseFolder();
    void chooseFile();
    void chooseVocabulary();
    void chooseLabels();
    /// A folder or a file; empty: generated samples.
    void setData(const QString& path);
    /// The file of tokens for lines of text, one token per line.
    void setVocabulary(const QString& path);
    /// A CSV, .npy, or an .npz of which one array holds the labels; empty: none.
    void setLabels(const QString& path);
    /// The array of the .npz that holds the samples; empty: the one that fits.
    void setArray(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void nameButtons();
    void layOut();
    void refresh();
    void refreshTools();
    /// Asks for a file that matches one of the filters; without filters, for a folder.
    void openDialog(const QString& title, const char* name, const QStringList& filters,
                    void (SampleStrip::*chosen)(const QString&));
    QString textOf(const app::SamplePreview* preview) const;
    QString warningOf(const app::SamplePreview* preview) const;
    app::Quantizing& quantizing_;
    QLabel *what_, *warning_;
    QPushButton *folder_, *file_, *vocabulary_, *labels_, *generate_;
    QLineEdit* array_;
    QWidget* arrayField_;
    SamplePictures* pictures_;
};

}  // namespace lapidary::views
