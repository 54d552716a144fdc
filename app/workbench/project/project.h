// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept when the window closes: the open model by path and hash, variants as recipes, key
// figures of runs, notes. It is stored in a .lapidary file, and between saves in a journal that
// survives a crash. Choices are changed here, so that they can be undone. Results (runs, sweeps,
// guards) are added and never undone. Variants stay in the list when the choice that made them is
// undone: they cost nothing to keep, and Remove deletes them.
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

/// QUndoCommand::id() of changes that one click makes again; they are discarded without asking.
inline constexpr int cheap_change_id = 2;

class Project : public QObject {
    Q_OBJECT
public:
    /// The objects whose state a project keeps, and those that it opens a model with.
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
    /// True if something is not in the file. Navigation (page, shown variant) does not count, nor
    /// does a run in a project that has no file yet: a user who only looks at a model is not asked
    /// where to save it.
    bool isModified() const;
    /// True if something that cannot be made again by one click is not in the file: notes, switched
    /// passes, a restored state, results that took more than ten seconds in all, or such a job that
    /// still runs. The window asks before it discards this.
    bool isWorthAsking() const;
    /// Sets the seconds of work from which isWorthAsking() is true; initially 10.
    void setWorthAskingAfter(double seconds) { worthAskingAfter_ = seconds; }
    /// As isModified(), but runs of a project without a file count too. Such a state is journalled.
    bool isWorthKeeping() const { return resultsChanged_ || differsFromFile_ || !stack_.isClean(); }
    QUndoStack& undoStack() { return stack_; }
    /// As it would be saved; without the model's hash if that is not computed yet.
    ProjectState state() const;

    QString notes() const { return notes_; }
    const Recipe& recipe() const { return recipe_; }  // chosen on the Optimize page
    QString page() const { return page_; }
    const std::vector<RunFigures>& runs() const { return runs_; }
    const std::vector<GuardFigures>& guards() const { return guards_; }
    bool isOpening() const { return pending_ != nullptr; }
    bool isSaving() const { return saving_.isRunning(); }

    // Changes, each with undo; `what` as the Edit menu names it. typing without a pause of more
    // than a second is one change
    void setNotes(const QString& notes);
    void setRecipe(const Recipe& recipe, const QString& what);
    /// Sets the chosen recipe to the one in force, without undo.
    void followRecipe(const Recipe& recipe);
    void setSlot(Slot slot, const VariantPtr& variant);
    void swapSlots();
    void removeVariant(const VariantPtr& variant);

    void setPage(const QString& page);
    /// `unasked`: the user did not request it, so it does not count as a change to save. The same
    /// below.
    void addGuard(const VariantPtr& variant, const lapidary::GuardReport& report,
                  bool unasked = false);
    /// Adds a measurement of a variant under the settings. Ignores one that failed or has no
    /// samples. `machine`: Machine::text() of where it was measured.
    void addMeasurement(const VariantPtr& variant, const lapidary::Measurement& measured,
                        const RunSettings& settings, bool unasked = false,
                        const QString& machine = {});

    /// Reads the file, checks and opens its model, then restores the rest. Until then the open
    /// project stays. Ends with opened() or openFailed(). It stops at modelMissing() and
    /// modelDiffers(), and goes on by openWith() or openAllTheSame().
    void open(const QString& path);
    /// As open(), with a state from a journal. The project then counts as modified.
    void restore(const ProjectState& state, const QString& path);
    void openWith(const QString& modelPath);
    void openAllTheSame();
    void giveUpOpening();
    /// Opens the file of the open model again, as it is now, with the project's recipes, notes and
    /// settings. Runs, guards and sweeps are of the file before, and are dropped, as are arrays
    /// given as inputs. Ends as open() does. Does nothing if no file is open.
    void readAgain();
    /// Saves in a job; ends with saved() or saveFailed(). `path` becomes the project's path.
    void saveAs(const QString& path);
    void save() { saveAs(path_); }
    /// Closes everything and starts an empty project.
    void startNew();

    /// Calls `next`, after the user decided about unsaved changes if there are any. Does not call
    /// it if the user wants to stay.
    void leaveThen(std::function<void()> next);
    /// Sets how the user is asked. Without it changes are discarded silently, as in programs
    /// without a window.
    void setAsk(std::function<void(std::function<void()>)> ask) { ask_ = std::move(ask); }
    /// Discards the changes since the last save.
    void forgetChanges();

signals:
    void changed();  // any part of state(), including the page
    void recipeChanged(const lapidary::app::Recipe& recipe);
    void notesChanged();
    void figuresChanged();  // runs, guards
    void modifiedChanged(bool modified);
    void pathChanged();
    void opened(const QString& page);
    void openFailed(const QString& path, const QString& reason);
    void modelMissing(const QString& modelPath, const QString& projectPath);
    void modelDiffers(const QString& modelPath, const QString& how);
    /// Emitted after opened(): a large model is opened at once, and its hash is computed
    /// afterwards.
    void openedModelDiffers(const QString& modelPath, const QString& how);
    void saved(const QString& path);
    void saveFailed(const QString& path, const QString& reason);
    void logged(const QString& line);

private:
    struct Pending;
    class Change;
    class NotesChange;
    void startOver();  // for openedChanged(): another model was opened
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
    std::unique_ptr<Pending> pending_;  // the project that is being opened; null: none
    LatestJob checking_, saving_, hashing_;
    // the model of the project that is being opened, to be hashed afterwards
    std::optional<ModelReference> unhashed_;
    ModelReference hashed_;            // the newest model whose hash is known
    std::int64_t hashedModified_ = 0;  // the file's time stamp when it was hashed
    bool resultsChanged_ = false, wasModified_ = false;
    // restored from a journal, or the model was found at another path
    bool differsFromFile_ = false;
    std::size_t measuredCells_ = 0;                   // measured cells of the sweep
    double workSeconds_ = 0, worthAskingAfter_ = 10;  // of jobs whose results are not saved
    std::map<const Job*, QElapsedTimer> atWork_;      // running jobs whose results will be kept
    std::vector<Recipe> adopted_;  // recipes of the variants that the project file contained
    // number of results added; shows whether some were added during a save
    int results_ = 0;
    std::function<void(std::function<void()>)> ask_;
};

}  // namespace lapidary::app
