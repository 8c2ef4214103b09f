package io.fairlead.hosted.cluster;

import io.fairlead.hosted.cluster.Api.Answer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A hosted cluster, over each engine. */
abstract class ObjectsFixture {
    static final String MAPS = "/api/v1/namespaces/default/configmaps";

    final Fixture fixture;
    final Api api;

    ObjectsFixture(Engine engine, Path directory) {
        fixture = new Fixture(engine, directory);
        api = fixture.dev();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    Answer createMap(String name) {
        return api.create(MAPS, "metadata: {name: " + name + "}\ndata: {a: '1'}")
                .expect(201);
    }

    static List<String> names(Answer list) {
        ObjectNode body = list.expect(200).body();
        return body.path("items")
                .valueStream()
                .map((JsonNode item) -> item.at("/metadata/name").asString(""))
                .toList();
    }
}
