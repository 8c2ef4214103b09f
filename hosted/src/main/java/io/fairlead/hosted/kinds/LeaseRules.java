package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Leases (kubernetes {@code apis/coordination/validation}). Coordinated leader election is a feature gate that is off
 * in kube-apiserver, so its fields are dropped.
 */
final class LeaseRules implements KindRules {
    private static final List<String> COORDINATED = List.of("strategy", "preferredHolder");

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    @Override
    public void prepareForCreate(ObjectNode lease) {
        dropCoordination(lease);
    }

    @Override
    public void prepareForUpdate(ObjectNode lease, ObjectNode old) {
        dropCoordination(lease);
    }

    @Override
    public List<Status.Cause> validateCreate(ObjectNode lease) {
        return check(lease);
    }

    @Override
    public List<Status.Cause> validateUpdate(ObjectNode lease, ObjectNode old) {
        return check(lease);
    }

    private static void dropCoordination(ObjectNode lease) {
        if (lease.get("spec") instanceof ObjectNode spec) {
            spec.remove(COORDINATED);
        }
    }

    private static List<Status.Cause> check(ObjectNode lease) {
        FieldErrors errors = new FieldErrors();
        FieldPath spec = FieldPath.of("spec");
        JsonNode duration = lease.path("spec").path("leaseDurationSeconds");
        if (duration.isNumber() && duration.asLong(0) <= 0) {
            errors.invalid(spec.child("leaseDurationSeconds"), duration, "must be greater than 0");
        }
        JsonNode transitions = lease.path("spec").path("leaseTransitions");
        if (transitions.isNumber() && transitions.asLong(0) < 0) {
            errors.invalid(spec.child("leaseTransitions"), transitions, "must be greater than or equal to 0");
        }
        return Causes.of(errors);
    }
}
