package io.fairlead.gateway.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.answer.AuditId;
import io.fairlead.gateway.answer.Subprotocols;
import io.fairlead.gateway.impersonate.ExtraKey;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.pin.DigestHeader;
import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The headers that go to an attached cluster: the caller's own, without hop-by-hop headers and claims of identity, and
 * then ours. Headers named in {@code Connection} are dropped before ours are added, so that it can never remove one of
 * ours.
 */
final class UpstreamHeaders {
    /**
     * Hop-by-hop (RFC 9110 section 7.6.1), framing, origin (shared by all clusters), or an identity or credential of
     * the caller.
     */
    private static final Set<FieldName> DROPPED = Stream.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "proxy-authenticate",
                    "proxy-authorization",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "http2-settings",
                    "expect",
                    "host",
                    "content-length",
                    "authorization",
                    "cookie",
                    "cookie2",
                    "audit-id",
                    "user-agent",
                    "x-forwarded-for",
                    "x-kubernetes-cluster",
                    "x-cluster",
                    DigestHeader.NAME)
            .map(FieldName::of)
            .collect(Collectors.toUnmodifiableSet());

    private static final List<String> IDENTITY_PREFIXES = List.of("impersonate-", "x-remote-");

    private static final List<String> DROPPED_PREFIXES = List.of("impersonate-", "x-remote-", "x-http2-", ":");

    private static final String WEB_SOCKET_PREFIX = "sec-websocket-";

    private UpstreamHeaders() {}

    /**
     * Computes them.
     *
     * @param upgrade the protocols to offer to the cluster, empty if none
     * @param product what is appended to the user agent ({@code fairlead/0.1.0})
     * @throws StatusException with 403 if the user's name cannot be a header value, with 400 for the name of a header
     *     that some servers read as a claim of identity
     */
    static MutableFields of(
            Received request,
            String upgrade,
            UserInfo user,
            UpstreamIdentity identity,
            String auditId,
            String product) {
        MutableFields headers = endToEnd(request.headers(), upgrade);
        String agent = request.headers().get(FieldName.USER_AGENT);
        headers.add(FieldName.USER_AGENT, agent == null ? product : agent + " " + product);
        headers.add("X-Forwarded-For", forwardedFor(request));
        headers.add(AuditId.HEADER, auditId);
        switch (identity) {
            case UpstreamIdentity.Impersonate impersonate -> impersonate(headers, user, impersonate);
        }
        return headers;
    }

    /** WebSocket fields are forwarded only with an upgrade. */
    private static MutableFields endToEnd(MutableFields received, String upgrade) {
        Set<String> nominated = nominated(received);
        MutableFields kept = new MutableFields();
        Fields fields = received.toFields();
        for (int i = 0; i < fields.size(); i++) {
            if (isKept(fields, i, nominated)) {
                kept.add(fields, i);
            }
        }
        if (upgrade.isEmpty()) {
            kept.removeBeginningWith(WEB_SOCKET_PREFIX);
        } else {
            withoutBearerProtocols(kept);
        }
        return kept;
    }

    private static boolean isKept(Fields fields, int field, Set<String> nominated) {
        FieldName known = fields.known(field);
        if (known != null && nominated.isEmpty()) {
            return !DROPPED.contains(known) && !isOfDroppedFamily(known.toString());
        }
        String name = fields.name(field).toLowerCase(Locale.ROOT);
        requireNoDisguise(name);
        return !DROPPED.contains(FieldName.of(name)) && !nominated.contains(name) && !isOfDroppedFamily(name);
    }

    private static boolean isOfDroppedFamily(String name) {
        for (String prefix : DROPPED_PREFIXES) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Servers that map headers to variables (RFC 3875 section 4.1.18) do not distinguish an underscore from a hyphen.
     */
    private static void requireNoDisguise(String name) {
        if (name.indexOf('_') < 0) {
            return;
        }
        String read = name.replace('_', '-');
        for (String prefix : IDENTITY_PREFIXES) {
            if (read.startsWith(prefix) && !name.startsWith(prefix)) {
                throw new StatusException(Status.badRequest("header \"" + name
                        + "\": some servers take it for one that names a user (expected no \"_\" in place of \"-\")"));
            }
        }
    }

    private static void withoutBearerProtocols(MutableFields headers) {
        List<String> offered = Subprotocols.offered(headers);
        if (offered.isEmpty()) {
            headers.remove(FieldName.SEC_WEBSOCKET_PROTOCOL);
        } else {
            headers.set(FieldName.SEC_WEBSOCKET_PROTOCOL, String.join(", ", offered));
        }
    }

    private static Set<String> nominated(MutableFields received) {
        List<String> connections = received.all(FieldName.CONNECTION);
        if (connections.isEmpty()) {
            return Set.of();
        }
        Set<String> names = new HashSet<>();
        for (String connection : connections) {
            for (String name : connection.split(",", -1)) {
                names.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    private static String forwardedFor(Received request) {
        List<String> hops = request.headers().all(FieldName.X_FORWARDED_FOR);
        String own = request.peer().host();
        return hops.isEmpty() ? own : String.join(", ", hops) + ", " + own;
    }

    /** Fairlead's credential, and the caller in Kubernetes' impersonation headers (client-go {@code transport}). */
    private static void impersonate(MutableFields headers, UserInfo user, UpstreamIdentity.Impersonate identity) {
        if (identity.bearerToken() != null) {
            headers.set(FieldName.AUTHORIZATION, "Bearer " + identity.bearerToken());
        }
        headers.set("Impersonate-User", value("user name", user.name()));
        if (!user.uid().isEmpty()) {
            headers.set("Impersonate-Uid", value("uid", user.uid()));
        }
        for (String group : user.groups()) {
            if (identity.presents(group)) {
                headers.add("Impersonate-Group", value("group", group));
            }
        }
        user.extra().forEach((key, values) -> {
            String name = "Impersonate-Extra-" + ExtraKey.escape(key);
            values.forEach(text -> headers.add(name, value("extra", text)));
        });
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
