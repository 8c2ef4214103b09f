package io.fairlead.hosted.cluster;

import io.fairlead.schema.json.Json;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.node.ObjectNode;

/** A hosted cluster that serves every built-in kind, for one test. */
abstract class EveryKindFixture {

    final Fixture fixture = new Fixture();
    final Api api = fixture.withEveryKind();

    @AfterEach
    void closeFixture() {
        fixture.close();
    }

    /** An object named {@code o}, without more. */
    static ObjectNode object(String apiVersion, String kind) {
        ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", "o");
        return object;
    }
}
