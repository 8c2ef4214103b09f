package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.Work;
import io.fairlead.hosted.representation.Accept;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.DuplicateField;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import io.fairlead.schema.protobuf.Protobuf;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Parses request bodies: JSON, YAML and, for kinds that are Go structs, protobuf. */
final class Bodies {
    private static final List<String> ALL = List.of(Accept.JSON, Accept.YAML, Accept.PROTOBUF);

    private final int bytesMax;

    Bodies(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * A parsed body.
     *
     * @param object its tree
     * @param problems the findings of field validation in the text itself: duplicate members
     */
    record Body(ObjectNode object, List<String> problems) {}

    /** The media type of the body, in lower case, without parameters; JSON if not given. */
    static String mediaType(ApiRequest request) {
        String header = request.header("content-type");
        int semicolon = header.indexOf(';');
        String type = (semicolon < 0 ? header : header.substring(0, semicolon)).strip();
        return type.isEmpty() ? Accept.JSON : type.toLowerCase(Locale.ROOT);
    }

    /**
     * The object in a body; of a Go struct, {@code null} and YAML without a document are one without members.
     *
     * @param struct whether it is one of a Go struct, which may be protobuf
     */
    Body object(ApiRequest request, boolean struct) {
        return object(request, struct, struct);
    }

    /** The options in a body; {@code null} says nothing, since Go leaves a struct as it is when it reads that. */
    ObjectNode options(ApiRequest request) {
        return object(request, true, true).object();
    }

    private Body object(ApiRequest request, boolean protobuf, boolean mayBeNull) {
        String type = mediaType(request);
        boolean yaml = type.equals(Accept.YAML);
        if (protobuf && type.equals(Accept.PROTOBUF)) {
            return new Body(ofProtobuf(request.body()), List.of());
        }
        if (!yaml && !type.equals(Accept.JSON)) {
            throw Refusals.unsupportedMediaType(ALL);
        }
        return tree(request, yaml, mayBeNull);
    }

    private Body tree(ApiRequest request, boolean yaml, boolean mayBeNull) {
        Document document = yaml && mayBeNull ? firstDocument(request.body()) : document(request.body(), yaml);
        if (mayBeNull && document.root().isNull()) {
            return new Body(Json.object(), List.of());
        }
        if (!(document.root() instanceof ObjectNode object)) {
            throw Refusals.badRequest("the body of the request is "
                    + document.root().getNodeType().name().toLowerCase(Locale.ROOT)
                    + " (expected an object)");
        }
        return new Body(
                object,
                document.duplicates().stream()
                        .map(yaml ? DuplicateField::yamlMessage : DuplicateField::message)
                        .toList());
    }

    /** The configuration in the body of a patch that applies it: YAML, of which JSON is a part. */
    Body configuration(ApiRequest request) {
        return tree(request, true, false);
    }

    private ObjectNode ofProtobuf(byte[] body) {
        requireSize(body);
        try {
            return Protobuf.read(body);
        } catch (UnreadableDocumentException e) {
            throw new StatusException(e.status());
        }
    }

    /** Makes room for a body to be decoded. */
    static void makeRoom(Work work, ApiRequest request) {
        String type = mediaType(request);
        work.sends(
                request.body(),
                type.contains("json") ? Work.Form.JSON : type.contains("yaml") ? Work.Form.YAML : Work.Form.PROTOBUF);
    }

    /** Refuses a body beyond the limit. */
    void requireSize(byte[] body) {
        if (body.length > bytesMax) {
            throw Refusals.tooLarge(bytesMax);
        }
    }

    /** The document of a YAML text; null if it has none. */
    private Document firstDocument(byte[] body) {
        requireSize(body);
        try {
            return Yaml.readAll(body).isEmpty()
                    ? new Document(Json.nodes().nullNode(), List.of())
                    : Yaml.readDocument(body);
        } catch (UnreadableDocumentException e) {
            throw new StatusException(e.status());
        }
    }

    /** Any document, for patches. */
    Document document(byte[] body, boolean yaml) {
        requireSize(body);
        try {
            return yaml ? Yaml.readDocument(body) : Json.readDocument(body);
        } catch (UnreadableDocumentException e) {
            throw new StatusException(e.status());
        }
    }
}
