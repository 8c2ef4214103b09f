package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.FieldError;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.typed.GoType.Struct;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a StatefulSet is forgiven that was stored before a rule was (kubernetes {@code ValidateStatefulSetUpdate}): the name of its
 * service and its claims, which do not change, and its pods, if its spec was wrong already.
 */
final class StatefulSetUpdates {
    private static final String POD = "spec.template.";

    private StatefulSetUpdates() {}

    /** The problems of a set that replaces another. */
    static FieldErrors check(Struct type, ObjectNode set, ObjectNode old) {
        boolean wasWrong = without(DataChecks.of(type, old), false).list().stream()
                .anyMatch(error -> error.field().startsWith("spec"));
        return without(DataChecks.of(type, set), wasWrong);
    }

    private static FieldErrors without(FieldErrors found, boolean arePodsForgiven) {
        FieldErrors rest = new FieldErrors();
        for (FieldError error : found) {
            boolean isFixed = error.field().startsWith("spec.serviceName")
                    || error.field().startsWith("spec.volumeClaimTemplates");
            if (!isFixed && !(arePodsForgiven && isOfPods(error))) {
                rest.add(error);
            }
        }
        return rest;
    }

    /** Whether a problem is one of pods, and not that a set's pods have to run for ever, be selected, and have labels. */
    private static boolean isOfPods(FieldError error) {
        return error.field().startsWith(POD + "spec")
                && !error.detail().equals("supported values: \"Always\"")
                && !error.detail().equals("activeDeadlineSeconds in StatefulSet is not Supported");
    }
}
