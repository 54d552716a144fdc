// SPDX-License-Identifier: Apache-2.0
#include "worker/jobs/weight_job.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <lapidary/base/error.h>

#include "worker/jobs/job_kind.h"

namespace lapidary {

template <>
struct Members<app::WeightJob> {
    using T = app::WeightJob;
    static constexpr auto list =
        members<T>(member<&T::model>("model").required(), member<&T::tensor>("tensor").required(),
                   member<&T::begin>("begin"), member<&T::count>("count").required());
};

}  // namespace lapidary

namespace lapidary::app {

WeightJob::Result WeightJob::run(const JobContext& context) const {
    const ModelPtr held =
        context.cache ? context.cache->look(model, context.progress) : model.model;
    const std::vector<const Tensor*> tensors = tensors_of(*held);
    if (tensor >= tensors.size())
        fail_input("there is no tensor " + std::to_string(tensor) + ": the model has " +
                   std::to_string(tensors.size()));
    const std::size_t bytes = tensors[tensor]->byte_size();
    if (begin > bytes || count > bytes - begin)
        fail_input("expected bytes of a tensor of " + std::to_string(bytes) + " bytes, found " +
                   std::to_string(count) + " from " + std::to_string(begin) + " on");
    std::vector<std::byte> values(count);
    tensors[tensor]->read(begin, count, values.data());
    return values;
}

SharedMemory WeightJob::block_of(const Result& bytes) {
    SharedMemory block = SharedMemory::create(std::max<std::size_t>(1, bytes.size()));
    if (!bytes.empty()) std::memcpy(block.bytes().data(), bytes.data(), bytes.size());
    return block;
}

WeightJob::Result WeightJob::complete(ByteReader& block, const Progress&) const {
    if (block.left() < count) ByteReader::broken();
    const std::byte* const bytes = block.raw(count);
    return {bytes, bytes + count};
}

ReadWeight weights_of(EngineHandlePtr engine, ModelSource model) {
    if (!engine) return {};
    model.model = nullptr;  // where it is kept, it is by the tensors that ask
    return [engine = std::move(engine), model = std::move(model)](
               std::uint32_t tensor, std::size_t begin, std::size_t count, std::byte* to) {
        const std::vector<std::byte> bytes =
            engine->call(WeightJob{model, tensor, begin, count}, {});
        std::memcpy(to, bytes.data(), bytes.size());
    };
}

template <>
const JobKind& kind_of<WeightJob>() {
    static const KindOf<WeightJob> kind;
    return kind;
}

}  // namespace lapidary::app
