package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.kinds.KindDescriptions;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** The kinds that only clusters with all built-in kinds serve. */
public final class DataKinds {
    private static final String RESOURCE = "data-kinds.json";

    private DataKinds() {}

    /** All of them, read once and shared. */
    public static List<BuiltInKind> all() {
        return Holder.ALL;
    }

    private static BuiltInKind kind(JsonNode description) {
        ResourceType type = KindDescriptions.type(description, null);
        Struct judged = Objects.requireNonNull(
                ApiTypes.ofKind(new GroupVersion(type.group(), type.storageVersion()).apiVersion(), type.kind()),
                () -> RESOURCE + ": no Go type of kind " + type.kind());
        return new BuiltInKind(
                type, BuiltInKind.Decoding.TYPED, new DataRules(type, judged, description), Requesters.of(type));
    }

    private static final class Holder {
        static final List<BuiltInKind> ALL = KindDescriptions.read(DataKinds.class, RESOURCE).stream()
                .map(DataKinds::kind)
                .toList();
    }
}
