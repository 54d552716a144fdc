// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/inspect_job.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/tensor/tensor_file.h>

#include "worker/jobs/engine_run.h"
#include "worker/jobs/job_kind.h"
#include "worker/protocol/bytes/run_record_bytes.h"
#include "worker/protocol/bytes/value_bytes.h"

namespace lapidary {

template <>
struct Members<app::InspectJob> {
    using T = app::InspectJob;
    static constexpr auto list = members<T>(
        member<&T::model>("model").required(), member<&T::settings>("settings").required(),
        member<&T::value>("value").required(), member<&T::body>("body"), member<&T::item>("item"),
        member<&T::slice>("slice"), member<&T::bins>("bins").within(1, 4096),
        member<&T::saved>("saved"), member<&T::also>("also"));
};
template <>
struct Members<BeyondType> {
    using T = BeyondType;
    static constexpr auto list =
        members<T>(member<&T::too_large>("too_large"), member<&T::too_small>("too_small"));
};
template <>
struct Members<TensorStatistics> {
    using T = TensorStatistics;
    static constexpr auto list = members<T>(
        member<&T::elements>("elements"), member<&T::nans>("nans"),
        member<&T::infinities>("infinities"), member<&T::zeros>("zeros"),
        member<&T::minimum>("minimum"), member<&T::maximum>("maximum"), member<&T::mean>("mean"),
        member<&T::stddev>("stddev"), member<&T::beyond_float16>("beyond_float16"),
        member<&T::beyond_bfloat16>("beyond_bfloat16"), member<&T::histogram>("histogram"));
};
template <>
struct Members<app::InspectedItem> {
    using T = app::InspectedItem;
    static constexpr auto list =
        members<T>(member<&T::name>("name"), member<&T::role>("role"), member<&T::node>("node"),
                   member<&T::op>("operator"), member<&T::type>("type"), member<&T::shape>("shape"),
                   member<&T::numbers>("statistics"));
};
template <>
struct Members<app::InspectedItems> {
    using T = app::InspectedItems;
    static constexpr auto list =
        members<T>(member<&T::items>("values"), member<&T::left_out>("left_out"),
                   member<&T::shown>("shown"), member<&T::slice>("slice"), unsent<&T::part>());
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

/// Takes a part of the wanted item when inspect_values() comes to it.
class WantedPart {
public:
    explicit WantedPart(const InspectJob& job) : job_(job) {
        if (!job.slice.empty()) slice_ = parse_slice(job.slice);
    }

    /// The value itself, or an item of it where it is a sequence or a map.
    bool is_of_value(const InspectedValue& value) const { return is_of(value, job_.value); }
    /// It is to be written into an archive.
    bool is_of_archive(const InspectedValue& value) const {
        return is_of_value(value) || std::ranges::any_of(job_.also, [&](const std::string& name) {
                   return is_of(value, name);
               });
    }

    std::optional<TensorSlice> part_of(const InspectedValue& value) {
        if (job_.saves_archive())
            return is_of_archive(value) ? std::optional(TensorSlice()) : std::nullopt;
        if (found_ || !is_of_value(value)) return std::nullopt;
        if (!job_.item.empty() && value.full_name() != job_.item) return std::nullopt;
        found_ = true;
        if (!job_.saved.empty()) return TensorSlice();
        if (!slice_) slice_ = first_slice(value.shape, InspectJob::most_elements);
        const std::int64_t elements = element_count(shape_of_slice(value.shape, *slice_));
        if (elements > InspectJob::most_elements)
            fail_input("expected a slice of at most " + std::to_string(InspectJob::most_elements) +
                       " elements, found " + std::to_string(elements) + ": " + text_of(*slice_) +
                       " of " + to_string(value.shape));
        return slice_;
    }
    std::string slice_text() const { return slice_ ? text_of(*slice_) : std::string(); }

private:
    bool is_of(const InspectedValue& value, const std::string& name) const {
        return value.path == job_.body && value.name.starts_with(name) &&
               (value.name.size() == name.size() || value.name[name.size()] == '[' ||
                value.name == name + ".values" || value.name == name + ".keys");
    }

    const InspectJob& job_;
    std::optional<TensorSlice> slice_;
    bool found_ = false;
};

InspectedItem item_of(InspectedValue value) {
    InspectedItem item;
    item.name = value.full_name();
    item.role = name_of(value.role);
    item.node = std::move(value.node);
    item.op = std::move(value.op);
    item.type = std::move(value.type);
    item.shape.assign(value.shape.begin(), value.shape.end());
    item.numbers = std::move(value.numbers);
    return item;
}

InspectOptions options_of(const InspectJob& job, const JobContext& context, WantedPart& wanted) {
    InspectOptions options;
    options.choice.values = {job.value};
    if (job.saves_archive())
        options.choice.values.insert(options.choice.values.end(), job.also.begin(), job.also.end());
    SessionPasses passes;
    passes.set = SessionPasses::Set::none;
    options.session = session_options(job.settings, passes);
    options.session.enable_profiling = false;
    options.session.limits = context.limits;
    if (!runs_in_other_engine(job.model)) place_on(options.session, job.model.runs_on());
    options.bins = job.bins;
    if (!job.saves_archive()) options.most_values = InspectJob::most_items;
    options.part_of = [&wanted](const InspectedValue& value) { return wanted.part_of(value); };
    return options;
}

/// Throws invalid_input: the run did not come to the value.
[[noreturn]] void fail_not_computed(const InspectJob& job) {
    fail_input("value " + quote(job.value) + " was not computed" +
               (job.body.empty()
                    ? std::string()
                    : ": the body " + quote(job.body) + " did not run with these inputs"));
}

}  // namespace

InspectedItems InspectJob::run(const JobContext& context) const {
    const Progress& progress = context.progress;
    if (!saved.empty() && saved.extension() != ".npy" && !saves_archive())
        fail_input("expected a file ending in .npy or .npz, found " + quote(saved.string()));
    WantedPart wanted(*this);
    const InspectOptions options = options_of(*this, context, wanted);
    progress.step("generate inputs");
    GenerateOptions generate;
    generate.usual = true;
    generate.seed = settings.seed;
    generate.dimensions = options.session.free_dimensions;
    generate.cancel = progress.cancel;
    const NamedValues inputs = inputs_of(*model.model, settings.given, generate);

    Inspection inspection = inspect_values(model.model, inputs, options, progress);
    InspectedItems found;
    found.left_out = inspection.left_out;
    bool has_item = item.empty();
    NamedValues archive;
    for (InspectedValue& seen : inspection.values) {
        if (saves_archive() && seen.kept.is_tensor() && wanted.is_of_archive(seen))
            archive.emplace_back(seen.full_name(), seen.kept);
        if (!wanted.is_of_value(seen)) continue;
        const bool is_item = seen.full_name() == item;
        has_item = has_item || is_item;
        if (is_item || seen.kept.is_tensor()) found.shown = found.items.size();
        if (seen.kept.is_tensor()) found.part = seen.kept.tensor();
        found.items.push_back(item_of(std::move(seen)));
    }
    if (found.items.empty()) fail_not_computed(*this);
    if (!has_item)
        fail_input("value " + quote(value) + " has no " + quote(item) +
                   " in this run: the first is " + quote(found.items.front().name));
    found.slice = wanted.slice_text();
    if (saved.empty()) return found;
    if (saves_archive()) {
        progress.step("save");
        save_npz(saved, archive);
        found.part = {};
        return found;
    }
    if (!found.part) fail_input("value " + quote(value) + " is no tensor: it cannot be saved");
    progress.step("save");
    save_npy(saved, found.part);
    found.part = {};
    return found;
}

SharedMemory InspectJob::block_of(const InspectedItems& items) {
    return written_block([&](ByteWriter& out) {
        write_described(out, items);
        write_values(out, {{"part", items.part}});
    });
}

InspectedItems InspectJob::complete(ByteReader& block, const Progress&) const {
    auto items = read_described<InspectedItems>(block);
    const NamedValues values = read_values(block);
    if (values.size() != 1 || !values[0].second.is_tensor() || items.shown >= items.items.size())
        ByteReader::broken();
    items.part = values[0].second.tensor();
    return items;
}

template <>
const JobKind& kind_of<InspectJob>() {
    static const KindOf<InspectJob> kind;
    return kind;
}

}  // namespace lapidary::app
