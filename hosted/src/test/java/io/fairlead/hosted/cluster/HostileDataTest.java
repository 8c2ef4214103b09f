package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Objects of built-in kinds by which a tenant would take time, memory or what is not the tenant's. */
@Timeout(60)
class HostileDataTest extends EveryKindFixture {
    private static final String NAMESPACED = "/api/v1/namespaces/default/";
    private static final String SERVICES = NAMESPACED + "services";
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

    @Test
    void quantityOfAMillionDigits_isRefusedAtOnce() {
        ObjectNode quota = object("v1", "ResourceQuota");
        quota.putObject("spec").putObject("hard").put("cpu", "1".repeat(1_000_000) + "x");

        assertThat(api.createJson(NAMESPACED + "resourcequotas", quota.toString())
                        .expect(400)
                        .message())
                .contains("quantities must have at most 1000 characters");
    }

    @Test
    void quantitiesFarFromOne_stayShort_andReadable() {
        ObjectNode quota = object("v1", "ResourceQuota");
        quota.putObject("spec")
                .putObject("hard")
                .put("example.com/a", "1e1999")
                .put("requests.cpu", "5e-999999999")
                .put("example.com/c", "7e999999998");

        Answer made =
                api.createJson(NAMESPACED + "resourcequotas", quota.toString()).expect(201);

        assertThat(made.body().at("/spec/hard"))
                .isEqualTo(Json.read("{\"example.com/a\":\"10e1998\",\"example.com/c\":\"700e999999996\","
                        + "\"requests.cpu\":\"1e-9\"}"));
        api.merge(NAMESPACED + "resourcequotas/o", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                .expect(200);
    }

    @Test
    void objectThatIsDeeperThanCanBeReadAgain_isNotStored() {
        ObjectNode deep = Json.object();
        ObjectNode inner = deep;
        for (int level = 0; level < Json.DEPTH_MAX - 1; level++) {
            inner = inner.putObject("a");
        }
        ObjectNode revision = object("apps/v1", "ControllerRevision").put("revision", 1);
        revision.set("data", deep);
        String path = "/apis/apps/v1/namespaces/default/controllerrevisions";

        assertThat(api.send("POST", path, "application/vnd.kubernetes.protobuf", Protobuf.write(revision))
                        .expect(400)
                        .message())
                .contains("nests deeper than " + Json.DEPTH_MAX + " levels");
        api.get(path).expect(200);
    }

    @Test
    void unknownFieldsWithLongNames_areToldInShort() {
        ObjectNode slice = object("resource.k8s.io/v1", "ResourceSlice");
        ObjectNode counters = Json.object();
        ObjectNode unknown = counters.putObject("k".repeat(1_000_000));
        IntStream.range(0, 100_000).forEach(i -> unknown.put("b" + i, 0));
        slice.putObject("spec").putArray("sharedCounters").addObject().set("counters", counters);

        Answer refused =
                api.createJson("/apis/resource.k8s.io/v1/resourceslices?fieldValidation=Strict", slice.toString());

        assertThat(refused.expect(400).message())
                .hasSizeLessThan(200_000)
                .contains("unknown field \"spec.sharedCounters");
    }

    @Test
    void textsThatAreNearlyAddresses_areJudgedAtOnce() {
        String text = ":".repeat(1_000_000) + "g";
        ObjectNode service = object("v1", "Service");
        service.putObject("spec").put("clusterIP", text).putArray("clusterIPs").add(text);
        service.withObjectProperty("spec").putArray("ports").addObject().put("port", 80);
        ObjectNode slice = object("discovery.k8s.io/v1", "EndpointSlice").put("addressType", "FQDN");
        slice.putArray("endpoints").addObject().putArray("addresses").add(text);
        slice.putArray("ports");
        ObjectNode ingress = object("networking.k8s.io/v1", "Ingress");
        ingress.putObject("spec").putArray("rules").addObject().put("host", text);

        api.createJson(SERVICES, service.toString()).expect(422);
        api.createJson("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", slice.toString())
                .expect(422);
        api.createJson("/apis/networking.k8s.io/v1/namespaces/default/ingresses", ingress.toString())
                .expect(422);
    }

    @Test
    void manyPortsOfOneNumber_areNotToldInPairs() {
        ObjectNode pod = object("v1", "Pod");
        ArrayNode containers = pod.putObject("spec").putArray("containers");
        for (int i = 0; i < 12_000; i++) {
            ObjectNode container = containers.addObject().put("name", "c" + i).put("image", "x");
            container.putArray("ports").addObject().put("containerPort", 80).put("protocol", "TCP");
        }

        Answer made =
                api.createJson(NAMESPACED + "pods?dryRun=All", pod.toString()).expect(201);

        assertThat(made.headers().get("Warning")).hasSizeBetween(1, 110);
    }

    @Test
    @Timeout(15)
    void longNamesOfVariables_areNotLookedForInLongValues() {
        ObjectNode pod = object("v1", "Pod");
        ObjectNode container = pod.putObject("spec").putArray("containers").addObject();
        String name = "$(".repeat(100_000) + "x";
        String value = "$(".repeat(400_000);
        ArrayNode variables = container.put("name", "c").put("image", "x").putArray("env");
        variables.addObject().put("name", name).put("value", value);
        variables.addObject().put("name", name).put("value", value);

        api.createJson(NAMESPACED + "pods?dryRun=All", pod.toString());
    }

    @Test
    void manyTolerationsInAnotherOrder_areComparedAtOnce() {
        ObjectNode pod = object("v1", "Pod");
        ObjectNode spec = pod.putObject("spec");
        spec.putArray("containers").addObject().put("name", "c").put("image", "x");
        ArrayNode tolerations = spec.putArray("tolerations");
        IntStream.range(0, 20_000)
                .forEach(i -> tolerations.addObject().put("key", "k" + i).put("operator", "Exists"));
        ObjectNode made =
                api.createJson(NAMESPACED + "pods", pod.toString()).expect(201).body();
        ArrayNode reversed = Json.array();
        for (int i = 20_000; i-- > 0; ) {
            reversed.add(made.at("/spec/tolerations/" + i).deepCopy());
        }
        made.withObjectProperty("spec").set("tolerations", reversed);

        api.replace(NAMESPACED + "pods/o", made).expect(200);
        made.withObjectProperty("spec").withArrayProperty("tolerations").remove(7);
        assertThat(api.replace(NAMESPACED + "pods/o", made).code()).isIn(409, 422);
    }

    @Test
    @Timeout(20)
    void ownerReferencesThatHashAlike_areComparedAtOnce() {
        ObjectNode map = object("v1", "ConfigMap");
        ArrayNode references = map.withObjectProperty("metadata").putArray("ownerReferences");
        for (int i = 0; i < 30_000; i++) {
            String bits = Integer.toBinaryString(1 << 15 | i);
            references
                    .addObject()
                    .put("apiVersion", "v1")
                    .put("kind", "ConfigMap")
                    .put("name", "m")
                    .put("uid", bits.replace("0", "Aa").replace("1", "BB"));
        }

        api.createJson(NAMESPACED + "configmaps", map.toString()).expect(201);
        api.get(NAMESPACED + "configmaps/o").expect(200);
    }

    @Test
    void familiesOfManyAddresses_areRefusedTogether() {
        ObjectNode service = object("v1", "Service");
        ObjectNode spec = service.putObject("spec").put("ipFamilyPolicy", "PreferDualStack");
        spec.putArray("ports").addObject().put("port", 80);
        ArrayNode addresses =
                spec.put("clusterIP", "10.96.0.9").putArray("clusterIPs").add("10.96.0.9");
        IntStream.range(0, 5_000).forEach(i -> addresses.add("fd00::" + i));

        Answer refused = api.createJson(SERVICES, service.toString()).expect(422);

        assertThat(refused.at("/details/causes/0/field")).isEqualTo("spec.clusterIPs");
        assertThat(refused.body().at("/details/causes").size()).isEqualTo(1);
        assertThat(refused.message()).contains("may only hold up to 2 values").hasSizeLessThan(200_000);
    }

    @Test
    void manyEmptyItems_areRefused_beforeTheyAreCompleted() {
        ObjectNode pod = object("v1", "Pod");
        ArrayNode containers = pod.putObject("spec").putArray("containers");
        IntStream.range(0, 400_000).forEach(i -> containers.addObject());

        assertThat(api.createJson(NAMESPACED + "pods", pod.toString())
                        .expect(400)
                        .message())
                .contains("more than 250000 fields");
        containers.removeAll();
        IntStream.range(0, 20_000).forEach(i -> containers.addObject());
        assertThat(api.createJson(NAMESPACED + "pods", pod.toString())
                        .expect(422)
                        .body()
                        .at("/details/causes")
                        .size())
                .isLessThan(110);
    }

    @Test
    void addressOfTheApi_isGivenToNoOther_soThatTheClusterOpensAgain() {
        api.delete(SERVICES + "/kubernetes").expect(200);

        assertThat(service("thief", "clusterIP: 10.96.0.1").expect(422).message())
                .contains("provided IP is already allocated");
        fixture.clusters.close(Fixture.ALL);
        Api again = new Api(fixture.clusters.open(Fixture.ALL, BuiltIns.ALL));
        assertThat(again.get(SERVICES + "/kubernetes").expect(200).at("/spec/clusterIP"))
                .isEqualTo("10.96.0.1");
    }

    @Test
    void addressesThatClientsChoose_areChecked_andNeverChange() {
        for (String wrong : new String[] {"10.112.0.1", "1.2.3.4"}) {
            assertThat(service("s", "clusterIP: " + wrong).expect(422).message())
                    .contains("not in the valid range");
        }
        for (String wrong : new String[] {"foo", "10.96.0.1.1"}) {
            assertThat(service("s", "clusterIP: " + wrong).expect(422).message())
                    .contains("must be a valid IP address");
        }
        assertThat(service("s", "clusterIP: 10.96.0.01").expect(422).message()).contains("must not have leading 0s");
        assertThat(service("s", "clusterIPs: [10.96.1.1, 10.96.1.2]")
                        .expect(422)
                        .message())
                .contains("may specify no more than one IP for each IP family");
        service("s", "clusterIP: 10.96.1.1").expect(201);
        assertThat(api.merge(SERVICES + "/s", "{\"spec\":{\"clusterIP\":\"10.96.1.2\",\"clusterIPs\":null}}")
                        .expect(422)
                        .message())
                .contains("may not change once set");
        assertThat(service("t", "type: NodePort", "{port: 80, nodePort: 80}")
                        .expect(422)
                        .message())
                .contains("The range of valid ports is 30000-32767");
    }

    @Test
    void nodePorts_goWithTheTypeThatHasThem() {
        service("s", "type: NodePort").expect(201);

        api.merge(SERVICES + "/s", "{\"spec\":{\"type\":\"ClusterIP\"}}").expect(200);

        assertThat(api.get(SERVICES + "/s").body().at("/spec/ports/0").has("nodePort"))
                .isFalse();
    }

    @Test
    void oneAddress_isGivenToOneOfManyThatAskAtOnce() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var codes = IntStream.range(0, 20)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> service("s" + i, "clusterIP: 10.96.7.7").code(), threads))
                    .toList();
            int made = 0;
            for (var code : codes) {
                made += code.get() == 201 ? 1 : 0;
            }
            assertThat(made).isEqualTo(1);
        }
    }

    private Answer service(String name, String spec) {
        return service(name, spec, "{port: 80}");
    }

    private Answer service(String name, String spec, String port) {
        return api.create(SERVICES, """
            apiVersion: v1
            kind: Service
            metadata: {name: %s}
            spec: {ports: [%s], %s}
            """.formatted(name, port, spec));
    }

    @Test
    void signingRequest_isApprovedByItsOwnPathAlone_whichIssuesNothing() {
        api.create(REQUESTS, """
            apiVersion: certificates.k8s.io/v1
            kind: CertificateSigningRequest
            metadata: {name: r}
            spec: {signerName: example.com/s, usages: [client auth], request: %s}
            """.formatted(SigningFixture.REQUEST)).expect(201);
        String approved = "{\"status\":{\"certificate\":\"" + SigningFixture.CERTIFICATE
                + "\",\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\"}]}}";

        assertThat(api.merge(REQUESTS + "/r/status", approved).expect(422).message())
                .isEqualTo(
                        "CertificateSigningRequest.certificates.k8s.io \"r\" is invalid: status.conditions: Forbidden:"
                                + " updates may not add a condition of type \"Approved\"");
        Answer approval = api.merge(REQUESTS + "/r/approval", approved).expect(200);
        assertThat(approval.at("/status/conditions/0/type")).isEqualTo("Approved");
        assertThat(approval.body().path("status").has("certificate")).isFalse();
    }

    @Test
    void timeBeyondFourDigits_isNoTime() {
        assertThat(api.createJson(
                                "/apis/batch/v1/namespaces/default/cronjobs",
                                object("batch/v1", "CronJob")
                                        .set(
                                                "status",
                                                Json.object().put("lastScheduleTime", "+999999999-01-01T00:00:00Z"))
                                        .toString())
                        .expect(400)
                        .message())
                .contains("parsing time");
    }

    @Test
    void clusterThatGetsEveryKind_keepsItsData() {
        ClusterName grown = new ClusterName("grown");
        Api core = new Api(fixture.clusters.open(grown, BuiltIns.CORE));
        String made = core.create(NAMESPACED + "configmaps", "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}")
                .expect(201)
                .at("/metadata/uid");
        core.get(SERVICES).expect(404);
        fixture.clusters.close(grown);

        Api all = new Api(fixture.clusters.open(grown, BuiltIns.ALL));

        assertThat(all.get(NAMESPACED + "configmaps/m").expect(200).at("/metadata/uid"))
                .isEqualTo(made);
        all.get(SERVICES + "/kubernetes").expect(200);
    }

    @Test
    void clusterWhoseDataHaveEveryKind_servesEveryKind_whateverIsAskedFor() {
        fixture.clusters.close(Fixture.ALL);

        Api core = new Api(fixture.clusters.open(Fixture.ALL, BuiltIns.CORE));

        core.get(SERVICES + "/kubernetes").expect(200);
    }
}
