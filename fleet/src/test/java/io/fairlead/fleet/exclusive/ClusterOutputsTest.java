package io.fairlead.fleet.exclusive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.FakeServer;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Of which objects an output is, and what is deleted of one that lost. */
class ClusterOutputsTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final ObjectKey WEB = new ObjectKey(DEV, "team", "web");
    private static final ObjectKey OTHER = new ObjectKey(DEV, "team", "other");
    private static final String LIST = """
        {"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[
         {"metadata":{"name":"of-pool","namespace":"team","uid":"u1","resourceVersion":"1","ownerReferences":[
           {"apiVersion":"example.io/v1","kind":"Pool","name":"web","uid":"p"}]}},
         {"metadata":{"name":"of-binding","namespace":"team","uid":"u2","resourceVersion":"2","ownerReferences":[
           {"apiVersion":"example.io/v1","kind":"Pool","name":"web","uid":"p"},
           {"apiVersion":"example.io/v1","kind":"Binding","name":"other","uid":"b"}]}},
         {"metadata":{"name":"of-another-group","namespace":"team","uid":"u3","resourceVersion":"3","ownerReferences":[
           {"apiVersion":"apps/v1","kind":"Binding","name":"web","uid":"x"}]}}]}
        """;

    private final FakeServer server = new FakeServer(answer -> {
        if (!answer.target().contains("watch=")) {
            answer.of(200, LIST);
        }
    });
    private final Informers informers = new Informers(_ -> server.entry(DEV, false), _ -> 1, Instant::now);
    private final CountDownLatch told = new CountDownLatch(3);
    private final List<String> deleted = new ArrayList<>();
    private volatile String kind = "Binding";

    private final ClusterOutputs outputs = new ClusterOutputs(
            DEV, RuleSpec.of(Json.read("""
                {"metadata":{"name":"r","uid":"u"},"spec":{"resource":{"group":"example.io","version":"v1","resource":"bindings"},
                 "key":"object.spec.x","withdraw":[{"resource":{"version":"v1","resource":"configmaps"}}]}}
                """.getBytes(UTF_8)), Map::of), () -> kind, _ -> told.countDown());

    @AfterEach
    void close() {
        outputs.close();
        informers.close();
    }

    /** Who may make bindings would else have the outputs of pools deleted, which have the names that they choose. */
    @Test
    void outputOfAnotherKindOfTheGroup_isNotOfTheObjectOfThatName() throws Exception {
        start();

        assertThat(isLive(WEB)).isFalse();
        assertThat(isLive(OTHER))
                .as("also where it is not the first that is named")
                .isTrue();
        assertThat(outputs.withdraw(WEB, calls())).isEmpty();
        assertThat(outputs.withdraw(OTHER, calls())).containsExactly("configmaps \"of-binding\"");
        assertThat(deleted).containsExactly("/api/v1/namespaces/team/configmaps/of-binding");
    }

    @Test
    void kindThatIsNotKnownYet_holdsUpADecision_andDeletesNothing() throws Exception {
        kind = "";
        start();

        assertThat(isLive(WEB)).isTrue();
        assertThatThrownBy(() -> outputs.withdraw(WEB, calls())).isInstanceOf(CallFailure.class);
        assertThat(deleted).isEmpty();
    }

    private void start() throws InterruptedException {
        outputs.start(informers);
        assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private boolean isLive(ObjectKey key) {
        AtomicBoolean live = new AtomicBoolean();
        outputs.tell(key, (_, isLive) -> live.set(isLive));
        return live.get();
    }

    private ClusterCalls calls() {
        return (ClusterCalls) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ClusterCalls.class}, (_, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("delete");
                    deleted.add((String) arguments[0]);
                    return null;
                });
    }
}
