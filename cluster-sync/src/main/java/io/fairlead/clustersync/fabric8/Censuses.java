package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Takes censuses of an API server by lists of its objects' metadata. The lists have no {@code resourceVersion}, so that
 * they are consistent: at least as new as anything that the server acknowledged before the request. Any thread.
 */
final class Censuses {
    private static final String METADATA =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

    /** The most bytes of metadata, which annotations may make large. */
    private static final int PAGE_BYTES_MAX = 8 << 20;

    /** The most nodes of one page's tree, each of which takes some hundred bytes whatever its text. */
    private static final int NODES_MAX = 300_000;

    /** The most bytes of all pages: a server that sends more is not trusted. */
    private static final long BYTES_MAX = 64L << 20;

    /** The longest name, uid and resource version together that is kept; Kubernetes' own are shorter. */
    private static final int KEY_CHARS_MAX = 1_024;

    private static final int TOKEN_CHARS_MAX = 8_192;

    /** Far more than the index allows. */
    private static final int OBJECTS_MAX = 50_000;

    private final Upstream upstream;
    private final Supplier<@Nullable String> bearerToken;
    private final SyncSettings settings;
    private final ListLimiter turns;
    private final Executor executor;

    Censuses(
            Upstream upstream,
            Supplier<@Nullable String> bearerToken,
            SyncSettings settings,
            ListLimiter turns,
            Executor executor) {
        this.upstream = upstream;
        this.bearerToken = bearerToken;
        this.settings = settings;
        this.turns = turns;
        this.executor = executor;
    }

    /** Completes on the executor; exceptionally if the server does not answer with a list. */
    CompletableFuture<Census> take(String path) {
        Taking taking = new Taking(path);
        taking.ask("");
        return taking.census.whenComplete((census, problem) -> taking.turn.end());
    }

    /** One census in progress. */
    private final class Taking {
        private final String path;
        private final ListLimiter.Turn turn = turns.take(true);
        private final CompletableFuture<Census> census = new CompletableFuture<>();
        private final Map<String, String> versions = new HashMap<>();
        private final long endNanos = System.nanoTime() + settings.listTimeout().toNanos();
        private long bytes;

        Taking(String path) {
            this.path = path;
        }

        void ask(String token) {
            String target = path + "?limit=" + settings.pageSize() + (token.isEmpty() ? "" : "&continue=" + token);
            turn.ask(() -> fetch(target), () -> census.completeExceptionally(failure("was given up")));
        }

        private void fetch(String target) {
            Fetch.get(upstream, bearerToken.get(), target, METADATA, PAGE_BYTES_MAX, settings.pageTimeout())
                    .whenCompleteAsync(
                            (answer, problem) -> {
                                turn.answered();
                                if (problem != null) {
                                    census.completeExceptionally(problem);
                                } else {
                                    read(answer);
                                }
                            },
                            executor)
                    .exceptionally(problem -> {
                        census.completeExceptionally(problem);
                        return null;
                    });
        }

        private void read(Fetch.Answer answer) {
            if (answer.status() != 200) {
                census.completeExceptionally(failure("is " + answer.status()));
                return;
            }
            bytes += answer.body().length;
            if (bytes > BYTES_MAX || nodes(answer.body()) > NODES_MAX) {
                census.completeExceptionally(failure("is larger than a list of metadata may be"));
                return;
            }
            try {
                JsonNode page = Json.read(answer.body());
                int before = versions.size();
                boolean plausible = count(page.path("items"));
                String token = page.at("/metadata/continue").asString("");
                if (!plausible || token.length() > TOKEN_CHARS_MAX) {
                    census.completeExceptionally(failure("names what no API server names"));
                } else if (versions.size() > OBJECTS_MAX) {
                    census.completeExceptionally(failure("has more than " + OBJECTS_MAX + " objects"));
                } else if (!token.isEmpty() && (versions.size() == before || System.nanoTime() - endNanos > 0)) {
                    census.completeExceptionally(failure("does not come to an end"));
                } else if (token.isEmpty()) {
                    census.complete(
                            new Census(page.at("/metadata/resourceVersion").asString(""), versions));
                } else {
                    ask(token);
                }
            } catch (UnreadableDocumentException unreadable) {
                census.completeExceptionally(failure("is not JSON"));
            }
        }

        /** Keeps the names and versions; false if one is too long. */
        private boolean count(JsonNode items) {
            for (JsonNode item : items.values()) {
                JsonNode metadata = item.path("metadata");
                String key = Stub.keyOf(
                        metadata.path("name").asString(""), metadata.path("uid").asString(""));
                String version = metadata.path("resourceVersion").asString("");
                if (key.length() + version.length() > KEY_CHARS_MAX) {
                    return false;
                }
                versions.put(key, version);
            }
            return true;
        }

        /** The most nodes in the tree of a text: each value except the first of a list or an object follows a comma. */
        private static int nodes(byte[] json) {
            int nodes = 1;
            boolean inText = false;
            for (int i = 0; i < json.length; i++) {
                switch (json[i]) {
                    case '\\' -> i += inText ? 1 : 0;
                    case '"' -> inText = !inText;
                    case '{', '[', ',' -> nodes += inText ? 0 : 1;
                    default -> {}
                }
            }
            return nodes;
        }

        private UpstreamException failure(String what) {
            return new UpstreamException(
                    new UpstreamFailure(UpstreamFailure.Kind.PROTOCOL, "the answer to " + path + " " + what, true));
        }
    }
}
