// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/difference_search.h"

#include <utility>

#include <lapidary/base/error.h>

#include "workbench/document/opened_model.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/job_command.h"

namespace lapidary::app {

DifferenceSearch::DifferenceSearch(std::function<Pair()> pair, OpenedModel& opened, JobRunner& jobs,
                                   Engine& engine, QObject* parent)
    : QObject(parent), pair_(std::move(pair)), opened_(opened), jobs_(jobs), engine_(engine) {
    connect(&opened_, &OpenedModel::openedChanged, this, [this] {
        job_.drop();
        forget();
        emit changed();
    });
}

DifferencePtr DifferenceSearch::result() const {
    return newest_ && Pair(newest_->a, newest_->b) == pair_() ? newest_ : nullptr;
}

void DifferenceSearch::forget() {
    if (newest_) jobs_.releaseLater(std::exchange(newest_, nullptr));
}

void DifferenceSearch::start(const std::string& output) {
    const auto [a, b] = pair_();
    if (job_ || !a || !b || a == b) return;
    DifferenceRecord begun{a, b, output, {}};
    DivergeJob search{opened_.sourceOf(begun.a), opened_.sourceOf(begun.b), opened_.runSettings(),
                      output};
    Job* job = job_.start<DifferencePtr>(
        jobs_, tr("Find where %1 differs from %2").arg(begun.b->name, begun.a->name),
        [begun, search, &engine = engine_](const Progress& progress) -> DifferencePtr {
            auto record = std::make_shared<DifferenceRecord>(begun);
            record->found = engine.call(search, progress);
            return record;
        },
        [this](DifferencePtr record) {
            forget();
            newest_ = std::move(record);
            for (const FoundLine& line : newest_->found.lines) emit logged(tipText(line.text));
            emit changed();
        },
        [this](const Error& error) {
            emit changed();
            if (error.code() != ErrorCode::cancelled) emit failed(tipText(error.what()));
        });
    job->setCommand(differenceCommand(opened_.opened()->source, *begun.a, *begun.b,
                                      opened_.runSettings(), output));
    emit started();
    emit changed();
}

NodeId nodeOf(const Graph& graph, const ValuePair& value) {
    if (value.path.empty()) {
        for (const std::string* name : {&value.name_b, &value.name_a})
            if (const ValueId found = graph.find_value(*name);
                found && graph.value(found).kind == ValueKind::node_output)
                return graph.value(found).producer;
        return {};
    }
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        for (const Attribute& attribute : node.attributes)
            if (std::holds_alternative<GraphPtr>(attribute.value) &&
                value.path.starts_with(node.name + "/" + attribute.name + "/"))
                return id;
    }
    return {};
}

}  // namespace lapidary::app
