package io.fairlead.fleet.aggregation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ObjectCalls;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Where the backend of an APIService is; the reasons and messages are those of kube-aggregator. */
final class ServiceEndpointsTest {
    private static final String SERVICE = "/api/v1/namespaces/shop/services/api";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices"
            + "?labelSelector=kubernetes.io%2Fservice-name%3Dapi";

    private final Map<String, String> answers = new HashMap<>();

    @Test
    void withoutAService() throws Exception {
        assertMissing(Finding.no("ServiceNotFound", "service/api in \"shop\" is not present"));
    }

    @Test
    void whenTheClusterDoesNotAnswer_itIsNotKnown() throws Exception {
        answers.put(SERVICE, "503");

        assertThat(look()).isInstanceOfSatisfying(ServiceEndpoints.Missing.class, missing -> {
            assertThat(missing.finding().status()).isEqualTo(Finding.Status.UNKNOWN);
            assertThat(missing.finding().reason()).isEqualTo("ServiceAccessError");
        });
    }

    @Test
    void withoutThePort() throws Exception {
        answers.put(SERVICE, "{spec: {type: ClusterIP, ports: [{port: 8443, name: https}]}}");

        assertMissing(Finding.no("ServicePortError", "service/api in \"shop\" is not listening on port 443"));
    }

    @Test
    void withoutSlices() throws Exception {
        service("https");
        slices("");

        assertMissing(Finding.no("EndpointsNotFound", "cannot find endpointslices for service/api in \"shop\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ports: [{name: https, port: 6443}], endpoints: []}",
                "{ports: [{name: https, port: 6443}], endpoints: [{addresses: [10.0.0.1], conditions: {ready:"
                        + " false}}]}",
                "{ports: [{name: other, port: 6443}], endpoints: [{addresses: [10.0.0.1]}]}",
                "{ports: [{name: https}], endpoints: [{addresses: [10.0.0.1]}]}",
                "{endpoints: [{addresses: [10.0.0.1]}]}",
                "{ports: [{name: https, port: 6443}], endpoints: [{addresses: ['x@10.0.0.1', 'a b', '::g']}]}"
            })
    void withoutAnAddressOfThePort(String slice) throws Exception {
        service("https");
        slices(slice);

        assertMissing(Finding.no(
                "MissingEndpoints",
                "endpointslices for service/api in \"shop\" have no addresses with port name \"https\""));
    }

    @Test
    void readyAddresses_ofAllSlices_eachOnce() throws Exception {
        service("");
        slices("""
            {ports: [{name: '', port: 6443}], endpoints: [{addresses: [10.0.0.1], conditions: {ready: true}},
              {addresses: [10.0.0.2]}, {addresses: [10.0.0.3], conditions: {ready: false}}]},
            {ports: [{port: 7443}], endpoints: [{addresses: ['fd00::1']}, {addresses: [10.0.0.1]}]},
            {ports: [{port: 6443}], endpoints: [{addresses: [10.0.0.1]}]}\
            """);

        assertThat(look())
                .isEqualTo(found(
                        "https://10.0.0.1:6443",
                        "https://10.0.0.2:6443",
                        "https://[fd00::1]:7443",
                        "https://10.0.0.1:7443"));
    }

    @Test
    void moreAddressesThanAreUsed() throws Exception {
        service("");
        StringBuilder addresses = new StringBuilder();
        for (int i = 1; i <= 100; i++) {
            addresses.append("{addresses: [10.0.0.").append(i).append("]},");
        }
        slices("{ports: [{port: 6443}], endpoints: [" + addresses + "]}");

        assertThat(look())
                .isInstanceOfSatisfying(
                        ServiceEndpoints.Found.class,
                        found -> assertThat(found.urls()).hasSize(ServiceEndpoints.ADDRESSES_MAX));
    }

    @Test
    void externalName_isAskedByItsName() throws Exception {
        answers.put(SERVICE, "{spec: {type: ExternalName, externalName: api.example.com}}");

        assertThat(look()).isEqualTo(found("https://api.example.com:443"));
    }

    @ParameterizedTest
    @CsvSource({"me@example.com", "a b", "''", "example.com/path", "example.com:80"})
    void externalName_thatIsNoHost(String name) throws Exception {
        answers.put(SERVICE, "{spec: {type: ExternalName, externalName: '" + name + "'}}");

        assertThat(look()).isInstanceOf(ServiceEndpoints.Missing.class);
    }

    private void service(String portName) {
        answers.put(SERVICE, "{spec: {type: ClusterIP, ports: [{port: 443, name: '" + portName + "'}]}}");
    }

    private void slices(String items) {
        answers.put(SLICES, "{items: [" + items + "]}");
    }

    private void assertMissing(Finding finding) throws InterruptedException {
        assertThat(look()).isEqualTo(new ServiceEndpoints.Missing(finding));
    }

    private ServiceEndpoints look() throws InterruptedException {
        return ServiceEndpoints.of(new ServiceReference("shop", "api", 443), new Answers());
    }

    private static ServiceEndpoints found(String... urls) {
        return new ServiceEndpoints.Found(
                List.of(urls).stream().map(URI::create).toList());
    }

    /** Answers reads, written as YAML, or as the code of a refusal. */
    private final class Answers implements ObjectCalls {
        @Override
        public byte[] read(String target, int bytesMax) throws CallFailure {
            String answer = answers.getOrDefault(target, "404");
            if (!answer.startsWith("{")) {
                throw new CallFailure(Integer.parseInt(answer), "Refused", "refused");
            }
            return json(answer);
        }

        @Override
        public void post(String target, ObjectNode object) {
            throw new UnsupportedOperationException(target);
        }

        @Override
        public void replace(String target, ObjectNode object) {
            throw new UnsupportedOperationException(target);
        }

        @Override
        public void delete(String target, ObjectNode options) {
            throw new UnsupportedOperationException(target);
        }
    }

    private static byte[] json(String yaml) {
        return io.fairlead.schema.json.Json.write(io.fairlead.schema.json.Yaml.read(yaml.getBytes(UTF_8)));
    }
}
