package io.fairlead.gateway.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.gateway.listen.Received;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of a line that say what was asked for, and by whom (apiserver {@code pkg/audit/request.go}). */
final class RequestText {
    private static final byte[] URI = ascii("\"requestURI\":");
    private static final byte[] VERB = ascii(",\"verb\":");
    private static final byte[] USER = ascii(",\"user\":");
    private static final byte[] SOURCES = ascii(",\"sourceIPs\":");
    private static final byte[] AGENT = ascii(",\"userAgent\":");
    private static final byte[] NAME = ascii("\"username\":");
    private static final byte[] UID = ascii("\"uid\":");
    private static final byte[] GROUPS = ascii("\"groups\":");
    private static final byte[] EXTRA = ascii("\"extra\":");
    private static final byte[] OBJECT = ascii(",\"objectRef\":{\"resource\":");
    private static final byte[] NAMESPACE = ascii(",\"namespace\":");
    private static final byte[] OBJECT_NAME = ascii(",\"name\":");
    private static final byte[] OBJECT_UID = ascii(",\"uid\":");
    private static final byte[] GROUP = ascii(",\"apiGroup\":");
    private static final byte[] VERSION = ascii(",\"apiVersion\":");
    private static final byte[] RESOURCE_VERSION = ascii(",\"resourceVersion\":");
    private static final byte[] SUBRESOURCE = ascii(",\"subresource\":");

    private static final FieldName X_REAL_IP = FieldName.of("x-real-ip");
    private static final int SOURCES_MAX = 64;

    /** Of an IPv6 address that has an IPv4 address in it, in text. */
    private static final int ADDRESS_LENGTH_MAX = 45;

    private static final int AGENT_CHARS_MAX = 1024;
    private static final String CUT = "...TRUNCATED";

    /**
     * Parameters whose values are credentials (RFC 6750 section 2.3, signed URLs of object stores, and what workloads behind a proxy
     * take). {@code key} is none: it is the name of an entry far more often.
     */
    private static final Set<String> SECRET_PARAMETERS = Set.of(
            "access_token",
            "auth_token",
            "id_token",
            "private_token",
            "refresh_token",
            "token",
            "jwt",
            "api_key",
            "apikey",
            "x_api_key",
            "authorization",
            "client_secret",
            "secret",
            "password",
            "passwd",
            "sig",
            "signature",
            "x_amz_security_token",
            "x_amz_signature",
            "x_goog_signature");

    /** Behind the name of a parameter. */
    private static final int NO_NAME = -1;

    private static final String HIDDEN = "HIDDEN";

    private RequestText() {}

    static byte[] ascii(String json) {
        return json.getBytes(US_ASCII);
    }

    /** The members before those of an impersonated user. */
    static void describe(LineBytes line, Received received, String verb, @Nullable UserInfo user) {
        line.raw(URI).text(withoutSecrets(received.target()));
        line.raw(VERB).text(verb);
        line.raw(USER);
        user(line, user);
    }

    /** The members behind them. */
    static void describeClient(LineBytes line, Received received) {
        line.raw(SOURCES).texts(sources(received));
        String agent = received.headers().get(FieldName.USER_AGENT);
        if (agent != null && !agent.isEmpty()) {
            line.raw(AGENT).text(agent.length() > AGENT_CHARS_MAX ? agent.substring(0, AGENT_CHARS_MAX) + CUT : agent);
        }
    }

    /** A user as an object; an empty one if it is not known. */
    static void user(LineBytes line, @Nullable UserInfo user) {
        line.raw('{');
        if (user != null) {
            line.raw(NAME).text(user.name());
            if (!user.uid().isEmpty()) {
                line.raw(',').raw(UID).text(user.uid());
            }
            if (!user.groups().isEmpty()) {
                line.raw(',').raw(GROUPS).texts(user.groups());
            }
            if (!user.extra().isEmpty()) {
                line.raw(',').raw(EXTRA);
                extra(line, user.extra());
            }
        }
        line.raw('}');
    }

    private static void extra(LineBytes line, Map<String, List<String>> extra) {
        char separator = '{';
        for (Map.Entry<String, List<String>> entry : extra.entrySet()) {
            line.raw(separator).text(entry.getKey()).raw(':').texts(entry.getValue());
            separator = ',';
        }
        line.raw('}');
    }

    /** The member that refers to an object; nothing if the request is for no resource. */
    static void refer(LineBytes line, RequestInfo info, SentObject sent) {
        if (info.resourceRequest()) {
            line.raw(OBJECT).text(info.resource());
            member(line, NAMESPACE, info.namespace().isEmpty() ? sent.namespace() : info.namespace());
            member(line, OBJECT_NAME, info.name().isEmpty() ? sent.name() : info.name());
            member(line, OBJECT_UID, sent.uid());
            member(line, GROUP, info.group());
            member(line, VERSION, info.version());
            member(line, RESOURCE_VERSION, sent.resourceVersion());
            member(line, SUBRESOURCE, info.subresource());
            line.raw('}');
        }
    }

    private static void member(LineBytes line, byte[] name, String value) {
        if (!value.isEmpty()) {
            line.raw(name).text(value);
        }
    }

    /** As the client sent it, but for what is a credential by the name of its parameter. */
    static String withoutSecrets(String target) {
        int mark = target.indexOf('?');
        return mark < 0 ? target : withoutSecrets(target, mark + 1);
    }

    /**
     * Some servers take {@code ;} for {@code &} too, so that a name begins behind either and a hidden value ends at {@code &} alone.
     */
    private static String withoutSecrets(String target, int query) {
        StringBuilder shown = null;
        int shownTo = 0;
        int name = query;
        for (int i = query; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c == '&' || c == ';') {
                name = i + 1;
            } else if (c == '=' && name >= 0) {
                if (isSecret(target.substring(name, i))) {
                    int next = target.indexOf('&', i);
                    shown = shown == null ? new StringBuilder(target.length()) : shown;
                    shown.append(target, shownTo, i + 1).append(HIDDEN);
                    shownTo = next < 0 ? target.length() : next;
                    i = shownTo - 1;
                }
                name = NO_NAME;
            }
        }
        return shown == null
                ? target
                : shown.append(target, shownTo, target.length()).toString();
    }

    /** In any case, with hyphens for underscores too, and as a list or a map, as {@code token[]}. */
    private static boolean isSecret(String name) {
        String decoded = decoded(name);
        int bracket = decoded.indexOf('[');
        String base = bracket < 0 ? decoded : decoded.substring(0, bracket);
        return SECRET_PARAMETERS.contains(base.strip().toLowerCase(Locale.ROOT).replace('-', '_'));
    }

    /** The name as servers read it; as it is where it is no text. */
    private static String decoded(String name) {
        try {
            return name.indexOf('%') < 0 && name.indexOf('+') < 0 ? name : URLDecoder.decode(name, UTF_8);
        } catch (IllegalArgumentException malformed) {
            return name;
        }
    }

    /** What the client's proxies claim, and then the address that the connection has (apimachinery {@code net.SourceIPs}). */
    private static List<String> sources(Received received) {
        MutableFields headers = received.headers();
        String own = received.peer().host();
        List<String> forwarded = headers.all(FieldName.X_FORWARDED_FOR);
        String real = headers.get(X_REAL_IP);
        if (forwarded.isEmpty() && real == null) {
            return List.of(own);
        }
        List<String> sources = new ArrayList<>();
        for (String hops : forwarded) {
            for (String hop : hops.split(",", SOURCES_MAX)) {
                add(sources, hop.strip());
            }
        }
        if (real != null && !sources.contains(real.strip())) {
            add(sources, real.strip());
        }
        if (sources.isEmpty() || !sources.getLast().equals(own)) {
            sources.add(own);
        }
        return sources;
    }

    private static void add(List<String> sources, String hop) {
        if (sources.size() < SOURCES_MAX && isAddress(hop)) {
            sources.add(hop);
        }
    }

    /** In form; the client chooses them anyway. */
    private static boolean isAddress(String text) {
        boolean isOfDigits = !text.isEmpty()
                && text.length() <= ADDRESS_LENGTH_MAX
                && (text.indexOf('.') > 0 || text.indexOf(':') >= 0);
        for (int i = 0; i < text.length() && isOfDigits; i++) {
            char c = text.charAt(i);
            isOfDigits = c == '.' || c == ':' || Character.digit(c, 16) >= 0;
        }
        return isOfDigits;
    }
}
