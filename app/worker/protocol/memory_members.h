// SPDX-License-Identifier: Apache-2.0
// What is planned of a run's memory, described member by member (lapidary/internal/members.h).
#pragma once

#include <lapidary/advice/advice_facts.h>
#include <lapidary/cost/memory_report.h>

#include "worker/protocol/bytes/described_bytes.h"

namespace lapidary {

template <>
struct EnumNames<TensorRole> {
    static constexpr std::array<std::pair<TensorRole, std::string_view>, 3> all{
        {{TensorRole::activation, "activation"},
         {TensorRole::output, "output"},
         {TensorRole::workspace, "workspace"}}};
};
template <>
struct Members<MemoryAssumptions> {
    using T = MemoryAssumptions;
    static constexpr auto list = members<T>(
        member<&T::plan>("plan"), member<&T::arena>("arena"), member<&T::in_place>("in_place"),
        member<&T::fused_steps>("fused_steps"), member<&T::disabled_passes>("disabled_passes"),
        member<&T::threads>("threads"), member<&T::dimensions>("dimensions"));
};
template <>
struct Members<TensorLifetime> {
    using T = TensorLifetime;
    static constexpr auto list =
        members<T>(member<&T::value>("value"), member<&T::name>("name"), member<&T::type>("type"),
                   member<&T::role>("role"), member<&T::first_step>("first_step"),
                   member<&T::last_step>("last_step"), member<&T::offset>("offset"),
                   member<&T::bytes>("bytes"), member<&T::shares>("shares"),
                   member<&T::written_by>("written_by"), member<&T::kept_by>("kept_by"),
                   member<&T::writer>("writer"), member<&T::keeper>("keeper"));
};
template <>
struct Members<MemoryMoment> {
    using T = MemoryMoment;
    static constexpr auto list =
        members<T>(member<&T::activations>("activations"), member<&T::outputs>("outputs"),
                   member<&T::workspace>("workspace"), member<&T::waste>("waste"));
};
template <>
struct Members<ProcessMemory> {
    using T = ProcessMemory;
    static constexpr auto list = members<T>(
        member<&T::program>("program"), member<&T::graph>("graph"), member<&T::weights>("weights"),
        member<&T::packed>("packed"), member<&T::activations>("activations"),
        member<&T::inputs>("inputs"), member<&T::mapped_weights>("mapped_weights"),
        member<&T::unneeded_weights>("unneeded_weights"));
};
template <>
struct Members<MemoryReport> {
    using T = MemoryReport;
    static constexpr auto list =
        members<T>(member<&T::assumptions>("assumptions"), member<&T::threads>("threads"),
                   member<&T::steps>("steps"), member<&T::step_ops>("step_ops"),
                   member<&T::step_nodes>("step_nodes"), member<&T::moments>("moments"),
                   member<&T::tensors>("tensors"), member<&T::block_bytes>("block_bytes"),
                   member<&T::needed_bytes>("needed_bytes"), member<&T::address_end>("address_end"),
                   member<&T::weight_bytes>("weight_bytes"), member<&T::process>("process"),
                   member<&T::peak_step>("peak_step"), member<&T::at_peak>("at_peak"),
                   member<&T::verdict>("verdict"), member<&T::unknown>("unknown"),
                   member<&T::assumed>("assumed"));
};

}  // namespace lapidary
