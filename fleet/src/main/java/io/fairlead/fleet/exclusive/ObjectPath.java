package io.fairlead.fleet.exclusive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.schema.meta.Names;
import java.net.URLEncoder;

/** The path of an object at its cluster's server. */
final class ObjectPath {
    private ObjectPath() {}

    /** What a cluster, or an expression, calls an object must not lead to another path. */
    static boolean isPlain(ObjectKey key) {
        String name = key.name();
        boolean isSegment = !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.indexOf('%') < 0;
        return isSegment
                && (key.namespace().isEmpty()
                        || Names.dns1123Label(key.namespace()).isEmpty());
    }

    /** That of an object whose names are plain. */
    static String of(GroupVersionResource resource, ObjectKey key) {
        String namespace = key.namespace().isEmpty() ? "" : "/namespaces/" + key.namespace();
        return resource.groupVersion().path() + namespace + "/" + resource.resource() + "/"
                + URLEncoder.encode(key.name(), UTF_8).replace("+", "%20");
    }
}
