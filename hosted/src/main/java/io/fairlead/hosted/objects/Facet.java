package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a path shows of a stored object and lets clients change: the whole of it, or its scale.
 *
 * <p>Threads: any.
 */
public interface Facet {
    /** The kind that is read and written. */
    ResourceType type();

    /** How bodies of that kind are read. */
    Codec codec();

    /** What an answer shows of an object, which is not changed. */
    ObjectNode shown(ObjectNode object);

    /** What a change begins with. */
    ObjectNode changeable(ObjectNode stored);

    /** The whole object that is wanted; neither tree is used afterwards, the stored one is not changed. */
    ObjectNode wanted(ObjectNode changed, ObjectNode stored);

    /** The facet that a subresource is; {@code status} shows the whole object. */
    static Facet of(ServedResource resource, String subresource) {
        Scale scale = resource.scale();
        return scale != null && subresource.equals(Scale.SUBRESOURCE)
                ? scale
                : new Whole(resource.type(), resource.codec());
    }

    /** The whole object. */
    record Whole(ResourceType type, Codec codec) implements Facet {
        @Override
        public ObjectNode shown(ObjectNode object) {
            return object;
        }

        @Override
        public ObjectNode changeable(ObjectNode stored) {
            return stored;
        }

        @Override
        public ObjectNode wanted(ObjectNode changed, ObjectNode stored) {
            return changed;
        }
    }
}
