// SPDX-License-Identifier: Apache-2.0
#include "worker/model_cache.h"

#include <algorithm>
#include <filesystem>

#include <lapidary/error.h>
#include <lapidary/model_io.h>
#include <lapidary/optimize.h>
#include <lapidary/samples.h>

#include "worker/recipe.h"

namespace lapidary::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_models = 6;  // variants of one model share most weights

struct FileStamp {
    std::uint64_t bytes = 0;
    std::int64_t modified = 0;
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

FileStamp stamp_of(const fs::path& file) {
    std::error_code problem;
    const FileStamp stamp{fs::file_size(file, problem), fs::last_write_time(file, problem).time_since_epoch().count()};
    if (problem) throw Error(ErrorCode::io_failure, "the file cannot be read: " + problem.message()).at(file.string());
    return stamp;
}

/// A source without size and time (written by hand) takes the file as it is.
void require_unchanged(const ModelSource& source, const FileStamp& now) {
    if (source.file_bytes == 0 && source.file_modified == 0) return;
    const FileStamp then{source.file_bytes, source.file_modified};
    if (then == now) return;
    const std::string how = then.bytes != now.bytes ? "it had " + std::to_string(then.bytes) + " bytes and has " + std::to_string(now.bytes) : "it was written again";
    throw Error(ErrorCode::io_failure, "the file changed after it was opened (" + how + "); open it again").at(source.file.string());
}

}  // namespace

template <typename Make>
ModelPtr ModelCache::find_or_make(std::string key, Make&& make) {
    const auto at = std::ranges::find(entries_, key, &Entry::key);
    if (at != entries_.end()) {
        std::rotate(entries_.begin(), at, at + 1);
        return entries_.front().model;
    }
    ModelPtr model = std::make_shared<const Model>(make());
    entries_.push_front({std::move(key), model});
    if (entries_.size() > most_models) entries_.pop_back();
    return model;
}

ModelPtr ModelCache::get(const ModelSource& source, const Progress& progress) {
    std::string key;
    FileStamp stamp;
    if (source.sample.empty()) {
        stamp = stamp_of(source.file);
        require_unchanged(source, stamp);
        key = "file " + std::to_string(stamp.bytes) + ' ' + std::to_string(stamp.modified) + ' ' + (source.channel_block ? std::to_string(source.channel_block) + " channels " : "") + source.file.string();
    } else {
        key = "sample " + source.sample;
    }
    ModelPtr original = find_or_make(key, [&] {
        progress.step("load");
        if (!source.sample.empty()) return build_sample(source.sample);
        Model model = load_model(source.file, {.channel_block = source.channel_block}, progress);
        require_unchanged(source, stamp_of(source.file));  // written while it was read
        return model;
    });
    if (source.recipe.empty()) return original;
    const Recipe recipe = parse_recipe(source.recipe);
    return find_or_make(key + ' ' + recipe_text(recipe), [&] {
        progress.step("optimize");
        return optimize(*original, recipe.options(), progress).model;
    });
}

}  // namespace lapidary::app
