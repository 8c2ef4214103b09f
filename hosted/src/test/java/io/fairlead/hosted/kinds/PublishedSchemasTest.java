package io.fairlead.hosted.kinds;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ResourceType;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The schemas of built-in kinds are written by hand; what is decoded stands in the table of Go's types. */
class PublishedSchemasTest {
    private final List<String> differences = new ArrayList<>();

    @Test
    void schemas_nameTheFieldsThatAreDecoded() {
        for (BuiltInKind kind : BuiltInKinds.all()) {
            if (kind.decoding() == BuiltInKind.Decoding.TYPED) {
                ResourceType type = kind.type();
                Struct struct =
                        requireNonNull(ApiTypes.ofKind(type.groupVersion().apiVersion(), type.kind()), type.kind());
                compare(type.kind(), requireNonNull(type.openApiSchema()), struct);
            }
        }
        assertThat(differences).isEmpty();
    }

    @Test
    void comparison_findsWhatDiffers() {
        compare(
                "X",
                Json.read("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"integer\"},\"nme\":{}}}"),
                ApiTypes.named("core/v1.LocalObjectReference"));

        assertThat(differences).containsExactly("X.name is integer, not string", "X.nme is not decoded");
    }

    private void compare(String path, JsonNode schema, GoType type) {
        if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)) {
            return;
        }
        switch (type) {
            case Struct struct -> compareFields(path, schema.path("properties"), struct);
            case ListOf list -> compare(path + "[]", schema.path("items"), list.element());
            case MapOf map -> compare(path + "{}", schema.path("additionalProperties"), map.element());
            case Scalar scalar -> {
                if (!schema.path("type").asString("").equals(typeOf(scalar))) {
                    differences.add(path + " is " + schema.path("type").asString("") + ", not " + typeOf(scalar));
                }
            }
            case Union union -> differences.add(path + " has no schema");
        }
    }

    private void compareFields(String path, JsonNode properties, Struct struct) {
        struct.fields().forEach(field -> {
            if (properties.has(field.name())) {
                compare(path + "." + field.name(), properties.path(field.name()), field.type());
            } else {
                differences.add(path + "." + field.name() + " is not published");
            }
        });
        properties.propertyNames().stream()
                .filter(name -> struct.field(name) == null)
                .forEach(name -> differences.add(path + "." + name + " is not decoded"));
    }

    private static String typeOf(Scalar scalar) {
        return switch (scalar.shape()) {
            case STRING, TIME, MICRO_TIME, BYTES, QUANTITY -> "string";
            case INT32, INT64 -> "integer";
            case NUMBER -> "number";
            case BOOLEAN -> "boolean";
            case INT_OR_STRING, ANY -> "";
        };
    }
}
