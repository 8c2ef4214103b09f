package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code types diff} says of pairs of schemas, held against a real kube-apiserver that has both: no object shows that
 * what is called Wider or Equal is not, and one shows that what is called Narrower or Incompatible is.
 */
final class TypeComparisonIT {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int TRIES_PER_OBJECT = 100;
    private static final String OLD = "old.compare.example.com";
    private static final String NEW = "new.compare.example.com";

    private final long seed = Long.getLong("fuzz.seed", 7);

    @Test
    void verdicts_ofSomePairs_areBorneOutByTheServer() throws Exception {
        List<SchemaPair> all = SchemaPair.thatAreJudged();
        List<SchemaPair> some = new ArrayList<>();
        for (int i = 0; i < all.size(); i += 9) {
            some.add(all.get(i));
        }
        assertBorneOut(Checkout.scratch("TypeComparisonIT-some"), some, 20);
    }

    @Test
    @Tag("endurance")
    void verdicts_ofEveryPair_areBorneOutByTheServer() throws Exception {
        assertBorneOut(Checkout.scratch("TypeComparisonIT"), SchemaPair.thatAreJudged(), 500);
    }

    private void assertBorneOut(Path folder, List<SchemaPair> pairs, int objects) throws Exception {
        assertVerdicts(folder, pairs);
        KubeCluster kube = SharedKube.get();
        var kubectl = new Kubectl(folder.resolve("kubectl"), kube.kubeconfig());
        kubectl.succeedWith(SchemaPair.definition(OLD, pairs, SchemaPair::before), "create", "-f", "-");
        kubectl.succeedWith(SchemaPair.definition(NEW, pairs, SchemaPair::after), "create", "-f", "-");
        try (var probe = HttpProbe.withToken(kube.url(), KubeCluster.ADMIN_TOKEN)) {
            for (String group : List.of(OLD, NEW)) {
                Await.until(
                        group + " is served",
                        TIMEOUT,
                        () -> probe.get(things(group)).status() == 200);
            }
            var random = new RandomValues(seed);
            for (int i = 0; i < pairs.size(); i++) {
                assertBorneOut(probe, random, pairs.get(i), SchemaPair.field(i), objects);
            }
        } finally {
            kubectl.succeed("delete", "crd", "things." + OLD, "things." + NEW, "--wait=false");
        }
    }

    private static void assertVerdicts(Path folder, List<SchemaPair> pairs) throws IOException {
        String group = "compare.example.com";
        Path old =
                Files.writeString(folder.resolve("old.json"), SchemaPair.definition(group, pairs, SchemaPair::before));
        Path now =
                Files.writeString(folder.resolve("new.json"), SchemaPair.definition(group, pairs, SchemaPair::after));
        List<String> command =
                List.of(Checkout.launcher().toString(), "types", "diff", "file:" + old, "file:" + now, "-o", "json");

        Output diff = Output.of(folder, Map.of(), "", FairleadProcess.COMMAND_TIMEOUT, command);

        assertThat(diff.exitCode()).as("%s", diff).isEqualTo(2);
        JsonObject version = JsonParser.parseString(diff.output())
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject()
                .getAsJsonArray("versions")
                .get(0)
                .getAsJsonObject();
        for (int i = 0; i < pairs.size(); i++) {
            assertThat(SchemaPair.verdict(version.getAsJsonArray("differences"), ".spec." + SchemaPair.field(i)))
                    .as("%s", pairs.get(i))
                    .isEqualTo(pairs.get(i).verdict());
        }
    }

    private void assertBorneOut(HttpProbe probe, RandomValues random, SchemaPair pair, String field, int objects)
            throws Exception {
        boolean isCompatible = pair.verdict().equals("Equal") || pair.verdict().equals("Wider");
        int atHome = 0;
        for (int i = 0; i < TRIES_PER_OBJECT * objects && atHome < objects; i++) {
            String spec = "{\"" + field + "\":" + random.next(pair.before(), pair.after()) + "}";
            JsonElement old = read(probe, OLD, spec);
            if (old != null) {
                atHome++;
                boolean isSame = old.equals(read(probe, NEW, spec));
                if (!isSame && !isCompatible) {
                    return;
                }
                assertThat(isSame || !isCompatible)
                        .as("seed %d: %s: %s is not taken or not read as before", seed, pair, spec)
                        .isTrue();
            }
        }
        assertThat(isCompatible)
                .as("seed %d: %s: no object shows it", seed, pair)
                .isTrue();
        assertThat(atHome)
                .as("seed %d: %s: objects of the old schema", seed, pair)
                .isEqualTo(objects);
    }

    /** The spec as the server gives it back, null if it refuses the object or drops something of it. */
    private static @Nullable JsonElement read(HttpProbe probe, String group, String spec) throws Exception {
        String object = "{\"apiVersion\":\"%s/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"x\"},\"spec\":%s}"
                .formatted(group, spec);
        HttpProbe.Answer answer =
                probe.send("POST", things(group) + "?dryRun=All&fieldValidation=Strict", "application/json", object);
        if (answer.status() != 201) {
            assertThat(answer.status()).as("%s", answer).isBetween(400, 422);
            return null;
        }
        JsonElement read =
                JsonParser.parseString(answer.body()).getAsJsonObject().get("spec");
        return SchemaPair.keeps(read, JsonParser.parseString(spec)) ? read : null;
    }

    private static String things(String group) {
        return "/apis/" + group + "/v1/namespaces/default/things";
    }
}
