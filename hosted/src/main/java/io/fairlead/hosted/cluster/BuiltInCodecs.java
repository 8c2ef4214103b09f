package io.fairlead.hosted.cluster;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.crd.DefinitionCodec;
import io.fairlead.hosted.kinds.ConvertedCodec;
import io.fairlead.hosted.kinds.EventForms;
import io.fairlead.hosted.kinds.data.AutoscalerForms;
import io.fairlead.hosted.objects.Codec;
import io.fairlead.hosted.objects.StructuralCodec;
import io.fairlead.hosted.objects.TypedCodec;
import java.util.Objects;

/** How the objects of the built-in kinds are read and stored. */
final class BuiltInCodecs {
    private static final String DEFINITIONS = "customresourcedefinitions";

    private BuiltInCodecs() {}

    static Codec of(BuiltInKind kind) {
        ResourceType type = kind.type();
        if (type.plural().equals(DEFINITIONS)) {
            return new DefinitionCodec();
        }
        return switch (kind.decoding()) {
            case TYPED -> typed(type);
            case STRUCTURAL -> StructuralCodec.of(type, Objects.requireNonNull(type.openApiSchema()));
        };
    }

    private static Codec typed(ResourceType type) {
        if (AutoscalerForms.areOf(type)) {
            return new ConvertedCodec(type, AutoscalerForms.INSTANCE);
        }
        return type.storedAs().equals(type.groupResource())
                ? new TypedCodec(type)
                : new ConvertedCodec(type, EventForms.INSTANCE);
    }
}
