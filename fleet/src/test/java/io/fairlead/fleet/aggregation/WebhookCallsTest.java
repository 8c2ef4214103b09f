package io.fairlead.fleet.aggregation;

import static io.fairlead.fleet.root.RootCluster.base64;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.schema.json.Yaml;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conversion webhooks of a hosted cluster, over real connections. */
@Timeout(60)
final class WebhookCallsTest extends AggregatedApisFixture {
    private static final byte[] REVIEW = "{\"kind\":\"ConversionReview\"}".getBytes(UTF_8);

    private FakeBackend webhook;
    private WebhookCalls calls = calls();

    @BeforeEach
    void begin() throws Exception {
        webhook = new FakeBackend("convert.shop.svc");
        webhook.answer("/crates", "{\"answered\":true}");
        RootCluster.send(dev, "POST", "/api/v1/namespaces", "{metadata: {name: shop}}");
    }

    @AfterEach
    void end() {
        calls.close();
        webhook.close();
    }

    private WebhookCalls calls() {
        return new WebhookCalls(informers, client, Duration.ofSeconds(2));
    }

    private String service(String path) {
        return "{service: {namespace: shop, name: convert, port: 443, path: " + path + "}, caBundle: "
                + base64(webhook.identity.getCertificatePEM()) + "}";
    }

    private void defineService() {
        String made = "{metadata: {name: convert}, spec: {ports: [{name: https, port: 443}]}}";
        RootCluster.send(dev, "POST", "/api/v1/namespaces/shop/services", made);
        String slice = "{metadata: {name: convert-1, labels: {kubernetes.io/service-name: convert}}, addressType: IPv4,"
                + " ports: [{name: https, port: " + webhook.port() + "}], endpoints: [{addresses: [127.0.0.1]}]}";
        RootCluster.Answer answer =
                RootCluster.send(dev, "POST", "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices", slice);
        assertThat(answer.code()).as(answer.toString()).isEqualTo(201);
    }

    private String call(String config) throws Exception {
        return new String(calls.call(DEV, Yaml.read(config.getBytes(UTF_8)), REVIEW, 1_000), UTF_8);
    }

    private void assertFailure(String config, String... problem) {
        assertThatThrownBy(() -> call(config))
                .isInstanceOf(ConversionWebhooks.Failure.class)
                .message()
                .contains(problem);
    }

    @Test
    void webhookOfAService_isReachedAtItsEndpoints() throws Exception {
        defineService();

        assertThat(call(service("/crates"))).isEqualTo("{\"answered\":true}");
        assertThat(webhook.asked()).singleElement().asString().startsWith("/crates null");
        assertFailure(service("/other"), "it answers 404 (expected 200)");
    }

    @Test
    void webhookOfAServiceThatIsNotThere_isNotReached() {
        assertFailure(service("/crates"), "service/convert in \"shop\" is not present");
    }

    @Test
    void webhookByAUrl_isVerifiedByItsHost() {
        String config = "{url: 'https://localhost:" + webhook.port() + "/crates', caBundle: "
                + base64(webhook.identity.getCertificatePEM()) + "}";

        assertFailure(config, "localhost", "convert.shop.svc");
        assertFailure("{url: 'https://localhost:" + webhook.port() + "/crates'}", "certificate");
        assertThat(webhook.asked()).isEmpty();
    }

    @Test
    void addressThatIsNotAllowed_isNeverConnectedTo() {
        defineService();
        calls.close();
        client.close();
        client = client("10.0.0.0/8");
        calls = calls();

        assertFailure(service("/crates"), "hosted.backendAddresses");
        assertThat(webhook.asked()).isEmpty();
    }

    @Test
    void answersThatAreNone_areFailures() {
        defineService();
        webhook.answer("/large", "x".repeat(1_001));
        assertFailure(service("/large"), "its answer has more than 1000 bytes");
        webhook.status(302);
        assertFailure(service("/crates"), "it answers 302 (expected 200)");
    }

    @Test
    void webhookThatHangs_isGivenUp() throws Exception {
        defineService();
        calls.close();
        calls = new WebhookCalls(informers, client, Duration.ofMillis(200));
        webhook.answer("/hang", FakeBackend.HANG);

        assertFailure(service("/hang"), "the server did not answer /hang within 200 ms");
    }
}
