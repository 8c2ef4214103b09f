package io.fairlead.hosted.objects;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings objects of one resource from one of its versions to another (apiextensions {@code apiserver/conversion}).
 *
 * <p>Threads: any; may block.
 */
@FunctionalInterface
public interface Conversion {
    /** Of versions that differ in their names alone. */
    Conversion NONE = (objects, apiVersion) -> {
        objects.forEach(object -> object.put("apiVersion", apiVersion));
        return objects;
    };

    /** Leaves objects in the versions that they have. */
    Conversion KEPT = (objects, _) -> objects;

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
}
