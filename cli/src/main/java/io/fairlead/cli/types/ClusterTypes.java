package io.fairlead.cli.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.cli.server.FairleadClient;
import io.fairlead.cli.server.Paths;
import io.fairlead.cli.server.ServerOptions;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The types of the CustomResourceDefinitions that a cluster has now, read through the gateway. */
record ClusterTypes(ClusterName cluster, ServerOptions server) implements TypeSource {
    /** A page of definitions of the largest size in etcd stays below 40 MB. */
    private static final int PAGE = 25;

    @Override
    public List<DefinitionDigests> types() throws CommandFailure {
        try (FairleadClient client = server.connect()) {
            List<DefinitionDigests> types = read(client);
            if (types.isEmpty()) {
                throw failure("it has no CustomResourceDefinition (expected at least one)");
            }
            return types;
        }
    }

    /** The same over an open connection, for a cluster that may have none. */
    List<DefinitionDigests> read(FairleadClient client) throws CommandFailure {
        List<DefinitionDigests> types = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = page(client, next);
            for (JsonNode item : page.path("items").values()) {
                types.add(type(item));
            }
            next = page.path("metadata").path("continue").asString("");
        } while (!next.isEmpty());
        return types;
    }

    private JsonNode page(FairleadClient client, String next) throws CommandFailure {
        String query = "?limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, UTF_8));
        HttpResponse<byte[]> response = client.fetch(Paths.definitions(cluster) + query);
        try {
            JsonNode answer = Json.readExact(response.body()).root();
            if (response.statusCode() != 200) {
                throw failure(answer.path("message").asString("HTTP status " + response.statusCode()));
            }
            return answer;
        } catch (UnreadableDocumentException e) {
            throw failure("HTTP status " + response.statusCode() + ", " + e.getMessage());
        }
    }

    private DefinitionDigests type(JsonNode item) throws CommandFailure {
        String name = item.path("metadata").path("name").asString("");
        try {
            return DefinitionDigests.ofSpec(item.path("spec"));
        } catch (UnreadableDocumentException e) {
            throw failure("CustomResourceDefinition \"" + name + "\": " + e.getMessage());
        }
    }

    private CommandFailure failure(String problem) {
        String subject = "cluster \"" + cluster + "\"";
        return CommandFailure.of(problem.startsWith(subject) ? problem : subject + ": " + problem);
    }
}
