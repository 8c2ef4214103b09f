package io.fairlead.gateway.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ExtraKey;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;

/**
 * The fields by which attached clusters learn who calls: Kubernetes' impersonation headers (client-go {@code transport}).
 * Made once for each caller and set of withheld groups, and kept while there is room: a caller whose groups change is
 * another.
 *
 * <p>Any thread.
 */
final class PresentedCallers {
    private static final long KEPT_BYTES_MAX = 8L * 1024 * 1024;

    /** What an entry takes beside its bytes. */
    private static final int ENTRY_BYTES = 256;

    private final Cache<Presented, Fields> kept = Caffeine.newBuilder()
            .maximumWeight(KEPT_BYTES_MAX)
            .weigher((Presented presented, Fields fields) ->
                    ENTRY_BYTES + presented.user().bytes() + fields.bytes().length)
            .executor(Runnable::run)
            .build();

    /** A caller as some clusters see it. */
    private record Presented(UserInfo user, UpstreamIdentity identity) {}

    /**
     * The fields for the caller of a request.
     *
     * @throws StatusException with 403 if a part of the caller cannot be a header's value
     */
    Fields of(ToAttached request) {
        return kept.get(
                new Presented(request.user(), request.backend().identity()),
                presented -> switch (presented.identity()) {
                    case UpstreamIdentity.RequestHeader header ->
                        named(UpstreamIdentity.RequestHeader.PREFIX, presented.user(), header);
                    case UpstreamIdentity.Impersonate impersonate ->
                        named("Impersonate-", presented.user(), impersonate);
                });
    }

    private static Fields named(String prefix, UserInfo user, UpstreamIdentity identity) {
        MutableFields fields = new MutableFields();
        fields.add(prefix + "User", value("user name", user.name()));
        if (!user.uid().isEmpty()) {
            fields.add(prefix + "Uid", value("uid", user.uid()));
        }
        for (String group : user.groups()) {
            if (identity.presents(group)) {
                fields.add(prefix + "Group", value("group", group));
            }
        }
        user.extra().forEach((key, values) -> {
            String name = prefix + "Extra-" + ExtraKey.escape(key);
            values.forEach(text -> fields.add(name, value("extra", text)));
        });
        return fields.toFields();
    }

    /** The text's UTF-8 bytes as the chars that represent bytes in header values. */
    private static String value(String what, String text) {
        if (text.isBlank() || !text.strip().equals(text) || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    what
                            + " of the caller: cannot be told to the cluster (expected no control bytes and no blanks"
                            + " at its ends)"));
        }
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }
}
