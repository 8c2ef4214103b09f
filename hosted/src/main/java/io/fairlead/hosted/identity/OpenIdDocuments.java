package io.fairlead.hosted.identity;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a cluster publishes for those who verify its tokens elsewhere: the OpenID provider configuration and the public keys
 * (kubernetes {@code pkg/routes/openidmetadata.go}).
 *
 * <p>Threads: any; the first request for keys may make one.
 */
public final class OpenIdDocuments {
    /** The path of the provider configuration (OpenID Connect Discovery 1.0, section 4). */
    public static final String CONFIGURATION = "/.well-known/openid-configuration";

    /** The path of the JWK Set. */
    public static final String KEYS = "/openid/v1/jwks";

    private static final String JWK_SET = "application/jwk-set+json";
    private static final String CACHE_CONTROL = "public, max-age=3600";

    private final ServiceAccountTokens tokens;

    /** Those of a cluster. */
    public OpenIdDocuments(ServiceAccountTokens tokens) {
        this.tokens = tokens;
    }

    /**
     * Answers a request for one of the paths; null for any other.
     *
     * @throws StatusException 405 for other methods than GET, 406 for other media types
     */
    public @Nullable ApiResponse answer(ApiRequest request) {
        String path = request.info().path();
        return switch (path.endsWith("/") ? path.substring(0, path.length() - 1) : path) {
            case CONFIGURATION -> answer(request, Accept.JSON, () -> Json.write(configuration()));
            case KEYS -> answer(request, JWK_SET, () -> tokens.publicKeys().json());
            default -> null;
        };
    }

    private static ApiResponse answer(ApiRequest request, String contentType, Supplier<byte[]> body) {
        if (!request.method().equals("GET")) {
            throw Refusals.methodNotAllowed();
        }
        List<String> offered = List.of(contentType);
        if (Accept.parse(request.header("accept")).choose(offered, (_, _) -> true) == null) {
            throw new StatusException(Accept.notAcceptable(offered));
        }
        return new ApiResponse.Whole(200, contentType, Map.of("Cache-Control", List.of(CACHE_CONTROL)), body.get());
    }

    private ObjectNode configuration() {
        ObjectNode document =
                Json.object().put("issuer", ServiceAccountTokens.ISSUER).put("jwks_uri", tokens.address() + KEYS);
        document.putArray("response_types_supported").add("id_token");
        document.putArray("subject_types_supported").add("public");
        document.putArray("id_token_signing_alg_values_supported").add("ES256");
        return document;
    }
}
