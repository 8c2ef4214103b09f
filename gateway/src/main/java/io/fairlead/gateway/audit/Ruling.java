package io.fairlead.gateway.audit;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a policy says of a request.
 *
 * @param level how much is recorded
 * @param omitted the stages that are not
 * @param omitManagedFields whether bodies are recorded without {@code managedFields}
 */
record Ruling(AuditLevel level, Set<AuditStage> omitted, boolean omitManagedFields) {
    Ruling {
        EnumSet<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
        stages.addAll(omitted);
        omitted = Set.copyOf(stages);
    }

    /** Whether nothing is recorded. */
    boolean isNone() {
        return level == AuditLevel.NONE;
    }

    boolean records(AuditStage stage) {
        return !isNone() && !omitted.contains(stage);
    }
}
