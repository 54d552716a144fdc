// SPDX-License-Identifier: GPL-3.0-or-later
// Compare: is B really better than A? Key figures with intervals, where the difference comes from,
// what it costs.
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QTabWidget>

#include "compare/compare_digest.h"
#include "page.h"

namespace lapidary {
struct ReportContent;
}

namespace lapidary::views {

class CodePanel;
class CountDifferences;
class DifferencePanel;
class DistributionView;
class EmptyState;
class EnginePanel;
class GraphPair;
class MemoryOverlay;
class MessageBanner;
class NodeDifferences;
class MatchedTimelinesView;
class ModuleWaterfall;
class OperatorDifferences;
class OutputDifferences;
class SlotBar;
class SummaryCards;

class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(app::Workbench& workbench, QWidget* parent = nullptr);
    QList<QAction*> pageActions() const override { return actions_; }
    void shown() override;

    enum class State { nothingOpen, noPair, ready };
    State state() const { return state_; }
    /// The figures of the pair in the slots; null: not computed yet.
    CompareDigestPtr digest() const { return digest_; }
    QString verdict() const { return verdict_->text(); }
    /// Writes the results to one HTML file, or as CSV tables and JSON to a folder. The status bar
    /// reports the outcome.
    void saveReport(const QString& path);
    void saveTables(const QString& folder);

public slots:
    /// Asks for a model file for slot B.
    void chooseSecond();
    /// Puts the model of that file into slot B.
    void openSecond(const QString& path);
    /// Asks for an ONNX Runtime for slot B.
    void chooseRuntime();
    /// Puts the opened model in that ONNX Runtime, at its highest level, into slot B. `path`: its
    /// library, or the Python interpreter of its environment.
    void takeRuntime(const QString& path);
    /// Holds the opened model against that recording of the original program.
    void checkRecording(const QString& path);

signals:
    void digestChanged();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeContent();
    void makeActions();
    void connectTables();
    QWidget* makeSuggestions();
    void refresh();
    void requestBeside();
    void offerRuntime();
    void refreshVerdict();
    void refreshFigures();
    void refreshProfileNote();
    /// Sentences of the verdict; empty: there is nothing to say.
    QString speedSentence(const app::Variant& a, const app::Variant& b,
                          const app::ComparisonRecord* record) const;
    QString causeSentence(const app::ComparisonRecord* record) const;
    QString outputSentence(const app::ComparisonRecord& record) const;
    void startDigest();
    void showDigest(CompareDigestPtr digest);
    void chooseReport();
    void chooseTables();
    void exportInJob(const QString& path, std::function<void(const ReportContent&)> write);
    void suggest(const app::Recipe& recipe);

    app::Workbench& workbench_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    QWidget *suggestions_, *content_;
    SlotBar* slots_;
    MessageBanner* banner_;
    QLabel* verdict_;
    SummaryCards* cards_;
    QLabel* profileNote_;  // says where the times in the tables come from, and how they are scaled
    QTabWidget* tabs_;
    ModuleWaterfall* modules_;
    MatchedTimelinesView* timelines_;
    OperatorDifferences* operators_;
    NodeDifferences* nodes_;
    DistributionView* distribution_;
    MemoryOverlay* memory_;
    CountDifferences* counts_;
    GraphPair* pair_;
    OutputDifferences* outputs_;
    DifferencePanel* difference_;
    EnginePanel* engines_;
    CodePanel* code_;
    QAction *start_ = nullptr, *swap_ = nullptr, *against_ = nullptr, *runtime_ = nullptr;
    QAction* second_ = nullptr;
    QAction *copy_ = nullptr, *report_ = nullptr, *tables_ = nullptr;
    QList<QAction*> actions_;
    CompareDigestPtr digest_;
    app::LatestJob digestJob_, secondJob_;
    std::weak_ptr<const app::ComparisonRecord> reported_;  // whose problems the banner showed
    State state_ = State::nothingOpen;
};

}  // namespace lapidary::views
