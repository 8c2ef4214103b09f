package io.fairlead.hosted.kinds;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.objects.Codec;
import io.fairlead.hosted.objects.TypedCodec;
import io.fairlead.model.Status;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.EmptyLists;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The codec of one form of a kind that has several, of which one is judged and stored. */
public final class ConvertedCodec implements Codec {
    private final String apiVersion;
    private final String kind;
    private final TypedCodec own;
    private final KindForms forms;

    /**
     * A codec.
     *
     * @param type the resource in the version of this form
     */
    public ConvertedCodec(ResourceType type, KindForms forms) {
        this.apiVersion = type.groupVersion().apiVersion();
        this.kind = type.kind();
        this.own = new TypedCodec(type);
        this.forms = forms;
    }

    @Override
    public Decoded decode(ObjectNode sent) {
        return completed(own.decode(sent));
    }

    @Override
    public Decoded convert(ObjectNode tree) {
        return completed(own.convert(tree));
    }

    private Decoded completed(Decoded decoded) {
        forms.complete(decoded.object());
        return decoded;
    }

    @Override
    public ObjectNode fromStore(byte[] value) {
        return forms.in(own.fromStore(value), apiVersion);
    }

    @Override
    public ObjectNode judgedFromStore(byte[] value) {
        return forms.judged(own.fromStore(value));
    }

    @Override
    public ObjectNode storable(ObjectNode object) {
        Struct struct = ApiTypes.ofKind(object.path("apiVersion").asString(""), kind);
        if (struct != null) {
            EmptyLists.forget(struct, object);
        }
        return object;
    }

    @Override
    public byte[] toStore(ObjectNode object) {
        return own.toStore(forms.stored(object));
    }

    @Override
    public ObjectNode judged(ObjectNode object) {
        return forms.judged(object);
    }

    @Override
    public ObjectNode shown(ObjectNode judged) {
        return isOwn(judged, apiVersion) ? judged : forms.in(judged, apiVersion);
    }

    private static boolean isOwn(ObjectNode object, String version) {
        return object.path("apiVersion").asString("").equals(version);
    }

    @Override
    public List<Status.Cause> validate(ObjectNode object, @Nullable ObjectNode old) {
        return own.validate(object, old);
    }

    @Override
    public Struct goType() {
        return own.goType();
    }

    @Override
    public @Nullable ManagedType managedType(String version) {
        Struct struct = forms.knows(version) ? ApiTypes.ofKind(version, kind) : null;
        return struct == null ? own.managedType(version) : struct.managed();
    }

    @Override
    public ObjectNode inVersion(ObjectNode object, String version) {
        return isOwn(object, version) || !forms.knows(version) ? object : forms.in(object, version);
    }

    @Override
    public ObjectNode empty() {
        return own.empty();
    }

    @Override
    public boolean itemsNameKind() {
        return false;
    }
}
