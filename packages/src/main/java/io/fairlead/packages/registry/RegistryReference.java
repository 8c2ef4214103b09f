package io.fairlead.packages.registry;

import io.fairlead.packages.oci.BlobDigest;
import java.net.URI;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An image in a registry: {@code HOST[:PORT]/PATH[:TAG]@sha256:…}. A tag is for people: the digest says which image it is.
 *
 * @param host with the port if there is one
 * @param repository the path, without a leading slash
 * @param digest of the manifest or index
 */
public record RegistryReference(String host, String repository, BlobDigest digest) {
    private static final int LENGTH_MAX = 512;
    private static final String NAME = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
    private static final Pattern FORM =
            Pattern.compile("([A-Za-z0-9.-]+(?::[0-9]{1,5})?|\\[[0-9A-Fa-f:]+](?::[0-9]{1,5})?)/(" + NAME + "(?:/"
                    + NAME + ")*)(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?@(.*)");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> DOCKER_HUB = Set.of("docker.io", "index.docker.io");

    /**
     * Reads a reference.
     *
     * @throws IllegalArgumentException naming the text and what was expected
     */
    public static RegistryReference parse(String text) {
        Matcher parts = FORM.matcher(text.substring(0, Math.min(text.length(), LENGTH_MAX)));
        if (!parts.matches() || !isHost(parts.group(1))) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" (expected HOST/PATH@sha256:…: what a tag alone means can change)");
        }
        return new RegistryReference(parts.group(1), parts.group(2), new BlobDigest(parts.group(3)));
    }

    /** A first name without a dot or a port is not a host but a path in an unknown registry. */
    private static boolean isHost(String name) {
        return name.contains(".") || name.contains(":") || name.equals("localhost");
    }

    /** The registry's URL. Plain HTTP is only for registries on this machine, as in Docker. */
    URI origin() {
        String server = DOCKER_HUB.contains(host) ? "registry-1.docker.io" : host;
        return URI.create((isLoopback(server) ? "http://" : "https://") + server);
    }

    private static boolean isLoopback(String server) {
        return LOOPBACK.contains(server.replaceFirst(":[0-9]+$", ""));
    }

    @Override
    public String toString() {
        return host + "/" + repository + "@" + digest;
    }
}
