package io.fairlead.hosted.table;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.node.ObjectNode;

/** The bytes of a body. */
enum BodyFormat {
    JSON {
        @Override
        byte[] encode(ObjectNode body) {
            byte[] json = Json.write(body);
            byte[] line = Arrays.copyOf(json, json.length + 1);
            line[json.length] = '\n';
            return line;
        }
    },
    /** JSON with an indentation of two, as Go's {@code MarshalIndent} prints it; without a line feed at its end, as kube-apiserver. */
    INDENTED_JSON {
        @Override
        byte[] encode(ObjectNode body) {
            return IndentedJson.of(Json.write(body));
        }
    },
    YAML {
        @Override
        byte[] encode(ObjectNode body) {
            return YamlText.of(body).getBytes(StandardCharsets.UTF_8);
        }
    },

    PROTOBUF {
        @Override
        byte[] encode(ObjectNode body) {
            return Protobuf.write(body);
        }

        @Override
        byte[] frame(String type, ObjectNode object) {
            return Protobuf.frame(type, object);
        }
    };

    abstract byte[] encode(ObjectNode body);

    /** The event of a watch: a line, which no byte of JSON breaks. */
    byte[] frame(String type, ObjectNode object) {
        byte[] head = ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
        byte[] body = Json.write(object);
        byte[] frame = Arrays.copyOf(head, head.length + body.length + 2);
        System.arraycopy(body, 0, frame, head.length, body.length);
        frame[frame.length - 2] = '}';
        frame[frame.length - 1] = '\n';
        return frame;
    }
}
