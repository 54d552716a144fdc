// SPDX-License-Identifier: Apache-2.0
// Variations of an operator call for property tests. The operator must either compute or refuse
// each of them.
#pragma once

#include <cstdint>
#include <functional>

#include "support/operator_call.h"

namespace lapidary::test {

using TakeCall = std::function<void(const OperatorCall&)>;

/// Each input omitted, and with every rank from 0 to 5.
void vary_ranks(const OperatorCall& base, const TakeCall& take);
/// Each integer attribute at the limits of its type and around 0; lists also with several lengths.
void vary_attributes(const OperatorCall& base, const TakeCall& take);
/// Each float attribute around 0 and 1; each text attribute with the words of other calls of the
/// operator, and with an unknown word.
void vary_words(const OperatorCall& base, const TakeCall& take);
/// The same values for each element of small integer inputs, as input and as constant.
void vary_small_integers(const OperatorCall& base, const TakeCall& take);
/// NaN and infinities among floats that are not constants.
void vary_floats(const OperatorCall& base, const TakeCall& take);
/// Each size of an input replaced in all inputs: by 0, 1, and sizes that are no multiple of a
/// vector or tile.
void vary_sizes(const OperatorCall& base, const TakeCall& take);
/// Each type variable of the schema bound to every allowed tensor type.
void vary_types(const OperatorCall& base, const TakeCall& take);

/// The calls of every operator version, `most` of each; only of the operator LAPIDARY_PROPERTY_OP
/// if that is set, and all calls if LAPIDARY_PROPERTY_ALL is set.
std::vector<OperatorCall> chosen_calls(std::size_t most);

/// Chooses every `share`-th variation of each call. The choice does not depend on other calls, so
/// that it is the same with and without conformance data.
class ShareOfCalls {
public:
    explicit ShareOfCalls(std::size_t share) : share_(share) {}
    /// Starts the variations of this call.
    void begin(const OperatorCall& base);
    /// True if the next variation is chosen.
    bool is_chosen() { return ++number_ % share_ == 0; }
    /// The number of the chosen variation among the chosen ones.
    std::uint64_t number() const { return number_ / share_; }

private:
    std::size_t share_;
    std::uint64_t number_ = 0;
};

/// True if results are random.
bool is_random(const OpSchema& schema);

}  // namespace lapidary::test
