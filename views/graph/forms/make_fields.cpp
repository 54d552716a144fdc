// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/make_fields.h"

#include "graph/forms/attribute_fields.h"
#include "graph/forms/join_fields.h"
#include "graph/forms/metadata_fields.h"
#include "graph/forms/order_fields.h"
#include "graph/forms/rename_fields.h"
#include "graph/forms/weight_fields.h"

namespace lapidary::views {

EditFields* makeFields(const QString& form, app::Workbench& workbench, const FormModel& model,
                       const EditTarget& target) {
    const QString verb = verbOf(form);
    if (verb == QLatin1String("set") || verb == QLatin1String("unset"))
        return new AttributeFields(form, model, target);
    if (verb == QLatin1String("weight")) return new WeightFields(form, model, target);
    if (verb == QLatin1String("join")) return new JoinFields(workbench, model);
    if (verb == QLatin1String("rename") && target.nodes.size() > 1)
        return new RenameEachFields(form, model, target);
    if (verb == QLatin1String("rename")) return new RenameFields(form, model, target);
    if (verb == QLatin1String("metadata")) return new MetadataFields(model);
    if (verb == QLatin1String("order")) return new OrderFields(model, target);
    return new PlainFields(form, model, target);
}

}  // namespace lapidary::views
