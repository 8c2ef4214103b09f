package io.fairlead.hosted.verbs;

import io.fairlead.hosted.meta.Refusals;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The start of a list's next page: kube-apiserver's {@code continue}, base64url of {@code
 * {"v":"meta.k8s.io/v1","rv":N,"start":KEY}}.
 *
 * @param revision of all pages; below 0, as {@value #INCONSISTENT}, for the newest
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
        JsonNode token = read(text);
        String format = token.path("v").asString("");
        JsonNode number = token.path("rv");
        if (!number.isMissingNode() && !(number.isIntegralNumber() && number.canConvertToLong())) {
            throw invalid("encoded resourceVersion is no int64 (version " + FORMAT + ")");
        }
        long revision = number.asLong(0);
        String after = token.path("start").asString("");
        if (!format.equals(FORMAT)) {
            throw invalid("server does not recognize this encoded version " + format);
        }
        if (revision == 0) {
            throw invalid("incorrect encoded start resourceVersion (version " + FORMAT + ")");
        }
        if (after.isEmpty()) {
            throw invalid("encoded start key empty (version " + FORMAT + ")");
        }
        if (List.of(after.split("/", -1)).stream().anyMatch(List.of(".", "..", "")::contains)) {
            throw invalid(after);
        }
        return new ContinueToken(revision, after);
    }

    private static JsonNode read(String text) {
        try {
            return Json.read(Base64.getUrlDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw invalid("illegal base64 data at input byte " + firstIllegal(text));
        } catch (UnreadableDocumentException e) {
            throw invalid("it was not made by this server");
        }
    }

    /**
     * The position where Go's decoder would stop: at the first character outside of the alphabet, or in the last, short
     * group.
     */
    private static int firstIllegal(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!letter && c != '-' && c != '_') {
                return i;
            }
        }
        return text.length() / 4 * 4;
    }

    boolean isOfTheNewest() {
        return revision < 0;
    }

    String text() {
        byte[] json =
                Json.write(Json.object().put("v", FORMAT).put("rv", revision).put("start", after));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
    }

    private static RuntimeException invalid(String problem) {
        return Refusals.badRequest("invalid continue token: continue key is not valid: " + problem);
    }
}
