// SPDX-License-Identifier: Apache-2.0
#include "worker/models/model_cache.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>

#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/inputs/samples.h>

#include "worker/inputs/given_inputs.h"
#include "worker/models/edited_model.h"
#include "worker/models/quantized_file.h"
#include "worker/protocol/recipe.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_studies = 4;
// of one document, or of all sources without one; variants of one model share most weights
constexpr std::size_t most_models = 12;

std::int64_t nanoseconds_since(Clock::time_point begin) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

/// A source without size and time (written by hand) takes the file as it is.
void require_unchanged(const ModelSource& source) {
    std::error_code problem;
    const std::uint64_t bytes = fs::file_size(source.file, problem);
    const std::int64_t modified =
        fs::last_write_time(source.file, problem).time_since_epoch().count();
    if (problem)
        throw Error(ErrorCode::io_failure, "the file cannot be read: " + problem.message())
            .at(source.file.string());
    if (source.file_bytes == 0 && source.file_modified == 0) return;
    if (source.file_bytes == bytes && source.file_modified == modified) return;
    const std::string how = source.file_bytes != bytes
                                ? "it had " + std::to_string(source.file_bytes) +
                                      " bytes and has " + std::to_string(bytes)
                                : "it was written again";
    throw Error(ErrorCode::io_failure,
                "the file changed after it was opened (" + how + "); open it again")
        .at(source.file.string());
}

bool is_current(const std::vector<FileStamp>& files) {
    return std::ranges::all_of(files, [](const FileStamp& then) {
        try {
            return FileStamp::of(then.path) == then;
        } catch (const Error&) { return false; }
    });
}

/// Of a model that was loaded from `begin_ns` on; nothing where a file changed so late that a
/// change behind the reader's back would not show.
std::optional<std::vector<FileStamp>> stamps_of(const Model& model, const fs::path& file,
                                                std::int64_t begin_ns) {
    std::vector<FileStamp> files{FileStamp::of(file)};
    for (const fs::path& external : model.external_files) files.push_back(FileStamp::of(external));
    for (const FileStamp& stamp : files)
        if (!stamp.was_settled(begin_ns)) return std::nullopt;
    return files;
}

}  // namespace

ModelCache::Entry* ModelCache::find(const std::string& source, const std::string& recipe) {
    const auto at = std::ranges::find_if(
        entries_, [&](const Entry& e) { return e.source == source && e.recipe == recipe; });
    if (at == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), at, at + 1);
    return &entries_.front();
}

ModelCache::Entry& ModelCache::add(Entry entry) {
    // documents do not take each other's place
    const std::string name = is_of_document(entry.source) ? entry.source : std::string();
    entries_.push_front(std::move(entry));
    std::size_t count = 0;
    auto last = entries_.begin();
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
        if ((is_of_document(at->source) ? at->source : std::string()) != name) continue;
        ++count;
        last = at;
    }
    if (count > most_models) entries_.erase(last);
    return entries_.front();
}

ModelCache::Entry& ModelCache::original(const std::string& name, const ModelSource& source,
                                        const Progress& progress) {
    if (Entry* const found = find(name, {})) {
        if (is_current(found->files)) return *found;
        // variants have the same weights
        std::erase_if(entries_, [&](const Entry& e) { return e.source == name; });
    }
    progress.step("load");
    const Clock::time_point begin = Clock::now();
    if (!source.sample.empty()) {
        auto sample = std::make_shared<const Model>(build_sample(source.sample));
        return add({name, {}, std::move(sample), {}, nanoseconds_since(begin), 0});
    }
    const std::int64_t begin_ns = FileStamp::now_ns();
    std::vector<ModelFault> faults;
    Model model = load_model(source.file,
                             {.channel_block = source.channel_block, .faults = &faults}, progress);
    require_unchanged(source);  // written while it was read
    auto files = stamps_of(model, source.file, begin_ns);
    if (!files) files.emplace().emplace_back();  // of no file: the next look finds another
    return add({name,
                {},
                std::make_shared<const Model>(std::move(model)),
                std::move(*files),
                nanoseconds_since(begin),
                0,
                std::move(faults)});
}

ModelCache::Entry& ModelCache::edited(const std::string& name, const Recipe& recipe,
                                      const Entry& from, const Progress& progress) {
    Recipe alone;
    alone.other_model = recipe.other_model;
    alone.edits = recipe.edits;
    const std::string text = recipe_text(alone);
    if (Entry* const found = find(name, text); found && found->files == from.files) return *found;
    std::erase_if(entries_, [&](const Entry& e) { return e.source == name && e.recipe == text; });
    const Clock::time_point begin = Clock::now();
    ModelPtr model = edited_model(from.model, recipe.edits, progress);
    return add({name, text, std::move(model), from.files, from.load_ns, nanoseconds_since(begin)});
}

ModelCache::Entry& ModelCache::quantized(const std::string& name, const ModelSource& source,
                                         const Entry& from, const Progress& progress) {
    Recipe alone;
    alone.edits = source.recipe->edits;
    alone.quantization = source.recipe->quantization;
    // read or made: its numbers differ
    const std::string text = recipe_text(alone) + source.quantized.string();
    if (Entry* const found = find(name, text); found && found->files == from.files) return *found;
    std::erase_if(entries_, [&](const Entry& e) { return e.source == name && e.recipe == text; });
    progress.step("quantize");
    const Clock::time_point begin = Clock::now();
    auto model = std::make_shared<const Model>(
        source.quantized.empty() ? quantized_model(from.model, *alone.quantization, progress)
                                 : load_quantized(source.quantized, *from.model, progress));
    return add({name, text, std::move(model), from.files, from.load_ns, nanoseconds_since(begin)});
}

ModelCache::Entry& ModelCache::other(const std::string& name, const OtherModel& other,
                                     const Entry& opened, const Progress& progress) {
    Recipe alone;
    alone.other_model = other;
    const std::string text = recipe_text(alone);
    const fs::path file = path_of_utf8(other.file);
    if (Entry* const found = find(name, text); found && is_current(found->files)) return *found;
    std::erase_if(entries_, [&](const Entry& e) { return e.source == name && e.recipe == text; });
    progress.step("load");
    const Clock::time_point begin = Clock::now();
    const std::int64_t begin_ns = FileStamp::now_ns();
    Model model = load_other(other, *opened.model, progress);
    auto files = stamps_of(model, file, begin_ns);
    if (!files) files.emplace().emplace_back();  // of no file: the next look finds another
    return add({name, text, std::make_shared<const Model>(std::move(model)), std::move(*files),
                nanoseconds_since(begin), 0});
}

std::string ModelCache::name_of(const ModelSource& source) {
    const std::string read_as =
        source.channel_block ? std::to_string(source.channel_block) + " channels " : "";
    std::string name = source.sample.empty() ? "file " + read_as + source.file.string()
                                             : "sample " + source.sample;
    if (source.document == 0) return name;
    const auto [at, is_new] = documents_.try_emplace(source.document, name);
    if (at->second != name)
        fail_input("expected document " + std::to_string(source.document) + " to be " +
                   quote(at->second) + " as before, found " + quote(name));
    return name;
}

bool ModelCache::is_of_document(const std::string& name) const {
    return std::ranges::any_of(documents_, [&](const auto& known) { return known.second == name; });
}

void ModelCache::keep_open(const std::vector<std::uint64_t>& documents) {
    std::set<std::string> closed;
    std::erase_if(documents_, [&](const auto& known) {
        const bool is_open = std::ranges::find(documents, known.first) != documents.end();
        if (!is_open) closed.insert(known.second);
        return !is_open;
    });
    for (const auto& [document, name] : documents_) closed.erase(name);  // open another time
    if (closed.empty()) return;
    std::erase_if(entries_, [&](const Entry& e) { return closed.contains(e.source); });
    std::erase_if(studies_, [&](const auto& study) {
        return std::ranges::none_of(entries_,
                                    [&](const Entry& e) { return e.model == study->model(); });
    });
}

void ModelCache::keep(const ModelSource& source, ModelPtr model) {
    if (entries_.empty() || !source.recipe) return;
    const Entry& base = entries_.front();
    const std::string name = name_of(source),
                      text = recipe_text(*source.recipe) + source.quantized.string();
    if (base.source != name) return;
    Entry made{name, text, std::move(model), base.files, base.load_ns, 0};
    std::erase_if(entries_, [&](const Entry& e) { return e.source == name && e.recipe == text; });
    add(std::move(made));
}

const ModelCache::Entry& ModelCache::entry(const ModelSource& source, const Progress& progress) {
    if (source.sample.empty()) require_unchanged(source);
    const std::string name = name_of(source);
    const Entry& found_or_made = original(name, source, progress);
    if (!found_or_made.faults.empty())  // throws: it is read again as one that is to run
        load_model(source.file, {.channel_block = source.channel_block}, progress);
    if (!source.recipe) return found_or_made;
    const Recipe& recipe = *source.recipe;
    Entry opened = found_or_made;  // adding another may drop it
    const Entry* base = nullptr;
    const auto goes_on_with = [&](const Entry& made) {
        base = &made;
        opened = Entry(made);
    };
    if (recipe.other_model) goes_on_with(other(name, *recipe.other_model, opened, progress));
    if (!recipe.edits.empty()) goes_on_with(edited(name, recipe, opened, progress));
    if (recipe.quantization) goes_on_with(quantized(name, source, opened, progress));
    if (base && recipe.isBase()) return *base;
    const std::string text = recipe_text(recipe) + source.quantized.string();
    if (const Entry* const found = find(name, text); found && found->files == opened.files)
        return *found;
    std::erase_if(entries_, [&](const Entry& e) { return e.source == name && e.recipe == text; });
    progress.step("optimize");
    const Clock::time_point begin = Clock::now();
    ModelPtr model =
        std::make_shared<const Model>(optimize(*opened.model, recipe.options(), progress).model);
    model = edited_after_level(model, recipe.edits_after, progress);
    return add(
        {name, text, std::move(model), opened.files, opened.load_ns, nanoseconds_since(begin)});
}

std::shared_ptr<MemoryStudy> ModelCache::study(const ModelPtr& model) {
    auto at = std::ranges::find_if(studies_, [&](const auto& s) { return s->model() == model; });
    if (at == studies_.end()) {
        studies_.push_front(std::make_shared<MemoryStudy>(model));
        if (studies_.size() > most_studies) studies_.pop_back();
        return studies_.front();
    }
    std::rotate(studies_.begin(), at, at + 1);
    return studies_.front();
}

ModelPtr ModelCache::look(const ModelSource& source, const Progress& progress,
                          std::vector<ModelFault>* faults) {
    if (source.recipe && !source.recipe->isOriginal()) return entry(source, progress).model;
    if (source.sample.empty()) require_unchanged(source);
    const Entry& opened = original(name_of(source), source, progress);
    if (faults) *faults = opened.faults;
    return opened.model;
}

ModelPtr ModelCache::get(const ModelSource& source, const Progress& progress) {
    const Entry& known = entry(source, progress);
    times_ = {known.load_ns, known.optimization_ns, {}};
    return known.model;
}

}  // namespace lapidary::app
