package io.fairlead.hosted.serve;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.DuplicateField;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Request bodies as trees: JSON and YAML; protobuf and CBOR are refused with the list of what is read. */
final class Bodies {
    static final List<String> MEDIA_TYPES = List.of("application/json", "application/yaml");

    private final int bytesMax;

    Bodies(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * A body that was read.
     *
     * @param object its tree
     * @param problems what field validation tells of the text itself: members given twice
     */
    record Body(ObjectNode object, List<String> problems) {}

    /** The media type of the body, in lower case, without parameters; JSON if unsaid. */
    static String mediaType(ApiRequest request) {
        String header = request.header("content-type");
        int semicolon = header.indexOf(';');
        String type = (semicolon < 0 ? header : header.substring(0, semicolon)).strip();
        return type.isEmpty() ? "application/json" : type.toLowerCase(Locale.ROOT);
    }

    /** The object in a body. */
    Body object(ApiRequest request) {
        String type = mediaType(request);
        boolean yaml = type.equals("application/yaml");
        if (!yaml && !type.equals("application/json")) {
            throw Refusals.unsupportedMediaType(MEDIA_TYPES);
        }
        Document document = document(request.body(), yaml);
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

    /** Any document, as patches are. */
    Document document(byte[] body, boolean yaml) {
        if (body.length > bytesMax) {
            throw Refusals.tooLarge(bytesMax);
        }
        try {
            return yaml ? Yaml.readDocument(body) : Json.readDocument(body);
        } catch (UnreadableDocumentException e) {
            throw new StatusException(e.status());
        }
    }
}
