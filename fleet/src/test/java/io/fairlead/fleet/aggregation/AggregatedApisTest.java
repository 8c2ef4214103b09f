package io.fairlead.fleet.aggregation;

import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.credentials.Pem;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.hosted.BuiltIns;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The backends of hosted clusters' APIServices, over real connections. */
@Timeout(60)
final class AggregatedApisTest extends AggregatedApisFixture {
    @Test
    void backendThatAnswers_isServed_andItsDiscoveryShown() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("True Passed all checks passed");
            ClusterEntry.Attached served = apis.served(DEV, uid()).orElseThrow();
            assertThat(served.base().endpoints()).hasSize(1);
            assertThat(apis.finding(DEV, "v1.example.com")).contains(Finding.yes("Passed", "all checks passed"));
            assertThat(apis.finding(DEV, "v1.other.example.com")).isEmpty();
            assertThat(apis.served(OTHER, uid())).isEmpty();
            assertThat(backend.asked())
                    .contains("/apis/example.com/v1 system:kube-aggregator [system:masters]")
                    .allMatch(asked -> asked.endsWith(" system:kube-aggregator [system:masters]"));
            assertThat(shown())
                    .contains("\"resource\":\"boats\"", "\"freshness\":\"Current\"", "\"subresource\":\"scale\"");
        }
    }

    @Test
    void backendThatFails_isWithdrawn_andShownAsStale_untilItAnswersAgain() throws Exception {
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();
            awaitCondition("True Passed all checks passed");
            String uid = uid();
            String before = transition();

            backend.status(500);
            touch();

            awaitCondition(
                    "False FailedDiscoveryCheck failing or missing response from /apis/example.com/v1: bad status from"
                            + " /apis/example.com/v1: 500");
            assertThat(apis.served(DEV, uid)).isEmpty();
            assertThat(shown()).contains("\"freshness\":\"Stale\"").doesNotContain("boats");
            assertThat(transition()).isGreaterThanOrEqualTo(before);

            backend.status(200);

            awaitCondition("True Passed all checks passed");
            assertThat(apis.served(DEV, uid)).isPresent();
        }
    }

    @Test
    void backendThatNeedNotProveItself_isServed() throws Exception {
        try (FakeBackend backend = new FakeBackend("another.shop.svc")) {
            register(backend, "");
            apis.start();

            awaitCondition("True Passed all checks passed");
        }
    }

    @Test
    void eachCluster_hasAFrontProxyOfItsOwn_aslongAsItIsRegistered() {
        open.put(OTHER, root.hosted.open(OTHER, BuiltIns.ALL));
        apis.start();
        eventually(
                "both are told",
                () -> ca(dev).length() > 0 && ca(open.get(OTHER)).length() > 0);

        assertThat(ca(dev)).isNotEqualTo(ca(open.get(OTHER)));
        assertThat(Pem.certificates("ca", ca(dev)))
                .singleElement()
                .satisfies(certificate -> assertThat(
                                certificate.getSubjectX500Principal().getName())
                        .contains("front-proxy-of-dev"));
        String before = ca(dev);
        apis.close();
        apis = apis();
        apis.start();
        eventually("it works again", () -> apis.finding(DEV, "none").isEmpty() && !ca(dev).isEmpty());
        assertThat(ca(dev)).isEqualTo(before);
    }

    /** An imported cluster keeps the uids of the one that was exported. */
    @Test
    void copyOfACluster_hasAFrontProxyOfItsOwn() {
        apis.start();
        eventually("it is told", () -> ca(dev).length() > 0);
        String before = ca(dev);
        open.put(OTHER, dev);
        open.remove(DEV);
        eventually("the same objects have another CA", () -> !ca(dev).equals(before));
    }

    @Test
    void secretsOfClustersThatAreGone_goToo() {
        FrontProxies proxies = new FrontProxies(new RootApi(root.root), InstantSource.system());
        apis.start();
        eventually("it is told", () -> ca(dev).length() > 0);
        assertThat(secrets()).isEqualTo(1);

        proxies.sweep(Set.of(DEV));
        assertThat(secrets()).isEqualTo(1);
        proxies.sweep(Set.of(OTHER));
        assertThat(secrets()).isZero();
    }

    @Test
    void error_endsNotTheLook() throws Exception {
        errors.set(1);
        try (FakeBackend backend = new FakeBackend("api.shop.svc")) {
            register(backend, backend.identity.getCertificatePEM());
            apis.start();

            awaitCondition("True Passed all checks passed");
        }
        assertThat(errors).hasValue(0);
        assertThat(apis.work().isAlive()).isTrue();
    }
}
