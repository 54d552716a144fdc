// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/bench.h>
#include <lapidary/base/error.h>

#include "bench/onnxruntime/onnxruntime_library.h"
#include "bench/onnxruntime/onnxruntime_session.h"
#include "bench/peers/python_peer.h"

namespace lapidary {
namespace {

class LibraryPeer final : public BenchPeer {
public:
    explicit LibraryPeer(std::shared_ptr<const OnnxRuntimeLibrary> library)
        : library_(std::move(library)) {}
    const std::string& version() const override { return library_->version(); }
    const std::filesystem::path& path() const override { return library_->path(); }
    std::unique_ptr<BenchEngine> open(const BenchConfiguration& configuration,
                                      const CancelToken&) const override {
        return open_onnxruntime_session(library_, configuration);
    }

private:
    std::shared_ptr<const OnnxRuntimeLibrary> library_;
};

}  // namespace

std::unique_ptr<BenchPeer> find_onnxruntime_peer(const std::filesystem::path& place) {
    const OnnxRuntimePlaces places = find_onnxruntime(machine_search(place));
    try {
        return std::make_unique<LibraryPeer>(OnnxRuntimeLibrary::load(places));
    } catch (const Error&) {
        if (places.pythons.empty()) throw;
    }
    return open_python_peer(places.pythons.front(), python_package(Peer::onnxruntime));
}

}  // namespace lapidary
