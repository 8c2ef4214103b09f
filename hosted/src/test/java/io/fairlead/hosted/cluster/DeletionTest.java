package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What deletions insist on. Expected answers are those of a kube-apiserver 1.36. */
class DeletionTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String ONE = MAPS + "/one";
    private static final String GO = "json: cannot unmarshal ";

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'dryRun':'All'} | string into Go struct field DeleteOptions.dryRun of type []string",
                "{'dryRun':[1]} | number into Go struct field DeleteOptions.dryRun of type string",
                "{'gracePeriodSeconds':'5'} | string into Go struct field DeleteOptions.gracePeriodSeconds of type"
                        + " int64",
                "{'gracePeriodSeconds':1.5} | number 1.5 into Go struct field DeleteOptions.gracePeriodSeconds of type"
                        + " int64",
                "{'propagationPolicy':5} | number into Go struct field DeleteOptions.propagationPolicy of type"
                        + " v1.DeletionPropagation",
                "{'preconditions':'x'} | string into Go struct field DeleteOptions.preconditions of type"
                        + " v1.Preconditions",
                "{'orphanDependents':'x'} | string into Go struct field DeleteOptions.orphanDependents of type bool",
            },
            quoteCharacter = '`')
    void options_ofAWrongType_deleteNothing(String options, String problem) {
        api.create(MAPS, "metadata: {name: one}").expect(201);
        String json = options.replace('\'', '"');

        assertThat(api.delete(ONE, json).expect(400).message()).isEqualTo(GO + problem);
        assertThat(api.delete(MAPS, json).expect(400).message()).isEqualTo(GO + problem);
        api.get(ONE).expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"X\"}",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}",
                "{\"kind\":5}",
                "{\"apiVersion\":5}",
                "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"a/b/c\"}",
                "{\"preconditions\":{\"uid\":5}}",
                "{\"preconditions\":{\"resourceVersion\":5}}",
                "{bad",
                "[]",
                "\"x\"",
            })
    void body_thatIsNoOptions_deletesNothing(String body) {
        api.create(MAPS, "metadata: {name: one}").expect(201);

        api.delete(ONE, body).expect(400);
        api.get(ONE).expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"nope\":1}",
                "{\"gracePeriodSeconds\":-1}",
                "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"meta.k8s.io/v1\"}",
                "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"foo/v1\"}",
                "{\"apiVersion\":\"v2\"}",
                "null",
            })
    void options_thatKubernetesReads_delete(String options) {
        api.create(MAPS, "metadata: {name: one}").expect(201);

        api.delete(ONE, options).expect(200);
        api.get(ONE).expect(404);
    }

    @Test
    void options_thatMeanNothing_areAllTold() {
        api.create(MAPS, "metadata: {name: one}").expect(201);

        Answer refused = api.delete(ONE, "{\"gracePeriodSeconds\":-1,\"propagationPolicy\":\"x\",\"dryRun\":[\"y\"]}")
                .expect(422);
        assertThat(refused.message())
                .isEqualTo("DeleteOptions.meta.k8s.io \"\" is invalid: [propagationPolicy: Unsupported value: \"x\":"
                        + " supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\", dryRun: Unsupported"
                        + " value: [\"y\"]: supported values: \"All\"]");
        api.delete(ONE, "{\"propagationPolicy\":\"\"}").expect(422);
        api.delete(ONE + "?propagationPolicy=").expect(422);
        assertThat(api.delete(ONE + "?gracePeriodSeconds=x").expect(400).message())
                .isEqualTo("strconv.ParseInt: parsing \"x\": invalid syntax");
        api.delete(ONE, "{\"preconditions\":{\"uid\":\"\"}}").expect(409);
        api.delete(ONE + "?uid=x").expect(409);
        api.delete(ONE + "?resourceVersion=0").expect(409);
        api.get(ONE).expect(200);
    }

    @Test
    void collection_atAnExactRevision_losesWhatWasThere() {
        String first = create("one");
        create("two");

        Answer deleted = api.delete(MAPS + "?labelSelector=a=b&resourceVersionMatch=Exact&resourceVersion=" + first)
                .expect(200);

        assertThat(deleted.resourceVersion()).isEqualTo(first);
        assertThat(deleted.body().path("items")).hasSize(1);
        api.get(ONE).expect(404);
        api.get(MAPS + "/two").expect(200);
    }

    @Test
    void collection_withARevision_keepsWhatIsNotAtIt() {
        String first = create("one");
        String second = create("two");

        api.delete(MAPS + "?labelSelector=a=b&resourceVersion=0").expect(409);
        api.delete(MAPS + "?labelSelector=a=b&resourceVersionMatch=NotOlderThan&resourceVersion=" + second)
                .expect(409);
        for (String name : List.of("one", "two")) {
            api.get(MAPS + "/" + name).expect(200);
        }
        // Options in a body say nothing of a revision, as client-go sends them.
        api.send(
                        "DELETE",
                        MAPS + "?labelSelector=a=b&resourceVersionMatch=NotOlderThan&resourceVersion=" + first,
                        "application/json",
                        new byte[] {'{', '}'})
                .expect(200);
        api.get(MAPS + "/two").expect(404);
    }

    @ParameterizedTest
    @CsvSource({
        "resourceVersion=x, 400",
        "resourceVersion=9999999, 504",
        "resourceVersion=9999999&resourceVersionMatch=Exact, 504",
        "resourceVersionMatch=Exact, 422",
        "resourceVersion=0&resourceVersionMatch=Exact, 422",
        "resourceVersion=1&resourceVersionMatch=x, 422",
        "sendInitialEvents=true, 422",
    })
    void collection_withARevisionThatMeansNothing_losesNothing(String parameters, int code) {
        create("one");

        api.delete(MAPS + "?labelSelector=a=b&" + parameters, "{}").expect(code);
        api.get(ONE).expect(200);
    }

    private String create(String name) {
        return api.create(MAPS, "metadata: {name: " + name + ", labels: {a: b}}")
                .expect(201)
                .resourceVersion();
    }
}
