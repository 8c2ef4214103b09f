package io.fairlead.gateway.authn.jwt;

import io.fairlead.credentials.Pem;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.typed.ConfigurationKind;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The file of kube-apiserver's {@code --authentication-config}: an {@code AuthenticationConfiguration} of {@code
 * apiserver.config.k8s.io}, with kube-apiserver's own rules (apiserver {@code apis/apiserver/validation}).
 *
 * <p>Not taken are {@code anonymous}, since who is anonymous here is fixed, and {@code egressSelectorType}.
 */
final class AuthenticationConfiguration {
    private static final String WELL_KNOWN = "/.well-known/openid-configuration";
    private static final int ISSUERS_MAX = 64;
    private static final int PROBLEMS_MAX = 20;

    private final FieldErrors errors = new FieldErrors(PROBLEMS_MAX);
    private final Set<String> urls = new HashSet<>();
    private final Set<String> discoveryUrls = new HashSet<>();

    private AuthenticationConfiguration() {}

    /**
     * Reads the issuers of a file.
     *
     * @throws IllegalArgumentException with all that is wrong in one line
     */
    static List<IssuerSettings> read(byte[] yaml) {
        JsonNode file = ConfigurationKind.AUTHENTICATION.read(yaml);
        AuthenticationConfiguration reading = new AuthenticationConfiguration();
        List<IssuerSettings> issuers = reading.issuers(file);
        if (!reading.errors.isEmpty()) {
            throw new IllegalArgumentException(reading.errors.message());
        }
        return issuers;
    }

    private List<IssuerSettings> issuers(JsonNode file) {
        if (file.has("anonymous")) {
            errors.forbidden(
                    FieldPath.of("anonymous"),
                    "who may be anonymous cannot be changed: the gateway's own /livez, /readyz, /healthz and /version"
                            + " are for everyone, and nothing else is");
        }
        JsonNode list = file.path("jwt");
        FieldPath jwt = FieldPath.of("jwt");
        if (list.size() > ISSUERS_MAX) {
            errors.tooMany(jwt, list.size(), ISSUERS_MAX);
            return List.of();
        }
        List<IssuerSettings> issuers = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            IssuerSettings issuer = issuer(list.get(i), jwt.index(i));
            if (issuer != null) {
                issuers.add(issuer);
            }
        }
        return issuers;
    }

    private @Nullable IssuerSettings issuer(JsonNode one, FieldPath path) {
        JsonNode issuer = one.path("issuer");
        FieldPath at = path.child("issuer");
        String url = issuer.path("url").asString("");
        String discoveryUrl = issuer.path("discoveryURL").asString("");
        if (url.isEmpty()) {
            errors.required(at.child("url"), "");
        } else {
            requireHttps(url, at.child("url"));
        }
        if (!discoveryUrl.isEmpty()) {
            if (withoutSlash(url).equals(withoutSlash(discoveryUrl))) {
                errors.invalid(at.child("discoveryURL"), discoveryUrl, "discoveryURL must be different from URL");
            }
            requireHttps(discoveryUrl, at.child("discoveryURL"));
        }
        Set<String> audiences = audiences(issuer, at);
        String authority = issuer.path("certificateAuthority").asString("");
        requireCertificates(authority, at.child("certificateAuthority"));
        if (issuer.has("egressSelectorType")) {
            errors.forbidden(at.child("egressSelectorType"), "there are no egress selectors");
        }
        ClaimRules rules = new ClaimRulesReader(errors, path).read(one);
        if (!urls.add(url)) {
            errors.duplicate(at.child("url"), url);
        }
        if (!discoveryUrl.isEmpty() && !discoveryUrls.add(discoveryUrl)) {
            errors.duplicate(at.child("discoveryURL"), discoveryUrl);
        }
        return rules == null
                ? null
                : new IssuerSettings(
                        url,
                        new IssuerSettings.Source(
                                url,
                                discoveryUrl.isEmpty() ? withoutOneSlash(url) + WELL_KNOWN : discoveryUrl,
                                authority.isEmpty() ? null : authority),
                        audiences,
                        rules);
    }

    private static String withoutSlash(String url) {
        int end = url.length();
        while (end > 0 && url.charAt(end - 1) == '/') {
            end--;
        }
        return url.substring(0, end);
    }

    /** As OpenID Connect Discovery 1.0 has it (section 4.1). */
    private static String withoutOneSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private void requireHttps(String text, FieldPath field) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException none) {
            errors.invalid(field, text, none.getReason());
            return;
        }
        if (!"https".equals(url.getScheme())) {
            errors.invalid(field, text, "URL scheme must be https");
        } else if (url.getHost() == null) {
            errors.invalid(field, text, "URL must have a host");
        }
        if (url.getRawUserInfo() != null) {
            errors.invalid(field, text, "URL must not contain a username or password");
        }
        if (url.getRawQuery() != null && !url.getRawQuery().isEmpty()) {
            errors.invalid(field, text, "URL must not contain a query");
        }
        if (url.getRawFragment() != null && !url.getRawFragment().isEmpty()) {
            errors.invalid(field, text, "URL must not contain a fragment");
        }
    }

    private Set<String> audiences(JsonNode issuer, FieldPath at) {
        JsonNode list = issuer.path("audiences");
        FieldPath field = at.child("audiences");
        if (list.isEmpty()) {
            errors.required(field, "at least one " + field + " is required");
            return Set.of();
        }
        Set<String> audiences = new LinkedHashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String audience = list.get(i).asString("");
            if (audience.isEmpty()) {
                errors.required(field.index(i), "");
            }
            if (!audiences.add(audience)) {
                errors.duplicate(field.index(i), audience);
            }
        }
        String policy = issuer.path("audienceMatchPolicy").asString("");
        if (!policy.equals("MatchAny") && (list.size() > 1 || !policy.isEmpty())) {
            errors.invalid(
                    at.child("audienceMatchPolicy"),
                    policy,
                    list.size() > 1
                            ? "audienceMatchPolicy must be MatchAny for multiple audiences"
                            : "audienceMatchPolicy must be empty or MatchAny for single audience");
        }
        return audiences;
    }

    private void requireCertificates(String pem, FieldPath field) {
        try {
            if (!pem.isEmpty()) {
                Pem.certificates("certificateAuthority", pem);
            }
        } catch (IllegalArgumentException unreadable) {
            errors.invalid(field, "<omitted>", String.valueOf(unreadable.getMessage()));
        }
    }
}
