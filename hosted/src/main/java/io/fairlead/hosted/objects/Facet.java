package io.fairlead.hosted.objects;

import io.fairlead.hosted.ResourceType;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of a stored object that a path reads and writes: the whole object, or its scale.
 *
 * <p>Threads: any.
 */
public interface Facet {
    /** The kind of the bodies. */
    ResourceType type();

    /** How bodies of that kind are decoded. */
    Codec codec();

    /** What an answer shows of an object; does not change it. */
    ObjectNode shown(ObjectNode object);

    /** The object that a patch applies to. */
    ObjectNode changeable(ObjectNode stored);

    /** The whole resulting object; consumes both trees' ownership except that the stored one is not changed. */
    ObjectNode wanted(ObjectNode changed, ObjectNode stored);

    /** The facet of a subresource; {@code status} shows the whole object. */
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
            return codec.shown(object);
        }

        @Override
        public ObjectNode changeable(ObjectNode stored) {
            return codec.shown(stored);
        }

        @Override
        public ObjectNode wanted(ObjectNode changed, ObjectNode stored) {
            return codec.judged(changed);
        }
    }
}
