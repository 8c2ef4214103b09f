package io.fairlead.schema.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is not compared with a kube-apiserver, which the tests of hosted clusters do. */
class StrategicMergePatchTest {
    private static final GoType.Struct ACCOUNT = ApiTypes.named("core/v1.ServiceAccount");
    private static final int MANY = 60_000;

    @Test
    void apply_changesNeitherTargetNorPatch() {
        ObjectNode target = object("{\"metadata\":{\"finalizers\":[\"a\"]},\"secrets\":[{\"name\":\"x\"}]}");
        ObjectNode patch = object("""
            {"metadata":{"$setElementOrder/finalizers":["b","a"],"finalizers":["b"]},
             "secrets":[{"name":"x","$patch":"delete"},{"name":"y","uid":null}]}\
            """);
        ObjectNode targetBefore = target.deepCopy();
        ObjectNode patchBefore = patch.deepCopy();

        ObjectNode patched = StrategicMergePatch.apply(ACCOUNT, target, patch);

        assertThat(patched).isEqualTo(object("""
            {"metadata":{"finalizers":["b","a"]},"secrets":[{"name":"y","uid":null}]}\
            """));
        assertThat(target).isEqualTo(targetBefore);
        assertThat(patch).isEqualTo(patchBefore);
    }

    @Test
    void apply_toLongLists_takesNoLongerThanTheyAreLong() {
        ObjectNode target = Json.object();
        names(target.putArray("secrets"), 0);
        ObjectNode patch = Json.object();
        names(patch.putArray("secrets"), MANY / 2);
        names(patch.putArray("$setElementOrder/secrets"), MANY / 2);

        ObjectNode patched = assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> StrategicMergePatch.apply(ACCOUNT, target, patch));

        assertThat(patched.path("secrets")).hasSize(MANY + MANY / 2);
    }

    private static void names(ArrayNode list, int from) {
        IntStream.range(from, from + MANY).forEach(i -> list.addObject().put("name", "n" + i));
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) Json.read(json);
    }
}
