package io.fairlead.gateway.proxy;

import io.fairlead.gateway.answer.Subprotocols;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.pin.DigestHeader;
import io.fairlead.gateway.route.ToAttached;
import io.fairlead.http.FieldName;
import io.fairlead.http.FieldNames;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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
    private static final FieldNames DROPPED = FieldNames.of(
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
            DigestHeader.NAME);

    private static final List<String> IDENTITY_PREFIXES = List.of("impersonate-", "x-remote-");

    private static final FieldName[] DROPPED_PREFIXES = {
        FieldName.of("impersonate-"), FieldName.of("x-remote-"), FieldName.of("x-http2-"), FieldName.of(":")
    };

    /** The user agent, the client's address and the audit id. */
    private static final int OWN_FIELDS = 3;

    private static final int OWN_BYTES_EXPECTED = 192;

    private final String product;
    private final PresentedCallers callers = new PresentedCallers();

    /** @param product what is appended to the user agent ({@code fairlead/0.1.0}) */
    UpstreamHeaders(String product) {
        this.product = product;
    }

    /**
     * Computes them.
     *
     * @param upgrade the protocols to offer to the cluster, empty if none
     * @throws StatusException with 403 if the user's name cannot be a header value, with 400 for the name of a header
     *     that some servers read as a claim of identity
     */
    MutableFields of(ToAttached request, String upgrade, String auditId) {
        Received received = request.described().received();
        Fields caller = callers.of(request);
        MutableFields headers = endToEnd(received.headers(), upgrade, caller);
        String agent = received.headers().get(FieldName.USER_AGENT);
        headers.add(FieldName.USER_AGENT, agent == null ? product : agent + " " + product);
        headers.add(FieldName.X_FORWARDED_FOR, forwardedFor(received));
        headers.add(FieldName.AUDIT_ID, auditId);
        return headers.addAll(caller);
    }

    /** WebSocket fields are forwarded only with an upgrade. There is room for what is added. */
    private static MutableFields endToEnd(MutableFields received, String upgrade, Fields caller) {
        Set<String> nominated = nominated(received);
        Fields fields = received.toFields();
        MutableFields kept = new MutableFields(
                fields.size() + caller.size() + OWN_FIELDS, fields.length() + caller.length() + OWN_BYTES_EXPECTED);
        for (int i = 0; i < fields.size(); i++) {
            if (isKept(fields, i, nominated)) {
                kept.add(fields, i);
            }
        }
        if (upgrade.isEmpty()) {
            kept.removeBeginningWith(Subprotocols.PREFIX);
        } else {
            withoutBearerProtocols(kept);
        }
        return kept;
    }

    private static boolean isKept(Fields fields, int field, Set<String> nominated) {
        if (DROPPED.contains(fields, field) || isOfDroppedFamily(fields, field)) {
            return false;
        }
        if (fields.known(field) != null && nominated.isEmpty()) {
            return true;
        }
        String name = fields.name(field).toLowerCase(Locale.ROOT);
        requireNoDisguise(name);
        return !nominated.contains(name);
    }

    private static boolean isOfDroppedFamily(Fields fields, int field) {
        for (FieldName prefix : DROPPED_PREFIXES) {
            if (fields.beginsWith(field, prefix)) {
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
}
