package io.fairlead.cli.cluster;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.StatusFailure;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** The {@code Cluster} objects of the root cluster. */
final class Registrations {
    private static final int FORBIDDEN = 403;
    private static final String SOURCE_FILE = "fairlead.io/source-file";

    private Registrations() {}

    /**
     * The name of the first one of a kind; empty if there is none, or if the caller may not list them. Blocks.
     *
     * @throws StatusFailure if the server cannot answer, so that the result is unknown
     */
    static Optional<String> first(FairleadClient client, Predicate<JsonNode> isOne)
            throws CommandFailure, StatusFailure {
        try {
            return client.get(Paths.CLUSTERS)
                    .path("items")
                    .valueStream()
                    .filter(isOne)
                    .map(Registrations::name)
                    .findFirst();
        } catch (StatusFailure failure) {
            if (failure.code() == FORBIDDEN) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** The file of {@code --clusters-dir} that declares it; empty if none does. */
    static String sourceFile(JsonNode registration) {
        return registration
                .path("metadata")
                .path("annotations")
                .path(SOURCE_FILE)
                .asString("");
    }

    static String name(JsonNode registration) {
        return registration.path("metadata").path("name").asString("");
    }
}
