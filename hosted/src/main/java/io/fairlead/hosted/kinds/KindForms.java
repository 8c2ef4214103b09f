package io.fairlead.hosted.kinds;

import tools.jackson.databind.node.ObjectNode;

/**
 * The forms of a kind that is served in more than one version or group over one store: that in which objects are judged and stored,
 * and the others. Conversions change no tree that they are given.
 *
 * <p>Threads: any; blocks never.
 */
public interface KindForms {
    /** Whether managers of an object's fields may have written it through a version. */
    boolean knows(String apiVersion);

    /** Fills in what a client may leave out in a form that is not the stored one, whose rules do that themselves. */
    default void complete(ObjectNode object) {}

    /** An object of any form in that in which it is judged. */
    ObjectNode judged(ObjectNode object);

    /** A judged object as it is stored: with the defaults of the version in which it is. */
    default ObjectNode stored(ObjectNode judged) {
        return judged;
    }

    /** An object of any form in that of a version. */
    ObjectNode in(ObjectNode object, String apiVersion);
}
