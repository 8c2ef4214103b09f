package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** ConfigMaps (kubernetes {@code core/validation}). */
final class ConfigMapRules implements KindRules {
    @Override
    public boolean allowsUnconditionalUpdate() {
        return true;
    }

    @Override
    public boolean qualifiesFinalizers() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }

    @Override
    public List<Status.Cause> validateCreate(ObjectNode map) {
        FieldErrors errors = new FieldErrors();
        check(map, errors);
        return Causes.of(errors);
    }

    @Override
    public List<Status.Cause> validateUpdate(ObjectNode map, ObjectNode old) {
        FieldErrors errors = new FieldErrors();
        DataRules.checkImmutable(map, old, errors, "data", "binaryData");
        check(map, errors);
        return Causes.of(errors);
    }

    private static void check(ObjectNode map, FieldErrors errors) {
        DataRules.checkKeys(map, "data", errors);
        for (String key : map.path("data").propertyNames()) {
            if (map.path("binaryData").has(key)) {
                errors.invalid(FieldPath.of("data").key(key), key, "duplicate of key present in binaryData");
            }
        }
        DataRules.checkKeys(map, "binaryData", errors);
        long bytes = DataRules.textBytes(map.path("data")) + DataRules.decodedBytes(map.path("binaryData"));
        if (bytes > DataRules.BYTES_MAX) {
            errors.tooLong(FieldPath.of("[]"), DataRules.BYTES_MAX); // as upstream writes a path without a name
        }
    }
}
