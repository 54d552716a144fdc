// SPDX-License-Identifier: Apache-2.0
// The models that a worker process has open, by where they come from.
#pragma once

#include <cstddef>
#include <deque>
#include <string>

#include <lapidary/progress.h>

#include "worker/engine.h"

namespace lapidary::app {

/// Loads a file, builds a sample, optimizes by the recipe: each once, the latest used are kept. For one thread.
class ModelCache {
public:
    /// Throws io_failure for a file that is no longer the one the source tells of (size or time), with what it was and is;
    /// what loading and optimizing throw.
    ModelPtr get(const ModelSource& source, const Progress& progress);
    /// Lets all go, to make room.
    void clear() { entries_.clear(); }

private:
    struct Entry {
        std::string key;
        ModelPtr model;
    };
    template <typename Make>
    ModelPtr find_or_make(std::string key, Make&& make);
    std::deque<Entry> entries_;  // latest used first
};

}  // namespace lapidary::app
