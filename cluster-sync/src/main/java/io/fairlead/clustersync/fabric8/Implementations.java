package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fairlead.clustersync.TypeSource;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is recorded to act on the objects of a cluster's CRDs: the annotation {@value TypeSource#IMPLEMENTATION}, else the digest
 * of the image of the Crossplane package revision that controls the CRD. A revision is read once; until it is, and where it
 * cannot be, nothing is recorded.
 *
 * <p>Threads: any; revisions are read on the executor, which may block.
 */
final class Implementations {
    private static final String PACKAGES = "pkg.crossplane.io/v1";
    private static final Map<String, String> REVISIONS = Map.of(
            "ConfigurationRevision", "configurationrevisions",
            "FunctionRevision", "functionrevisions",
            "ProviderRevision", "providerrevisions");
    private static final int OWNERS_MAX = 10_000;
    private static final long RETRY_SECONDS = 60;

    private final KubernetesClient client;
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private final BiConsumer<String, String> found;

    /** By uid of the revision. */
    private final Map<String, Owned> owners = new HashMap<>();

    /** The uid of the revision that controls a CRD. */
    private final Map<String, String> ownerOf = new HashMap<>();

    private boolean closed;

    /**
     * Of one cluster.
     *
     * @param found told the name of a CRD and what acts on it, once that is known
     */
    Implementations(
            KubernetesClient client,
            Executor executor,
            ScheduledExecutorService scheduler,
            BiConsumer<String, String> found) {
        this.client = client;
        this.executor = executor;
        this.scheduler = scheduler;
        this.found = found;
    }

    /** What is known of a CRD now; if that takes a look at its revision, it is told later. */
    String of(ObjectMeta crd) {
        String annotated =
                crd.getAnnotations() == null ? null : crd.getAnnotations().get(TypeSource.IMPLEMENTATION);
        OwnerReference owner = annotated == null || annotated.isEmpty() ? revision(crd) : null;
        String said = ofOwner(Claims.text(crd.getName()), owner);
        return annotated == null || annotated.isEmpty() ? said : annotated;
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
    }

    private String ofOwner(String crd, @Nullable OwnerReference owner) {
        Owned owned;
        synchronized (this) {
            if (owner == null) {
                ownerOf.remove(crd);
                return "";
            }
            owned = owners.get(owner.getUid());
            if (owned == null && owners.size() >= OWNERS_MAX) {
                return "";
            }
            ownerOf.put(crd, owner.getUid());
            if (owned != null) {
                owned.crds.add(crd);
                return owned.digest;
            }
            owned = new Owned(path(owner), owner.getUid());
            owned.crds.add(crd);
            owners.put(owner.getUid(), owned);
        }
        readSoon(owned);
        return "";
    }

    private static @Nullable OwnerReference revision(ObjectMeta crd) {
        List<OwnerReference> references = crd.getOwnerReferences() == null ? List.of() : crd.getOwnerReferences();
        return references.stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController())
                        && PACKAGES.equals(reference.getApiVersion())
                        && REVISIONS.containsKey(Claims.text(reference.getKind()))
                        && !Claims.text(reference.getUid()).isEmpty()
                        && isName(Claims.text(reference.getName())))
                .findFirst()
                .orElse(null);
    }

    /** Whether it is one segment of a path; a CRD may say anything. */
    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= 253
                && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.')
                && !text.contains("..");
    }

    private static String path(OwnerReference owner) {
        return "/apis/" + PACKAGES + "/" + REVISIONS.get(owner.getKind()) + "/" + owner.getName();
    }

    private void readSoon(Owned owned) {
        try {
            executor.execute(() -> read(owned));
        } catch (RejectedExecutionException ended) {
            // Nobody asks any more.
        }
    }

    private void read(Owned owned) {
        JsonNode revision = get(owned.path);
        String image = revision.at("/spec/image").asString("");
        int at = image.lastIndexOf("@sha256:");
        boolean isIt = revision.at("/metadata/uid").asString("").equals(owned.uid);
        if (isIt) {
            tell(owned, at < 0 ? "" : image.substring(at + 1));
        } else {
            retryLater(owned);
        }
    }

    /** The object at a path; one without fields if it cannot be had. */
    private JsonNode get(String path) {
        try {
            String body = client.raw(path);
            return body == null ? Json.object() : Json.read(body.getBytes(StandardCharsets.UTF_8));
        } catch (KubernetesClientException | UnreadableDocumentException | IllegalStateException refused) {
            return Json.object();
        }
    }

    private void tell(Owned owned, String digest) {
        List<String> concerned;
        synchronized (this) {
            owned.digest = digest;
            concerned = owned.crds.stream()
                    .filter(crd -> owned.uid.equals(ownerOf.get(crd)))
                    .toList();
        }
        if (!digest.isEmpty()) {
            concerned.forEach(crd -> found.accept(crd, digest));
        }
    }

    /** While some CRD still names it. */
    private void retryLater(Owned owned) {
        synchronized (this) {
            if (closed || !ownerOf.containsValue(owned.uid)) {
                owners.remove(owned.uid);
                return;
            }
        }
        try {
            scheduler.schedule(() -> readSoon(owned), RETRY_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException ended) {
            // Nobody asks any more.
        }
    }

    /** A revision and the CRDs that name it. Under the lock of what it belongs to. */
    private static final class Owned {
        private final String path;
        private final String uid;
        private final Set<String> crds = new HashSet<>();
        private String digest = "";

        Owned(String path, String uid) {
            this.path = path;
            this.uid = uid;
        }
    }
}
