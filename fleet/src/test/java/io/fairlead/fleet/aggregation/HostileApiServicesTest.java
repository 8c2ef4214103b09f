package io.fairlead.fleet.aggregation;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.root.RootCluster;
import io.fairlead.hosted.ApiServices;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** APIServices by which a tenant tries to reach what it must not, or to take more than its share. */
@Timeout(60)
final class HostileApiServicesTest extends AggregatedApisFixture {
    @Test
    void backendThatDoesNotProveItself_isNotServed() throws Exception {
        try (FakeBackend backend = new FakeBackend("another.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("False FailedDiscoveryCheck ");
            assertThat(condition()).contains("another.shop.svc");
            assertThat(backend.asked()).isEmpty();
            assertThat(apis.served(DEV, uid())).isEmpty();
        }
    }

    @Test
    void addressThatIsNotAllowed_isNeverConnectedTo() throws Exception {
        client.close();
        client = client("10.0.0.0/8");
        apis = apis();
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("False FailedDiscoveryCheck ");
            assertThat(condition()).contains("hosted.backendAddresses");
            assertThat(backend.asked()).isEmpty();
        }
    }

    @Test
    void discoveryOfTheBackend_isKeptAsFarAsItIsBounded() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            String large = ("{\"resource\": \"" + "x".repeat(10_000) + "\"},").repeat(20);
            backend.answer(
                    "/apis",
                    "{\"kind\": \"APIGroupDiscoveryList\", \"items\": [{\"metadata\": {\"name\": \"example.com\"},"
                            + " \"versions\": [{\"version\": \"v1\", \"resources\": [" + large
                            + " 7, {\"resource\": \"last\"}]}]}]}");
            register(backend, backend.identity.getCertificatePEM());
            apis.start();
            awaitCondition("True Passed all checks passed");

            assertThat(shown()).contains("xxx").doesNotContain("last").hasSizeLessThan(80_000);
        }
    }

    @Test
    void moreThanThereMayBe_areRefused() {
        apis.start();
        for (int i = 0; i < ApiServices.MAX; i++) {
            create("v1.g" + i + ".example.com", "g" + i + ".example.com", "insecureSkipTLSVerify: true");
        }
        int known = ApiServices.MAX;
        eventually("all are known", () -> dev.apiServices().orElseThrow().all().size() == known);

        RootCluster.Answer further = RootCluster.send(
                dev, "POST", SERVICES, apiService("v1.further.example.com", "further.example.com", "", 443));
        assertThat(further.code()).isEqualTo(403);
        assertThat(further.message()).contains("16");
        eventually("each is looked at", () -> said("v1.g0.example.com").startsWith("False ServiceNotFound"));
    }

    @ParameterizedTest
    @CsvSource({"a/b, api", ".., api", "shop, 'a;b'", "shop, a%b"})
    void servicesNamesThatAreNone_areRefused(String namespace, String name) {
        RootCluster.Answer refused = RootCluster.send(
                dev,
                "POST",
                SERVICES,
                apiService("v1.example.com", "example.com", "", 443)
                        .replace("namespace: shop, name: api", "namespace: '" + namespace + "', name: '" + name + "'"));

        assertThat(refused.code()).as(refused.toString()).isEqualTo(422);
    }

    @Test
    void withoutAllowedAddresses_nothingIsLookedUp_norPrepared() throws Exception {
        apis = new AggregatedApis(
                this::registered, this::lookup, informers, client, root.root, false, InstantSource.system());
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("False FailedDiscoveryCheck hosted.backendAddresses");
            assertThat(ca(dev)).isEmpty();
            assertThat(secrets()).isZero();
            assertThat(backend.asked()).isEmpty();
        }
    }

    @Test
    void changesAgainAndAgain_haveItAskedNoMoreOften_andLeaveIt() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, "");
            apis.start();
            awaitCondition("True Passed all checks passed");
            int before = backend.asked().size();
            long began = System.nanoTime();

            for (int i = 0; i < 12; i++) {
                String name = i % 2 == 0 ? "127.0.0.1" : "localhost";
                RootCluster.send(
                        dev, "PATCH", "/api/v1/namespaces/shop/services/api", "{spec: {externalName: " + name + "}}");
                LockSupport.parkNanos(400_000_000L);
            }

            long halfSeconds = (System.nanoTime() - began) / 500_000_000L;
            assertThat(backend.asked().size() - before).isLessThanOrEqualTo((int) (halfSeconds + 2) * 3);
            awaitCondition("True Passed all checks passed");
            eventually("it is served", () -> apis.served(DEV, uid()).isPresent());
        }
    }
}
