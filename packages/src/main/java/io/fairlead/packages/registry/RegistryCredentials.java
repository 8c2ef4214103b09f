package io.fairlead.packages.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The credentials that {@code docker login} leaves in its {@code config.json}, under {@code auths}. Credential helpers, which
 * are programs, are not run.
 */
public final class RegistryCredentials {
    private static final int BYTES_MAX = 1024 * 1024;

    private final JsonNode auths;

    private RegistryCredentials(JsonNode auths) {
        this.auths = auths;
    }

    /** No credentials for any registry. */
    public static RegistryCredentials none() {
        return new RegistryCredentials(Json.object());
    }

    /**
     * The credentials of a file; none if it does not exist.
     *
     * @throws IOException if it cannot be read; the message is for people
     */
    public static RegistryCredentials read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return none();
        }
        if (Files.size(file) > BYTES_MAX) {
            throw new RegistryException(file + ": more than " + BYTES_MAX + " bytes");
        }
        try {
            return new RegistryCredentials(Json.read(Files.readAllBytes(file)).path("auths"));
        } catch (UnreadableDocumentException notJson) {
            // What the parser says of it may show what it holds.
            throw new RegistryException(file + ": no JSON");
        }
    }

    /** The credentials for a host, as HTTP's Basic scheme has them (RFC 7617). */
    Optional<String> basic(String host) {
        for (Map.Entry<String, JsonNode> entry : auths.properties()) {
            String server = entry.getKey().replaceFirst("^https?://", "").replaceFirst("/.*$", "");
            if (server.equals(host)) {
                return basic(entry.getValue());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> basic(JsonNode entry) {
        String encoded = entry.path("auth").asString("");
        String username = entry.path("username").asString("");
        if (encoded.isEmpty() && !username.isEmpty()) {
            String pair = username + ":" + entry.path("password").asString("");
            encoded = Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
        }
        return encoded.matches("[A-Za-z0-9+/]+={0,2}") ? Optional.of("Basic " + encoded) : Optional.empty();
    }
}
