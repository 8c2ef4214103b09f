package io.fairlead.hosted.kinds.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Yaml;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What a StatefulSet that was stored before a rule was may keep (kubernetes {@code ValidateStatefulSetUpdate}). */
class StatefulSetUpdatesTest {
    private static final Struct TYPE = ApiTypes.named("apps/v1.StatefulSet");
    private static final String SOUND = "containers: [{name: c, image: x, terminationMessagePolicy: File}]";
    private static final String WRONG = "containers: [{name: C_, image: x, terminationMessagePolicy: File}]";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                SOUND + " | " + SOUND + " | `` | ``",
                SOUND + " | " + WRONG + " | `` | spec.template.spec.containers[0].name",
                WRONG + " | " + WRONG + " | `` | ``",
                WRONG + " | " + WRONG + ", activeDeadlineSeconds: 5 | `` | spec.template.spec.activeDeadlineSeconds",
                SOUND + " | " + SOUND + " | serviceName: A_ | ``",
                SOUND + " | " + SOUND + " | `volumeClaimTemplates: [{metadata: {name: d}, spec: {}}]` | ``",
                SOUND + " | " + SOUND + " | replicas: -1 | spec.replicas",
            })
    void set_isForgivenWhatWasWrong(String oldPod, String pod, String spec, String refused) {
        String fields = String.join(
                " ",
                StatefulSetUpdates.check(TYPE, set(pod, spec), set(oldPod, "")).list().stream()
                        .map(error -> error.field())
                        .toList());

        assertThat(fields).isEqualTo(refused);
    }

    private static ObjectNode set(String pod, String spec) {
        String text = """
            {metadata: {name: s}, spec: {selector: {matchLabels: {a: b}}, updateStrategy: {type: RollingUpdate},
             template: {metadata: {labels: {a: b}}, spec: {%s}}%s}}\
            """.formatted(pod, spec.isEmpty() ? "" : ", " + spec);
        return (ObjectNode)
                Yaml.readDocument(text.getBytes(StandardCharsets.UTF_8)).root();
    }
}
