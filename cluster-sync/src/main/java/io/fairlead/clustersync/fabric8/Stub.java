package io.fairlead.clustersync.fabric8;

import io.fairlead.index.Holder;
import io.fairlead.index.history.CachedObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link StubStore} keeps of an object.
 *
 * @param controller the uid of what says what acts on the objects of its type; empty if nothing does
 * @param holder what it claims; null if nothing
 * @param bytes which are counted for it
 */
record Stub(
        String name,
        String uid,
        String resourceVersion,
        String controller,
        @Nullable Holder holder,
        long bytes) {
    private static final long WITHOUT_CLAIM = 300;

    static Stub of(String name, String uid, String resourceVersion, String controller, @Nullable Holder holder) {
        long bytes = WITHOUT_CLAIM + name.length() + uid.length() + resourceVersion.length() + controller.length();
        return new Stub(
                name, uid, resourceVersion, controller, holder, holder == null ? bytes : bytes + holder.heapBytes());
    }

    String key() {
        return keyOf(name, uid);
    }

    static String keyOf(String name, String uid) {
        return name + "/" + uid;
    }

    boolean isOf(String key) {
        return key.startsWith(key() + "/");
    }

    /** The same with what acts on its objects by now. */
    Stub with(Holder implemented) {
        return new Stub(name, uid, resourceVersion, controller, implemented, bytes);
    }

    CachedObject beside(@Nullable Stub other) {
        return new CachedObject(
                uid,
                resourceVersion,
                other != null && isSameAs(other) ? CachedObject.Content.SAME : CachedObject.Content.DIFFERENT);
    }

    /** The count differs as others come to define the same type. */
    private boolean isSameAs(Stub other) {
        return name.equals(other.name)
                && uid.equals(other.uid)
                && resourceVersion.equals(other.resourceVersion)
                && controller.equals(other.controller)
                && Objects.equals(holder, other.holder);
    }
}
