package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.schema.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What services are given, and what is refused of them, as kube-apiserver 1.36 does. */
class ServicesTest extends EveryKindFixture {
    private static final String SERVICES = "/api/v1/namespaces/default/services";

    @Test
    void portOfTwoProtocols_hasOneNodePort() {
        String ports = "ports: [{name: t, port: 53}, {name: u, port: 53, protocol: UDP%s}, {name: o, port: 80}]";

        Answer given = create("given", "type: NodePort, " + ports.formatted("")).expect(201);
        Answer named = create("named", "type: NodePort, " + ports.formatted(", nodePort: 30053"))
                .expect(201);

        assertThat(given.at("/spec/ports/0/nodePort"))
                .isEqualTo(given.at("/spec/ports/1/nodePort"))
                .isNotEqualTo(given.at("/spec/ports/2/nodePort"));
        assertThat(named.at("/spec/ports/0/nodePort"))
                .isEqualTo(named.at("/spec/ports/1/nodePort"))
                .isEqualTo("30053");
        assertThat(create("other", "type: NodePort, " + ports.formatted(", nodePort: 30053"))
                        .expect(422)
                        .message())
                .contains("spec.ports[0].nodePort: Invalid value: 30053: provided port is already allocated");
    }

    @Test
    void statusOfAMissingService_createsIt_withoutAddresses() {
        String sent = "{apiVersion: v1, kind: Service, metadata: {name: %s}, spec: {ports: [{port: 80}]},"
                + " status: {loadBalancer: {ingress: [{ip: 1.2.3.4}]}}}";
        Answer replaced = api.replace(SERVICES + "/replaced/status", sent.formatted("replaced"))
                .expect(201);
        Answer applied = api.send(
                        "PATCH",
                        SERVICES + "/applied/status?fieldManager=m",
                        "application/apply-patch+yaml",
                        sent.formatted("applied").getBytes(UTF_8))
                .expect(201);

        String managed = "{\"f:status\":{\"f:loadBalancer\":{\"f:ingress\":{}}}}";
        for (Answer created : List.of(replaced, applied)) {
            assertThat(created.body().at("/metadata/managedFields").size()).isEqualTo(1);
            assertThat(created.at("/metadata/managedFields/0/subresource")).isEqualTo("status");
            assertThat(created.body().at("/metadata/managedFields/0/fieldsV1"))
                    .isEqualTo(Json.read(managed.getBytes(UTF_8)));
            assertThat(created.body().path("spec").has("clusterIP")).isFalse();
            assertThat(created.body().path("status")).isEqualTo(Json.read("{\"loadBalancer\":{}}".getBytes(UTF_8)));
        }
        api.replace(SERVICES + "/none/status", "{apiVersion: v1, kind: Service, metadata: {name: none}}")
                .expect(422);
        api.merge(SERVICES + "/none/status", "{}").expect(404);
        api.replace(
                        "/api/v1/namespaces/default/persistentvolumeclaims/none/status",
                        "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: none}}")
                .expect(404);
    }

    @Test
    void portsThatAreGiven_leaveTheFirstToThoseWhoChoose_untilNoOtherIsFree() {
        Set<String> given = new HashSet<>();
        int others = 32_767 - 30_086 + 1;
        String ports = IntStream.rangeClosed(1, others - 1)
                .mapToObj(port -> "{name: p" + port + ", port: " + port + "}")
                .collect(Collectors.joining(","));
        Answer many = create("many", "type: NodePort, ports: [" + ports + "]").expect(201);
        many.body()
                .at("/spec/ports")
                .forEach(port -> given.add(port.path("nodePort").asString("")));
        String last = create("last", "type: NodePort, ports: [{port: 80}]")
                .expect(201)
                .at("/spec/ports/0/nodePort");
        given.add(last);

        assertThat(given).hasSize(others).allMatch(port -> Integer.parseInt(port) >= 30_086);
        assertThat(create("beyond", "type: NodePort, ports: [{port: 80}]")
                        .expect(201)
                        .at("/spec/ports/0/nodePort"))
                .isEqualTo("30000");
    }

    @Test
    void balancerToLocalEndpoints_hasAPortForHealthChecks_untilItsPolicyChanges() {
        String local = "type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]";
        Answer made = create("given", local).expect(201);
        int given = made.body().at("/spec/healthCheckNodePort").asInt(0);
        assertThat(given)
                .isBetween(30_000, 32_767)
                .isNotEqualTo(made.body().at("/spec/ports/0/nodePort").asInt(0));

        assertThat(create("chosen", local + ", healthCheckNodePort: " + given)
                        .expect(500)
                        .message())
                .isEqualTo("Internal error occurred: failed to allocate requested HealthCheck NodePort " + given
                        + ": provided port is already allocated");
        assertThat(merge("given", "{\"healthCheckNodePort\":30085}").expect(422).message())
                .contains("spec.healthCheckNodePort: Forbidden: field is immutable");
        assertThat(merge("given", "{\"healthCheckNodePort\":null}").expect(200).at("/spec/healthCheckNodePort"))
                .isEqualTo(Integer.toString(given));
        assertThat(merge("given", "{\"externalTrafficPolicy\":\"Cluster\"}")
                        .expect(200)
                        .body()
                        .path("spec")
                        .has("healthCheckNodePort"))
                .isFalse();
        create("chosen", local + ", healthCheckNodePort: " + given).expect(201);
    }

    @Test
    void portForHealthChecks_isRefusedWhereNothingChecks_andGoesWithTheType() {
        String chosen =
                "type: LoadBalancer, externalTrafficPolicy: %s, healthCheckNodePort: 30080, ports: [{port: 80}]";
        assertThat(create("s", chosen.formatted("Cluster")).expect(422).message())
                .isEqualTo(
                        "Service \"s\" is invalid: spec.healthCheckNodePort: Invalid value: 30080: may only be set when"
                                + " `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        create("s", chosen.formatted("Local")).expect(201);

        assertThat(create("t", "type: NodePort, ports: [{port: 80, nodePort: 30080}]")
                        .expect(422)
                        .message())
                .contains("provided port is already allocated");
        assertThat(merge("s", "{\"type\":\"ClusterIP\"}")
                        .expect(200)
                        .body()
                        .path("spec")
                        .has("healthCheckNodePort"))
                .isFalse();
        create("t", "type: NodePort, ports: [{port: 80, nodePort: 30080}]").expect(201);
    }

    @Test
    void familiesThatClustersHaveNot_areRefused() {
        String ports = "ports: [{port: 80}], ";

        assertThat(create("s", ports + "ipFamilies: [IPv6]").expect(422).message())
                .isEqualTo(
                        "Service \"s\" is invalid: spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this"
                                + " cluster");
        assertThat(create("s", ports + "ipFamilyPolicy: RequireDualStack")
                        .expect(422)
                        .message())
                .isEqualTo("Service \"s\" is invalid: spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": this"
                        + " cluster is not configured for dual-stack services");
        assertThat(create("s", ports + "ipFamilies: [IPv4, IPv6]").expect(422).message())
                .isEqualTo("Service \"s\" is invalid: spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be"
                        + " 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified");
        assertThat(create("s", ports + "clusterIP: 'fd00::1', clusterIPs: ['fd00::1']")
                        .expect(422)
                        .message())
                .isEqualTo("Service \"s\" is invalid: spec.clusterIPs[0]: Invalid value: [\"fd00::1\"]: IPv6 is not"
                        + " configured on this cluster");
        assertThat(create("s", ports + "ipFamilies: [IPv4, IPv4]").expect(422).message())
                .contains("spec.ipFamilies[1]: Duplicate value: \"IPv4\"");
        assertThat(create("s", ports + "ipFamilyPolicy: PreferDualStack")
                        .expect(201)
                        .body()
                        .at("/spec/ipFamilies"))
                .isEqualTo(Json.read("[\"IPv4\"]"));
    }

    @Test
    void headlessService_hasBothFamilies_ifItsEndpointsAreWrittenByClients() {
        Answer made = create("s", "clusterIP: None, ports: [{port: 80}]").expect(201);

        assertThat(made.body().at("/spec/ipFamilies")).isEqualTo(Json.read("[\"IPv4\",\"IPv6\"]"));
        assertThat(made.at("/spec/ipFamilyPolicy")).isEqualTo("RequireDualStack");
        assertThat(merge("s", "{\"ipFamilies\":[\"IPv4\"]}").expect(422).message())
                .contains(
                        "spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": must be 'SingleStack' to release the"
                                + " secondary IP family");
        assertThat(merge("s", "{\"ipFamilyPolicy\":\"SingleStack\"}")
                        .expect(200)
                        .body()
                        .at("/spec/ipFamilies"))
                .isEqualTo(Json.read("[\"IPv4\"]"));
        assertThat(create("t", "clusterIP: None, selector: {a: b}, ports: [{port: 80}]")
                        .expect(201)
                        .at("/spec/ipFamilyPolicy"))
                .isEqualTo("SingleStack");
    }

    @Test
    void serviceThatIsAName_hasNoAddress() {
        String name = "type: ExternalName, externalName: a.example.com";
        for (String address : List.of("10.96.0.99", "None")) {
            assertThat(create("s", name + ", clusterIP: " + address).expect(422).message())
                    .isEqualTo("Service \"s\" is invalid: spec.clusterIPs: Forbidden: may not be set for ExternalName"
                            + " services");
        }
        create("s", "ports: [{port: 80}]").expect(201);
        Answer named = merge("s", "{\"type\":\"ExternalName\",\"externalName\":\"a.example.com\"}")
                .expect(200);
        assertThat(named.body().path("spec").propertyNames())
                .doesNotContain("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy");
        merge("s", "{\"clusterIP\":\"10.96.0.99\"}").expect(422);
    }

    @Test
    void addressOfABalancer_isTakenByNodes_andIsOfBalancersAlone() {
        String status = "{\"status\":{\"loadBalancer\":{\"ingress\":[%s]}}}";
        create("s", "type: LoadBalancer, ports: [{port: 80}]").expect(201);
        create("t", "ports: [{port: 80}]").expect(201);

        assertThat(api.merge(SERVICES + "/s/status", status.formatted("{\"ip\":\"1.2.3.4\"}"))
                        .expect(200)
                        .at("/status/loadBalancer/ingress/0/ipMode"))
                .isEqualTo("VIP");
        assertThat(api.merge(SERVICES + "/s/status", status.formatted("{\"ip\":\"1.2.3.4\",\"ipMode\":\"Odd\"}"))
                        .expect(422)
                        .message())
                .contains("status.loadBalancer.ingress[0].ipMode: Unsupported value: \"Odd\"");
        assertThat(api.merge(SERVICES + "/s/status", status.formatted("{\"hostname\":\"h\",\"ipMode\":\"VIP\"}"))
                        .expect(422)
                        .message())
                .contains("ipMode: Forbidden: may not be specified when `ip` is not set");
        assertThat(api.merge(SERVICES + "/t/status", status.formatted("{\"ip\":\"1.2.3.4\"}"))
                        .expect(422)
                        .message())
                .isEqualTo("Service \"t\" is invalid: status.loadBalancer.ingress: Forbidden: may only be used when"
                        + " `spec.type` is 'LoadBalancer'");
        assertThat(merge("s", "{\"type\":\"ClusterIP\"}").expect(200).body().at("/status/loadBalancer"))
                .isEmpty();
    }

    @Test
    void classOfABalancer_neverChanges_andGoesWithTheType() {
        create("s", "type: LoadBalancer, loadBalancerClass: example.com/a, ports: [{port: 80}]")
                .expect(201);

        assertThat(merge("s", "{\"loadBalancerClass\":\"example.com/b\"}")
                        .expect(422)
                        .message())
                .isEqualTo("Service \"s\" is invalid: spec.loadBalancerClass: Invalid value: \"example.com/b\": may not"
                        + " change once set");
        assertThat(merge("s", "{\"type\":\"NodePort\"}")
                        .expect(200)
                        .body()
                        .path("spec")
                        .has("loadBalancerClass"))
                .isFalse();
        for (String field : List.of("loadBalancerClass: a", "loadBalancerSourceRanges: [10.0.0.0/8]")) {
            assertThat(create("t", field + ", ports: [{port: 80}]").expect(422).message())
                    .contains("Forbidden: may only be used when `type` is 'LoadBalancer'");
        }
    }

    private Answer merge(String name, String spec) {
        return api.merge(SERVICES + "/" + name, "{\"spec\":" + spec + "}");
    }

    private Answer create(String name, String spec) {
        return api.create(SERVICES, """
            apiVersion: v1
            kind: Service
            metadata: {name: %s}
            spec: {%s}
            """.formatted(name, spec));
    }
}
