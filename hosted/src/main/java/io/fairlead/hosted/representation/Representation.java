package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form of the objects in one answer: as they are, as Tables or as PartialObjectMetadata, in JSON or YAML (API
 * conventions, "Alternate representations of resources").
 *
 * <p>Nodes passed in must not be changed; they may be returned as they are. Threads: one request, one thread at a time.
 */
public interface Representation {
    /** The media type of the answer, with the requested parameters. */
    String contentType();

    /**
     * Identifies the form: representations with equal keys encode the same object of the same version to equal bytes,
     * which watchers share. Empty if the bytes depend on anything else.
     */
    String sharingKey();

    /** One object, as get, create, update and delete answer it. */
    ObjectNode object(ObjectNode object);

    /**
     * The body of a list.
     *
     * @param kind of the list
     * @param apiVersion of the list
     * @param itemsNameKind whether untransformed items have their kind
     */
    ListBody list(String apiVersion, String kind, boolean itemsNameKind);

    /**
     * The object of a watch event other than ERROR, bookmarks included.
     *
     * @param first whether it is the first event of the stream (only that one has a Table's columns)
     */
    ObjectNode event(ObjectNode object, boolean first);

    /**
     * The bytes of a watch event, with its delimiter.
     *
     * @param type {@code ADDED} and so on
     * @param object the result of {@link #event}, or a Status
     */
    byte[] frame(String type, ObjectNode object);

    /** The bytes of a body; ends with a line feed in JSON, as kube-apiserver's bodies do. */
    byte[] encode(ObjectNode body);
}
