package io.fairlead.hosted.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ResourceType;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The schemas of custom resources are those of their definitions. */
class SchemasTest {
    @Test
    void extensionsOfADefinition_areSaidInPlainOpenApi_too() {
        ObjectNode schemas = Json.object();

        Schemas.addTo(schemas, widgets("""
            {"type":"object","properties":{"port":{"x-kubernetes-int-or-string":true}}}\
            """));

        assertThat(schemas.at("/com.example.v1.Widget/properties/port/anyOf"))
                .isEqualTo(Json.read("[{\"type\":\"integer\"},{\"type\":\"string\"}]"));
    }

    private static ResourceType widgets(String schema) {
        return new ResourceType(
                "example.com",
                "v1",
                "widgets",
                "widget",
                "Widget",
                "WidgetList",
                List.of(),
                List.of(),
                true,
                List.of("get"),
                Set.of(),
                "v1",
                true,
                (ObjectNode) Json.read(schema),
                null);
    }
}
