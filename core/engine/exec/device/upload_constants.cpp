// SPDX-License-Identifier: Apache-2.0
#include "exec/device/upload_constants.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "exec/device/shared_constants.h"

namespace lapidary {
namespace {

/// Uploads constants to one device, except those that a session of this process already has there.
class Upload {
public:
    explicit Upload(DevicePlan::Device& device)
        : device_(device), shared_(shared_constants(*device.provider)), lock_(shared_.mutex()) {}

    void add(ValueId id, const Tensor& constant) {
        const auto [at, is_new] = device_.constants.try_emplace(id.index);
        if (!is_new) return;
        const std::uint64_t bytes = constant.byte_size(), taken = std::max<std::uint64_t>(bytes, 1);
        const ContentKey key = content_key(constant.raw(), bytes);
        std::shared_ptr<DeviceBlock> block = shared_.find(key);
        if (!block) block = uploaded(key, constant, taken);
        if (held_.insert(block.get()).second) device_.constant_bytes += taken;
        at->second = {constant.dtype(), constant.shape(), {std::move(block), 0}};
    }
    /// From now on other sessions may use the uploaded constants.
    void finish() {
        if (queue_) queue_->finish();
    }

private:
    std::shared_ptr<DeviceBlock> uploaded(const ContentKey& key, const Tensor& constant,
                                          std::uint64_t taken) {
        if (!queue_) queue_ = device_.provider->make_queue();
        std::shared_ptr<DeviceBlock> block = device_.provider->allocate(taken);
        if (constant.byte_size() != 0)
            queue_->copy_to_device({block, 0}, constant.raw(), constant.byte_size());
        shared_.add(key, block);
        return block;
    }

    DevicePlan::Device& device_;
    SharedConstants& shared_;
    std::lock_guard<std::mutex> lock_;
    std::unique_ptr<DeviceQueue> queue_;  // ends, and with it the copies, before the lock
    std::set<const DeviceBlock*> held_;
};

}  // namespace

void upload_constants(Plan& plan, const DevicePlacement& placement, const CancelToken& cancel) {
    for (DevicePlan::Device& device : plan.devices->devices) {
        Upload upload(device);
        for (Step& step : plan.steps) {
            if (step.provider != device.provider) continue;
            cancel.throw_if_cancelled();
            const Node& node = plan.graph->node(step.node);
            const NodeAssignment& assigned = placement.nodes[step.node.index];
            std::vector<std::size_t>& unread = step.kernel.unread_inputs;
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                if (!node.inputs[i] || assigned.reads_on(i) == nullptr) continue;
                const RuntimeValue& constant = plan.constants[node.inputs[i].index];
                if (!constant.is_tensor() || std::ranges::find(unread, i) != unread.end()) continue;
                upload.add(node.inputs[i], constant.tensor());
                unread.push_back(i);
            }
        }
        upload.finish();
    }
}

}  // namespace lapidary
