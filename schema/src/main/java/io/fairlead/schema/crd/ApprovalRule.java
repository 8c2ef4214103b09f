package io.fairlead.schema.crd;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.net.URI;
import java.net.URISyntaxException;

/** Groups of the Kubernetes community need an annotation that says where the API was approved (KEP-1111). */
public final class ApprovalRule {
    /** The annotation. */
    public static final String ANNOTATION = "api-approved.kubernetes.io";

    private static final FieldPath PATH =
            FieldPath.of("metadata", "annotations").key(ANNOTATION);
    private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

    private ApprovalRule() {}

    /** What the annotation says. */
    public enum State {
        MISSING,
        APPROVED,
        BYPASSED,
        INVALID
    }

    /** Whether definitions of a group need the annotation. */
    public static boolean isProtected(String group) {
        return group.equals("k8s.io")
                || group.endsWith(".k8s.io")
                || group.equals("kubernetes.io")
                || group.endsWith(".kubernetes.io");
    }

    /** What a definition's annotation says. */
    public static State state(CustomResourceDefinition definition) {
        String annotation = annotation(definition);
        if (annotation.isEmpty()) {
            return State.MISSING;
        }
        if (annotation.startsWith("unapproved")) {
            return State.BYPASSED;
        }
        return isUrl(annotation) ? State.APPROVED : State.INVALID;
    }

    static void forCreate(CustomResourceDefinition definition, FieldErrors errors) {
        if (!isProtected(definition.group())) {
            return;
        }
        String need = "protected groups must have approval annotation \"" + ANNOTATION + "\"";
        switch (state(definition)) {
            case MISSING -> errors.required(PATH, need + SEE);
            case INVALID ->
                errors.invalid(
                        PATH,
                        annotation(definition),
                        need + " with either a URL or a reason starting with \"unapproved\"" + SEE);
            case APPROVED, BYPASSED -> {}
        }
    }

    /** What is as it was is let pass. */
    static void forUpdate(CustomResourceDefinition definition, CustomResourceDefinition old, FieldErrors errors) {
        if (state(definition) != state(old)) {
            forCreate(definition, errors);
        }
    }

    private static String annotation(CustomResourceDefinition definition) {
        return definition
                .tree()
                .path("metadata")
                .path("annotations")
                .path(ANNOTATION)
                .asString("");
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = new URI(text);
            return uri.getScheme() != null && uri.getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
