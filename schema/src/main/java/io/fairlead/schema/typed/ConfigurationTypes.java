package io.fairlead.schema.typed;

import io.fairlead.schema.typed.GoType.Struct;
import java.util.Map;
import java.util.Objects;

/** The types of the files of configuration that kube-apiserver reads, which no API server serves. */
public final class ConfigurationTypes {
    /** That of {@code --authentication-config}. */
    public static final Struct AUTHENTICATION =
            Objects.requireNonNull(ApiTypes.read("configuration-types.txt", Map.of())
                    .structs()
                    .get("apiserver/v1.AuthenticationConfiguration"));

    private ConfigurationTypes() {}
}
