package io.fairlead.gateway.impersonate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ExtraKey;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The headers by which a caller impersonates: {@code Impersonate-User}, {@code -Group}, {@code -Uid} and
 * {@code -Extra-KEY} (Kubernetes' documentation of authentication, "User impersonation").
 *
 * <p>Stricter than kube-apiserver where a caller could otherwise act as another user than intended: an unknown
 * {@code Impersonate-} header, an empty or repeated name, and blank values are refused rather than ignored.
 */
public final class ImpersonationHeaders {
    private static final String PREFIX = "impersonate-";
    private static final FieldName FAMILY = FieldName.of(PREFIX);
    private static final String USER = PREFIX + "user";
    private static final String UID = PREFIX + "uid";
    private static final String GROUP = PREFIX + "group";
    private static final String EXTRA = PREFIX + "extra-";

    private ImpersonationHeaders() {}

    /** Whether there is any {@code Impersonate-} header, known or not. */
    static boolean areIn(MutableFields headers) {
        return firstOf(headers) != null;
    }

    /**
     * Requires that there is none, where impersonation is impossible.
     *
     * @throws StatusException with 403 naming the header
     */
    public static void requireNone(MutableFields headers) {
        String name = firstOf(headers);
        if (name != null) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    "header \"" + name
                            + "\": impersonation is offered in clusters alone (expected no Impersonate- header"
                            + " on a path of the gateway's own, or through another cluster)"));
        }
    }

    private static @Nullable String firstOf(MutableFields headers) {
        Fields fields = headers.toFields();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.beginsWith(i, FAMILY)) {
                return fields.name(i);
            }
        }
        return null;
    }

    /**
     * The requested user, exactly as in the headers.
     *
     * @throws StatusException with 400 if the headers are ambiguous, with 403 for an unknown header
     */
    static UserInfo wanted(MutableFields headers) {
        Map<String, List<String>> single = new LinkedHashMap<>();
        List<String> groups = new ArrayList<>();
        Map<String, List<String>> extra = new TreeMap<>();
        Fields fields = headers.toFields();
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.beginsWith(i, FAMILY)) {
                continue;
            }
            String header = fields.name(i);
            String name = header.toLowerCase(Locale.ROOT);
            String text = text(header, fields.value(i));
            if (name.equals(GROUP)) {
                groups.add(text);
            } else if (name.startsWith(EXTRA)) {
                extra.computeIfAbsent(extraKey(header, name), _ -> new ArrayList<>())
                        .add(text);
            } else if (name.equals(USER) || name.equals(UID)) {
                single.computeIfAbsent(name, _ -> new ArrayList<>()).add(text);
            } else {
                throw notKnown(header);
            }
        }
        return new UserInfo(
                user(single.getOrDefault(USER, List.of())),
                atMostOnce("Impersonate-Uid", single.getOrDefault(UID, List.of())),
                groups,
                extra);
    }

    private static String user(List<String> values) {
        if (values.isEmpty()) {
            throw badRequest(
                    "Impersonate-User",
                    "it is missing (expected a user name beside the other Impersonate-" + " headers)");
        }
        return atMostOnce("Impersonate-User", values);
    }

    private static String atMostOnce(String header, List<String> values) {
        if (values.size() > 1) {
            throw badRequest(header, "it is there " + values.size() + " times (expected it once)");
        }
        return values.isEmpty() ? "" : values.getFirst();
    }

    /** Header values are bytes, and names of users are UTF-8. */
    private static String text(String header, String value) {
        if (value.isBlank()) {
            throw badRequest(header, "it is empty (expected a value)");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw badRequest(header, "it is not UTF-8");
        }
    }

    /** Lower-cased, then percent-decoded; an invalid percent encoding stays as it is, as in kube-apiserver. */
    private static String extraKey(String header, String name) {
        String key = ExtraKey.unescape(name.substring(EXTRA.length()));
        if (key.isBlank()) {
            throw badRequest(header, "it names no key (expected Impersonate-Extra-KEY)");
        }
        return key;
    }

    private static StatusException notKnown(String header) {
        return new StatusException(Status.of(
                403,
                "Forbidden",
                "header \"" + header
                        + "\": nothing is known to impersonate by it (expected Impersonate-User, -Group, -Uid"
                        + " or -Extra-KEY)"));
    }

    private static StatusException badRequest(String header, String why) {
        return new StatusException(Status.of(400, "BadRequest", "header \"" + header + "\": " + why));
    }
}
