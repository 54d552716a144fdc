// SPDX-License-Identifier: Apache-2.0
#include "exec/cpu_provider.h"

namespace lapidary {
namespace {

class CpuProvider final : public Provider {
public:
    const std::string& name() const override {
        static const std::string text(cpu_provider_name);
        return text;
    }
    Claim claim(const KernelRequest& request) const override {
        Claim claim;
        const Node& node = request.node;
        has_kernel(node.domain, node.op_type, node.version, &claim.refusal);
        return claim;
    }
    KernelChoice make_kernel(const KernelRequest& request) const override {
        return choose_kernel(request);
    }
};

}  // namespace

const Provider& cpu_provider() {
    static const CpuProvider provider;
    return provider;
}

}  // namespace lapidary
