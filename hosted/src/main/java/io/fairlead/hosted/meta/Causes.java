package io.fairlead.hosted.meta;

import io.fairlead.model.Status;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Single problems of fields as causes of a Status. */
public final class Causes {
    private Causes() {}

    public static Status.Cause invalid(String field, String value, String detail) {
        FieldErrors errors = new FieldErrors();
        errors.invalid(path(field), value, detail);
        return only(errors);
    }

    public static Status.Cause invalid(String field, JsonNode value, String detail) {
        FieldErrors errors = new FieldErrors();
        errors.invalid(path(field), value, detail);
        return only(errors);
    }

    public static Status.Cause required(String field, String detail) {
        FieldErrors errors = new FieldErrors();
        errors.required(path(field), detail);
        return only(errors);
    }

    public static Status.Cause forbidden(String field, String detail) {
        FieldErrors errors = new FieldErrors();
        errors.forbidden(path(field), detail);
        return only(errors);
    }

    public static Status.Cause notSupported(String field, String value, List<String> supported) {
        FieldErrors errors = new FieldErrors();
        errors.notSupported(path(field), value, supported);
        return only(errors);
    }

    public static Status.Cause tooLong(String field, int bytesMax) {
        FieldErrors errors = new FieldErrors();
        errors.tooLong(path(field), bytesMax);
        return only(errors);
    }

    /** The collected problems, each as a cause. */
    public static List<Status.Cause> of(FieldErrors errors) {
        return errors.list().stream().map(error -> error.cause()).toList();
    }

    /** All distinct problems in one text ({@code ErrorList.ToAggregate}). */
    static String aggregate(List<Status.Cause> causes) {
        Set<String> texts = new LinkedHashSet<>();
        for (Status.Cause cause : causes) {
            texts.add(cause.field().isEmpty() ? cause.message() : cause.field() + ": " + cause.message());
        }
        return texts.size() == 1 ? texts.iterator().next() : "[" + String.join(", ", texts) + "]";
    }

    private static FieldPath path(String field) {
        return FieldPath.of(field);
    }

    private static Status.Cause only(FieldErrors errors) {
        return errors.list().getFirst().cause();
    }
}
