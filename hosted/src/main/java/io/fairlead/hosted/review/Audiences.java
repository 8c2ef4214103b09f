package io.fairlead.hosted.review;

import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The audiences that a TokenRequest or a TokenReview names. */
final class Audiences {
    /** The group of both kinds. */
    static final String GROUP = "authentication.k8s.io";

    private static final int AUDIENCES_MAX = 100;

    private Audiences() {}

    /**
     * Those of {@code spec.audiences}, or that of the API server if there are none.
     *
     * @throws io.fairlead.model.StatusException 422 if there are more than {@value #AUDIENCES_MAX}
     */
    static List<String> of(String kind, JsonNode spec) {
        JsonNode given = spec.path("audiences");
        if (given.size() > AUDIENCES_MAX) {
            FieldErrors errors = new FieldErrors();
            errors.tooMany(FieldPath.of("spec", "audiences"), given.size(), AUDIENCES_MAX);
            throw Refusals.invalid(GROUP, kind, "", Causes.of(errors));
        }
        return given.isEmpty() ? ServiceAccountTokens.AUDIENCES : Meta.strings(given);
    }
}
