package io.fairlead.hosted.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.TokenVerdict;
import io.fairlead.hosted.kinds.BuiltInKinds;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.Codec;
import io.fairlead.hosted.objects.CommitGuard;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.TypedCodec;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The objects of a token are read once for each of their revisions. */
class TokenObjectsTest {
    private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
    private static final ObjectNode ACCOUNT = object("robot", "1");

    private final MemoryStore store = new MemoryStore();
    private final ClusterKeys keys = new ClusterKeys("uid");
    private final AtomicInteger reads = new AtomicInteger();
    private final ServedResource accounts = resource("serviceaccounts");
    private final ServedResource secrets = resource("secrets");
    private final ServiceAccountTokens tokens = new ServiceAccountTokens(
            store,
            "/signing-keys/uid",
            new SigningKeyIds(store, "/signing-keys/"),
            new TokenObjects(store, keys, List.of(accounts, secrets)),
            "https://localhost:6443/clusters/dev",
            InstantSource.fixed(NOW));

    @Test
    void repeatedVerification_readsNoObject() {
        put(accounts, ACCOUNT);
        put(secrets, object("s", "2"));
        String token = boundToken();
        assertAccepted(token);
        assertThat(reads).hasValue(2);

        assertAccepted(token);
        assertAccepted(token);

        assertThat(reads).hasValue(2);
    }

    @Test
    void changedObject_isReadAgain_once() {
        put(accounts, ACCOUNT);
        put(secrets, object("s", "2"));
        String token = boundToken();
        assertAccepted(token);
        put(accounts, ACCOUNT);

        assertAccepted(token);
        assertAccepted(token);

        assertThat(reads).hasValue(3);
    }

    @Test
    void deletion_countsAtOnce_andSoDoesAnotherObjectOfTheName() {
        put(accounts, ACCOUNT);
        put(secrets, object("s", "2"));
        String token = boundToken();
        assertAccepted(token);

        Entry secret = store.get(secrets.key("default", "s"));
        store.commit(new Write.Delete(secrets.key("default", "s"), secret == null ? 0 : secret.revision()));
        assertThat(why(token)).isEqualTo("service account token has been invalidated");

        put(secrets, object("s", "3"));
        assertThat(why(token)).startsWith("secret UID (3) does not match");

        ObjectNode terminating = object("s", "2");
        terminating.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-27T12:00:00Z");
        put(secrets, terminating);
        assertThat(why(token)).isEqualTo("service account token has been invalidated");
    }

    @Test
    void tokenInASecret_isComparedWithoutReadingIt() {
        put(accounts, ACCOUNT);
        ObjectNode secret = object("s", "2");
        String token = tokens.issue(ACCOUNT, secret);
        secret.putObject("data").put("token", Base64.getEncoder().encodeToString(token.getBytes(UTF_8)));
        put(secrets, secret);
        assertAccepted(token);

        assertAccepted(token);
        assertThat(reads).hasValue(2);

        secret.putObject("data").put("token", "eA==");
        put(secrets, secret);
        assertThat(why(token)).isEqualTo("Token does not match server's copy");
    }

    private String boundToken() {
        return tokens.issue(
                ACCOUNT, Binding.toSecret(new Binding.Ref("s", "2")), ServiceAccountTokens.AUDIENCES, NOW, 600);
    }

    private void assertAccepted(String token) {
        assertThat(tokens.verdict(token)).isInstanceOf(TokenVerdict.Accepted.class);
    }

    private String why(String token) {
        return tokens.verdict(token) instanceof TokenVerdict.Refused(String why) ? why : "";
    }

    private void put(ServedResource resource, ObjectNode object) {
        String name = object.path("metadata").path("name").asString("");
        Entry present = store.get(resource.key("default", name));
        store.commit(new Write.Put(
                resource.key("default", name), Json.write(object), present == null ? 0 : present.revision()));
    }

    private static ObjectNode object(String name, String uid) {
        ObjectNode object = Json.object();
        object.putObject("metadata")
                .put("name", name)
                .put("namespace", "default")
                .put("uid", uid);
        return object;
    }

    private ServedResource resource(String plural) {
        BuiltInKind kind = BuiltInKinds.all().stream()
                .filter(each -> each.type().plural().equals(plural))
                .findFirst()
                .orElseThrow();
        return new ServedResource(
                kind.type(),
                keys.resource(kind.type().storedAs()),
                counted(new TypedCodec(kind.type())),
                kind.rules(),
                List.of(),
                Map.of(),
                null,
                () -> true,
                CommitGuard.NONE,
                null);
    }

    private Codec counted(Codec codec) {
        return (Codec) Proxy.newProxyInstance(
                Codec.class.getClassLoader(), new Class<?>[] {Codec.class}, (_, method, arguments) -> {
                    if (method.getName().equals("fromStore")) {
                        reads.incrementAndGet();
                    }
                    try {
                        return method.invoke(codec, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
