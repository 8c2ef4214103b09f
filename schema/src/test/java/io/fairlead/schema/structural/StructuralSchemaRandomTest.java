package io.fairlead.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Effort;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StructuralSchemaRandomTest {
    private static final int ROUNDS = 2_000;

    private final long seed = Long.getLong("fuzz.seed", 7);
    private final RandomSchemas schemas = new RandomSchemas(seed);

    @Test
    void prune_twice_isAsOnce() {
        for (int i = 0; i < ROUNDS; i++) {
            StructuralSchema schema = RandomSchemas.structural(schemas.schema());
            ObjectNode object = i % 2 == 0 ? schemas.any() : allowed(schema);
            schema.prune(object);
            ObjectNode once = object.deepCopy();

            assertThat(schema.prune(object)).as("seed %d", seed).isEmpty();
            assertThat(object).as("seed %d", seed).isEqualTo(once);
        }
    }

    @Test
    void applyDefaults_twice_isAsOnce() {
        for (int i = 0; i < ROUNDS; i++) {
            StructuralSchema schema = RandomSchemas.structural(schemas.schema());
            ObjectNode object = i % 2 == 0 ? schemas.any() : allowed(schema);
            schema.applyDefaults(object);
            ObjectNode once = object.deepCopy();

            schema.applyDefaults(object);

            assertThat(object).as("seed %d", seed).isEqualTo(once);
        }
    }

    @Test
    void validate_allowedObjectPrunedAndDefaulted_passes() {
        for (int i = 0; i < ROUNDS; i++) {
            StructuralSchema schema = RandomSchemas.structural(schemas.schema());
            assertThat(schema.problems(FieldPath.of("schema"), new Effort()))
                    .as("seed %d, schema %s", seed, schema.tree())
                    .isEmpty();
            ObjectNode object = allowed(schema);
            schema.read(object, false);

            assertThat(schema.validate(object))
                    .as("seed %d, schema %s, object %s", seed, schema.tree(), object)
                    .isEmpty();
        }
    }

    @Test
    void validate_anyObject_isFoundWrongSometimes_andAlwaysPassesAsItsOwnUpdate() {
        int wrong = 0;
        for (int i = 0; i < ROUNDS; i++) {
            StructuralSchema schema = RandomSchemas.structural(schemas.schema());
            ObjectNode object = schemas.any();
            wrong += schema.validate(object).isEmpty() ? 0 : 1;

            assertThat(schema.validateUpdate(object, object.deepCopy()))
                    .as("seed %d", seed)
                    .isEmpty();
        }
        assertThat(wrong).as("seed %d", seed).isGreaterThan(ROUNDS / 10);
    }

    private ObjectNode allowed(StructuralSchema schema) {
        return schemas.allowed(schema.tree()) instanceof ObjectNode object ? object : Json.object();
    }
}
