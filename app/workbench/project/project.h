// SPDX-License-Identifier: GPL-3.0-or-later
// What survives the window: the open model by path and hash, variants as recipes, key figures of
// runs, notes. Kept in a .lapidary file, and between saves in a journal that a crashed window
// leaves behind. Every choice that is kept is changed here, so that it can be undone; what was
// found out (runs, sweeps, guards) is added and never undone. Variants that a recipe brings forth
// stay in the list when the choice is undone: they cost nothing to keep, and Remove takes them
// away.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QUndoStack>

#include <functional>
#include <map>

#include "workbench/jobs/latest_job.h"
#include "workbench/project/project_state.h"
#include "workbench/document/variant_store.h"

namespace lapidary {
struct GuardReport;
struct Measurement;
}  // namespace lapidary

namespace lapidary::app {

class Comparison;
class ModelOpener;
class OpenedModel;
class RecentFiles;
class Tuning;
struct ComparisonRecord;

inline constexpr const char* project_suffix = "lapidary";
bool isProjectFile(const QString& path);

/// QUndoCommand::id() of changes that one click repeats: they are discarded without a question.
inline constexpr int cheap_change_id = 2;

class Project : public QObject {
    Q_OBJECT
public:
    /// What a project keeps the state of, and what it opens a model by.
    struct Parts {
        OpenedModel& opened;
        ModelOpener& opener;
        VariantStore& variants;
        JobRunner& jobs;
        RecentFiles& recent;
        Tuning& tuning;
        Comparison& comparison;
    };
    explicit Project(const Parts& parts, QObject* parent = nullptr);
    ~Project() override;

    QString path() const { return path_; }  // absolute; empty: never saved
    // the file's name without its ending; empty: never saved
    QString title() const;
    /// True if the file lacks something. Navigation (page, shown variant) is no change, nor is a
    /// mere run of a project that has no file yet: a user who only looks at a model is not asked
    /// where to save it.
    bool isModified() const;
    /// Something that the file lacks and that is not had again by a click: notes, switched passes,
    /// a state that was restored, results that took longer than ten seconds in all, or such work
    /// still under way. Asked about before it is lost.
    bool isWorthAsking() const;
    /// From how many seconds of work on, 10 unless set.
    void setWorthAskingAfter(double seconds) { worthAskingAfter_ = seconds; }
    /// The same with such runs: what a journal keeps.
    bool isWorthKeeping() const { return resultsChanged_ || differsFromFile_ || !stack_.isClean(); }
    QUndoStack& undoStack() { return stack_; }
    /// As it would be saved; the model without its hash where that is not known yet.
    ProjectState state() const;

    QString notes() const { return notes_; }
    const Recipe& recipe() const { return recipe_; }  // chosen on the Optimize page
    QString page() const { return page_; }
    const std::vector<RunFigures>& runs() const { return runs_; }
    const std::vector<GuardFigures>& guards() const { return guards_; }
    bool isOpening() const { return pending_ != nullptr; }
    bool isSaving() const { return saving_.isRunning(); }

    // Changes, each with undo; `what` as the Edit menu names it.
    // typing on without a pause longer than a second is one change
    void setNotes(const QString& notes);
    void setRecipe(const Recipe& recipe, const QString& what);
    /// Without undo: what is chosen follows what is in force.
    void followRecipe(const Recipe& recipe);
    void setSlot(Slot slot, const VariantPtr& variant);
    void swapSlots();
    void removeVariant(const VariantPtr& variant);

    void setPage(const QString& page);
    /// `unasked`: not requested by the user, so it is no change that has to be saved. The same
    /// below.
    void addGuard(const VariantPtr& variant, const lapidary::GuardReport& report,
                  bool unasked = false);
    /// Of a variant under the settings; one that failed or has no samples is left out.
    void addMeasurement(const VariantPtr& variant, const lapidary::Measurement& measured,
                        const RunSettings& settings, bool unasked = false);

    /// Reads the file, looks after its model, opens that, then all the rest. What is open stays
    /// until then. Ends in opened(), openFailed(), or stops at modelMissing() and modelDiffers(),
    /// to go on with openWith() or openAllTheSame().
    void open(const QString& path);
    /// The same with a state that does not come from its file: a journal. It counts as modified.
    void restore(const ProjectState& state, const QString& path);
    void openWith(const QString& modelPath);
    void openAllTheSame();
    void giveUpOpening();
    /// In a job; ends in saved() or saveFailed(). `path` becomes the project's own.
    void saveAs(const QString& path);
    void save() { saveAs(path_); }
    /// Nothing open, nothing kept.
    void startNew();

    /// Calls `next` at once or when the user has decided what becomes of unsaved changes; never
    /// when that is to stay.
    void leaveThen(std::function<void()> next);
    /// How to ask; without, changes are given up silently (programs without a window).
    void setAsk(std::function<void(std::function<void()>)> ask) { ask_ = std::move(ask); }
    /// Changes since the last save are given up.
    void forgetChanges();

signals:
    void changed();  // anything of state(), the page too
    void recipeChanged(const lapidary::app::Recipe& recipe);
    void notesChanged();
    void figuresChanged();  // runs, guards
    void modifiedChanged(bool modified);
    void pathChanged();
    void opened(const QString& page);
    void openFailed(const QString& path, const QString& reason);
    void modelMissing(const QString& modelPath);
    void modelDiffers(const QString& modelPath, const QString& how);
    /// Found out after the project was opened: a large file is opened at once, its hash taken
    /// behind.
    void openedModelDiffers(const QString& modelPath, const QString& how);
    void saved(const QString& path);
    void saveFailed(const QString& path, const QString& reason);
    void logged(const QString& line);

private:
    struct Pending;
    class Change;
    class NotesChange;
    void startOver();  // of openedChanged(): another model
    void adopt(const ProjectState& state);
    void checkModel();
    void hashBehind(const ModelReference& model);
    void openModel();
    void makeUp(const VariantPtr& made);
    void putInSlot(Slot slot, const std::optional<Recipe>& recipe);
    void applyRecipe(const Recipe& recipe);
    void applyNotes(const QString& notes);
    void addRun();
    void countWork(Job* job);
    bool hasDearChanges() const;
    void addMeasurements();
    void addComparedOutputs(const ComparisonRecord& record);
    void noteSweep();
    void addFigures(RunFigures figures, bool unasked = false);
    void reportResults(bool unasked);
    void refreshModified();
    void failOpening(const QString& reason);
    ModelReference reference() const;

    OpenedModel& opened_;
    ModelOpener& opener_;
    VariantStore& variants_;
    JobRunner& jobs_;
    RecentFiles& recent_;
    Tuning& tuning_;
    Comparison& comparison_;
    QUndoStack stack_;
    QString path_, notes_, page_;
    Recipe recipe_;
    std::vector<RunFigures> runs_;
    std::vector<GuardFigures> guards_;
    std::vector<std::weak_ptr<const RunRecord>> seenRuns_;
    std::vector<std::weak_ptr<const ComparisonRecord>> seenComparisons_;
    std::array<std::optional<Recipe>, 2> wantedSlots_;  // to be filled when the variant is made
    std::optional<Recipe> wantedShown_;
    std::unique_ptr<Pending> pending_;  // a project that is being opened
    LatestJob checking_, saving_, hashing_;
    // of the project that is being opened: to be hashed behind
    std::optional<ModelReference> unhashed_;
    ModelReference hashed_;            // the newest model whose hash is known
    std::int64_t hashedModified_ = 0;  // the file's time then
    bool resultsChanged_ = false, wasModified_ = false;
    // was restored from a journal, or its model was found elsewhere
    bool differsFromFile_ = false;
    std::size_t measuredCells_ = 0;                   // of the sweep
    double workSeconds_ = 0, worthAskingAfter_ = 10;  // of jobs whose results are not saved
    std::map<const Job*, QElapsedTimer> atWork_;      // jobs whose results will be kept
    std::vector<Recipe> adopted_;                     // variants that the project came with
    // how many were added: says whether some came while saving
    int results_ = 0;
    std::function<void(std::function<void()>)> ask_;
};

}  // namespace lapidary::app
