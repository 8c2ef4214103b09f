package io.fairlead.hosted.serve;

import io.fairlead.hosted.object.Refusals;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Where the next page of a list begins: kube-apiserver's {@code continue}, base64url of
 * {@code {"v":"meta.k8s.io/v1","rv":N,"start":KEY}}.
 *
 * @param revision of which all pages are; {@value #INCONSISTENT} for whatever is newest
 * @param after the last key of the page before, without the prefix of the list
 */
record ContinueToken(long revision, String after) {
    static final long INCONSISTENT = -1;
    private static final String FORMAT = "meta.k8s.io/v1";

    /** Reads a token, null if there is none. */
    static @Nullable ContinueToken parse(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            JsonNode token = Json.read(Base64.getUrlDecoder().decode(text));
            long revision = token.path("rv").asLong(0);
            String after = token.path("start").asString("");
            if (token.path("v").asString("").equals(FORMAT) && revision != 0 && !after.isEmpty()) {
                return new ContinueToken(revision, after);
            }
        } catch (IllegalArgumentException | UnreadableDocumentException e) {
            throw invalid();
        }
        throw invalid();
    }

    String text() {
        byte[] json =
                Json.write(Json.object().put("v", FORMAT).put("rv", revision).put("start", after));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    private static RuntimeException invalid() {
        return Refusals.badRequest("continue key is not valid: it was not made by this server");
    }
}
