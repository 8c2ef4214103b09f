package io.fairlead.hosted.kinds;

import io.fairlead.hosted.objects.Codec;
import io.fairlead.model.Status;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The codec of the events of {@code events.k8s.io}, which are stored in the form of the core group. */
public final class EventCodec implements Codec {
    private final Codec newer;

    /**
     * A codec.
     *
     * @param newer reads the form of {@code events.k8s.io}
     */
    public EventCodec(Codec newer) {
        this.newer = newer;
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        return newer.decode(sent);
    }

    @Override
    public ObjectNode fromStore(byte[] value) {
        return EventForms.newer(newer.fromStore(value));
    }

    @Override
    public byte[] toStore(ObjectNode object) {
        return newer.toStore(EventForms.core(object));
    }

    @Override
    public List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old) {
        return newer.validate(object, old);
    }

    @Override
    public @Nullable Struct goType() {
        return newer.goType();
    }

    @Override
    public @Nullable ManagedType managedType(String version) {
        return newer.managedType(version);
    }

    @Override
    public ObjectNode empty() {
        return newer.empty();
    }

    @Override
    public boolean itemsNameKind() {
        return false;
    }
}
