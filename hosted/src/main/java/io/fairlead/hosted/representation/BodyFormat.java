package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import io.fairlead.schema.protobuf.ProtobufList;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** Encodes bodies. */
enum BodyFormat {
    JSON {
        @Override
        byte[] encode(ObjectNode body) {
            byte[] json = Json.write(body);
            byte[] line = Arrays.copyOf(json, json.length + 1);
            line[json.length] = '\n';
            return line;
        }

        @Override
        ListBody list(
                String apiVersion,
                String kind,
                String items,
                UnaryOperator<ObjectNode> head,
                UnaryOperator<ObjectNode> shown,
                boolean nilIfEmpty) {
            return new JsonList(items, head, shown, false, nilIfEmpty);
        }
    },
    /** JSON with an indentation of two, as Go's {@code MarshalIndent} prints it; without a line feed at its end, as kube-apiserver. */
    INDENTED_JSON {
        @Override
        byte[] encode(ObjectNode body) {
            return IndentedJson.of(Json.write(body), 0);
        }

        @Override
        ListBody list(
                String apiVersion,
                String kind,
                String items,
                UnaryOperator<ObjectNode> head,
                UnaryOperator<ObjectNode> shown,
                boolean nilIfEmpty) {
            return new JsonList(items, head, shown, true, nilIfEmpty);
        }
    },
    YAML {
        @Override
        byte[] encode(ObjectNode body) {
            return YamlText.of(body).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        ListBody list(
                String apiVersion,
                String kind,
                String items,
                UnaryOperator<ObjectNode> head,
                UnaryOperator<ObjectNode> shown,
                boolean nilIfEmpty) {
            return new YamlList(items, head, shown, nilIfEmpty);
        }
    },

    PROTOBUF {
        @Override
        byte[] encode(ObjectNode body) {
            return Protobuf.write(body);
        }

        @Override
        ListBody list(
                String apiVersion,
                String kind,
                String items,
                UnaryOperator<ObjectNode> head,
                UnaryOperator<ObjectNode> shown,
                boolean nilIfEmpty) {
            return new EnvelopedList(ProtobufList.of(apiVersion, kind), head, shown);
        }

        @Override
        byte[] frame(String type, ObjectNode object) {
            return Protobuf.frame(type, object);
        }
    };

    abstract byte[] encode(ObjectNode body);

    /**
     * The body of a list.
     *
     * @param apiVersion that {@code head} names
     * @param kind that {@code head} names
     * @param items the member that holds the items
     * @param head the other members of the list
     * @param shown the form of an item
     * @param nilIfEmpty whether no items are a slice of Go's that was never made: null
     */
    abstract ListBody list(
            String apiVersion,
            String kind,
            String items,
            UnaryOperator<ObjectNode> head,
            UnaryOperator<ObjectNode> shown,
            boolean nilIfEmpty);

    /** The event of a watch: one line, since JSON has no raw line feed. */
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
