package io.fairlead.gateway.authn.jwt;

import io.fairlead.credentials.jwt.TokenKeys;
import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.model.FairleadVersion;
import io.fairlead.net.RequestHead;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.net.WholeAnswer;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The keys of an OpenID provider, at the address that its discovery document names (OpenID Connect Discovery 1.0, section 4).
 * Both are fetched from where connections are allowed, over TLS that is verified; a redirect is not followed.
 */
final class DiscoveredKeys implements KeySource {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int SHOWN_CHARS_MAX = 200;
    private static final int DOCUMENT_BYTES_MAX = 256 * 1024;

    private final IssuerSettings.Source source;
    private final UpstreamClient client;

    DiscoveredKeys(IssuerSettings.Source source, UpstreamClient client) {
        this.source = source;
        this.client = client;
    }

    @Override
    public TokenKeys read() throws UnreadableException, InterruptedException {
        JsonNode discovery = discovery();
        String issuer = discovery.path("issuer").asString("");
        if (!issuer.equals(source.issuer())) {
            throw new UnreadableException(source.discoveryUrl() + ": its issuer is \"" + cut(issuer) + "\" (expected \""
                    + source.issuer() + "\", byte for byte)");
        }
        String keys = discovery.path("jwks_uri").asString("");
        try {
            return TokenKeys.read(fetch(keys));
        } catch (IllegalArgumentException unusable) {
            throw new UnreadableException(cut(keys) + ": " + unusable.getMessage());
        }
    }

    private JsonNode discovery() throws UnreadableException, InterruptedException {
        try {
            return Json.read(fetch(source.discoveryUrl()));
        } catch (UnreadableDocumentException _) {
            throw new UnreadableException(source.discoveryUrl() + ": its answer is not JSON");
        }
    }

    private byte[] fetch(String url) throws UnreadableException, InterruptedException {
        URI location = location(url);
        URI server = URI.create("https://" + location.getRawAuthority());
        String path = location.getRawPath().isEmpty() ? "/" : location.getRawPath();
        String query = location.getRawQuery() == null ? "" : "?" + location.getRawQuery();
        MutableFields fields = new MutableFields()
                .set(FieldName.ACCEPT, "application/json")
                .set(FieldName.USER_AGENT, "fairlead/" + FairleadVersion.NUMBER);
        RequestHead head = new RequestHead(HttpMethod.GET, path + query, fields.toFields(), 0);
        UpstreamSpec spec = new UpstreamSpec(List.of(server), source.certificateAuthority(), null, null, null);
        try (Upstream upstream = client.open(spec)) {
            return switch (WholeAnswer.await(
                    WholeAnswer.of(upstream, head, Upstream.Kind.SHORT, TIMEOUT, DOCUMENT_BYTES_MAX))) {
                case WholeAnswer.Answered(int status, byte[] body) when status == 200 -> body;
                case WholeAnswer.Answered(int status, byte[] _) ->
                    throw new UnreadableException(url + ": it answers " + status + " (expected 200)");
                case WholeAnswer.TooLong _ ->
                    throw new UnreadableException(
                            url + ": its answer has more than " + DOCUMENT_BYTES_MAX + " bytes (expected fewer)");
                case WholeAnswer.Failed(UpstreamFailure failure) ->
                    throw new UnreadableException(url + ": " + failure.message());
            };
        } catch (IllegalArgumentException unusable) {
            throw new UnreadableException(url + ": " + unusable.getMessage());
        }
    }

    /** What a provider says, in a message. */
    private static String cut(String text) {
        return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
    }

    private static URI location(String url) throws UnreadableException {
        try {
            URI location = new URI(url);
            if ("https".equals(location.getScheme())
                    && location.getHost() != null
                    && location.getRawUserInfo() == null) {
                return location;
            }
        } catch (URISyntaxException none) {
            // Said below.
        }
        throw new UnreadableException("\"" + cut(url) + "\" is no address of keys (expected an https URL as jwks_uri)");
    }
}
