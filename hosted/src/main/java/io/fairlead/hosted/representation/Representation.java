package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form in which one request wants its objects: as they are, as Tables or as PartialObjectMetadata, in JSON or YAML
 * (API conventions, "Alternate representations of resources").
 *
 * <p>Nodes handed in are not to be changed; they may be answered as they are. Threads: one request, one thread at a time.
 */
public interface Representation {
    /** The media type of the answer, with the parameters that the client asked for. */
    String contentType();

    /**
     * Tells forms apart: two representations with equal keys make equal bytes of the same object of the same version, so
     * that watchers share them. Empty if the bytes depend on anything else.
     */
    String sharingKey();

    /** One object, as get, create, update and delete answer it. */
    ObjectNode object(ObjectNode object);

    /**
     * The body of a list.
     *
     * @param kind of the list
     * @param apiVersion of the list
     * @param itemsNameKind whether the items name their kind where they are shown as they are
     */
    ListBody list(String apiVersion, String kind, boolean itemsNameKind);

    /**
     * The object of a watch event other than ERROR, bookmarks included.
     *
     * @param first whether it is the first event of the stream (a Table names its columns only there)
     */
    ObjectNode event(ObjectNode object, boolean first);

    /**
     * The bytes of a watch event, with its delimiter.
     *
     * @param type {@code ADDED} and its like
     * @param object what {@link #event} made of the object, or a Status
     */
    byte[] frame(String type, ObjectNode object);

    /** The bytes of a body; ends with a line feed in JSON, as kube-apiserver's bodies do. */
    byte[] encode(ObjectNode body);
}
