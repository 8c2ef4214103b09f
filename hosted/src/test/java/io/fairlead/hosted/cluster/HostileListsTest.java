package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lists by which a tenant would have each item compared with each other, or have the whole of a list told for each item. */
@Timeout(30)
class HostileListsTest extends EveryKindFixture {
    private static final String NAMESPACED = "/api/v1/namespaces/default/";
    private static final int TEXT_CHARS_MAX = 1_400_000;

    @Test
    void scopesThatDoNotFitAmounts_areToldOnce_andInShort() {
        ObjectNode quota = object("v1", "ResourceQuota");
        ObjectNode hard = quota.putObject("spec").putObject("hard");
        IntStream.range(0, 20_000).forEach(i -> hard.put("count/r" + i + ".example.com", "1"));
        hard.put("services", "1").put("configmaps", "1");
        ArrayNode scopes = quota.withObjectProperty("spec").putArray("scopes");
        IntStream.range(0, 50_000).forEach(_ -> scopes.add("BestEffort"));

        Answer refused = api.createJson(NAMESPACED + "resourcequotas", quota.toString());

        assertThat(refused.expect(422).message())
                .hasSizeLessThan(2 * TEXT_CHARS_MAX)
                .contains("unsupported scope applied to resource");
    }

    @Test
    @Timeout(10)
    void scopesThatThereAreNot_areNotComparedWithAmounts() {
        ObjectNode quota = object("v1", "ResourceQuota");
        ObjectNode hard = quota.putObject("spec").putObject("hard");
        IntStream.range(0, 50_000).forEach(i -> hard.put("example.com/r" + i, "1"));
        ArrayNode scopes = quota.withObjectProperty("spec").putArray("scopes");
        IntStream.range(0, 50_000).forEach(i -> scopes.add("S" + i));

        api.createJson(NAMESPACED + "resourcequotas", quota.toString()).expect(422);
    }

    @Test
    void requirementsOfOneScope_areJudgedOnce() {
        ObjectNode quota = object("v1", "ResourceQuota");
        ObjectNode hard = quota.putObject("spec").putObject("hard");
        IntStream.range(0, 40_000).forEach(i -> hard.put("count/r" + i + ".example.com", "1"));
        ArrayNode requirements =
                quota.withObjectProperty("spec").putObject("scopeSelector").putArray("matchExpressions");
        IntStream.range(0, 40_000)
                .forEach(_ ->
                        requirements.addObject().put("scopeName", "BestEffort").put("operator", "Exists"));

        api.createJson(NAMESPACED + "resourcequotas?dryRun=All", quota.toString())
                .expect(201);
    }

    @Test
    @Timeout(10)
    void rulesOfManyContainers_areCheckedAtOnce() {
        ObjectNode job = object("batch/v1", "Job");
        ObjectNode spec = job.putObject("spec");
        ObjectNode pod = spec.putObject("template").putObject("spec").put("restartPolicy", "Never");
        ArrayNode containers = pod.putArray("containers");
        IntStream.range(0, 15_000)
                .forEach(i -> containers.addObject().put("name", "c" + i).put("image", "x"));
        ArrayNode rules = spec.putObject("podFailurePolicy").putArray("rules");
        IntStream.range(0, 15_000)
                .forEach(_ -> rules.addObject()
                        .put("action", "FailJob")
                        .putObject("onExitCodes")
                        .put("containerName", "c14999")
                        .put("operator", "In")
                        .putArray("values")
                        .add(1));

        Answer refused = api.createJson("/apis/batch/v1/namespaces/default/jobs?dryRun=All", job.toString());

        assertThat(refused.expect(422).message())
                .isEqualTo("Job.batch \"o\" is invalid: spec.podFailurePolicy.rules: Too many: 15000: must have at most"
                        + " 20 items");
    }

    @Test
    void oneCapabilityOftenAdded_isToldOnce() {
        ObjectNode pod = object("v1", "Pod");
        ObjectNode container = pod.putObject("spec")
                .putArray("containers")
                .addObject()
                .put("name", "c")
                .put("image", "x");
        ArrayNode added = container
                .putObject("securityContext")
                .put("allowPrivilegeEscalation", false)
                .putObject("capabilities")
                .putArray("add");
        IntStream.range(0, 50_000).forEach(_ -> added.add("CAP_SYS_ADMIN"));

        Answer refused = api.createJson(NAMESPACED + "pods", pod.toString()).expect(422);

        assertThat(refused.body().at("/details/causes").size()).isEqualTo(1);
    }

    @Test
    void longValueThatIsWrongInManyPlaces_isToldUpToALimit() {
        ObjectNode pod = object("v1", "Pod");
        ObjectNode spec = pod.putObject("spec");
        String name = "N".repeat(40_000);
        ArrayNode containers = spec.putArray("containers");
        IntStream.range(0, 60)
                .forEach(_ -> containers.addObject().put("name", name).put("image", "x"));

        Answer refused = api.createJson(NAMESPACED + "pods", pod.toString()).expect(422);

        assertThat(refused.body().at("/details/causes").size()).isBetween(2, 40);
        assertThat(refused.message()).hasSizeLessThan(TEXT_CHARS_MAX);
    }

    /** Immutable sets of the JDK look for a place from where the hash points, one after the other. */
    @Test
    @Timeout(10)
    void scopesThatHashAlike_areComparedAtOnce() {
        ObjectNode quota = object("v1", "ResourceQuota");
        quota.putObject("spec").putObject("hard").put("pods", "1");
        ObjectNode made = api.createJson(NAMESPACED + "resourcequotas", quota.toString())
                .expect(201)
                .body();
        ArrayNode scopes = made.withObjectProperty("spec").putArray("scopes");
        textsThatHashAlike(60_000).forEach(scopes::add);

        api.replace(NAMESPACED + "resourcequotas/o", made).expect(422);
    }

    @Test
    @Timeout(10)
    void mismatchingKeysThatHashAlike_areComparedAtOnce() {
        ObjectNode pod = object("v1", "Pod");
        ObjectNode spec = pod.putObject("spec");
        spec.putArray("containers").addObject().put("name", "c").put("image", "x");
        ObjectNode term = spec.putObject("affinity")
                .putObject("podAffinity")
                .putArray("requiredDuringSchedulingIgnoredDuringExecution")
                .addObject()
                .put("topologyKey", "zone");
        term.putObject("labelSelector");
        ArrayNode keys = term.putArray("mismatchLabelKeys");
        textsThatHashAlike(60_000).forEach(keys::add);

        api.createJson(NAMESPACED + "pods?dryRun=All", pod.toString()).expect(201);
    }

    @Test
    @Timeout(10)
    void amountsFarFromEachOther_areAddedInShort() {
        ObjectNode pod = object("v1", "Pod");
        ObjectNode spec = pod.putObject("spec");
        spec.putObject("resources").putObject("limits").put("cpu", "9e999999998");
        ArrayNode containers = spec.putArray("containers");
        for (String amount : List.of("7e600000000", "1", "5e300000000")) {
            containers
                    .addObject()
                    .put("name", "c" + containers.size())
                    .put("image", "x")
                    .putObject("resources")
                    .putObject("requests")
                    .put("cpu", amount);
        }

        Answer made =
                api.createJson(NAMESPACED + "pods?dryRun=All", pod.toString()).expect(201);

        assertThat(made.at("/spec/resources/requests/cpu")).isEqualTo("18446744073709551614");
    }

    private static Stream<String> textsThatHashAlike(int count) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        Integer.toBinaryString(1 << 17 | i).replace("0", "Aa").replace("1", "BB"));
    }
}
