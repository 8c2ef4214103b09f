package io.fairlead.hosted;

import io.fairlead.schema.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** A CustomResourceDefinition as it is stored. Its text is kept, which is a tenth of the tree that is made of it when asked for. */
public final class StoredDefinition {
    private final byte[] json;

    /** The text must not be changed. */
    public StoredDefinition(byte[] json) {
        this.json = json;
    }

    /** The definition; a new tree each time. */
    public ObjectNode tree() {
        return (ObjectNode) Json.read(json);
    }
}
