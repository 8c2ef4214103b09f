package io.fairlead.hosted.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.hosted.identity.KeyAges;
import io.fairlead.hosted.identity.ServiceAccountTokens;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.Bytes;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.DeleteOptions;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.Propagation;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.watchcache.RevisionEvent;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * Keys of the queue are those of the store: of a Secret, to look at it; of a ServiceAccount that is gone, to look at the Secrets that
 * name it; of the namespace whose annotations retire keys, to look at all Secrets once these say something else. That of a Secret
 * that is gone has the revision of its deletion behind it, before which the store still has the name of its ServiceAccount. So no
 * key is much longer than one of the store, and what follows the log decodes nothing: a Secret is decoded by the worker, and only
 * if its bytes have the type in them.
 */

/**
 * Keeps Secrets of the type {@code kubernetes.io/service-account-token} filled with a token of their ServiceAccount, deletes them once
 * that is gone or another one, and removes those that are gone from its {@code secrets} (kubernetes {@code controller/serviceaccount/tokens_controller.go}).
 *
 * <p>Beyond kube-controller-manager: a token for a Secret that no key of the cluster verifies is replaced, so that the Secrets of a
 * cluster that was imported, and those of a key that was retired, work.
 */
public final class TokenSecrets implements AutoCloseable {
    private static final String TYPE = "kubernetes.io/service-account-token";
    private static final byte[] TYPE_BYTES = TYPE.getBytes(UTF_8);
    private static final String ACCOUNT_NAME = "kubernetes.io/service-account.name";
    private static final String ACCOUNT_UID = "kubernetes.io/service-account.uid";
    /** Between the key of a Secret that is gone and the revision of its deletion; no key has it. */
    private static final String GONE_SINCE = "\n";

    private static final String SYSTEM_NAMESPACE = "kube-system";
    private static final String TOKEN = "token";
    private static final String CERTIFICATES = "ca.crt";
    private static final String NAMESPACE = "namespace";

    private final RevisionedStore store;
    private final ObjectWriter writer;
    private final Resources resources;
    private final ServiceAccountTokens tokens;
    private final String rootCertificates;
    private final Caller caller = Caller.controller("tokens-controller");
    private final KeyQueue queue;
    private final List<RevisionFeed.Following> following;

    /** By which all Secrets were looked at; only for the worker. */
    private KeyAges settledBy;

    /** Where the objects are stored. */
    public record Resources(ServedResource namespaces, ServedResource serviceAccounts, ServedResource secrets) {
        private String systemNamespace() {
            return namespaces.key("", SYSTEM_NAMESPACE);
        }
    }

    /**
     * Starts with the existing Secrets.
     *
     * @param rootCertificates PEM, empty if not known
     */
    public TokenSecrets(
            RevisionedStore store,
            RevisionFeed log,
            ObjectWriter writer,
            Resources resources,
            ServiceAccountTokens tokens,
            String rootCertificates,
            ScheduledExecutorService scheduler) {
        this.store = store;
        this.writer = writer;
        this.resources = resources;
        this.tokens = tokens;
        this.rootCertificates = rootCertificates;
        this.queue = new KeyQueue("tokens-controller", this::reconcile, scheduler);
        this.following = List.of(
                log.follow(resources.secrets().prefix(), this::secretChanged, revision -> {}),
                log.follow(resources.serviceAccounts().prefix(), this::accountChanged, revision -> {}),
                log.follow(resources.namespaces().prefix(), this::namespaceChanged, revision -> {}));
        this.settledBy = tokens.keyAges();
        addAll(resources.secrets().prefix(), secret -> true);
        queue.start();
    }

    @Override
    public void close() {
        following.forEach(RevisionFeed.Following::close);
        queue.close();
    }

    private void secretChanged(RevisionEvent event) {
        byte[] value = event.value();
        Entry previous = event.previous();
        if (value != null) {
            if (isCandidate(value)) {
                queue.add(event.key());
            }
        } else if (previous != null && isCandidate(previous.value())) {
            queue.add(event.key() + GONE_SINCE + event.revision());
        }
    }

    private void accountChanged(RevisionEvent event) {
        if (event.value() == null) {
            queue.add(event.key());
        }
    }

    private void namespaceChanged(RevisionEvent event) {
        if (event.key().equals(resources.systemNamespace()) && event.value() != null) {
            queue.add(event.key());
        }
    }

    private boolean reconcile(String key) {
        int gone = key.indexOf(GONE_SINCE);
        if (gone >= 0) {
            forget(key.substring(0, gone), Long.parseLong(key.substring(gone + GONE_SINCE.length())));
        } else if (key.startsWith(resources.secrets().prefix())) {
            settle(key);
        } else if (key.startsWith(resources.serviceAccounts().prefix())) {
            settleThoseOf(key.substring(resources.serviceAccounts().prefix().length()));
        } else {
            settleByOtherAges();
        }
        return true;
    }

    /**
     * Queues the Secrets of a ServiceAccount.
     *
     * @param account its namespace, a slash and its name
     */
    private void settleThoseOf(String account) {
        int slash = account.indexOf('/');
        String name = account.substring(slash + 1);
        byte[] quoted = ("\"" + name + "\"").getBytes(UTF_8);
        addAll(
                resources.secrets().prefix() + account.substring(0, slash + 1),
                secret -> Bytes.contains(secret.value(), quoted)
                        && accountOf(resources.secrets().read(secret)).equals(name));
    }

    /** Queues all Secrets if keys of other ages verify than those by which they were looked at. */
    private void settleByOtherAges() {
        KeyAges ages = tokens.keyAges();
        if (!ages.equals(settledBy)) {
            addAll(resources.secrets().prefix(), secret -> true);
            settledBy = ages;
        }
    }

    /** Queues those of the Secrets below a prefix that may be of the type. */
    private void addAll(String prefix, Predicate<Entry> among) {
        store.forEach(prefix, store.revision(), entry -> {
            if (isCandidate(entry.value()) && among.test(entry)) {
                queue.add(entry.key());
            }
        });
    }

    private static boolean isCandidate(byte[] value) {
        return Bytes.contains(value, TYPE_BYTES);
    }

    private void settle(String key) {
        Entry entry = store.get(key);
        if (entry == null) {
            return;
        }
        ObjectNode secret = resources.secrets().read(entry);
        String account = accountOf(secret);
        if (!secret.path("type").asString("").equals(TYPE) || account.isEmpty()) {
            return;
        }
        Entry standing = store.get(resources.serviceAccounts().key(Meta.namespace(secret), account));
        ObjectNode found = standing == null ? null : resources.serviceAccounts().read(standing);
        String uid = Meta.annotations(secret).getOrDefault(ACCOUNT_UID, "");
        if (found == null || !(uid.isEmpty() || uid.equals(Meta.uid(found)))) {
            delete(secret);
        } else if (isIncomplete(secret)) {
            fill(secret, found);
        }
    }

    /**
     * Removes a Secret that is gone from what its ServiceAccount refers to.
     *
     * @param revision that of its deletion
     */
    private void forget(String secretKey, long revision) {
        Entry gone = store.get(secretKey) == null ? past(secretKey, revision - 1) : null;
        String account = gone == null ? "" : accountOf(resources.secrets().read(gone));
        if (account.isEmpty()) {
            return;
        }
        String[] segments =
                secretKey.substring(resources.secrets().prefix().length()).split("/", -1);
        String namespace = segments[0];
        String secret = segments[1];
        Entry standing = store.get(resources.serviceAccounts().key(namespace, account));
        if (standing == null || !refersTo(resources.serviceAccounts().read(standing), secret)) {
            return;
        }
        try {
            writer.update(
                    caller, resources.serviceAccounts(), namespace, account, "", stored -> without(stored, secret));
        } catch (StatusException e) {
            ignore(e, List.of(404, 409, 422));
        }
    }

    /** What a key had; null if that is forgotten, which takes a worker that is behind by minutes. */
    private @Nullable Entry past(String key, long revision) {
        try {
            return store.get(key, revision);
        } catch (CompactedException forgotten) {
            return null;
        }
    }

    private static boolean refersTo(ObjectNode account, String secret) {
        return account.path("secrets").valueStream().anyMatch(ref -> isTo(ref, secret));
    }

    private static ObjectNode without(ObjectNode account, String secret) {
        ObjectNode wanted = account.deepCopy();
        if (wanted.get("secrets") instanceof ArrayNode references) {
            references.removeIf(ref -> isTo(ref, secret));
            if (references.isEmpty()) {
                wanted.remove("secrets");
            }
        }
        return wanted;
    }

    private static boolean isTo(JsonNode reference, String secret) {
        return reference.path("name").asString("").equals(secret);
    }

    private static String accountOf(ObjectNode secret) {
        return Meta.annotations(secret).getOrDefault(ACCOUNT_NAME, "");
    }

    private boolean isIncomplete(ObjectNode secret) {
        return needsCertificates(secret) || needsNamespace(secret) || needsToken(secret);
    }

    private boolean needsCertificates(ObjectNode secret) {
        return !rootCertificates.isEmpty() && !text(secret, CERTIFICATES).equals(rootCertificates);
    }

    private static boolean needsNamespace(ObjectNode secret) {
        return text(secret, NAMESPACE).isEmpty();
    }

    private boolean needsToken(ObjectNode secret) {
        String token = text(secret, TOKEN);
        return token.isEmpty() || tokens.isOfAnotherKey(token);
    }

    private void fill(ObjectNode secret, ObjectNode account) {
        ObjectNode wanted = secret.deepCopy();
        ObjectNode data = wanted.withObjectProperty("data");
        if (needsCertificates(secret)) {
            data.put(CERTIFICATES, base64(rootCertificates));
        }
        if (needsNamespace(secret)) {
            data.put(NAMESPACE, base64(Meta.namespace(secret)));
        }
        if (needsToken(secret)) {
            data.put(TOKEN, base64(tokens.issue(account, secret)));
        }
        Meta.of(wanted)
                .withObjectProperty("annotations")
                .put(ACCOUNT_NAME, Meta.name(account))
                .put(ACCOUNT_UID, Meta.uid(account));
        try {
            writer.update(
                    caller,
                    resources.secrets(),
                    Meta.namespace(secret),
                    Meta.name(secret),
                    "",
                    stored -> wanted.deepCopy());
        } catch (StatusException e) {
            ignore(e, List.of(404, 409, 422));
        }
    }

    private void delete(ObjectNode secret) {
        try {
            writer.delete(
                    caller,
                    resources.secrets(),
                    Meta.namespace(secret),
                    Meta.name(secret),
                    new DeleteOptions(Meta.uid(secret), null, Propagation.UNSET));
        } catch (StatusException e) {
            ignore(e, List.of(404, 409));
        }
    }

    /** What has changed since it was read is looked at again: the log reports it. What may not change stays as it is. */
    private static void ignore(StatusException refusal, List<Integer> codes) {
        if (!codes.contains(refusal.status().code())) {
            throw refusal;
        }
    }

    private static String text(ObjectNode secret, String name) {
        try {
            String base64 = secret.path("data").path(name).asString("");
            return new String(Base64.getDecoder().decode(base64), UTF_8);
        } catch (IllegalArgumentException noBase64) {
            return "";
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}
