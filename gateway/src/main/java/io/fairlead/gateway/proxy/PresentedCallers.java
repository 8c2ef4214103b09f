package io.fairlead.gateway.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.ExtraKey;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;

/**
 * The fields by which attached clusters learn who calls: Kubernetes' impersonation headers (client-go {@code transport}), those of
 * a front proxy, or the caller's own token. Fields without a credential are made once for each caller and set of withheld groups,
 * and kept while there is room: a caller whose groups change is another.
 *
 * <p>Any thread.
 */
final class PresentedCallers {
    private static final String IMPERSONATE = "Impersonate-";
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
     * @throws StatusException with 403 if a part of the caller cannot be a header's value, or the caller has the name of Fairlead itself
     */
    Fields of(ToAttached request) {
        UserInfo user = request.user();
        return switch (request.backend().identity()) {
            case UpstreamIdentity.Impersonate impersonate -> kept(IMPERSONATE, user, impersonate);
            case UpstreamIdentity.RequestHeader header -> {
                requireOther(user, header);
                yield kept(UpstreamIdentity.RequestHeader.PREFIX, user, header);
            }
            case UpstreamIdentity.Aggregated backend -> kept(UpstreamIdentity.RequestHeader.PREFIX, user, backend);
            case UpstreamIdentity.Passthrough passthrough -> passedOn(request, passthrough);
        };
    }

    /** The cluster would take the request for one of Fairlead's own, and grant it Fairlead's rights. */
    private static void requireOther(UserInfo user, UpstreamIdentity.RequestHeader identity) {
        if (identity.ownUsers().contains(user.name())) {
            throw new StatusException(Status.of(
                    403,
                    "Forbidden",
                    "user \"" + user.name()
                            + "\": has the name by which Fairlead itself is known to the cluster (expected a user with"
                            + " a name other than the common name of Fairlead's client certificate)"));
        }
    }

    private Fields kept(String prefix, UserInfo user, UpstreamIdentity identity) {
        return kept.get(
                new Presented(user, identity),
                presented -> named(new MutableFields(), prefix, presented.user(), presented.identity())
                        .toFields());
    }

    /** The token, which is kept nowhere, and the user that its bearer wants to be: the cluster decides about that. */
    private static Fields passedOn(ToAttached request, UpstreamIdentity identity) {
        MutableFields fields = new MutableFields()
                .add(FieldName.AUTHORIZATION, "Bearer " + request.passedToken().token());
        return (request.actsAsCaller() ? fields : named(fields, IMPERSONATE, request.user(), identity)).toFields();
    }

    private static MutableFields named(MutableFields fields, String prefix, UserInfo user, UpstreamIdentity identity) {
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
        return fields;
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
