// SPDX-License-Identifier: Apache-2.0
// The models that a worker process has open, by their source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/profile/session_overhead.h>

#include "worker/models/file_stamp.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// Loads files, builds samples and optimizes by recipes, each only once; the models used last are
/// kept, of each open document so many. A model from files is loaded again if one of them, external
/// data included, was replaced or written since. For use by one thread.
class ModelCache {
public:
    /// Throws io_failure if the file differs from the source's size or time, naming both;
    /// invalid_input if its document is of another file; and what loading and optimizing throw.
    ModelPtr get(const ModelSource& source, const Progress& progress);
    /// As get(); a file whose nodes do not fit each other is returned all the same, to be looked
    /// at. `faults` gets what is wrong with it; null: that is not asked.
    ModelPtr look(const ModelSource& source, const Progress& progress,
                  std::vector<ModelFault>* faults = nullptr);
    /// Takes a variant in that was made elsewhere by the recipe of its source, from the model that
    /// get() returned last.
    void keep(const ModelSource& source, ModelPtr model);
    /// How long it took to load and optimize the model that get() returned last.
    const SurroundingPhases& times() const { return times_; }
    /// What is known of the memory of a model's runs, kept for the models asked for last.
    std::shared_ptr<MemoryStudy> study(const ModelPtr& model);
    /// Releases the models of all documents but these. Documents are named by sources
    /// (ModelSource::document); models of sources that name none stay.
    void keep_open(const std::vector<std::uint64_t>& documents);
    /// Releases all models, to make room.
    void clear() {
        entries_.clear();
        studies_.clear();
    }

private:
    struct Entry {
        std::string source, recipe;
        ModelPtr model;
        std::vector<FileStamp> files;  // the files that the model was read from
        std::int64_t load_ns = 0, optimization_ns = 0;
        std::vector<ModelFault> faults = {};  // of a file; not empty: no valid model
    };
    /// The name of the opened model in entries. The source's document is of it from now on.
    std::string name_of(const ModelSource& source);
    bool is_of_document(const std::string& name) const;
    /// The variant. Throws as get() does.
    const Entry& entry(const ModelSource& source, const Progress& progress);
    Entry* find(const std::string& source, const std::string& recipe);
    Entry& add(Entry entry);
    /// The model as opened: from the cache if its files have not changed, else loaded.
    Entry& original(const std::string& name, const ModelSource& source, const Progress& progress);
    /// `from` with the edits of the source's recipe.
    Entry& edited(const std::string& name, const Recipe& recipe, const Entry& from,
                  const Progress& progress);
    /// `from` quantized by the source's recipe: read from the source's quantized file if there is
    /// one, else quantized here.
    Entry& quantized(const std::string& name, const ModelSource& source, const Entry& from,
                     const Progress& progress);
    /// The recipe's other model. Its nodes refer to those of the opened model.
    Entry& other(const std::string& name, const OtherModel& other, const Entry& opened,
                 const Progress& progress);
    std::map<std::uint64_t, std::string> documents_;    // name_of() what each is of
    std::deque<Entry> entries_;                         // last used first
    std::deque<std::shared_ptr<MemoryStudy>> studies_;  // last used first
    SurroundingPhases times_;
};

}  // namespace lapidary::app
