// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/watched_runs.h"

#include <set>
#include <utility>

namespace lapidary {

const Tensor* SeenValues::find(const std::string& name) const {
    const RuntimeValue* value = lapidary::find(result_.outputs, name);
    if (!value) value = lapidary::find(inputs_, name);
    return value && value->is_tensor() ? &value->tensor() : nullptr;
}

WatchedRuns::WatchedRuns(ModelPtr model, const SampleSource& samples, std::size_t count,
                         const std::vector<std::string>& names, int threads,
                         const Progress& progress)
    : model_(std::move(model)), samples_(samples), progress_(progress),
      runs_(*this, threads, count), places_(runs_.places()) {
    options_.cancel = progress.cancel;
    std::set<std::string> known;
    for (ValueId id : model_->graph.outputs()) known.insert(model_->graph.value(id).name);
    for (ValueId id : model_->graph.inputs()) known.insert(model_->graph.value(id).name);
    for (const std::string& name : names)
        if (known.insert(name).second) options_.extra_outputs.push_back(name);
}

void WatchedRuns::run(std::span<const std::size_t> which, std::string_view what,
                      const Reader& reader) {
    reader_ = &reader;
    runs_.run(which, what, progress_);
}

void WatchedRuns::prepare(int threads) {
    SessionOptions options;
    options.resources.threads = threads;
    options.session_passes.set = SessionPasses::Set::none;
    session_.emplace(Session::compile(model_, options, {progress_.cancel, {}}));
}

void WatchedRuns::run(std::size_t sample, std::size_t place) {
    SeenValues& seen = places_[place];
    seen.inputs_ = samples_.at(sample, options_.cancel);
    session_->run(seen.inputs_, options_, seen.result_);
}

std::uint64_t WatchedRuns::held_bytes(std::size_t place) const {
    std::uint64_t sum = 0;
    for (const auto& [name, value] : places_[place].result_.outputs)
        if (value.is_tensor()) sum += storage_bytes(value.tensor().dtype(), value.tensor().size());
    return sum;
}

}  // namespace lapidary
