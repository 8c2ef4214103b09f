package io.fairlead.hosted.objects;

import io.fairlead.model.GroupResource;
import java.nio.charset.StandardCharsets;

/**
 * The keys of one incarnation of a cluster: {@code /c/UID/GROUP/RESOURCE/[NAMESPACE/]NAME}, the core group written
 * {@code core}, a name that no other group has.
 *
 * @param uid the incarnation
 */
public record ClusterKeys(String uid) {
    /** The prefix of all keys of the cluster. */
    public String cluster() {
        return "/c/" + uid + "/";
    }

    /** The prefix of a resource's objects. */
    public String resource(GroupResource resource) {
        return cluster() + (resource.group().isEmpty() ? "core" : resource.group()) + "/" + resource.resource() + "/";
    }

    /** The {@link WriteGate} key of a namespace, which every create in it passes. */
    public String namespaceGate(String namespace) {
        return cluster() + namespace;
    }

    /** The resource of an object by its key. */
    public static GroupResource resourceOf(String key) {
        String[] segments = key.split("/", 6);
        return new GroupResource(segments[3].equals("core") ? "" : segments[3], segments[4]);
    }

    /** A name in a key: printable ASCII, the rest as percent escapes, which no name contains unescaped. */
    public static String segment(String name) {
        StringBuilder segment = new StringBuilder(name.length());
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f) {
                segment.append((char) b);
            } else {
                segment.append('%').append(Integer.toHexString((b & 0xff) | 0x100), 1, 3);
            }
        }
        return segment.toString();
    }
}
