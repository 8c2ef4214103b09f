package io.fairlead.hosted.objects;

import io.fairlead.model.GroupResource;
import java.nio.charset.StandardCharsets;

/**
 * The keys of one incarnation of a cluster: {@code /c/UID/GROUP/RESOURCE/[NAMESPACE/]NAME}, the core group written
 * {@code core}, which no other group is called.
 *
 * @param uid the incarnation
 */
public record ClusterKeys(String uid) {
    /** Below which everything of the cluster stands. */
    public String cluster() {
        return "/c/" + uid + "/";
    }

    /** Below which a resource's objects stand. */
    public String resource(GroupResource resource) {
        return cluster() + (resource.group().isEmpty() ? "core" : resource.group()) + "/" + resource.resource() + "/";
    }

    /** The key of the {@link WriteGate} that everything new in a namespace passes. */
    public String namespaceGate(String namespace) {
        return cluster() + namespace;
    }

    /** A name as it stands in a key: printable ASCII, the rest as percent escapes, which names themselves never contain. */
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
