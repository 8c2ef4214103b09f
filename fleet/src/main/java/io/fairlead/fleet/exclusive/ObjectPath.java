package io.fairlead.fleet.exclusive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.model.GroupVersionResource;
import io.fairlead.schema.meta.Names;
import java.net.URLEncoder;

/** The paths of objects. */
final class ObjectPath {
    private ObjectPath() {}

    /** Whether a path can be made of these names: what a cluster's server calls an object must not lead to another one. */
    static boolean isPlain(String namespace, String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.indexOf('%') < 0
                && (namespace.isEmpty() || Names.dns1123Label(namespace).isEmpty());
    }

    /** The path of an object; the namespace is empty if it has none. */
    static String of(GroupVersionResource resource, String namespace, String name) {
        String prefix = resource.group().isEmpty() ? "/api/" : "/apis/";
        String within = namespace.isEmpty() ? "" : "/namespaces/" + namespace;
        return prefix + resource.groupVersion().apiVersion() + within + "/" + resource.resource() + "/"
                + URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }
}
