package io.fairlead.hosted.objects;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings objects of one resource from one of its versions to another (apiextensions {@code apiserver/conversion}).
 *
 * <p>Threads: any; may block.
 */
public interface Conversion {
    /** Of versions that differ in their names alone. */
    Conversion NONE = new Conversion() {
        @Override
        public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
            objects.forEach(object -> object.put("apiVersion", apiVersion));
            return objects;
        }
    };

    /** Leaves objects in the versions that they have. */
    Conversion KEPT = new Conversion() {
        @Override
        public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
            return objects;
        }
    };

    /**
     * Converts objects of any versions; those that have the version already are only handed on.
     *
     * @param objects owned by this from now on
     * @return the objects in the version, in the same order; owned by the caller
     * @throws io.fairlead.model.StatusException 500 if one of them cannot be converted, 429 if too much is being converted
     */
    List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion);

    /** Converts one object. */
    default ObjectNode convert(ObjectNode object, String apiVersion) {
        return convert(List.of(object), apiVersion).getFirst();
    }

    /** Whether a webhook is asked. */
    default boolean mayAsk() {
        return false;
    }

    /** How many bytes the answer to so many may have: what a webhook adds beyond this is more than a type is likely to need. */
    static long answerBytesMax(long bytes) {
        return 4 * bytes + 64 * 1024;
    }
}
