// SPDX-License-Identifier: Apache-2.0
// The models that a worker process has open, by where they come from.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/profile/session_overhead.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/file_stamp.h"

namespace lapidary::app {

/// Loads a file, builds a sample, optimizes by the recipe: each once, the latest used are kept.
/// What comes from files is loaded again when one of them, external data too, is another file or
/// was written since. For one thread.
class ModelCache {
public:
    /// Throws io_failure for a file that is no longer the one the source reports (size or time),
    /// with what it was and is; what loading and optimizing throw.
    ModelPtr get(const ModelSource& source, const Progress& progress);
    /// How long loading and optimizing took what get() gave last, when it was done.
    const SurroundingPhases& times() const { return times_; }
    /// Lets all go, to make room.
    void clear() { entries_.clear(); }

private:
    struct Entry {
        std::string source, recipe;
        ModelPtr model;
        std::vector<FileStamp> files;  // that the model was read from
        std::int64_t load_ns = 0, optimization_ns = 0;
    };
    /// The variant; throws as get() does.
    const Entry& entry(const ModelSource& source, const Progress& progress);
    Entry* find(const std::string& source, const std::string& recipe);
    Entry& add(Entry entry);
    /// The model as opened: found where its files are what they were, else made.
    Entry& original(const std::string& name, const ModelSource& source, const Progress& progress);
    /// The model as opened, quantized by the recipe: read from the source's file of it, else made.
    Entry& quantized(const std::string& name, const ModelSource& source,
                     const Quantization& quantization, const Entry& opened,
                     const Progress& progress);
    /// The recipe's other model, with nodes that stand for those of the one that was opened.
    Entry& other(const std::string& name, const OtherModel& other, const Entry& opened,
                 const Progress& progress);
    std::deque<Entry> entries_;  // latest used first
    SurroundingPhases times_;
};

}  // namespace lapidary::app
