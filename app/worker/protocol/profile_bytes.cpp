// SPDX-License-Identifier: Apache-2.0
#include "worker/protocol/profile_bytes.h"

#include <functional>
#include <unordered_map>

namespace lapidary::app {
namespace {

// Bindings to all members: a new one has to be added here before this compiles.
bool same_label(const Span& a, const Span& b) {
    const auto& [kind, name, op, kernel, node, thread, depth, run, begin, end, bytes, shapes,
                 provider, fallback] = a;
    return node == b.node && name == b.name && kernel == b.kernel && op == b.op &&
           shapes == b.shapes && provider == b.provider && fallback == b.fallback;
}

constexpr std::size_t lists_of_profile = 5;
constexpr std::uint32_t none = 0xffffffffu;

}  // namespace

struct ProfileBytes::Index {
    struct LabelHash {
        std::size_t operator()(const Span* span) const {
            std::size_t h = std::hash<std::string>{}(span->name);
            for (const std::size_t more :
                 {std::hash<std::string>{}(span->shapes), std::hash<std::string>{}(span->kernel),
                  std::size_t(span->node.index)})
                h = h * 1099511628211u + more;
            return h;
        }
    };
    struct LabelEqual {
        bool operator()(const Span* a, const Span* b) const { return same_label(*a, *b); }
    };

    std::unordered_map<const Span*, std::uint32_t, LabelHash, LabelEqual> labels;
};

ProfileBytes::ProfileBytes(const Profile& profile)
    : profile_(profile), index_(std::make_shared<Index>()) {
    for (const auto* list :
         {&profile.phases, &profile.run_spans, &profile.kernels, &profile.ranges, &profile.memory})
        add(*list);
    index_ = nullptr;
}

void ProfileBytes::add(const std::vector<Span>& spans) {
    std::vector<Record>& records = lists_.emplace_back();
    records.reserve(spans.size());
    for (const Span& s : spans) {
        Record record{};
        record.begin_ns = s.begin_ns;
        record.end_ns = s.end_ns;
        record.bytes = s.bytes;
        record.label = label_of(s);
        record.thread = s.thread;
        record.depth = s.depth;
        record.run = s.run;
        record.kind = s.kind;
        records.push_back(record);
    }
}

/// Runs repeat the same spans in the same order: the label that followed last time is tried before
/// the table.
std::uint32_t ProfileBytes::label_of(const Span& span) {
    if (!labels_.empty())
        if (const std::uint32_t guess = following_[newest_];
            guess != none && same_label(*labels_[guess], span))
            return newest_ = guess;
    const auto [at, added] =
        index_->labels.try_emplace(&span, static_cast<std::uint32_t>(labels_.size()));
    if (added) {
        labels_.push_back(&span);
        following_.push_back(none);
    }
    following_[newest_] = at->second;
    return newest_ = at->second;
}

void ProfileBytes::write(ByteWriter& out) const {
    const auto& [model_name, threads, runs, phases, run_spans, kernels, ranges, memory, dropped,
                 peak, weights, note] = profile_;
    out.text(model_name);
    out.number(threads);
    out.number(runs);
    out.number(dropped);
    out.number(peak);
    out.number(weights);
    out.text(note);
    out.number(std::uint64_t(labels_.size()));
    for (const Span* label : labels_) {
        for (const std::string* text : {&label->name, &label->op, &label->kernel, &label->shapes,
                                        &label->provider, &label->fallback})
            out.text(*text);
        out.number(label->node.index);
    }
    for (const std::vector<Record>& list : lists_) out.plain(list);
}

Profile read_profile(ByteReader& in) {
    Profile profile;
    profile.model_name = in.text();
    profile.threads = in.number<int>();
    profile.runs = in.number<int>();
    profile.dropped_events = in.number<std::uint64_t>();
    profile.peak_bytes = in.number<std::int64_t>();
    profile.weight_bytes = in.number<std::int64_t>();
    profile.note = in.text();
    std::vector<Span> labels(in.count(6 * sizeof(std::uint64_t)));
    for (Span& label : labels) {
        for (std::string* text : {&label.name, &label.op, &label.kernel, &label.shapes,
                                  &label.provider, &label.fallback})
            *text = in.text();
        label.node = NodeId(in.number<std::uint32_t>());
    }
    std::vector<Span>* const lists[lists_of_profile] = {
        &profile.phases, &profile.run_spans, &profile.kernels, &profile.ranges, &profile.memory};
    for (std::vector<Span>* list : lists) {
        const auto records = in.plain<ProfileBytes::Record>();
        list->reserve(records.size());
        for (const ProfileBytes::Record& record : records) {
            if (record.label >= labels.size() || record.kind > EventKind::copy)
                ByteReader::broken();
            Span& span = list->emplace_back(labels[record.label]);
            span.kind = record.kind;
            span.thread = record.thread;
            span.depth = record.depth;
            span.run = record.run;
            span.begin_ns = record.begin_ns;
            span.end_ns = record.end_ns;
            span.bytes = record.bytes;
        }
    }
    return profile;
}

}  // namespace lapidary::app
