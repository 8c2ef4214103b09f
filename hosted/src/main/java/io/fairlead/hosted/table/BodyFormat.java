package io.fairlead.hosted.table;

import io.fairlead.schema.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;

/** The bytes of a body. */
enum BodyFormat {
    JSON {
        @Override
        byte[] encode(JsonNode body) {
            byte[] json = Json.write(body);
            byte[] line = Arrays.copyOf(json, json.length + 1);
            line[json.length] = '\n';
            return line;
        }
    },
    /** JSON with an indentation of two, as Go's {@code MarshalIndent} prints it; without a line feed at its end, as kube-apiserver. */
    INDENTED_JSON {
        @Override
        byte[] encode(JsonNode body) {
            return IndentedJson.of(Json.write(body));
        }
    },
    YAML {
        @Override
        byte[] encode(JsonNode body) {
            return YamlText.of(body).getBytes(StandardCharsets.UTF_8);
        }
    };

    abstract byte[] encode(JsonNode body);
}
