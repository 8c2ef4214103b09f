package io.fairlead.hosted.discovery;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.Vitals;
import io.fairlead.hosted.meta.ReadOnly;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers {@code /}, {@code /version} and the health paths. */
public final class SystemPaths {
    private static final List<String> OWN_PATHS =
            List.of("/.well-known/openid-configuration", "/openapi/v3", "/openid/v1/jwks", "/version");

    private final Health health;
    private final Supplier<List<String>> otherPaths;

    /**
     * Makes the paths of a cluster.
     *
     * @param otherPaths the further paths that {@code /} lists
     * @param vitals what the checks {@code etcd}, which is the store, and {@code shutdown} ask
     * @param isCurrent whether the RBAC caches include all acknowledged writes
     */
    public SystemPaths(Supplier<List<String>> otherPaths, Vitals vitals, BooleanSupplier isCurrent) {
        this.health = new Health(
                List.of(new Health.Check("ping", () -> true), new Health.Check("etcd", vitals.isStoreSound())),
                List.of(
                        new Health.Check("informer-sync", isCurrent),
                        new Health.Check(
                                "shutdown", () -> !vitals.isShuttingDown().getAsBoolean())));
        this.otherPaths = otherPaths;
    }

    /** Answers a request for one of these paths; null for any other. */
    public @Nullable ApiResponse answer(ApiRequest request) {
        if (request.info().resourceRequest()) {
            return null;
        }
        return switch (request.info().path()) {
            case "/", "" -> document(request, root());
            case "/version", "/version/" -> document(request, ServerVersion.document());
            default -> health.answer(request);
        };
    }

    private static ApiResponse document(ApiRequest request, ObjectNode document) {
        ReadOnly.require(request);
        return new ApiResponse.Whole(200, Accept.JSON, Map.of(), Json.write(document));
    }

    private ObjectNode root() {
        TreeSet<String> paths = new TreeSet<>(OWN_PATHS);
        paths.addAll(health.paths());
        paths.addAll(otherPaths.get());
        ObjectNode document = Json.object();
        ArrayNode array = document.putArray("paths");
        paths.forEach(array::add);
        return document;
    }
}
